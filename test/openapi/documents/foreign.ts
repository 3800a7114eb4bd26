/**
 * Descriptions of invented services, written as their own teams would write them, and for each the binding that a person who knows both sides would write by hand.
 * The binding's method and path are the right answer to "which of theirs is this operation of ours?".
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { parseJson } from "../../../src/api/json.js";
import { catalog } from "../../../src/api/operations/catalog.js";
import { readBindingFile } from "../../../src/binding/file.js";

interface Foreign {
	name: string;
	/** File name in this folder. */
	file: string;
	/** What looks like one of ours and is none: `POST /standing-orders`. */
	traps: readonly string[];
}

/** Five services that have all sixteen operations, each in a style of its own. */
export const foreign: readonly Foreign[] = [
	{
		name: "camel",
		file: "camel.yaml",
		traps: [
			"GET /v2/privacyNotice",
			"POST /v2/businesses/{businessId}/documents",
			"GET /v2/identitySessions/{sessionId}",
			"POST /v2/accounts/{accountId}/subAccounts",
			"GET /v2/accounts/{accountId}/transferLimits",
			"PUT /v2/accounts/{accountId}/transferLimits",
			"POST /v2/standingOrders",
			"GET /v2/standingOrders/{standingOrderId}",
			"POST /v2/directDebitMandates",
			"POST /v2/directDebits",
			"POST /v2/paymentInstruments",
			"GET /v2/paymentInstruments/{paymentInstrumentId}",
			"POST /v2/payments/{paymentId}/cancel",
			"POST /v2/payees",
		],
	},
	{
		name: "kebab",
		file: "kebab.yaml",
		traps: [
			"GET /legal-documents/fee-schedule",
			"GET /corporate-customers/{customer-id}/status-history",
			"POST /associated-persons/{person-id}/documents",
			"POST /sanctions-screenings",
			"POST /settlement-accounts/{account-id}/sub-accounts",
			"PUT /settlement-accounts/{account-id}/payment-limits",
			"POST /scheduled-transfers",
			"POST /standing-orders",
			"POST /direct-debits",
			"POST /transactions/{transaction-id}/recall",
			"POST /payment-instruments",
			"POST /recipients",
		],
	},
	{
		name: "rpc",
		file: "rpc.yaml",
		traps: [
			"GET /v1/getKycResult",
			"POST /v1/createSubAccount",
			"GET /v1/getTransferLimit",
			"POST /v1/setTransferLimit",
			"GET /v1/getFeeSchedule",
			"POST /v1/createBeneficiary",
			"POST /v1/cancelPayment",
			"POST /v1/createStandingOrder",
			"GET /v1/getStandingOrder",
			"POST /v1/createDirectDebit",
			"POST /v1/createPaymentInstrument",
			"GET /v1/getPaymentInstrument",
			"POST /v1/createPaymentLink",
		],
	},
	{
		name: "category",
		file: "category.yaml",
		traps: [
			"POST /legalEntities/{id}/checkVerificationErrors",
			"POST /businessLines",
			"GET /documents/{id}",
			"POST /balanceAccounts/{id}/sweeps",
			"POST /transferInstruments",
			"GET /transferInstruments/{id}",
			"POST /counterparties",
			"POST /transfers/approve",
			"POST /transfers/cancel",
			"POST /transfers/{id}/returns",
			"POST /transferLimits",
			"POST /paymentInstruments",
			"GET /paymentInstruments/{id}",
			"PATCH /paymentInstruments/{id}",
			"POST /standingOrders",
			"GET /transactions",
		],
	},
	{
		name: "envelope",
		file: "envelope.json",
		traps: [
			"GET /organisations/{OrganisationId}/business-checks",
			"POST /organisations/{OrganisationId}/tax-residencies",
			"GET /officers/{OfficerId}/identity-checks",
			"PUT /accounts/{AccountId}/limits",
			"POST /accounts/{AccountId}/sub-accounts",
			"GET /accounts/{AccountId}/statements",
			"GET /accounts/{AccountId}/fees",
			"POST /counterparts",
			"POST /transfers/{TransferId}/recall-requests",
			"GET /transfers/{TransferId}/confirmation-letter",
			"POST /standing-orders",
			"POST /direct-debits",
			"POST /payment-instruments",
			"GET /card-payments/{CardPaymentId}",
		],
	},
];

/** Services that have none of our operations, whatever their words are. */
export const unrelated: readonly string[] = ["weather.yaml", "shop.yaml"];

/** A file of this folder. */
export const documentPath = (file: string): string => join(import.meta.dirname, file);

/** The document as it was parsed. */
export const documentOf = (file: string): Record<string, unknown> => parse(readFileSync(documentPath(file), "utf8"));

/** The path of a service's binding. */
export const bindingPath = (name: string): string => documentPath(`${name}.binding.json`);

/** A service's binding, and its faults at an address. */
export const bindingOf = (name: string, baseUrl = "https://api.example.com") =>
	readBindingFile(parseJson(readFileSync(bindingPath(name), "utf8")), catalog, baseUrl);

/** For each operation of ours its method and path at the service. */
export const answersOf = (name: string): Readonly<Record<string, string>> =>
	Object.fromEntries(Object.entries(bindingOf(name).bindings.operations).map(([id, { method, path }]) => [id, `${method} ${path}`]));
