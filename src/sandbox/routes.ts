/**
 * Which operation a method and a path mean, and which handler answers it.
 */
import type { AnyOperation } from "../api/operation.js";
import type { OperationId } from "../api/operations/catalog.js";
import { type Backend, findBeneficiary, findCorporate, findLedger, findRelated, findTransaction } from "./backend.js";
import { HttpError, jsonResponse, notAllowed, type Response } from "./message.js";
import { reviewPage } from "./pages/hosted.js";
import { logIn, renewLogin } from "./service/accounts.js";
import { checkCode, mailLink, textCode } from "./service/contact.js";
import { addCorporate, changeCorporate, corporateRecord, termsRecord } from "./service/corporates.js";
import { beneficiaryRecord, ledgerRecord, transactionRecord } from "./service/ledgers.js";
import { beneficiaries, corporates, ledgers, page, relatedOfCorporate, transactions } from "./service/lists.js";
import { payBeneficiary, payLedger } from "./service/payments.js";
import { addRelated, changeRelated, relatedRecord, removeRelated } from "./service/related.js";
import { kycLink, startKyb } from "./service/verification.js";
import type { Changed } from "./simulate/faults.js";
import type { LedgerTransaction } from "./state.js";

/** The parts of a request. */
export interface Called extends Changed {
	params: Readonly<Record<string, string>>;
	query: URLSearchParams;
	body: Record<string, unknown>;
	/** Whether the operator is logged in. */
	isPartner: boolean;
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
const created = ({ id }: LedgerTransaction): Response => jsonResponse(201, { id });

/** A page of a list, as it is answered. */
const listPage = <T>({ query }: Called, records: readonly T[], show: (record: T) => unknown): Response =>
	jsonResponse(200, page(records, query, show));

export const handlers: Readonly<Record<OperationId, Handler>> = {
	"auth.login": (backend, { body }) => jsonResponse(200, logIn(backend, body)),
	"auth.refresh": (backend, { body }) => jsonResponse(200, renewLogin(backend, body)),
	"terms.get": (backend, { query }) => jsonResponse(200, termsRecord(backend, query)),
	"corporate.create": (backend, { body, isPartner, twins }) => jsonResponse(201, addCorporate(backend, body, isPartner, twins)),
	"corporate.update": (backend, called) => jsonResponse(204, changeCorporate(backend, param(called, "corporateId"), called.body)),
	"corporate.get": (backend, called) => jsonResponse(200, corporateRecord(backend, findCorporate(backend, param(called, "corporateId")))),
	"corporate.list": (backend, called) =>
		listPage(called, listed(backend, called, corporates(backend, called.query)), (one) => corporateRecord(backend, one)),
	"corporate.diligenceReview": (backend, called) => reviewPage(backend, findCorporate(backend, param(called, "corporateId"))),
	"kyb.request": (backend, called) => jsonResponse(204, startKyb(backend, param(called, "corporateId"))),
	"related.create": (backend, called) => jsonResponse(201, addRelated(backend, param(called, "corporateId"), called.body)),
	"related.update": (backend, called) => jsonResponse(204, changeRelated(backend, param(called, "corporateRelatedId"), called.body)),
	"related.get": (backend, called) => jsonResponse(200, relatedRecord(backend, findRelated(backend, param(called, "corporateRelatedId")))),
	"related.delete": (backend, called) => jsonResponse(204, removeRelated(backend, param(called, "corporateRelatedId"))),
	"related.list": (backend, called) => {
		const all = relatedOfCorporate(backend, findCorporate(backend, param(called, "corporateId")), called.query);
		return listPage(called, listed(backend, called, all), (one) => relatedRecord(backend, one));
	},
	"email.sendLink": (backend, { body }) => jsonResponse(200, mailLink(backend, body)),
	"phone.sendCode": (backend, { body }) => jsonResponse(200, textCode(backend, body)),
	"phone.verifyCode": (backend, { body }) => jsonResponse(204, checkCode(backend, body)),
	"kyc.link": (backend, { body }) => jsonResponse(200, kycLink(backend, body)),
	"ledger.list": (backend, called) => listPage(called, ledgers(backend, called.query), ledgerRecord),
	"ledger.get": (backend, called) => jsonResponse(200, ledgerRecord(findLedger(backend, param(called, "ledgerId")))),
	"beneficiary.list": (backend, called) => listPage(called, beneficiaries(backend, called.query), beneficiaryRecord),
	"beneficiary.get": (backend, called) => jsonResponse(200, beneficiaryRecord(findBeneficiary(backend, param(called, "beneficiaryId")))),
	"transaction.interLedger": (backend, { body }) => created(payLedger(backend, body)),
	"transaction.beneficiary": (backend, { body }) => created(payBeneficiary(backend, body)),
	"transaction.get": (backend, called) => jsonResponse(200, transactionRecord(findTransaction(backend, param(called, "transactionId")))),
	"transaction.list": (backend, called) =>
		listPage(called, listed(backend, called, transactions(backend, called.query)), transactionRecord),
};

export interface RouteMatch<O extends AnyOperation> {
	operation: O;
	/** The named parts of the path, decoded. */
	params: Record<string, string>;
}

/**
 * A router for operations. A fixed name wins over a named parameter: `corporates/related/{id}` before `corporates/{id}/related`. HEAD is
 * routed as GET. The router throws HttpError 404 for a path that leads nowhere, an empty part (so a trailing slash) included, and 405 with the
 * methods there are.
 */
export function routerOf<O extends AnyOperation>(operations: readonly O[]): (method: string, path: string) => RouteMatch<O> {
	// A parameter's `{` comes after every letter.
	const paths = [...new Set(operations.map(({ path }) => path))].sort().map((path) => ({ path, names: path.split("/") }));
	return (method, asked) => {
		const parts = asked.split("/");
		const found = paths.find(({ names }) => fits(names, parts));
		if (!found) throw notFound();
		const here = operations.filter(({ path }) => path === found.path);
		const operation = here.find((one) => one.method === (method === "HEAD" ? "GET" : method));
		if (!operation)
			throw notAllowed(
				method,
				here.map((one) => one.method),
			);
		const params = found.names.flatMap((name, at) => (name.startsWith("{") ? [[name.slice(1, -1), decoded(parts[at] as string)]] : []));
		return { operation, params: Object.fromEntries(params) };
	};
}

const fits = (names: readonly string[], parts: readonly string[]): boolean =>
	names.length === parts.length && names.every((name, at) => (name.startsWith("{") ? parts[at] !== "" : name === parts[at]));

const notFound = (): HttpError => new HttpError(404, "NOT_FOUND", "There is no such path");

/** @throws HttpError 404, where the percent-encoding is broken */
function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		throw notFound();
	}
}
