/**
 * Texts about intents for people: what was asked and what is known, by the names that the service's answers tell: no decision rests on them.
 */
import { purser } from "../../api/advice.js";
import { getBeneficiary, listBeneficiaries } from "../../api/operations/beneficiary.js";
import { listCorporates } from "../../api/operations/corporate.js";
import { getLedger, listLedgers } from "../../api/operations/ledger.js";
import { confirmers } from "../../api/operations/terms.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { isUuid } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import type { Advice } from "../../errors.js";
import type { Evidence, IntentRecord, IntentState } from "../../ports/intent.js";
import type { Called } from "../../ports/resolver.js";
import type { Style } from "../../ports/style.js";
import { askedBy } from "./duplicates.js";

export type Words = Pick<
	Style,
	"dim" | "good" | "bad" | "warn" | "status" | "money" | "time" | "moment" | "localized" | "table" | "pairs" | "shown" | "called"
>;

type Row = readonly [string, string | undefined];

export const partyOperations = [getLedger, getBeneficiary, listLedgers, listBeneficiaries, listCorporates];

/** The names of who pays and who is paid, beside a payment; absent where no name is known. */
export interface Parties {
	ledgerName?: string;
	payeeName?: string;
}

export async function withParties<T extends { transfer?: Transfer }>(
	{ names }: Pick<Context, "names">,
	records: readonly T[],
): Promise<(T & Parties)[]> {
	const nameOf = await names.of(records.flatMap(({ transfer }) => (transfer ? partiesIn(transfer) : [])));
	return records.map((record) => {
		if (record.transfer === undefined) return record;
		const { ledgerFromId, kind, counterpartyId } = record.transfer;
		const [ledgerName, payeeName] = [nameOf("ledger", ledgerFromId), nameOf(kind, counterpartyId)];
		return { ...record, ...(ledgerName !== undefined && { ledgerName }), ...(payeeName !== undefined && { payeeName }) };
	});
}

/** The name of a ledger or payee; undefined where none is known, and where two have the same. @param transfers those of which names are asked for */
export async function partyNames(
	{ names }: Pick<Context, "names">,
	transfers: readonly Transfer[],
): Promise<(id: string) => string | undefined> {
	const nameOf = await names.of(transfers.flatMap(partiesIn));
	return (id) => nameOf("ledger", id) ?? nameOf("beneficiary", id);
}

/** The command of a doubt. Whether a change that is no payment was made, no list settles: its page shows how a person does. */
export const settling = ({ intent, transfer }: IntentRecord): Advice =>
	transfer === undefined ? purser`history show ${intent}` : purser`pay settle ${intent}`;

const states: Readonly<Record<IntentState, string>> = {
	accepted: "accepted",
	waiting: "accepted, waiting for strong authentication",
	refused: "refused",
	"in-doubt": "in doubt",
	"not-created": "not created",
	"not-sent": "not sent",
	sending: "being sent",
	planned: "still to be sent",
	abandoned: "cancelled, never sent",
};

export const allStates = Object.keys(states) as IntentState[];

export const stateWords = (state: IntentState): string => states[state];

/** What a state means for the money, where it means something. */
export function toneOf(state: IntentState): "good" | "warn" | "bad" | undefined {
	if (state === "accepted") return "good";
	if (state === "in-doubt" || state === "sending" || state === "waiting") return "warn";
	return state === "refused" ? "bad" : undefined;
}

export function stateText(state: IntentState, style: Pick<Words, "good" | "warn" | "bad">): string {
	const tone = toneOf(state);
	return tone === undefined ? stateWords(state) : style[tone](stateWords(state));
}

const changes: Readonly<Record<string, string>> = {
	"corporate.create": "New company",
	"corporate.update": "Change of",
	"related.create": "New owner or director",
	"related.update": "Change of",
	"related.delete": "Removal of",
	"kyb.request": "KYB for",
	"kyc.link": "KYC link for",
	"email.sendLink": "Verification email to",
	"phone.sendCode": "Phone code to",
	"phone.verifyCode": "Phone verification of",
};

type Concerned = Pick<IntentRecord, "operation" | "transfer" | "about" | "id" | "creates">;

const partiesIn = ({ ledgerFromId, kind, counterpartyId }: Transfer): Called[] => [
	["ledger", ledgerFromId],
	[kind, counterpartyId],
];

export function calledIn({ operation, transfer, about, id, creates }: Concerned): Called[] {
	if (transfer !== undefined) return partiesIn(transfer);
	const created: Called[] = creates ? [[operation.startsWith("corporate") ? "corporate" : "related", id]] : [];
	return [...created, ...(about === undefined ? [] : [[about.kind, about.id] as const])];
}

/** What an intent is about: amount and payee of a transfer; of another change, what it is and for whom. */
export function subject(one: Concerned & Parties, style: Words): string {
	const { operation, transfer, payeeName } = one;
	if (transfer === undefined) {
		const concerned = calledIn(one);
		const who = concerned.flatMap(([kind, id]) => style.called(kind, id) ?? [])[0] ?? concerned.flatMap(([, id]) => id ?? [])[0];
		return who === undefined || changes[operation] === undefined ? operation : `${changes[operation]} ${who}`;
	}
	return `${style.money(transfer.amount, transfer.currency) ?? transfer.amount} to ${payeeName ?? `${transfer.kind} ${transfer.counterpartyId}`}`;
}

