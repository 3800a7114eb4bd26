import { type Received, textAt } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import type { CachedKind, CachedRecord } from "../ports/completion-cache.js";
import type { Reply } from "./content.js";

const kinds: readonly string[] = ["corporate", "related", "ledger", "beneficiary"] satisfies CachedKind[];

/**
 * The records that an answer shows, with ids and non-personal names, for the completion cache. Pure. No personal data is stored on disk:
 * companies and ledgers have their names, natural persons only their kind and status.
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
		// The specification does not list the types, so a name is stored only if the type shows that it is not a person's.
		const named = /COMPANY|CORPORATE|BUSINESS|LEGAL/i.test(type ?? "") ? textAt(record, "name") : undefined;
		return named ?? withStatus(type === undefined ? "beneficiary" : `beneficiary ${type}`, status);
	}
	const person = textAt(record, "firstName", "lastName") !== undefined || /PHYSICAL|NATURAL/i.test(type ?? "");
	return person ? withStatus("natural person", status) : company;
}

const withStatus = (what: string, status: string | undefined): string => (status === undefined ? what : `${what}, ${status}`);
