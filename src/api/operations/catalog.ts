import type { AnyOperation } from "../operation.js";
import { login, refresh } from "./auth.js";
import { getBeneficiary, listBeneficiaries } from "./beneficiary.js";
import { createCorporate, getCorporate, getDiligenceReview, listCorporates, requestKyb, updateCorporate } from "./corporate.js";
import { getLedger, listLedgers } from "./ledger.js";
import { createRelated, deleteRelated, getRelated, listRelated, updateRelated } from "./related.js";
import { getTerms } from "./terms.js";
import { createBeneficiaryTransaction, createInterLedger, getTransaction, listTransactions } from "./transaction.js";
import { getKycLink, sendEmailLink, sendPhoneCode, verifyPhoneCode } from "./verification.js";

const all = [
	getTerms,
	createCorporate,
	sendEmailLink,
	updateCorporate,
	updateRelated,
	createRelated,
	getRelated,
	getDiligenceReview,
	requestKyb,
	getCorporate,
	getKycLink,
	sendPhoneCode,
	verifyPhoneCode,
	createInterLedger,
	createBeneficiaryTransaction,
	getTransaction,
	listCorporates,
	listRelated,
	deleteRelated,
	listLedgers,
	getLedger,
	listBeneficiaries,
	getBeneficiary,
	listTransactions,
	login,
	refresh,
] as const;

export type OperationId = (typeof all)[number]["id"];

/** Every operation: first the specification's sixteen in its order, then the others that the tool needs. */
export const catalog: readonly (AnyOperation & { id: OperationId })[] = all;
