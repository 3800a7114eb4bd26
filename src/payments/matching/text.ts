/**
 * Texts about doubts for people: what would settle one, what became of it, and what may be it. Pure.
 */
import { purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import { typed } from "../../api/answer.js";
import type { IntentRecord, Look } from "../../ports/intent.js";
import { rowText, subject, type Words } from "../rules/intent-text.js";
import type { Parties } from "../rules/parties.js";
import { differing, unsure } from "./person.js";
import type { Candidate, SettleResult } from "./settle.js";

/** Describes an open doubt: why it is one and what would settle it. */
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

/** Describes the result of settling one doubt. */
export function settledText(one: SettleResult & Parties, style: Words): string {
	const row = rowText(one);
	const reference = one.transfer?.reference;
	const which = row === undefined ? "" : `, row ${row}${reference ? `, "${reference}"` : ""}`;
	const head = `Intent ${one.intent}  ${subject(one, style)}${which}`;
	if (one.state === "accepted") {
		const ended = one.status === undefined ? "" : `, ${style.status(one.status)}`;
		const failed = isFailed(one.status) ? `\n  ${failedWords(one.status as string)}` : "";
		return `${style.good("Created")}  ${head}\n  ${one.id === undefined ? "without an id" : `as ${one.id}`}${ended} (${style.localized(one.evidence.reason)})${failed}`;
	}
	if (one.state === "not-created") return `${style.good("Not created")}  ${head}\n  ${one.evidence.reason}`;
	const lines = [`${style.warn("Still in doubt")}  ${head}`, `  ${style.localized(one.why)}`];
	if (one.check?.number !== undefined) lines.push(`  ${style.dim(style.localized(checkText(one.check)))}`);
	for (const candidate of (one.candidates ?? []).slice(0, mostShown)) lines.push(style.localized(sideBySide(one, candidate)));
	if ((one.candidates?.length ?? 0) > mostShown) lines.push(`  and ${(one.candidates?.length ?? 0) - mostShown} more`);
	return [...lines, ...nextSteps(one, style)].join("\n");
}

/** Most lines that are shown for one doubt. */
const mostShown = 5;

/** Statuses of a payment that was created and moved no money, or gave it back. */
const failures = { DECLINED: "no money moved", ABORTED: "no money moved", RELEASED: "no money moved", REVERSED: "the money came back" };

export const isFailed = (status: string | undefined): boolean => status !== undefined && Object.hasOwn(failures, status);

const failedWords = (status: string): string => `It was ${status.toLowerCase()}: ${failures[status as keyof typeof failures]}`;

function nextSteps(one: SettleResult & { state: "in-doubt" }, style: Words): string[] {
	const number = one.check?.number;
	const [only] = one.candidates ?? [];
	const steps: string[] = [];
	if (only !== undefined)
		steps.push(
			`  If it is this payment: ${style.shown(purser`pay settle ${one.intent} --transaction ${typed(only.line.id, "TRANSACTION")}`)}`,
		);
	for (const intent of one.finding === "contested" ? (one.holders ?? []).slice(0, mostShown) : [])
		steps.push(`  If intent ${intent} has the wrong id: ${style.shown(purser`pay settle ${intent} --reopen --reason TEXT`)}`);
	if (one.after !== undefined) steps.push(`  Check again ${style.time(one.after)}: ${style.shown(purser`pay settle ${one.intent}`)}`);
	else if (number !== undefined && one.check?.complete && one.check.source === "service") {
		const other = only === undefined ? [] : ["--not-this", typed(only.line.id, "TRANSACTION")];
		steps.push(
			`  If you know that it was not created: ${style.shown(purser`pay settle ${one.intent} --not-created --check ${number} ${other} --reason TEXT`)}`,
		);
	}
	if (steps.length === 0) steps.push(`  By hand: ${style.shown(purser`pay settle ${one.intent} --transaction ID`)}`);
	return steps;
}

/** Ours above the line that may be it, with what differs and what could not be compared. Times are RFC 3339. */
export function sideBySide(
	{ transfer, begun, payeeName }: Pick<SettleResult, "transfer" | "begun"> & Parties,
	{ line, compared }: Candidate,
): string {
	if (transfer === undefined) return "";
	const [differs, missing] = [differing(compared), unsure(compared)];
	const quoted = (reference: string | undefined): string => (reference ? `"${reference}"` : "no reference");
	const payee = payeeName ?? `${transfer.kind} ${transfer.counterpartyId}`;
	const receiver = line.receiverName ?? (line.receiverLedgerId && `ledger ${line.receiverLedgerId}`);
	const listed = [
		inCurrency(line.amount ?? "no amount", line.currency),
		receiver && `to ${receiver}`,
		quoted(line.reference),
		line.createdAt,
	];
	return [
		`  ours    ${[inCurrency(transfer.amount, transfer.currency), `to ${payee}`, quoted(transfer.reference), begun].join("  ")}`,
		`  listed  ${listed.filter(Boolean).join("  ")}`,
		...(differs.length > 0 ? [`          differs: ${differs.join(", ")}`] : []),
		...(missing.length > 0 ? [`          not comparable: ${missing.join(", ")}`] : []),
		`          transaction ${line.id ?? "without an id"}`,
	].join("\n");
}

/** Describes a check on one line. */
export function checkText({ number, at, source, complete, fitting, lacks }: Look): string {
	const where = { service: "the service's list", events: "transactions that events named", statement: "a statement" }[source];
	const found = fitting === 0 ? "nothing that may be it" : `${fitting} that may be it`;
	return `${number === undefined ? "This check" : `Check ${number}`}, ${at}, ${where} (${complete ? "complete" : `not complete: ${lacks ?? "unknown"}`}): ${found}`;
}

/** Suggests how to decide about several rows of a batch at once; empty for fewer than two rows. */
export function batchSteps(settled: readonly SettleResult[], style: Words): string[] {
	const steps: string[] = [];
	const open = settled.filter((one) => one.state === "in-doubt" && one.batch !== undefined);
	for (const batch of new Set(open.map((one) => one.batch))) {
		const rows = open.filter((one) => one.batch === batch && one.state === "in-doubt");
		const absent = rows.filter(
			(one) => one.state === "in-doubt" && one.finding === "not-listed" && one.after === undefined && one.check?.complete,
		);
		const alone = rows.filter((one) => one.state === "in-doubt" && one.candidates?.length === 1 && one.candidates[0]?.alone);
		const check = absent[0]?.state === "in-doubt" ? absent[0].check?.number : undefined;
		if (absent.length > 1 && check !== undefined)
			steps.push(
				`If you know for all ${absent.length} rows that they were not created: ${style.shown(purser`pay settle --batch ${batch} --not-created --check ${check} --reason TEXT`)}`,
			);
		if (alone.length > 1)
			steps.push(
				`If all ${alone.length} transactions above are these rows: ${style.shown(purser`pay settle --batch ${batch} --accept-listed --reason TEXT`)}`,
			);
	}
	return steps;
}

/** The question about what may be it. */
export const acceptQuestion = (count: number): string =>
	count === 1 ? "Is the listed transaction this payment?" : `Are the ${count} listed transactions these payments?`;
