/**
 * Which handler answers which operation of the catalog.
 */
import { createBeneficiaryTransaction, createInterLedger } from "../api/transaction.js";
import { login, refresh } from "./accounts.js";
import { beneficiaryOf, corporateOf, type Desk, ledgerOf, relatedOf, transactionOf } from "./desk.js";
import { among, page, several } from "./listing.js";
import { type Answer, json } from "./message.js";
import {
	corporateRecord,
	createCorporate,
	createRelated,
	deleteRelated,
	kycLink,
	relatedRecord,
	requestKyb,
	sendEmailLink,
	sendPhoneCode,
	termsRecord,
	updateCorporate,
	updateRelated,
	verifyPhoneCode,
} from "./onboarding.js";
import { beneficiaryRecord, ledgerRecord, payBeneficiary, payLedger, settleDue, transactionRecord } from "./payments.js";
import { reviewAnswer } from "./review.js";
import type { User } from "./state.js";

/** One call, taken apart. */
export interface Called {
	params: Readonly<Record<string, string>>;
	query: URLSearchParams;
	body: Record<string, unknown>;
	user?: User;
}

export type Handler = (desk: Desk, called: Called) => Answer;

const param = ({ params }: Called, name: string): string => params[name] as string;

/** By operation id. */
export const handlers: Readonly<Record<string, Handler>> = {
	"auth.login": (desk, { body }) => json(200, login(desk, body)),
	"auth.refresh": (desk, { body }) => json(200, refresh(desk, body)),
	"terms.get": (desk, { query }) => json(200, termsRecord(desk, query)),
	"corporate.create": (desk, { body, user }) => json(201, createCorporate(desk, body, user)),
	"corporate.update": (desk, called) => json(204, updateCorporate(desk, param(called, "corporateId"), called.body)),
	"corporate.get": (desk, called) => json(200, corporateRecord(desk, corporateOf(desk, param(called, "corporateId")))),
	"corporate.list": (desk, { query }) => json(200, corporates(desk, query)),
	"corporate.diligenceReview": (desk, called) => reviewAnswer(desk, corporateOf(desk, param(called, "corporateId"))),
	"kyb.request": (desk, called) => json(204, requestKyb(desk, param(called, "corporateId"))),
	"related.create": (desk, called) => json(201, createRelated(desk, param(called, "corporateId"), called.body)),
	"related.update": (desk, called) => json(204, updateRelated(desk, param(called, "corporateRelatedId"), called.body)),
	"related.get": (desk, called) => json(200, relatedRecord(desk, relatedOf(desk, param(called, "corporateRelatedId")))),
	"related.delete": (desk, called) => json(204, deleteRelated(desk, param(called, "corporateRelatedId"))),
	"related.list": (desk, called) => {
		const { id } = corporateOf(desk, param(called, "corporateId"));
		const layer = called.query.get("layer");
		const owned = desk.state.related.filter(
			(related) => related.corporateId === id && (layer === null || (related.fields.ownedCorporateId === undefined ? "1" : "2") === layer),
		);
		return json(
			200,
			page(owned, called.query, (related) => relatedRecord(desk, related)),
		);
	},
	"email.sendLink": (desk, { body }) => json(200, sendEmailLink(desk, body)),
	"phone.sendCode": (desk, { body }) => json(200, sendPhoneCode(desk, body)),
	"phone.verifyCode": (desk, { body }) => json(204, verifyPhoneCode(desk, body)),
	"kyc.link": (desk, { body }) => json(200, kycLink(desk, body)),
	"ledger.list": (desk, { query }) => {
		settleDue(desk);
		const statuses = several(query, "status");
		const user = query.get("endUserId");
		const iban = query.get("iban");
		const found = desk.state.ledgers.filter(
			(ledger) => among(statuses, ledger.status) && (user === null || ledger.endUserId === user) && (iban === null || ledger.iban === iban),
		);
		return json(200, page(found, query, ledgerRecord));
	},
	"ledger.get": (desk, called) => {
		settleDue(desk);
		return json(200, ledgerRecord(ledgerOf(desk, param(called, "ledgerId"))));
	},
	"beneficiary.list": (desk, { query }) => {
		const user = query.get("endUserId");
		const found = desk.state.beneficiaries.filter(
			(one) => among(several(query, "status"), one.status) && (user === null || one.endUserId === user),
		);
		return json(200, page(found, query, beneficiaryRecord));
	},
	"beneficiary.get": (desk, called) => json(200, beneficiaryRecord(beneficiaryOf(desk, param(called, "beneficiaryId")))),
	[createInterLedger.id]: (desk, { body }) => {
		settleDue(desk);
		return json(201, { id: payLedger(desk, body).id });
	},
	[createBeneficiaryTransaction.id]: (desk, { body }) => {
		settleDue(desk);
		return json(201, { id: payBeneficiary(desk, body).id });
	},
	"transaction.get": (desk, called) => {
		settleDue(desk);
		return json(200, transactionRecord(transactionOf(desk, param(called, "transactionId"))));
	},
	"transaction.list": (desk, { query }) => {
		settleDue(desk);
		const ledger = query.get("ledgerId");
		const from = Date.parse(query.get("startDate") ?? "");
		const to = Date.parse(query.get("endDate") ?? "");
		const found = desk.state.transactions.filter((one) => {
			const at = Date.parse(one.createdAt);
			return (
				among(several(query, "status"), one.status) &&
				(ledger === null || one.fromLedgerId === ledger || one.toLedgerId === ledger) &&
				!(at < from) &&
				!(at > to)
			);
		});
		return json(200, page(found, query, transactionRecord));
	},
};

function corporates(desk: Desk, query: URLSearchParams): unknown {
	const statuses = several(query, "kybStatus");
	const name = query.get("registeredName")?.toLowerCase();
	const mail = query.get("emailAddress")?.toLowerCase();
	const found = desk.state.corporates.filter((corporate) => {
		corporateRecord(desk, corporate);
		const owner = desk.state.related.find((one) => one.id === corporate.accountOwnerId);
		return (
			among(statuses, corporate.kyb.status) &&
			(name === undefined || String(corporate.fields.corporateName).toLowerCase().includes(name)) &&
			(mail === undefined || owner?.email?.address.toLowerCase() === mail)
		);
	});
	const by = query.get("sortAttribute") === "UPDATE_DATE" ? "updatedAt" : "createdAt";
	const sorted = [...found].sort((one, other) => one[by].localeCompare(other[by]));
	return page(sorted, query, (corporate) => corporateRecord(desk, corporate));
}
