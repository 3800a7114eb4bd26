import { textAt } from "../api/answer.js";
import type { AnyOperation } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import type { SeenName } from "../ports/resolver.js";

/**
 * The names of ledgers and payees that an answer shows. Pure. They are kept on disk, so of payees only those are taken whose type shows that
 * they are no natural person: the specification does not list the types.
 */
export function namesIn(operation: AnyOperation, data: unknown): SeenName[] {
	const [kind, verb] = operation.id.split(".");
	if ((kind !== "ledger" && kind !== "beneficiary") || (verb !== "list" && verb !== "get")) return [];
	const records = Array.isArray(data) ? data : isRecord(data) ? (Array.isArray(data.content) ? data.content : [data]) : [];
	return records.filter(isRecord).flatMap((record): SeenName[] => {
		const isCompany = /COMPANY|CORPORATE|BUSINESS|LEGAL/i.test(textAt(record, "type") ?? "");
		const name = kind === "ledger" ? textAt(record, "friendlyName", "name") : isCompany ? textAt(record, "name") : undefined;
		const id = textAt(record, "id", `${kind}Id`);
		return id === undefined || name === undefined ? [] : [{ kind, id, name }];
	});
}
