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

export const spaced = (text: string): string => wordsOf(text).join(" ");

function singular(word: string): string {
	if (word.length < 4 || /(ss|us|is)$|^(series|always)$/.test(word)) return word;
	return word
		.replace(/^people$/, "person")
		.replace(/ies$/, "y")
		.replace(/(ch|sh|x|ss|zz)es$/, "$1")
		.replace(/([^s])s$/, "$1");
}

/** Things, by what they are called; what has an id by the name of its kind. */
const things = {
	corporate: "company|corporate|corporation|business|organization|organisation|legal entity|merchant",
	related:
		"corporate related|related person|related party|related entity|associated person|associate|stakeholder|officer|person|individual|party",
	terms: "term and condition|term of service|term of use|term document|term|agreement|tos",
	ledger: "ledger|account|wallet",
	beneficiary: "beneficiary|payee|recipient|counterparty|creditor",
	transaction: "transaction|payment|transfer|payout|money|fund",
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

const forms = Object.entries(things).map(([thing, words]) => [thing, new RegExp(`\\b(${words})\\b`, "g")] as const);

export const thingsIn = (text: string): string[] => forms.flatMap(([thing, form]) => (text.search(form) < 0 ? [] : [thing]));

/** What is done, by the words for it; of what a method says, its name. */
const acts: Readonly<Record<string, RegExp>> = {
	CREATE: /^(create|add|register|open|new|onboard|submit|make|execute|initiate|start|place|transfer|pay|send|move)$/,
	SEND: /^(send|dispatch|trigger|start|create|request|initiate|mail|text)$/,
	REQUEST: /^(request|submit|start|create|initiate)$/,
	VERIFY: /^(verify|confirm|validate|check|complete|answer)$/,
	GET: /^(get|fetch|retrieve|read|show|view|find)$/,
	LIST: /^(list|search|query|all|browse)$/,
	PATCH: /^(update|edit|modify|change|amend|patch|replace)$/,
	DELETE: /^(delete|remove)$/,
};

export const actsOf = (word: string): string[] => Object.keys(acts).filter((act) => acts[act]?.test(word));

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

/** What a part of our name, with the part before it, may be called; its own name first. An id may also be called that of its thing. */
export function phrasesOf(leaf: string, before = ""): string[] {
	const key = [`${before.replace(/^\w+Address$/, "address")}.${leaf}`, leaf].find((one) => Object.hasOwn(fieldNames, one)) ?? "";
	const kind = Object.hasOwn(idKindOf, leaf) ? (idKindOf[leaf] as IdKind) : undefined;
	const nouns = kind === undefined ? [] : things[kind === "endUser" ? "corporate" : kind].split("|");
	return [spaced(leaf), ...(fieldNames[key]?.split(", ") ?? []), ...nouns.map((noun) => `${noun} id`)];
}
