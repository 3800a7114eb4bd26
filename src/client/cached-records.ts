import { type Received, textAt } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import type { CachedKind, CachedRecord } from "../ports/completion-cache.js";
import type { Reply } from "./reply.js";

const kinds: readonly string[] = ["corporate", "related", "ledger", "beneficiary"] satisfies CachedKind[];

/**
 * The records an answer shows by id, with what tells them apart and is not personal: listed, looked at or created.
 * For completion only. Pure. No personal data is kept anywhere on disk: companies and ledgers stand
 * with their names, natural persons with their kind and status.
 */
export function cachedRecordsIn(operation: AnyOperation, input: Input, reply: Reply): CachedRecord[] {
	const [noun = "", verb = ""] = operation.id.split(".");
	if (!kinds.includes(noun)) return [];
	const kind = noun as CachedKind;
	if (verb === "create") return reply.id === undefined ? [] : [{ kind, id: reply.id, name: nameOf(kind, input.body ?? {}) }];
	if (verb !== "list" && verb !== "get") return [];
	const data: unknown = reply.data;
	const records = Array.isArray(data) ? data : isRecord(data) ? (Array.isArray(data.content) ? data.content : [data]) : [];
	return records.filter(isRecord).flatMap((record) => {
		const id = textAt(record, "id", `${noun}Id`, "corporateRelatedId");
		return id === undefined ? [] : [{ kind, id, name: nameOf(kind, record) }];
	});
}

function nameOf(kind: CachedKind, record: Received): string | undefined {
	if (kind === "ledger") return textAt(record, "friendlyName", "name");
	const company = textAt(record, "corporateName", "registeredName");
	if (kind === "corporate") return company ?? textAt(record, "name");
	const type = textAt(record, "type");
	const status = textAt(record, "status", "kycInfo.status");
	if (kind === "beneficiary") {
		// The specification names no types: a name is kept only where the type says that it is no person's.
		const named = /COMPANY|CORPORATE|BUSINESS|LEGAL/i.test(type ?? "") ? textAt(record, "name") : undefined;
		return named ?? withStatus(type === undefined ? "beneficiary" : `beneficiary ${type}`, status);
	}
	const person = textAt(record, "firstName", "lastName") !== undefined || /PHYSICAL|NATURAL/i.test(type ?? "");
	return person ? withStatus("natural person", status) : company;
}

const withStatus = (what: string, status: string | undefined): string => (status === undefined ? what : `${what}, ${status}`);
