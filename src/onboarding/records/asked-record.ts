/**
 * Whether an answer is about the requested record: an answer about another one proves nothing.
 */
import { advice, purser } from "../../api/advice.js";
import { at, otherRecord, type Received } from "../../api/answer.js";
import { PurserError } from "../../errors.js";

const kinds = {
	corporate: { named: ["id", "corporateId"], command: purser`corporate show`, operation: "corporate.get" },
	ledger: { named: ["id", "ledgerId"], command: purser`ledger show`, operation: "ledger.get" },
	beneficiary: { named: ["id", "beneficiaryId"], command: purser`beneficiary show`, operation: "beneficiary.get" },
	"related entity": { named: ["id", "corporateRelatedId"], command: purser`related show`, operation: "related.get" },
} as const;

/**
 * Returns the record unless it is another one.
 * @throws PurserError bug, where every id in it is another record's
 */
export function askedRecord(kind: keyof typeof kinds, id: string, record: Received): Received {
	const { named, command, operation } = kinds[kind];
	const other = otherRecord(id, ...named.map((name) => at(record, name)));
	if (other === undefined) return record;
	throw new PurserError("bug", {
		code: "ANSWER_UNREADABLE",
		message: `The service was asked for the ${kind} ${id} and answered with another one, ${other}`,
		why: "The answer says nothing about the requested record",
		fix: advice`Try again: ${command} ${id}; if it happens again, check the path of ${operation}: ${purser`api list`}`,
		answer: record,
	});
}
