/**
 * Words that other services use for what our operations are about: data, for finding an operation in a foreign description.
 * All words are lower case and singular; several words are written with blanks, and commas stand between phrases.
 */

/** Things: a concept → the words for it. A longer phrase is looked for before a shorter one. */
export const things = {
	company:
		"company, corporate, corporation, business, organization, organisation, firm, enterprise, legal entity, legal person, business customer, corporate customer, company customer, business client, corporate client, merchant, business profile, customer, client, business entity, undertaking",
	person:
		"corporate related, corporate related entity, related entity, related party, related person, related physical person, company related, associated person, associated party, connected person, connected party, stakeholder, beneficial owner, ultimate beneficial owner, ubo, owner, shareholder, director, representative, legal representative, officer, company officer, principal, associate, member, signatory, controlling person, control person, key person, controller, person, individual, related, relation, participant, party",
	terms:
		"term and condition, terms and condition, term, tnc, tandc, tos, term of service, term of use, general condition, legal term, legal document, agreement, condition, cgu, contract term",
	ledger:
		"ledger, account, wallet, payment account, virtual account, bank account, cash account, balance account, financial account, money account, pocket, balance, vault, purse",
	payee:
		"beneficiary, payee, recipient, counterparty, counter party, counterpart, external account, payout destination, trusted recipient, creditor, receiver, pay payee, pay beneficiary, pay recipient, pay counterparty",
	payment:
		"transaction, payment, transfer, payment order, transfer order, credit transfer, payout, money movement, fund transfer, funds transfer, movement, remittance, disbursement, money transfer, pay out, pay payee, pay beneficiary, pay recipient, pay counterparty, payment instruction, operation, move money, send money, transfer money, shift money, move fund, send fund, transfer fund, book transfer, ledger transfer, account transfer, wallet transfer, bank transfer, internal transfer, external transfer",
	internal:
		"internal, inter ledger, inter account, own account, book, intra, between account, between ledger, wallet to wallet, account to account, ledger to ledger, ledger transfer, account transfer, wallet transfer, p2p, on us, onus, in house, book transfer, book entry, rebalance, rebalancing, sweep, internally",
	external:
		"external, outgoing, outbound, sepa, wire, withdrawal, bank transfer, off us, third party, payout, pay out, disbursement, remittance, credit transfer, outward, externally",
	email: "email, e mail, mail, email address, mailbox",
	phone: "phone, mobile, mobile tan, telephone, sms, msisdn, phone number, mobile number, mobile phone, cell, cellphone, text message",
	code: "code, otp, tan, mobile tan, one time password, one time passcode, one time code, passcode, pin, verification code, challenge",
	kyb: "kyb, know your business, business verification, company verification, corporate verification, organisation verification, organization verification, business check, company check, merchant verification, business review, company review, entity verification, kyb verification, kyb check, kyb request, kyb review, kyb case, compliance review, organisation review, organization review, client review, merchant review, underwriting, merchant underwriting",
	kyc: "kyc, know your customer, identity verification, identity check, id verification, id check, identification, ident, identity proofing, identity, person verification, liveness, verification session, identity session, kyc session, kyc link, kyc check, idv, idv link, idv session, idv check",
	review:
		"diligence review, due diligence, due diligence review, due diligence report, diligence, diligence report, dossier, compliance report, compliance summary, cdd, cdd report, compliance file, compliance dossier, kyb report, kyb summary, verification report, underwriting report, underwriting summary, review packet, review file, due diligence summary",
	link: "link, url, invitation, invite, hosted page, session, magic link, redirect",
	verification: "verification, validation, confirmation, check, proof",
	login: "login, log in, sign in, signin, token, session token, access token, auth, authentication, authenticate",
	refresh: "refresh, refresh token, renew",
} as const satisfies Readonly<Record<string, string>>;

export type Thing = keyof typeof things;

export type Act = "create" | "get" | "list" | "update" | "delete" | "send" | "verify" | "request";

/** What is done. */
export const acts: Readonly<Record<Act, string>> = {
	create:
		"create, add, register, open, new, onboard, declare, initiate, submit, make, execute, post, insert, book, enroll, enrol, start, issue, generate, build, place, transfer, pay, attach, save, store, upload, enter",
	get: "get, fetch, retrieve, read, show, view, find, lookup, describe, inspect, detail, load, download, info, information, render, display, obtain, current, latest, check",
	list: "list, search, query, all, browse, enumerate, filter, find",
	update: "update, edit, modify, change, amend, patch, set, replace, put, correct",
	delete: "delete, remove, detach, drop, unlink, destroy",
	send: "send, dispatch, trigger, resend, deliver, issue, request, start, initiate, create, email, mail, text, begin, ask, generate",
	verify: "verify, confirm, validate, check, submit, complete, answer, redeem, prove",
	request: "request, submit, ask, start, initiate, trigger, launch, create, begin, open, apply, send",
};

