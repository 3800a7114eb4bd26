import { type Received, textAt } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import type { SeenKind, SeenRecord } from "../context.js";
import type { Reply } from "./reply.js";

const kinds: readonly string[] = ["corporate", "related", "ledger", "beneficiary"] satisfies SeenKind[];

/** The records an answer shows by id and name: listed, looked at or created. For completion only. Pure. */
export function seenIn(operation: AnyOperation, input: Input, reply: Reply): SeenRecord[] {
	const [noun = "", verb = ""] = operation.id.split(".");
	if (!kinds.includes(noun)) return [];
	const kind = noun as SeenKind;
	if (verb === "create") return reply.id === undefined ? [] : [{ kind, id: reply.id, name: nameOf(input.body ?? {}) }];
	if (verb !== "list" && verb !== "get") return [];
	const data: unknown = reply.data;
	const records = Array.isArray(data) ? data : isRecord(data) ? (Array.isArray(data.content) ? data.content : [data]) : [];
	return records.filter(isRecord).flatMap((record) => {
		const id = textAt(record, "id", `${noun}Id`, "corporateRelatedId");
		return id === undefined ? [] : [{ kind, id, name: nameOf(record) }];
	});
}

/** Persons by first name and initial: enough to tell them apart, and no more than that is kept. */
function nameOf(record: Received): string | undefined {
	const named = textAt(record, "friendlyName", "corporateName", "registeredName", "name");
	if (named !== undefined) return named;
	const first = textAt(record, "firstName");
	const initial = textAt(record, "lastName")?.charAt(0);
	return first && initial ? `${first} ${initial}.` : first;
}
