/**
 * What other services call our things, our acts and our fields: data, in lower case and singular, for finding them in a document.
 */
import { type IdKind, idKindOf } from "../api/text/ids.js";

/** The words of `camelCase`, `kebab-case`, `snake_case`, `dotted.names` or a sentence. */
export const wordsOf = (text: string): string[] =>
	text
		.slice(0, 1_500)
		.replace(/([a-z0-9])([A-Z])/g, "$1 $2")
		.replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== "")
		.map(singular);

function singular(word: string): string {
	if (word.length < 4 || /(ss|us|is)$|^(series|always|people)$/.test(word)) return word === "people" ? "person" : word;
	return word
		.replace(/ies$/, "y")
		.replace(/(ch|sh|x|ss|zz)es$/, "$1")
		.replace(/([^s])s$/, "$1");
}

/** Things, by what they are called. */
const things = {
	company: "company|corporate|corporation|business|organization|organisation|legal entity|merchant",
	person:
		"corporate related|related person|related party|related entity|associated person|associate|stakeholder|officer|person|individual|party",
	terms: "term and condition|term of service|term of use|term document|term|agreement|tos",
	ledger: "ledger|account|wallet",
	payee: "beneficiary|payee|recipient|counterparty|creditor",
	payment: "transaction|payment|transfer|payout|money|fund",
	internal: "internal|inter ledger|own account|book",
	external: "external|outgoing|third party|payout",
	email: "email address|email|e mail|mail",
	phone: "mobile number|phone number|mobile|phone|telephone|sms|text",
	code: "code|otp|tan|passcode",
	kyb: "kyb|business check|company check|business verification|company verification",
	kyc: "kyc|identity|identification",
	review: "due diligence|diligence|dossier|review pack",
	link: "link|url|invitation",
	verification: "verification|validation|confirmation|check|challenge|session|report|summary|file|review",
} as const;

export type Thing = keyof typeof things;

const forms = Object.entries(things).map(([thing, words]) => [thing as Thing, new RegExp(`\\b(${words})\\b`, "g")] as const);

/** The things that a text of words names. */
export const thingsIn = (text: string): Thing[] => forms.flatMap(([thing, form]) => (text.search(form) < 0 ? [] : [thing]));

/** What is done, by the words for it. */
const acts = {
	create: "create add register open new onboard submit make execute initiate start place transfer pay send move",
	get: "get fetch retrieve read show view find",
	list: "list search query all browse",
	update: "update edit modify change amend patch replace",
	delete: "delete remove",
	send: "send dispatch trigger start create request initiate mail text",
	verify: "verify confirm validate check complete answer",
	request: "request submit start create initiate",
} as const;

export type Act = keyof typeof acts;

/** What a word says is done. */
export const actsOf = (word: string): Act[] => (Object.keys(acts) as Act[]).filter((act) => acts[act].split(" ").includes(word));

const fillers =
	/^(an?|the|of|for|to|by|in|on|with|and|or|from|via|its?|this|that|one|two|id|uuid|api|rest|service|public|resource|record|data|object|detail|item|current|latest|between|is|as|v\d*|rpc)$/;

/** The words of a text that mean nothing to us. */
export const strangeIn = (text: string): string[] =>
	wordsOf(forms.reduce((left, [, form]) => left.replace(form, " "), text)).filter(
		(word) => !fillers.test(word) && actsOf(word).length === 0,
	);

/** Our fields, by the last part of their name or by the last two → what else they are called. */
const fieldNames: Readonly<Record<string, string>> = {
	corporateName: "company name, legal name, business name, name",
	tradeName: "trading name, brand name, commercial name",
	incorporationCountry: "country of incorporation, registration country, country of registration, country, country code",
	incorporationCode: "registration number, company number, registration code, company registration number",
	incorporationDate: "date of incorporation, registration date, founded on, incorporated on, date of registration",
	industry: "sector, business sector, industry code, activity",
	registeredAddress: "legal address, registered office",
	businessAddress: "trading address",
	expectedMonthlyExpenses: "monthly expense, monthly outgoing",
	"expectedMonthlyExpenses.value": "range, band",
	lastTermsAccepted: "accepted term version, term version, agreement version",
	accountOwnerInfo: "account owner, owner, account holder, representative, legal representative, primary contact",
	accountOwnerId: "account owner id, owner id, account holder id, primary contact id",
	externalId: "external reference, your reference",
	isoCountryCode: "country, country code",
	postalCode: "zip, zip code, postcode, post code",
	street: "street name, line1, line 1, address line 1",
	"address.number": "house number, building number, street number",
	address: "home address, residential address, residence",
	firstName: "given name, name first",
	lastName: "family name, surname, name last",
	emailAddress: "email, e mail, mail",
	position: "job title, position title",
	directSharesPercentage: "ownership percentage, ownership percent, shareholding percentage, share percentage",
	phone: "mobile, mobile phone, telephone, phone number, mobile number",
	"phone.countryCode": "dialling code, dialing code, calling code, prefix, dial code",
	code: "otp, verification code, sms code",
	reference: "remittance information, payment reference, statement text, remittance text, remittance, description",
	amount: "amount value, payment amount, instructed amount",
	currency: "amount currency, currency code, ccy",
	status: "state",
	type: "kind",
	version: "version number, term version, document version",
	downloadUrl: "document url, download link",
	creationDate: "created at, created on, created, creation time, date created",
	totalAmount: "total balance, booked balance",
	availableAmount: "available balance, available",
	endUserId: "holder id, owner id, account holder id",
};

const kinds: Readonly<Record<IdKind, Thing>> = {
	...{ corporate: "company", endUser: "company", related: "person", ledger: "ledger", beneficiary: "payee", transaction: "payment" },
};

/** What a part of our name, with the part before it, may be called; its own name first. An id may also be called that of its thing. */
export function phrasesOf(leaf: string, before = ""): string[] {
	const two = `${before.replace(/^\w+Address$/, "address")}.${leaf}`;
	const key = [two, leaf].find((one) => Object.hasOwn(fieldNames, one));
	const nouns = Object.hasOwn(idKindOf, leaf) ? things[kinds[idKindOf[leaf] as IdKind]].split("|") : [];
	return [leaf, ...(fieldNames[key ?? ""]?.split(", ") ?? []), ...nouns.map((noun) => `${noun} id`)].map((one) => wordsOf(one).join(" "));
}
