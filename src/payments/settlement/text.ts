/**
 * Texts about intents for people: what was asked, what is known, what would settle it. Pure.
 */
import { purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import { isUuid } from "../../api/text/ids.js";
import type { Evidence, IntentRecord, Look } from "../../ports/intent.js";
import type { Style } from "../../ports/style.js";
import type { Parties } from "../rules/parties.js";
import type { SettleResult } from "./settle.js";

type Words = Pick<
	Style,
	"dim" | "good" | "bad" | "warn" | "status" | "money" | "time" | "moment" | "localized" | "table" | "pairs" | "shown"
>;

type Row = readonly [string, string | undefined];

/** States as shown to people. */
const states: Readonly<Record<IntentRecord["state"], string>> = {
	planned: "planned",
	sending: "being sent",
	accepted: "accepted",
	waiting: "accepted, waiting for strong authentication",
	refused: "refused",
	"not-sent": "not sent",
	"in-doubt": "in doubt",
	"not-created": "not created",
	abandoned: "cancelled, never sent",
};

/** A state for people. */
export const stateWords = (state: IntentRecord["state"]): string => states[state];

/** A state for people, coloured by its meaning. */
export function stateText(state: IntentRecord["state"], style: Words): string {
	const words = stateWords(state);
	if (state === "accepted") return style.good(words);
	if (state === "in-doubt" || state === "sending" || state === "waiting") return style.warn(words);
	return state === "refused" ? style.bad(words) : words;
}

/** What an intent is about: amount and payee of a transfer, or the operation of another change. */
export function subject({ operation, transfer, payeeName }: Pick<IntentRecord, "operation" | "transfer"> & Parties, style: Words): string {
	if (transfer === undefined) return operation;
	return `${style.money(transfer.amount, transfer.currency) ?? transfer.amount} to ${payeeName ?? `${transfer.kind} ${transfer.counterpartyId}`}`;
}

/** Wider than terminals are: programs read it. */
const programs = 400;

/** One line per intent. In a pipe it ends with what tells rows and parties exactly. */
export function intentTable(records: readonly (IntentRecord & Parties)[], style: Words & Pick<Style, "columns">): string {
	// Older journals do not record the operator; leave the column out then.
	const asked = records.some(({ operator }) => operator !== undefined);
	const exact = style.columns >= programs;
	const rows = records.map((one) => [
		one.intent,
		style.moment(one.begun) ?? "",
		...(asked ? [one.operator ?? ""] : []),
		stateText(one.state, style),
		one.transfer ? `${style.money(one.transfer.amount, one.transfer.currency)} to ${one.payeeName ?? one.transfer.kind}` : one.operation,
		one.transfer?.reference ?? one.externalId ?? "",
		one.id ?? "",
		...(exact ? [one.batch ?? "", String(one.row ?? ""), one.transfer?.ledgerFromId ?? "", one.transfer?.counterpartyId ?? ""] : []),
	]);
	const names = ["intent", "begun", ...(asked ? ["by"] : []), "state", "what", "reference", "id"];
	return style.table([...names, ...(exact ? ["batch", "row", "from", "to"] : [])], rows);
}

/** Whether the service can show a payment's transaction; a statement or a person may have named it by another id than the service's. */
export function canBeShown({ id, evidence }: Pick<IntentRecord, "id" | "evidence">): boolean {
	if (evidence?.source === "statement" || evidence?.source === "person") return isUuid(id);
	return id !== undefined;
}

/** Row and batch, for people. */
function rowText({ batch, row }: Pick<IntentRecord, "batch" | "row">): string | undefined {
	return batch === undefined ? undefined : `${row} of batch ${batch}`;
}

/** Everything known about an intent, as rows. */
export function intentRows(record: IntentRecord & Parties, style: Words): Row[] {
	const { transfer, evidence, despite, ledgerName, payeeName } = record;
	return [
		["Intent", record.intent],
		["State", stateText(record.state, style)],
		[record.state === "in-doubt" || record.state === "not-sent" ? "Why" : "Was in doubt", record.why],
		["What", record.operation],
		["Amount", transfer && style.money(transfer.amount, transfer.currency)],
		["From", transfer && [ledgerName, `ledger ${transfer.ledgerFromId}`].filter(Boolean).join(" · ")],
		["To", transfer && [payeeName, `${transfer.kind} ${transfer.counterpartyId}`].filter(Boolean).join(" · ")],
		["Reference", transfer?.reference && `"${transfer.reference}"`],
		["Row", rowText(record)],
		["External id", record.externalId],
		["Created as", record.id ?? (record.mistaken && "unknown: the service answered with another payment's id")],
		["Not its id", record.mistaken && `${record.mistaken.id}: ${style.localized(record.mistaken.reason)}`],
		["Status", record.status === undefined ? undefined : `${record.status}${record.apiCode ? ` ${record.apiCode}` : ""}`],
		[
			"Settled by",
			evidence && `${sources[evidence.source]}: ${evidence.source === "person" ? evidence.reason : style.localized(evidence.reason)}`,
		],
		["Confirmed by", record.confirmedBy && confirmers[record.confirmedBy]],
		["Requested by", record.operator],
		["Checked before", evidence?.before && style.localized(beforeText(evidence.before))],
		["Despite", despite && `${[...despite.intents, ...(despite.gates ?? [])].join(", ")}: ${despite.reason}`],
		["Reviewed", record.reviewed],
		["Attempt", String(record.attempt)],
		["Started", record.attempt === 0 ? undefined : style.time(record.begun)],
		["Last change", style.time(record.changed)],
		["Sent to", `${record.method} ${record.origin}${record.path}`],
		["Digest", record.digest],
		...bindingRows(record),
	];
}

/** What it was sent through, where the profile bound anything that concerns it. */
function bindingRows({ binding }: IntentRecord): Row[] {
	const { digest, lookUps } = binding ?? { digest: null, lookUps: null };
	return [
		["Binding", digest ?? undefined],
		["Looked up by", lookUps === null ? undefined : `binding ${lookUps}`],
	];
}

/** Describes what was seen before a person decided. */
function beforeText({ look, unread, notThis = [] }: NonNullable<Evidence["before"]>): string {
	const others = notThis.length === 0 ? "" : `; confirmed as other payments: ${notThis.join(", ")}`;
	if (look === undefined) return `the service's list could not be read (${unread})${others}`;
	const listed = `${look.unclaimed + look.possible} listed that may be it`;
	return `${look.at}: ${look.complete ? "the service's list" : "a list that may be incomplete"}, ${listed}${others}`;
}

const confirmers = { "account-owner": "the account owner", operator: "the operator" } as const;

const sources = {
	service: "the service's list",
	transaction: "a given transaction",
	statement: "a statement",
	person: "a person's word",
} as const;

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
			["  Can be confirmed", doubt.after && `as not created from ${style.time(doubt.after)} (two checks)`],
			["  To settle", doubt.settle],
		]),
	].join("\n");
}

