import { day, digits, email, list, oneOf, record, text } from "./strict.js";

const optional = (max: number) => text(max, undefined, 0);
/** A number of a record. */
export const id = digits(1, 999_999_999_999);
/** A day as this service writes it. */
export const date = day(/^(?<d>\d{2})\/(?<m>\d{2})\/(?<y>\d{4})$/);
/** Words the lists filter by. */
export const orderState = oneOf("N", "W", "D", "B", "R");
export const kybState = oneOf("DRAFT", "SUBMITTED", "ON_HOLD", "APPROVED", "REJECTED");
/** The number of an order. */
export const orderNo = text(9, /^Q[0-9]{8}$/);
const country = text(2, /^[A-Z]{2}$/);
const ccy = oneOf("EUR", "GBP", "CHF");
const onOff = oneOf("0", "1");
const percent = text(6, /^[0-9]{1,3}\.[0-9]{2}$/);
const dialCode = text(6, /^[1-9][0-9]{0,5}$/);
const phoneNo = text(14, /^[0-9]{4,14}$/);
const address = record({
	"street!": text(100),
	house_no: optional(10),
	extra: optional(100),
	"town!": text(60),
	"postcode!": text(12),
	"country!": country,
});
const spend = record({ "band!": oneOf("A", "B", "C", "D"), "ccy!": ccy });
const trade = oneOf(
	..."AGR BLD ICT ADV CON LAW SHP WEB WHO EAT TRV TRN MED PHA EDU ART NGO REA NRG FIX ADO XXX DAT ESC ARM BET OTH".split(" "),
);
const capacity = list(oneOf("DIRECTOR", "UBO", "MANAGER", "PROXY", "PARENT", "OTHER"));
const company = {
	brand: optional(120),
	web: optional(200),
	trade,
	premises: address,
	spend,
	staff: oneOf("1-10", "11-50", "51-250", "251+"),
	own_ref: optional(64),
	memo: optional(3000),
};
const person = { email, born_on: date, nationality: country, dial_code: dialCode, phone_no: phoneNo, home: address, shares: percent };
const paying = {
	"amount!": text(12, /^[0-9]{1,9}\.[0-9]{2}$/),
	"ccy!": ccy,
	remittance: text(16, /^[A-Za-z0-9 .-]*$/, 0),
	dedupe_key: optional(40),
};

/** The forms, as the document describes them. */
export const companyCreate = record({
	...company,
	"name!": text(120),
	"country!": country,
	"registry_no!": text(30),
	registered_on: date,
	form: oneOf(..."GMBH UG AG EK KG SAS SARL SA BV NV LTD PLC LLP SRL SPA SL OTHER".split(" ")),
	"trade!": trade,
	"seat!": address,
	"spend!": spend,
	terms_version: optional(20),
	"manager!": record({
		"given_name!": text(60),
		"surname!": text(60),
		"email!": email,
		"position!": text(60),
		director: onOff,
		director_since: date,
		shares: percent,
		nationality: country,
		dial_code: dialCode,
		phone_no: phoneNo,
	}),
});
export const companyEdit = record({ "company_id!": id, ...company });
export const companyRef = record({ "company_id!": id });
export const termsAccept = record({ "company_id!": id, "terms_version!": text(20) });
export const partyEdit = record({ "party_id!": id, "capacity[]": capacity, ...person });
const added = { "company_id!": id, "kind!": oneOf("NATURAL", "LEGAL"), "capacity[]!": capacity, shares: percent };
/** The two kinds of party share one form in the document and exclude each other's fields in its description. */
export const partyAdd = record({
	...person,
	...added,
	given_name: text(60),
	surname: text(60),
	legal_name: text(120),
	registry_no: text(30),
	country,
});
export const naturalAdd = record({
	...person,
	...added,
	"given_name!": text(60),
	"surname!": text(60),
	"email!": email,
	"born_on!": date,
});
export const legalAdd = record({ ...added, "legal_name!": text(120), "registry_no!": text(30), "country!": country });
export const challenge = record({ "party_id!": id, "channel!": oneOf("EMAIL", "SMS") });
export const confirm = record({ "party_id!": id, "digits!": text(6, /^[0-9]{6}$/) });
export const kycLink = record({ "party_id!": id, depth: oneOf("PAPERS", "PAPERS_AND_FACE") });
export const walletMove = record({ ...paying, "debtor_wallet_id!": id, "creditor_wallet_id!": id });
export const paymentSend = record({
	...paying,
	"ordering_wallet_id!": id,
	"creditor_id!": id,
	ultimate_debtor: optional(70),
	instant: onOff,
	on_us: onOff,
});
/** What every list takes. */
export const paged = { offset: digits(0, 999_999_999), limit: digits(1, 50) };
