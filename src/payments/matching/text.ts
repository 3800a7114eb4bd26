/**
 * Texts about doubts for people: what would settle one, what became of it, and what may be it. Pure.
 */
import { purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import { typed } from "../../api/answer.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { isFailed } from "../../api/values.js";
import type { SuggestedCommand } from "../../errors.js";
import type { Check, IntentRecord } from "../../ports/intent.js";
import { groupBy } from "../rules/group-by.js";
import { type Parties, rowText, sourceWords, subject, type Words } from "../rules/intent-text.js";
import { differing, unsure } from "./person.js";
import { aloneWith, type Candidate, type SettleResult } from "./settle.js";

export function doubtText(doubt: IntentRecord & Parties & { settle: string; after?: string }, style: Words): string {
	return [
		`${style.warn(`Intent ${doubt.intent}`)}  ${subject(doubt, style)}`,
		style.pairs([
			["  Reference", doubt.transfer?.reference && `"${doubt.transfer.reference}"`],
			["  From", doubt.transfer && (doubt.ledgerName ?? `ledger ${doubt.transfer.ledgerFromId}`)],
			["  Row", rowText(doubt)],
			["  Started", style.time(doubt.begun)],
			["  In doubt because", doubt.why],
			["  Can be confirmed", doubt.after && `as not created from ${style.time(doubt.after)}`],
			["  To settle", doubt.settle],
		]),
	].join("\n");
}

export function settledText(one: SettleResult & Parties, style: Words): string {
	const row = rowText(one);
	const reference = one.transfer?.reference ? `, "${one.transfer.reference}"` : "";
	const head = `Intent ${one.intent}  ${subject(one, style)}${row === undefined ? "" : `, row ${row}${reference}`}`;
	if (one.state === "not-created") return `${style.good("Not created")}  ${head}\n  ${one.evidence.reason}`;
	if (one.state === "accepted") {
		const { id, status, evidence } = one;
		const as = `${id === undefined ? "without an id" : `as ${id}`}${status === undefined ? "" : `, ${style.status(status)}`}`;
		const moved = status === "REVERSED" ? "the money came back" : "no money moved";
		const failed = isFailed(status) ? `\n  It was ${status?.toLowerCase()}: ${moved}` : "";
		return `${style.good("Created")}  ${head}\n  ${as} (${style.localized(evidence.reason)})${failed}`;
	}
	const { why, check, candidates = [] } = one;
	const lines = [`${style.warn("Still in doubt")}  ${head}`, `  ${style.localized(why)}`];
	if (check?.number !== undefined) lines.push(`  ${style.dim(style.localized(checkText(check)))}`);
	for (const candidate of candidates.slice(0, mostShown)) lines.push(style.localized(sideBySide(one, candidate)));
	if (candidates.length > mostShown) lines.push(`  and ${candidates.length - mostShown} more`);
	return [...lines, ...nextSteps(one, style)].join("\n");
}

const mostShown = 5;

function nextSteps(one: SettleResult & { state: "in-doubt" }, style: Words): string[] {
	const { intent, check, candidates: [only] = [], holders = [] } = one;
	const steps: string[] = [];
	const step = (when: string, command: SuggestedCommand) => steps.push(`  ${when}: ${style.shown(command)}`);
	const named = only && typed(only.line.id, "TRANSACTION");
	if (named) step("If it is this payment", purser`pay settle ${intent} --transaction ${named}`);
	for (const holder of one.finding === "contested" ? holders.slice(0, mostShown) : [])
		step(`If intent ${holder} has the wrong id`, purser`pay settle ${holder} --reopen --reason TEXT`);
	if (one.after !== undefined) step(`Check again ${style.time(one.after)}`, purser`pay settle ${intent}`);
	else if (check?.number !== undefined && check.complete && check.source === "service") {
		const other = named ? ["--not-this", named] : [];
		step("If you know that it was not created", purser`pay settle ${intent} --not-created --check ${check.number} ${other} --reason TEXT`);
	}
	if (steps.length === 0) step("By hand", purser`pay settle ${intent} --transaction ID`);
	return steps;
}

/** Ours above the line that may be it, with what differs and what could not be compared. Times are RFC 3339. */
function sideBySide({ transfer, begun, payeeName }: SettleResult & Parties, { line, compared }: Candidate): string {
	if (transfer === undefined) return "";
	const row = ({ amount = "no amount", currency, reference }: Partial<Transfer>, to: string | undefined, at: string | undefined): string =>
		[inCurrency(amount, currency), to && `to ${to}`, reference ? `"${reference}"` : "no reference", at].filter(Boolean).join("  ");
	const fields = (what: string, names: readonly string[]) => (names.length === 0 ? [] : [`          ${what}: ${names.join(", ")}`]);
	return [
		`  ours    ${row(transfer, payeeName ?? `${transfer.kind} ${transfer.counterpartyId}`, begun)}`,
		`  listed  ${row(line, line.receiverName ?? (line.receiverLedgerId && `ledger ${line.receiverLedgerId}`), line.createdAt)}`,
		...fields("differs", differing(compared)),
		...fields("not comparable", unsure(compared)),
		`          transaction ${line.id ?? "without an id"}`,
	].join("\n");
}

function checkText({ number, at, source, complete, fitting, lacks }: Check): string {
	const found = fitting === 0 ? "nothing that may be it" : `${fitting} that may be it`;
	return `Check ${number}, ${at}, ${sourceWords[source]} (${complete ? "complete" : `not complete: ${lacks ?? "unknown"}`}): ${found}`;
}

/** Suggests how to decide about several rows of a batch at once; empty for fewer than two rows. */
export function batchSteps(settled: readonly SettleResult[], style: Words): string[] {
	const steps: string[] = [];
	const step = (when: string, command: SuggestedCommand) => steps.push(`${when}: ${style.shown(command)}`);
	const open = settled.filter((one) => one.state === "in-doubt");
	for (const [batch, rows] of groupBy(open, (one) => one.batch)) {
		if (batch === undefined) continue;
		const absent = rows.filter((one) => one.finding === "not-listed" && one.after === undefined && one.check?.complete);
		const { length: alone } = rows.filter(aloneWith);
		const check = absent[0]?.check?.number;
		const notCreated = purser`pay settle --batch ${batch} --not-created --check ${check} --reason TEXT`;
		if (absent.length > 1 && check !== undefined) step(`If you know for all ${absent.length} rows that they were not created`, notCreated);
		if (alone > 1)
			step(`If all ${alone} transactions above are these rows`, purser`pay settle --batch ${batch} --accept-listed --reason TEXT`);
	}
	return steps;
}