/** Words that say nothing about the thing. */
export const fillers =
	"a, an, the, of, for, to, by, in, on, with, and, or, from, via, at, its, their, this, that, one, single, given, existing, specific, id, identifier, uuid, guid, api, v, rest, partner, service, public, endpoint, resource, record, data, object, details, item, entry, rpc, core, banking, bank, request, response, dto, using, between, into, be, is, as, s, customer, information, info, detail, platform, open, method, call, current, latest, new, all, hosted, onboarding, two, own, outside, execute, initiation, per, attached, belonging, whole, any";

/** What an operation of ours is called elsewhere. */
export interface OperationWords {
	act: readonly Act[];
	/** Each group must be found: one of its things. */
	things: readonly (readonly Thing[])[];
	/** More that may be there, and speaks for it. */
	also?: readonly Thing[];
	/** What else may stand there without speaking against it. */
	beside?: readonly Thing[];
	/** Whether it takes the code that was sent, or none: more is said by that than by its words. */
	code?: "taken" | "none";
	/** Operations of one family work on one collection; the thing's own id stands in the path, or its owner's. */
	family?: "company" | "person" | "payment" | "ledger" | "payee";
	/** Whether the path ends with an id (`own`), has its owner's (`owner`), or none. */
	id?: "own" | "owner" | "none";
}

export const operationWords: Readonly<Record<string, OperationWords>> = {
	"terms.get": { act: ["get", "list"], things: [["terms"]], id: "none" },
	"corporate.create": { act: ["create"], things: [["company"]], family: "company", id: "none" },
	"corporate.get": { act: ["get"], things: [["company"]], family: "company", id: "own" },
	"corporate.update": { act: ["update"], things: [["company"]], family: "company", id: "own" },
	"corporate.list": { act: ["list"], things: [["company"]], family: "company", id: "none" },
	"related.create": { act: ["create"], things: [["person"]], beside: ["company"], family: "person", id: "owner" },
	"related.get": { act: ["get"], things: [["person"]], beside: ["company"], family: "person", id: "own" },
	"related.update": { act: ["update"], things: [["person"]], beside: ["company"], family: "person", id: "own" },
	"related.delete": { act: ["delete"], things: [["person"]], beside: ["company"], family: "person", id: "own" },
	"related.list": { act: ["list"], things: [["person"]], beside: ["company"], family: "person", id: "owner" },
	"email.sendLink": { code: "none", act: ["send"], things: [["email"]], also: ["verification", "link"], beside: ["person", "company"] },
	"phone.sendCode": { code: "none", act: ["send"], things: [["phone"]], also: ["code", "verification"], beside: ["person", "company"] },
	"phone.verifyCode": {
		code: "taken",
		act: ["verify"],
		things: [["phone"]],
		also: ["code", "verification"],
		beside: ["person", "company"],
	},
	"corporate.diligenceReview": { act: ["get"], things: [["review"]], also: ["company"], beside: ["verification", "kyb"] },
	"kyb.request": { act: ["request"], things: [["kyb"]], beside: ["company", "verification", "review"] },
	"kyc.link": { act: ["send", "get"], things: [["kyc"]], also: ["link"], beside: ["person", "verification", "company"] },
	"transaction.interLedger": { act: ["create", "send"], things: [["payment"], ["internal"]], beside: ["ledger"], family: "payment" },
	"transaction.beneficiary": {
		act: ["create", "send"],
		things: [["payment"], ["external", "payee"]],
		beside: ["ledger"],
		family: "payment",
	},
	"transaction.get": { act: ["get"], things: [["payment"]], family: "payment", id: "own" },
	"transaction.list": { act: ["list"], things: [["payment"]], beside: ["ledger"], family: "payment" },
	"ledger.get": { act: ["get"], things: [["ledger"]], family: "ledger", id: "own" },
	"ledger.list": { act: ["list"], things: [["ledger"]], beside: ["company"], family: "ledger" },
	"beneficiary.get": { act: ["get"], things: [["payee"]], family: "payee", id: "own" },
	"beneficiary.list": { act: ["list"], things: [["payee"]], beside: ["company"], family: "payee" },
	"auth.login": { act: ["create", "request", "get"], things: [["login"]], id: "none" },
	"auth.refresh": { act: ["create", "request", "update"], things: [["refresh"]], beside: ["login"], id: "none" },
};