/** Describes the result of settling one doubt. */
export function settledText(one: SettleResult & Parties, style: Words): string {
	const row = rowText(one);
	const which =
		row === undefined ? "" : [`, row ${row}`, one.transfer?.reference && `, "${one.transfer.reference}"`].filter(Boolean).join("");
	const head = `Intent ${one.intent}  ${subject(one, style)}${which}`;
	if (one.mistaken !== undefined)
		return `${style.warn("No id of its own")}  ${head}\n  it stays accepted, without an id: ${style.localized(one.mistaken.reason)}\n  To find its own id: ${style.shown(purser`pay settle ${one.intent}`)}`;
	if (one.state === "accepted")
		return `${style.good("Created")}  ${head}\n  ${one.id === undefined ? "without an id" : `as ${one.id}`} (${style.localized(one.evidence.reason)})`;
	if (one.state === "not-created") return `${style.good("Not created")}  ${head}\n  ${one.evidence.reason}`;
	const confirm = isConfirmable(one) ? lookOf(one) : undefined;
	const seen = one.look && `\n  ${style.localized(lookText(one.look))}`;
	if (confirm !== undefined)
		return `${style.warn("Still in doubt")}  ${head}\n  ${style.localized(one.why)}${seen}\n  If you know that it was not created: ${style.shown(purser`pay settle ${one.intent} --not-created --look ${confirm} --reason TEXT`)}`;
	const after =
		one.after === undefined
			? `\n  By hand: \`${style.shown(purser`pay settle ${one.intent} --transaction ID`)}\`, or your word: --created or --not-created, with --reason TEXT`
			: `\n  Check again ${style.time(one.after)}: ${style.shown(purser`pay settle ${one.intent}`)}`;
	return `${style.warn("Still in doubt")}  ${head}\n  ${style.localized(one.why)}${after}`;
}

/** Whether two looks agree that it is not listed, so that a person may confirm that it was not created. */
export function isConfirmable(one: SettleResult): boolean {
	return one.state === "in-doubt" && one.look?.agrees !== undefined && one.look.number !== undefined;
}

/** The number of the look that left the payment in doubt. */
export function lookOf(one: SettleResult): number | undefined {
	return one.state === "in-doubt" ? one.look?.number : undefined;
}

/** Suggests how to confirm at once all rows of a batch that two looks did not show; empty for fewer than two rows. */
export function confirmRowsText(settled: readonly SettleResult[], style: Words): string[] {
	const confirmable = settled.filter((one) => one.batch !== undefined && isConfirmable(one));
	return [...new Set(confirmable.map(({ batch }) => batch))].flatMap((batch) => {
		const rows = confirmable.filter((one) => one.batch === batch);
		const [first, second] = rows;
		if (first === undefined || second === undefined) return [];
		const command = style.shown(purser`pay settle --batch ${batch} --confirm-absent --look ${lookOf(first)} --reason TEXT`);
		return [`If you know this for all ${rows.length} rows of batch ${batch}: ${command}`];
	});
}

/** Describes a look on one line. */
export function lookText({ number, at, source, complete, unclaimed, possible, lacks, agrees }: Look): string {
	const name = number === undefined ? "This check" : `Check ${number}`;
	const found = unclaimed + possible === 0 ? "no match" : `${unclaimed} identical and ${possible} possible`;
	const whole = complete ? "read completely" : "not complete";
	const agreement = agrees === undefined ? "" : `; agrees with check ${agrees}`;
	return `${name}, ${at}, at ${sources[source]} (${whole}): ${found}${agreement}${lacks === undefined ? "" : `. Missing: ${lacks}`}`;
}

/** The question about a doubt that two looks did not show. @param localized shows times by the wall's clock */
export function confirmQuestion(one: SettleResult, localized: (text: string) => string): string {
	const { transfer, intent } = one;
	const what = transfer
		? `${inCurrency(transfer.amount, transfer.currency)} to ${transfer.kind} ${transfer.counterpartyId}`
		: one.operation;
	const seen = one.state === "in-doubt" && one.look ? ` ${localized(lookText(one.look))}.` : "";
	return `Intent ${intent}, ${what}: two checks did not find it, and they look complete.${seen} Confirm that it was not created? If it was created after all, it can then be paid twice`;
}
