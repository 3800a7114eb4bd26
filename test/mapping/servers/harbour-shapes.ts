import { day, digits, email, flag, link, list, moment, number, oneOf, record, tags, text } from "./strict.js";

/** An id with its prefix. */
export const id = (prefix: string) => text(40, new RegExp(`^${prefix}_[0-9a-z]{12}$`));
const country = text(2, /^[A-Z]{2}$/);
const currency = oneOf("EUR", "GBP", "USD", "CHF", "SEK", "NOK", "DKK", "PLN");
const date = day(/^(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})$/);
const phone = text(16, /^\+[1-9][0-9]{6,14}$/);
const percent = number(0, 100);
const optional = (max: number) => text(max, undefined, 0);
const address = record({
	"line1!": text(140),
	line2: optional(140),
	"city!": text(80),
	"postal_code!": text(16),
	region: optional(80),
	"country!": country,
});
const outgoings = record({ "band!": oneOf("below_10k", "from_10k_to_50k", "from_50k_to_250k", "above_250k"), "currency!": currency });
const roles = list(oneOf("director", "beneficial_owner", "primary_contact", "signatory", "other"));
const relationship = oneOf("shareholder", "parent", "corporate_director", "other");
const sector = oneOf(
	..."agriculture food_production construction software hosting_and_data consulting legal_and_accounting advertising retail_store retail_online wholesale restaurants_and_bars travel transport health_practice pharmacy education arts_and_media charity real_estate energy repair_services adoption_agency adult_content matchmaking escort_agency weapons_and_defence crypto_assets gambling".split(
		" ",
	),
);
const legalForm = oneOf(..."gmbh ug ag kg sole_trader sas sarl sa eurl bv nv ltd llp plc srl spa sl other".split(" "));
/** The filters of the lists. */
export const checkStatus = oneOf("not_requested", "in_review", "needs_information", "cleared", "turned_down");
export const paymentStatus = oneOf("accepted", "on_its_way", "arrived", "bounced", "stopped");
const changeable = {
	trading_name: optional(200),
	website: link,
	sector,
	trading_address: address,
	monthly_outgoings: outgoings,
	headcount: oneOf("micro", "small", "medium", "large"),
	agreement_version: optional(200),
	your_reference: optional(100),
	metadata: tags,
};
/** The bodies, as the document describes them. */
export const businessCreate = record({
	...changeable,
	"legal_name!": text(200),
	"country!": country,
	"registration_number!": text(40),
	founded_on: date,
	legal_form: legalForm,
	"sector!": sector,
	"registered_office!": address,
	"monthly_outgoings!": outgoings,
	"primary_contact!": record({
		"first_name!": text(80),
		"last_name!": text(80),
		"email!": email,
		"job_title!": text(80),
		is_director: flag,
		director_since: date,
		ownership_percent: percent,
		address,
		nationality: country,
		phone,
	}),
});
const personFields = {
	email,
	phone,
	job_title: optional(80),
	roles,
	ownership_percent: percent,
	address,
	nationality: country,
	date_of_birth: date,
};
export const personCreate = record({
	...personFields,
	"first_name!": text(80),
	"last_name!": text(80),
	"email!": email,
	"roles!": roles,
	"date_of_birth!": date,
});
const entityFields = { legal_name: text(200), relationship, ownership_percent: percent, address };
export const entityCreate = record({
	...entityFields,
	"legal_name!": text(200),
	"country!": country,
	"registration_number!": text(40),
	"relationship!": relationship,
});
const paying = { "amount!": number(1, 100_000_000, true), "currency!": currency, statement_text: text(35, /^[A-Za-z0-9 .,/+-]*$/, 0) };
export const bookTransfer = record({ ...paying, "source_account_id!": id("acct"), "destination_account_id!": id("acct") });
export const payout = record({
	...paying,
	"account_id!": id("acct"),
	"payee_id!": id("payee"),
	speed: oneOf("instant_if_possible", "standard"),
	keep_external: flag,
});
export const businessUpdate = record(changeable, 1);
export const personUpdate = record(personFields, 1);
export const entityUpdate = record(entityFields, 1);
export const identitySession = record({ "level!": oneOf("document", "document_and_liveness"), return_url: link });
export const codeAnswer = record({ "code!": text(6, /^[0-9]{6}$/) });
/** What every list takes. */
export const paged = { limit: digits(1, 100), cursor: text(80) };
export const paymentFilters = { ...paged, account_id: id("acct"), status: paymentStatus, created_from: moment };
