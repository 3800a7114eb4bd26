/**
 * Checks that a file matches a plan by reading and totalling it again, for an approver who has the file.
 */

import { basename } from "node:path";
import { advice, purser } from "../../../api/advice.js";
import type { IdForms } from "../../../api/text/ids.js";
import { PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Files } from "../../../ports/machine.js";
import { limitsMoney } from "../../rules/caps.js";
import { sameAmount } from "../../rules/decimal.js";
import type { BatchField } from "./columns.js";
import { Digest } from "./digest.js";
import { readRows } from "./rows.js";
import { hashed } from "./source.js";
import { Totals } from "./totals.js";

export interface MatchInput {
	/** A path. */
	file: string;
	/** As the planner gave them. */
	map: readonly string[];
	given: Partial<Record<BatchField, string>>;
	/** The profile's forms of ids. */
	ids: IdForms;
}

/**
 * Uses the currencies from the plan, so nothing is requested from the service; wrong ones would show in the totals.
 * @throws PurserError guard, if bytes, rows or totals differ from the plan; usage, if the file cannot be read
 */
export async function checkMatch(files: Pick<Files, "stream">, plan: BatchPlan, input: MatchInput): Promise<void> {
	const source = hashed(files.stream(input.file));
	const currencies = currenciesOf(plan);
	const [digest, totals] = [new Digest(), new Totals(new Map())];
	let [count, faulty] = [0, 0];
	try {
		const rows = readRows(source.pieces, {
			name: basename(input.file),
			map: input.map,
			given: input.given,
			everyPayee: limitsMoney(plan.settings),
			currencyOf: async () => currencies,
			ids: input.ids,
			heading: () => {},
		});
		for await (const some of rows)
			for (const { row, transfer } of some) {
				count += 1;
				if (transfer === undefined) faulty += 1;
				else {
					digest.add(transfer);
					totals.add(row, transfer);
				}
			}
	} catch (error) {
		throw unreadable(error, input.file);
	}
	const { sequence } = digest.finish();
	const what: string[] = [];
	if (source.digest() !== plan.sourceDigest) what.push("the file's bytes");
	if (faulty > 0) what.push(`${faulty} rows cannot be paid`);
	if (count !== plan.count) what.push(`the file has ${count} rows, the plan ${plan.count}`);
	if (sequence !== plan.digest.sequence) what.push("the rows");
	if (!sameTotals(totals.list, plan.totals)) what.push("the totals");
	if (what.length > 0) throw fileDiffers(plan, input.file, what);
}

/** Currencies by id, from the service when the plan was made. */
function currenciesOf({ currencies = [] }: BatchPlan): Map<string, string> {
	return new Map(currencies.flatMap(({ currency, ids }) => ids.map((id) => [id, currency] as const)));
}

function sameTotals(found: BatchPlan["totals"], planned: BatchPlan["totals"]): boolean {
	const key = ({ ledgerFromId, currency = "" }: BatchPlan["totals"][number]): string => `${ledgerFromId} ${currency}`;
	const known = new Map(planned.map((total) => [key(total), total]));
	return (
		found.length === planned.length &&
		found.every((total) => {
			const other = known.get(key(total));
			return other !== undefined && other.rows === total.rows && sameAmount(other.amount, total.amount);
		})
	);
}

function fileDiffers({ batch }: BatchPlan, file: string, what: readonly string[]): PurserError {
	return new PurserError("guard", {
		code: "FILE_DIFFERENT",
		message: `${file} is not the file that batch ${batch} was planned from; nothing was signed`,
		why: `different: ${what.join("; ")}`,
		fix: advice`Ask the planner for the file, and for the --map and other flags of its columns; or have the file planned again: ${purser`pay batch plan FILE`}`,
	});
}

function unreadable(error: unknown, file: string): unknown {
	const { code } = (error ?? {}) as { code?: unknown };
	if (error instanceof PurserError || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return error;
	return new PurserError("usage", {
		code: "FILE_UNREADABLE",
		message: `${file} cannot be read (${code}); nothing was signed`,
		fix: "Give an existing file, or leave --file out.",
		cause: error,
	});
}
