/** What a foreign operation is by more than its words: which kind of payment it makes, whether it has a company checked. */
import { matchFields, type OurField } from "./fields.js";
import type { ForeignField, ForeignOperation } from "./foreign.js";
import type { Presented } from "./naming.js";
import type { Party, Side } from "./parties.js";
import { missingParameters, type PlacedField } from "./places.js";

/** A transfer between ledgers has two of them; a payment to a beneficiary has somebody who is paid. */
export function kindByParties(id: string, parties: Partial<Record<Side, Party>>, theirs: ForeignOperation): number {
	if (id === "transaction.interLedger" && parties.debit?.is === "ledger" && parties.credit?.is === "ledger") return 0.7;
	if (id === "transaction.beneficiary" && parties.credit?.is === "payee") return 0.8;
	return kindConstant(id, theirs) === undefined ? 0 : 0.7;
}

const internal = /^(internal|inter|book|own|intra|onus|p2p|wallet|ledger|account)/i;
const external = /^(external|bank|outgoing|outbound|beneficiary|payee|third|sepa|wire|payout|counterparty|recipient)/i;
const mailed = /^(e[-_]?mail|mail)/i;
const texted = /^(sms|phone|mobile|text|tel)/i;

/** Values by which one operation serves two of ours: its own, and those of the other one. */
const kindWords: Readonly<Record<string, { wanted: RegExp; other: RegExp }>> = {
	"transaction.interLedger": { wanted: internal, other: external },
	"transaction.beneficiary": { wanted: external, other: internal },
	"email.sendLink": { wanted: mailed, other: texted },
	"phone.sendCode": { wanted: texted, other: mailed },
};

/** The value that says which kind of payment, or of message, it is, where one operation serves several. */
export function kindConstant(id: string, theirs: ForeignOperation): { at: string; value: string } | undefined {
	const words = kindWords[id];
	for (const field of words === undefined ? [] : (theirs.body ?? [])) {
		if (
			field.values === undefined ||
			!/(type|kind|category|class|variant|scope|direction|method|mode|nature|channel|medium|via)$/i.test(field.path.at(-1) as string)
		)
			continue;
		const right = field.values.filter((value) => words?.wanted.test(value));
		if (right.length === 1 && field.values.some((value) => words?.other.test(value)))
			return { at: field.pointer, value: right[0] as string };
	}
	return undefined;
}

/** Whether two of ours may be one operation of theirs: a value tells them apart. */
export const sharesByKind = (one: string, other: string, theirs: ForeignOperation): boolean =>
	[one, other].every((id) => kindConstant(id, theirs) !== undefined);

/** Signs of an order that repeats, or of several at once: no single payment. */
function orderDoubts(theirs: ForeignOperation): string[] {
	const names = (theirs.body ?? []).map(({ path }) => (path.at(-1) as string).toLowerCase());
	const repeats = names.find((name) => /frequen|recurr|interval|schedule|periodic|mandate|every/.test(name));
	const isList = theirs.body?.some(({ pointer, path }) => pointer.includes("*") && /amount/i.test(path.at(-1) as string)) ?? false;
	return [
		...(repeats === undefined ? [] : [`has "${repeats}": it may be a standing order`]),
		...(isList ? ["takes a list of amounts: it may be a batch"] : []),
	];
}

/**
 * `POST /companies/{id}/verification`: what is asked of a company by its id alone, and is called a verification or a review, is its KYB. A
 * name that says so itself is stronger.
 */
export function companyCheck(shown: Presented, { method, body = [] }: ForeignOperation): number {
	const about = (thing: "company" | "person" | "ledger" | "payment" | "payee"): number => shown.things.get(thing) ?? 0;
	const others = Math.max(about("person"), about("ledger"), about("payment"), about("payee"));
	const isOfCompany = about("company") >= 0.4 && about("company") > others && shown.pathIds === 1 && !shown.endsWithId;
	const isCheck = (shown.things.get("verification") ?? 0) >= 0.7 || (shown.things.get("kyb") ?? 0) >= 0.4;
	return method === "POST" && isOfCompany && isCheck && !body.some(({ required }) => required) ? 0.7 : 0;
}

const asked: readonly OurField[] = [
	"code",
	"emailSubject",
	"urlOnSuccess",
	"urlOnFailure",
	"language",
	"emailAddress",
	"relatedPhysicalPersonId",
].map((name): OurField => ({ name, kind: "text", required: false, values: 0 }));

/** Digits of a code: from four to ten. */
const looksLikeCode = ({ pattern = "", shortest = 0, longest = 99 }: ForeignField): boolean =>
	/^\^?(\\d|\[0-9\])\{([4-9]|10)(,\d+)?\}\$?$/.test(pattern) || (shortest >= 4 && longest <= 10);

/**
 * Whether a request takes the code that was sent: then it checks one, and sends none, whatever it is called. Undefined where it takes
 * something that may be one.
 */
export function carriesCode({ parameters, body = [] }: ForeignOperation): boolean | undefined {
	const given = [...parameters.filter(({ place }) => place === "query"), ...body];
	const texts = given.filter(({ type, values }) => values === undefined && ["text", "integer", "number", "any"].includes(type));
	const known = matchFields(asked, texts).filter(({ score }) => score >= 0.8);
	if (known.some(({ ours }) => ours.name === "code") || texts.some(looksLikeCode)) return true;
	return texts.some((field) => field.path.length > 0 && !known.some(({ theirs }) => theirs === field)) ? undefined : false;
}

/**
 * What speaks against a proposal beside its names.
 * @param filled what something of ours fills
 */
export function furtherDoubts(
	theirs: ForeignOperation,
	filled: readonly Partial<PlacedField>[],
	isMoney: boolean,
): { doubts: string[]; penalty: number } {
	const orders = isMoney ? orderDoubts(theirs) : [];
	const missing = missingParameters(theirs, filled);
	const doubts = [
		...orders,
		...(theirs.isDeprecated ? ["is deprecated"] : []),
		...(theirs.method === "PUT" ? ["PUT may replace more than is sent"] : []),
		...missing.map((name) => `the path also needs {${name}}, which purser does not have`),
	];
	return { doubts, penalty: orders.length * 0.18 + missing.length * 0.12 + (theirs.isDeprecated ? 0.15 : 0) };
}
