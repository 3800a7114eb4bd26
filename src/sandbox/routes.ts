/**
 * Which handler answers which operation of the catalog.
 */
import type { OperationId } from "../api/operations/catalog.js";
import { type Backend, findBeneficiary, findCorporate, findLedger, findRelated, findTransaction } from "./backend.js";
import { jsonResponse, type Response } from "./message.js";
import { reviewResponse } from "./pages/review.js";
import { logIn, renewLogin } from "./service/accounts.js";
import { checkCode, mailLink, textCode } from "./service/contact.js";
import { addCorporate, changeCorporate, corporateRecord, termsRecord } from "./service/corporates.js";
import { startKyb } from "./service/kyb.js";
import { kycLink } from "./service/kyc.js";
import { beneficiaryRecord, ledgerRecord } from "./service/ledgers.js";
import { page } from "./service/listing.js";
import { beneficiaries, corporates, ledgers, relatedOfCorporate, transactions } from "./service/lists.js";
import { payBeneficiary, payLedger } from "./service/payments.js";
import { addRelated, changeRelated, relatedRecord, removeRelated } from "./service/related.js";
import { transactionRecord } from "./service/transaction-record.js";
import type { Changed } from "./simulate/faults.js";
import type { LedgerTransaction, User } from "./state.js";

/** The parts of a request. */
export interface Called extends Changed {
	params: Readonly<Record<string, string>>;
	query: URLSearchParams;
	body: Record<string, unknown>;
	user?: User;
}

type Handler = (backend: Backend, called: Called) => Response;

const param = ({ params }: Called, name: string): string => params[name] as string;

/** The records of a list, without what a simulated lag hides. */
function listed<T extends { createdAt: string }>(backend: Backend, { lag }: Called, records: readonly T[]): readonly T[] {
	if (lag === undefined) return records;
	const until = new Date(backend.now().getTime() - lag).toISOString();
	return records.filter(({ createdAt }) => createdAt <= until);
}

/** The answer to a payment (specification 2.9). */
function created(backend: Backend, { late }: Called, transaction: LedgerTransaction): Response {
	if (late !== undefined) transaction.listedFrom = new Date(backend.now().getTime() + late).toISOString();
	return jsonResponse(201, { id: transaction.id });
}

export const handlers: Readonly<Record<OperationId, Handler>> = {
	"auth.login": (backend, { body }) => jsonResponse(200, logIn(backend, body)),
	"auth.refresh": (backend, { body }) => jsonResponse(200, renewLogin(backend, body)),
	"terms.get": (backend, { query }) => jsonResponse(200, termsRecord(backend, query)),
	"corporate.create": (backend, { body, user, twins }) => jsonResponse(201, addCorporate(backend, body, user, twins)),
	"corporate.update": (backend, called) => jsonResponse(204, changeCorporate(backend, param(called, "corporateId"), called.body)),
	"corporate.get": (backend, called) => jsonResponse(200, corporateRecord(backend, findCorporate(backend, param(called, "corporateId")))),
	"corporate.list": (backend, called) => {
		const found = listed(backend, called, corporates(backend, called.query));
		return jsonResponse(
			200,
			page(found, called.query, (one) => corporateRecord(backend, one)),
		);
	},
	"corporate.diligenceReview": (backend, called) => reviewResponse(backend, findCorporate(backend, param(called, "corporateId"))),
	"kyb.request": (backend, called) => jsonResponse(204, startKyb(backend, param(called, "corporateId"))),
	"related.create": (backend, called) => jsonResponse(201, addRelated(backend, param(called, "corporateId"), called.body)),
	"related.update": (backend, called) => jsonResponse(204, changeRelated(backend, param(called, "corporateRelatedId"), called.body)),
	"related.get": (backend, called) => jsonResponse(200, relatedRecord(backend, findRelated(backend, param(called, "corporateRelatedId")))),
	"related.delete": (backend, called) => jsonResponse(204, removeRelated(backend, param(called, "corporateRelatedId"))),
	"related.list": (backend, called) => {
		const all = relatedOfCorporate(backend, findCorporate(backend, param(called, "corporateId")), called.query);
		const found = listed(backend, called, all);
		return jsonResponse(
			200,
			page(found, called.query, (one) => relatedRecord(backend, one)),
		);
	},
	"email.sendLink": (backend, { body }) => jsonResponse(200, mailLink(backend, body)),
	"phone.sendCode": (backend, { body }) => jsonResponse(200, textCode(backend, body)),
	"phone.verifyCode": (backend, { body }) => jsonResponse(204, checkCode(backend, body)),
	"kyc.link": (backend, { body }) => jsonResponse(200, kycLink(backend, body)),
	"ledger.list": (backend, called) => jsonResponse(200, page(ledgers(backend, called.query), called.query, ledgerRecord)),
	"ledger.get": (backend, called) => jsonResponse(200, ledgerRecord(findLedger(backend, param(called, "ledgerId")))),
	"beneficiary.list": (backend, called) => jsonResponse(200, page(beneficiaries(backend, called.query), called.query, beneficiaryRecord)),
	"beneficiary.get": (backend, called) => jsonResponse(200, beneficiaryRecord(findBeneficiary(backend, param(called, "beneficiaryId")))),
	"transaction.interLedger": (backend, called) => created(backend, called, payLedger(backend, called.body)),
	"transaction.beneficiary": (backend, called) => created(backend, called, payBeneficiary(backend, called.body)),
	"transaction.get": (backend, called) =>
		jsonResponse(200, transactionRecord(findTransaction(backend, param(called, "transactionId")), called.form)),
	"transaction.list": (backend, called) => {
		const found = listed(backend, called, transactions(backend, called.query));
		return jsonResponse(
			200,
			page(found, called.query, (one) => transactionRecord(one, called.form)),
		);
	},
};