/** Our fields, by the last part of their name or by the whole → what else they are called, the parts around them included. */
export const fieldWords: Readonly<Record<string, string>> = {
	corporateId:
		"company id, business id, organization id, organisation id, legal entity id, merchant id, customer id, client id, entity id, corporate customer id, business customer id, firm id",
	corporateRelatedId:
		"related id, person id, stakeholder id, party id, owner id, related party id, related person id, associated person id, member id, representative id, beneficial owner id, individual id, participant id, principal id, associate id, officer id",
	relatedPhysicalPersonId:
		"person id, related id, stakeholder id, party id, owner id, related party id, related person id, associated person id, member id, individual id, representative id, user id, subject id, participant id, principal id, associate id, officer id",
	accountOwnerId:
		"owner id, account holder id, representative id, primary contact id, administrator id, legal representative id, manager id, applicant id, contact person id, holder id",
	transactionId: "payment id, transfer id, transaction id, order id, movement id, payment order id",
	ledgerId: "account id, wallet id, ledger id",
	beneficiaryId: "payee id, recipient id, counterparty id, beneficiary id",
	endUserId: "company id, business id, customer id, holder id, owner id, client id, organisation id, organization id, party id",
	corporateName:
		"company name, legal name, business name, registered name, organization name, organisation name, official name, registered company name, name",
	tradeName: "trading name, brand name, commercial name, dba, doing business as, trading as",
	incorporationCountry:
		"country of incorporation, registration country, country of registration, country code, incorporated in, jurisdiction, country",
	incorporationCode:
		"registration number, company number, registration code, register number, business number, legal id, registration id, siren, registry number, company registration number, incorporation number",
	incorporationDate:
		"date of incorporation, registration date, founded on, incorporated on, founding date, date of registration, formation date, established on, registered on, incorporated at",
	website: "web site, url, homepage, website url, web address, site",
	industry: "sector, business sector, activity, business activity, line of business, industry code, branch",
	registeredAddress: "legal address, registration address, registered office, head office, address, official address, office address",
	businessAddress: "trading address, operating address, operational address, place of business",
	legalType: "legal form, company type, entity type, legal structure, form",
	employeesRange: "number of employee, employee count, headcount, employee, staff size, workforce",
	expectedMonthlyExpenses:
		"monthly expense, expected expense, monthly spending, expected turnover, monthly volume, expected monthly volume, monthly outgoing, expected monthly spend",
	lastTermsAccepted:
		"accepted term version, terms version, term version, tos version, accepted terms version, terms accepted, agreement version, terms accepted version, accepted terms, term accepted version, conditions version",
	accountOwnerInfo:
		"account owner, owner, account holder, representative, legal representative, primary contact, administrator, applicant, contact person, manager, principal, holder",
	externalId:
		"external reference, client reference, partner reference, your reference, foreign id, external ref, customer reference, merchant reference, client ref",
	metadata: "custom data, custom field, additional data, meta, tag, attribute, extra",
	partnerName: "partner, partner code",
	isoCountryCode: "country, country code, country iso, iso country",
	city: "town, locality, town name",
	postalCode: "zip, zip code, postcode, post code, postal",
	street: "street name, line1, line 1, address line 1, address line1, thoroughfare",
	"address.number": "house number, building number, street number, house no, building, number",
	refinement: "line 2, line2, address line 2, complement, supplement, additional, address supplement, extra line",
	stateOrProvince: "state, province, region, county, subdivision",
	firstName: "given name, forename, name first, given names, given",
	lastName: "family name, surname, name last, family",
	emailAddress: "email, e mail, mail, contact email, email addr",
	position: "job title, role, function, title, job, position title, occupation",
	nationality: "citizenship, nationality country, country of nationality, nationality code",
	isDirector: "director, is board member, board member",
	isUbo: "ubo, is beneficial owner, beneficial owner, is ultimate beneficial owner",
	directorAppointmentDate: "appointment date, appointed on, date of appointment, appointed at, director since",
	directSharesPercentage:
		"shareholding percent, shareholding percentage, direct share percent, capital share, share percentage, ownership percentage, direct share, shareholding, direct ownership, stake, ownership, share percent, direct shareholding, ownership percent, direct stake, share, holding percentage, direct holding",
	ownedCorporateId: "owned company id, owned entity id, owned company, subsidiary id, owned business id",
	phone: "mobile, mobile phone, telephone, cell phone, phone number, mobile number, telephone number, contact phone",
	"phone.countryCode": "dialling code, dialing code, country code, calling code, prefix, country prefix, dial code, international prefix",
	"phone.number": "phone number, national number, subscriber number, number, mobile number, local number",
	emailSubject: "subject, mail subject, subject line",
	urlOnSuccess: "success url, redirect url, return url, success redirect, success redirect url, on success url, redirect on success",
	urlOnComplete:
		"completed url, success url, redirect url, return url, completion url, complete url, success redirect, finish url, done url, callback url",
	urlOnFailure:
		"failure url, error url, failure redirect, cancel url, failure redirect url, on failure url, redirect on failure, failed url",
	code: "otp, tan, mtan, passcode, one time code, verification code, pin, sms code, token, otp code, one time password",
	allowFastPayment:
		"allow instant, instant, instant allowed, fast payment, use instant, instant payment, allow instant payment, prefer instant, instant enabled, permit instant",
	allowInterLedger:
		"allow internal, allow book transfer, internal allowed, allow on us, permit internal, allow internal routing, internal routing",
	reference:
		"remittance information, remittance info, payment reference, statement text, narrative, communication, purpose, message, memo, label, statement descriptor, remittance, remittance text, remittance reference, end to end text, unstructured, payment text, statement reference, transfer reference, note, description, text",
	amount:
		"value, sum, payment amount, transfer amount, instructed amount, amount value, amount minor, amount cent, amount in minor unit, amount in cent, cents, amount unit, amount number, transaction amount",
	currency: "currency code, ccy, iso currency",
	status: "state, payment status, transaction status, transfer status, lifecycle",
	type: "kind, category",
	version: "revision, version number, edition, version id",
	language: "locale, lang, language code",
	downloadUrl: "url, link, document url, href, download link, file url, location, pdf url, document link",
	url: "link, session url, redirect url, href, hosted url, invitation url, kyc url, verification url, hosted link, session link, location",
	emailAddressVerified: "email verified, is email verified, email confirmed, is email confirmed, mail verified, e mail confirmed",
	phoneVerified: "is phone verified, phone confirmed, mobile verified, mobile confirmed, is phone confirmed",
	kycInfo: "kyc, identity check, identity verification, identification, identity, kyc check, kyc detail",
	statusReason: "reason, remark, comment, status remark, rejection reason, decline reason",
	ttl: "expires in, expires after, validity, valid for, lifetime, time to live, duration, expiry",
	termsAccepted:
		"terms of service accepted, has accepted terms, tos accepted, agreement accepted, accepted terms, terms agreed, conditions accepted",
	kybStatus:
		"verification status, business verification status, kyb state, compliance status, review status, company verification status, verification state",
	kybStatusReason: "verification reason, kyb reason, status reason, compliance reason, rejection reason",
	paymentType: "rail, scheme, method, payment method, payment rail, channel",
	creationDate: "created at, created on, created, creation time, date created, created date, inserted at, creation timestamp",
	updateDate: "updated at, updated on, modified at, last modified, updated",
	totalAmount: "balance, total balance, current balance, booked balance, ledger balance, book balance, total",
	availableAmount: "available balance, available, spendable balance, available fund, balance available",
	reservedAmount: "held balance, reserved balance, blocked amount, held amount, pending balance, hold, reserved, blocked balance, held",
	friendlyName: "alias, display name, nickname, label, account name, wallet name",
	iban: "account iban, iban number",
	accountNumber: "iban, account no, bank account number, account identifier",
	name: "full name, payee name, recipient name, beneficiary name, holder name, counterparty name",
	id: "identifier, uuid, reference id, resource id",
	startDate:
		"not before, no earlier than, earliest, from, from date, date from, since, start, created after, created from, created since, after",
	endDate: "not after, no later than, latest, to, to date, date to, until, end, created before, created to, created until, before",
	username: "user, login, user name",
	refreshToken: "refresh token",
};

/** Who pays. The nearest name that says one side decides, and one that says both says nothing. */
export const debitWords =
	"from, source, debit, debited, debitor, debtor, payer, origin, originator, originating, sender, sending, ordering, remitter, funding, withdraw, paying";
/** Who is paid. */
export const creditWords =
	"to, target, destination, dest, credit, credited, creditor, payee, beneficiary, recipient, receiver, receiving, counterparty";
/** What says that money comes to the account at whose address it is asked for. */
export const inwardWords =
	"collect, collection, topup, top, deposit, load, pull, funding, refund, return, reversal, reverse, recall, chargeback, incoming, inbound, inward, receive";
/** What holds the fields of an account, a payee or a payment and is none. */
export const otherRecords =
	"direct, debit, mandate, standing, scheduled, schedule, recurring, plan, limit, instrument, card, statement, request, link, invoice, quote, fee, loan, refund, return, dispute, chargeback, event, webhook, report, rate, batch";
