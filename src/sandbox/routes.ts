/**
 * Which handler answers which operation of the catalog.
 */
import type { OperationId } from "../api/operations/catalog.js";
import { beneficiaryOf, corporateOf, type Desk, ledgerOf, relatedOf, transactionOf } from "./desk.js";
import { type Answer, json } from "./message.js";
import { reviewAnswer } from "./pages/review.js";
import { login, refresh } from "./service/accounts.js";
import { sendEmailLink, sendPhoneCode, verifyPhoneCode } from "./service/contact.js";
import { corporateRecord, createCorporate, termsRecord, updateCorporate } from "./service/corporates.js";
import { requestKyb } from "./service/kyb.js";
import { kycLink } from "./service/kyc.js";
import { beneficiaryRecord, ledgerRecord } from "./service/ledgers.js";
import { page } from "./service/listing.js";
import { beneficiaries, corporates, ledgers, relatedOfCorporate, transactions } from "./service/lists.js";
import { payBeneficiary, payLedger } from "./service/payments.js";
import { createRelated, deleteRelated, relatedRecord, updateRelated } from "./service/related.js";
import { transactionRecord } from "./service/settling.js";
import type { User } from "./state.js";

/** One call, taken apart. */
export interface Called {
	params: Readonly<Record<string, string>>;
	query: URLSearchParams;
	body: Record<string, unknown>;
	user?: User;
}

type Handler = (desk: Desk, called: Called) => Answer;

const param = ({ params }: Called, name: string): string => params[name] as string;

export const handlers: Readonly<Record<OperationId, Handler>> = {
	"auth.login": (desk, { body }) => json(200, login(desk, body)),
	"auth.refresh": (desk, { body }) => json(200, refresh(desk, body)),
	"terms.get": (desk, { query }) => json(200, termsRecord(desk, query)),
	"corporate.create": (desk, { body, user }) => json(201, createCorporate(desk, body, user)),
	"corporate.update": (desk, called) => json(204, updateCorporate(desk, param(called, "corporateId"), called.body)),
	"corporate.get": (desk, called) => json(200, corporateRecord(desk, corporateOf(desk, param(called, "corporateId")))),
	"corporate.list": (desk, { query }) =>
		json(
			200,
			page(corporates(desk, query), query, (one) => corporateRecord(desk, one)),
		),
	"corporate.diligenceReview": (desk, called) => reviewAnswer(desk, corporateOf(desk, param(called, "corporateId"))),
	"kyb.request": (desk, called) => json(204, requestKyb(desk, param(called, "corporateId"))),
	"related.create": (desk, called) => json(201, createRelated(desk, param(called, "corporateId"), called.body)),
	"related.update": (desk, called) => json(204, updateRelated(desk, param(called, "corporateRelatedId"), called.body)),
	"related.get": (desk, called) => json(200, relatedRecord(desk, relatedOf(desk, param(called, "corporateRelatedId")))),
	"related.delete": (desk, called) => json(204, deleteRelated(desk, param(called, "corporateRelatedId"))),
	"related.list": (desk, called) => {
		const found = relatedOfCorporate(desk, corporateOf(desk, param(called, "corporateId")), called.query);
		return json(
			200,
			page(found, called.query, (one) => relatedRecord(desk, one)),
		);
	},
	"email.sendLink": (desk, { body }) => json(200, sendEmailLink(desk, body)),
	"phone.sendCode": (desk, { body }) => json(200, sendPhoneCode(desk, body)),
	"phone.verifyCode": (desk, { body }) => json(204, verifyPhoneCode(desk, body)),
	"kyc.link": (desk, { body }) => json(200, kycLink(desk, body)),
	"ledger.list": (desk, { query }) => json(200, page(ledgers(desk, query), query, ledgerRecord)),
	"ledger.get": (desk, called) => json(200, ledgerRecord(ledgerOf(desk, param(called, "ledgerId")))),
	"beneficiary.list": (desk, { query }) => json(200, page(beneficiaries(desk, query), query, beneficiaryRecord)),
	"beneficiary.get": (desk, called) => json(200, beneficiaryRecord(beneficiaryOf(desk, param(called, "beneficiaryId")))),
	"transaction.interLedger": (desk, { body }) => json(201, { id: payLedger(desk, body).id }),
	"transaction.beneficiary": (desk, { body }) => json(201, { id: payBeneficiary(desk, body).id }),
	"transaction.get": (desk, called) => json(200, transactionRecord(transactionOf(desk, param(called, "transactionId")))),
	"transaction.list": (desk, { query }) => json(200, page(transactions(desk, query), query, transactionRecord)),
};
