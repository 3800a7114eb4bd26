/**
 * Whether the service answers: one GET for each read that the profile uses. A record's id is taken from a list, so nothing is guessed, and nothing
 * of an answer's content is shown.
 */
import { textAt } from "../api/answer.js";
import type { AnyOperation, Input, Method } from "../api/operation.js";
import { getBeneficiary, listBeneficiaries } from "../api/operations/beneficiary.js";
import { getCorporate, getDiligenceReview, listCorporates } from "../api/operations/corporate.js";
import { getLedger, listLedgers } from "../api/operations/ledger.js";
import { getRelated, listRelated } from "../api/operations/related.js";
import { getTerms } from "../api/operations/terms.js";
import { getTransaction, listTransactions } from "../api/operations/transaction.js";
import type { Context } from "../context.js";
import { isNotOffered, PurserError } from "../errors.js";
import { call } from "../http/call.js";
import { onePage } from "../http/pages.js";
import type { Profile } from "../ports/profiles.js";
import { type Check, faultOf, ok } from "./check.js";

interface Read {
	operation: AnyOperation;
	/** The list whose first record is asked for. */
	of?: AnyOperation;
}

/** Every operation that reads, each list before what is asked for by an id from it. */
export const reads: readonly Read[] = [
	{ operation: getTerms },
	{ operation: listCorporates },
	{ operation: getCorporate, of: listCorporates },
	{ operation: getDiligenceReview, of: listCorporates },
	{ operation: listRelated, of: listCorporates },
	{ operation: getRelated, of: listRelated },
	{ operation: listLedgers },
	{ operation: getLedger, of: listLedgers },
	{ operation: listBeneficiaries },
	{ operation: getBeneficiary, of: listBeneficiaries },
	{ operation: listTransactions },
	{ operation: getTransaction, of: listTransactions },
];

/** Failures that every further request would meet too. */
const common: readonly string[] = ["NOT_SENT", "NO_ANSWER", "NOT_AUTHENTICATED", "TOO_MANY_REQUESTS"];

/** One check for each read in use; after a failure that all have in common the rest is not asked. @throws PurserError interrupted */
export async function checkService(context: Context, profile: Profile): Promise<Check[]> {
	const checks: Check[] = [];
	/** The id of each list's first record. */
	const ids = new Map<AnyOperation, string>();
	for (const { operation, of } of reads) {
		const { id, title } = operation;
		const entry = profile.mapping?.operations[id];
		if (entry === "none") continue;
		const named = of && ids.get(of);
		const reason = reasonAgainst(of, named, entry?.method);
		if (reason !== undefined) {
			checks.push(ok(id, `Not asked: ${reason}`));
			continue;
		}
		try {
			const found = await context.report.during(title, () => asked(context, operation, named));
			if (found.id !== undefined) ids.set(operation, found.id);
			checks.push(ok(id, found.text));
		} catch (error) {
			if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
			checks.push(refusal(id, error));
			if (common.includes(error.failure.code)) break;
		}
	}
	return checks;
}

function reasonAgainst(of: AnyOperation | undefined, named: string | undefined, method: Method = "GET"): string | undefined {
	if (of !== undefined && named === undefined) return `${of.id} names no record`;
	return method === "GET" ? undefined : `this service reads it by ${method}`;
}

function refusal(id: string, error: PurserError): Check {
	const failed = faultOf(id, error);
	if (common.includes(error.failure.code)) return { ...failed, found: `${failed.found}. The other reads were not asked` };
	return isNotOffered(error) ? { ...failed, state: "warning" } : failed;
}

/** @param id of the record to ask for, where the path names one */
async function asked(context: Context, operation: AnyOperation, id: string | undefined): Promise<{ text: string; id?: string }> {
	const params = Object.fromEntries(Object.keys(operation.params.shape).map((name) => [name, id]));
	if ("pageSize" in operation.query.shape) {
		const { found } = await onePage(context, operation, { params, query: {} }, { page: 0, pageSize: 1 });
		const [first] = found;
		return { text: first === undefined ? "Answers; the list is empty" : "Answers", id: textAt(first, "id", "corporateRelatedId") };
	}
	const query = operation === getTerms ? { type: "CORPORATE", language: "EN" } : {};
	await call(context, operation, { params, query } as Input);
	return { text: "Answers" };
}