/** An id is too long for a row of a table; in a pipe an operation stands by its id. */
function whatOf(one: IntentRecord & Parties, style: Words & Pick<Style, "cells">): string {
	const { transfer, payeeName, ledgerName, operation } = one;
	if (transfer === undefined) return style.cells ? operation : subject(one, style);
	// Another ledger's name says whose it is.
	const from = style.cells || transfer.kind === "ledger" || ledgerName === undefined ? "" : ` from ${ledgerName}`;
	return `${style.money(transfer.amount, transfer.currency)} to ${payeeName ?? transfer.kind}${from}`;
}

export function intentTable(records: readonly (IntentRecord & Parties)[], style: Words & Pick<Style, "cells">): string {
	// A person needs no empty column where no operator is known.
	const asked = style.cells || records.some(({ operator }) => operator !== undefined);
	const rows = records.map((one) => [
		one.intent,
		style.moment(one.begun) ?? "",
		...(asked ? [askedBy(one) ?? ""] : []),
		stateText(one.state, style),
		whatOf(one, style),
		one.transfer?.reference ?? one.externalId ?? "",
		one.id ?? "",
	]);
	return style.table(["intent", "begun", ...(asked ? ["by"] : []), "state", "what", "reference", "id"], rows);
}

/** Whether the service can show a payment's transaction; a statement or a person may have named it by another id than the service's. */
export function canBeShown({ id, evidence }: Pick<IntentRecord, "id" | "evidence">): boolean {
	if (evidence?.source === "statement" || evidence?.source === "person") return isUuid(id);
	return id !== undefined;
}

export function rowText({ batch, row }: Pick<IntentRecord, "batch" | "row">): string | undefined {
	return batch === undefined ? undefined : `${row} of batch ${batch}`;
}

/** `intent 17`, or `intents 17, 18 and 3 more`. */
export function intentsText(intents: readonly string[], mostNamed: number): string {
	const more = intents.length > mostNamed ? ` and ${intents.length - mostNamed} more` : "";
	return `${intents.length === 1 ? "intent" : "intents"} ${intents.slice(0, mostNamed).join(", ")}${more}`;
}

export function intentRows(record: IntentRecord & Parties, style: Words): Row[] {
	const { transfer, evidence, despite, ledgerName, payeeName } = record;
	return [
		["Intent", record.intent],
		["State", stateText(record.state, style)],
		[record.state === "in-doubt" || record.state === "not-sent" ? "Why" : "Was in doubt", record.why],
		["What", transfer === undefined ? subject(record, style) : record.operation],
		["Amount", transfer && style.money(transfer.amount, transfer.currency)],
		["From", transfer && [ledgerName, `ledger ${transfer.ledgerFromId}`].filter(Boolean).join(" · ")],
		["To", transfer && [payeeName, `${transfer.kind} ${transfer.counterpartyId}`].filter(Boolean).join(" · ")],
		["Reference", transfer?.reference && `"${transfer.reference}"`],
		["Row", rowText(record)],
		["External id", record.externalId],
		["Created as", record.id],
		["Held before", record.formerIds?.join(", ")],
		["Status", record.status === undefined ? undefined : `${record.status}${record.apiCode ? ` ${record.apiCode}` : ""}`],
		[
			"Settled by",
			evidence && `${sourceWords[evidence.source]}: ${evidence.source === "person" ? evidence.reason : style.localized(evidence.reason)}`,
		],
		["Confirmed by", record.confirmedBy && confirmers[record.confirmedBy]],
		["Requested by", askedBy(record)],
		["Carried over", record.carried && `from the journal of a machine, where it was ${record.carried}`],
		["Checked before", evidence?.before && style.localized(beforeText(evidence.before))],
		["Despite", despite && `${[...despite.intents, ...(despite.gates ?? [])].join(", ")}: ${despite.reason}`],
		["Reviewed", record.reviewed],
		["Attempt", String(record.attempt)],
		["Started", record.attempt === 0 ? undefined : style.time(record.begun)],
		["Last change", style.time(record.changed)],
		["Sent to", `${record.method} ${record.origin}${record.path}`],
		["Digest", record.digest],
		["Mapping", record.mapping],
	];
}

function beforeText({ check, unread, notThis = [], confirmed }: NonNullable<Evidence["before"]>): string {
	const others = notThis.length === 0 ? "" : `; confirmed as other payments: ${notThis.join(", ")}`;
	const separately = confirmed === undefined ? "" : `; confirmed although ${confirmed}`;
	if (check === undefined)
		return `${unread === undefined ? "no list was read" : `the service's list could not be read (${unread})`}${others}${separately}`;
	return `${check.at}: ${check.complete ? "the service's list" : "a list that may be incomplete"}${others}${separately}`;
}

/** Where evidence comes from, and what a check looks at. */
export const sourceWords = {
	service: "the service's list",
	events: "transactions that events named",
	transaction: "a given transaction",
	statement: "a statement",
	person: "a person's word",
	log: "the answer, in the log of the machine that sent it",
} as const;
