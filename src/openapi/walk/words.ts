/**
 * What a person reads during an import: our operations in plain words, candidates with their reasons, fields with their places.
 */
import type { AnyOperation } from "../../api/operation.js";
import type { IdKind } from "../../api/text/ids.js";
import type { BoundValue } from "../../ports/binding.js";
import type { ForeignOperation } from "../foreign.js";
import type { Candidate } from "../import.js";

/** What each of our operations is for. */
const purposes: Readonly<Record<string, string>> = {
	"terms.get": "the terms that a company accepts",
	"corporate.create": "a new company, with its account owner",
	"email.sendLink": "an email with a link, to prove the address",
	"corporate.update": "a change of a company's details",
	"related.update": "a change of an owner's or a director's details",
	"related.create": "a new owner or director of a company",
	"related.get": "one owner or director",
	"corporate.diligenceReview": "the due diligence report of a company, as a page or a PDF",
	"kyb.request": "the start of a company's verification (KYB)",
	"corporate.get": "one company, with the state of its verification",
	"kyc.link": "the link by which a person proves an identity (KYC)",
	"phone.sendCode": "an SMS with a code",
	"phone.verifyCode": "the code that came by SMS",
	"transaction.interLedger": "money from one of your ledgers to another",
	"transaction.beneficiary": "money to somebody outside, a beneficiary",
	"transaction.get": "one payment, with its status",
	"corporate.list": "all companies",
	"related.list": "the owners and directors of a company",
	"related.delete": "the removal of an owner or a director",
	"ledger.list": "the ledgers (accounts that hold money)",
	"ledger.get": "one ledger, with its balance",
	"beneficiary.list": "the beneficiaries that can be paid",
	"beneficiary.get": "one beneficiary",
	"transaction.list": "the payments of a ledger: what settles a doubt",
	"auth.login": "a login by name and password",
	"auth.refresh": "a new token for an old one",
};

export const purposeOf = ({ id, title }: AnyOperation): string => purposes[id] ?? title;

export const addressOf = ({ method, path }: Pick<ForeignOperation, "method" | "path">): string => `${method} ${path}`;

/** Whose ids they are. */
export const idWords: Readonly<Record<IdKind, string>> = {
	corporate: "companies",
	related: "owners and directors",
	ledger: "ledgers",
	beneficiary: "beneficiaries",
	transaction: "payments",
	endUser: "customers",
};

/** What a form is called, by an example. */
export function formWords({ codec, values, currency }: BoundValue): string {
	if (values !== undefined)
		return Object.entries(values)
			.map(([ours, theirs]) => `${theirs} is ${ours}`)
			.join(", ");
	if (codec === undefined) return "";
	if (codec === "minor-units") return `minor units: 12.34 is 1234${currency === undefined ? "" : ` (${currency})`}`;
	return (
		{ number: "a number: 12.34", "decimal-text": 'text: "12.34"', "boolean-text": 'text: "true"' }[codec as string] ??
		dateWords[codec] ??
		codec
	);
}

/** 31 December 2026 in each form. */
const dateWords: Readonly<Record<string, string>> = {
	"date:YYYYMMDD": "20261231",
	"date:DD/MM/YYYY": "31/12/2026",
	"date:DD.MM.YYYY": "31.12.2026",
	"date:MM/DD/YYYY": "12/31/2026",
	"epoch-seconds": "seconds since 1970",
	"epoch-milliseconds": "milliseconds since 1970",
};

/** Where each of our fields stands, as label and value; in which form, where nobody is asked about that. */
export function fieldRows({ binding, open }: Pick<Candidate["proposal"], "binding" | "open">): [string, string][] {
	const { request, answer, constants = [] } = binding;
	const placeOf = (place: string, ours: string, field: BoundValue, isAnswer: boolean): string => {
		const isAsked = open.some((one) => one.ours === ours && (one.isAnswer ?? false) === isAnswer);
		const form = isAsked ? "its form is asked" : formWords(field);
		return form === "" ? place : `${place} · ${form}`;
	};
	const start = `${answer?.records === undefined ? "" : `${answer.records}/*`}${answer?.record ?? ""}`;
	const sent = Object.entries(request?.fields ?? {}).map(([ours, field]): [string, string] => {
		const place = field.place === "body" ? `body ${request?.record ?? ""}${field.at}` : `${field.place} ${field.at}`;
		return [ours, placeOf(place, ours, field, false)];
	});
	const fixed = constants.map(({ place, at, value }): [string, string] => ["always sent", `${place} ${at} = ${value}`]);
	const read = Object.entries(answer?.fields ?? {}).map(([ours, field]): [string, string] => [
		`${ours}, read`,
		placeOf(`answer ${start}${field.at}`, ours, field, true),
	]);
	return [...sent, ...fixed, ...read];
}

/** Who pays whom in a payment, as the names of a document say it. */
export function directionOf({ fit, proposal }: Candidate): string {
	const { ledgerFromId: from, ledgerToId, beneficiaryId } = proposal.binding.request?.fields ?? {};
	const to = fit.operation.id === "transaction.interLedger" ? ledgerToId : beneficiaryId;
	const fixed = (proposal.binding.constants ?? []).map(({ at, value }) => `; ${at} is ${value}`).join("");
	return `money leaves ${from?.at ?? "(no field yet)"} and arrives at ${to?.at ?? "(no field yet)"}${fixed}`;
}
