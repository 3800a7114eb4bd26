import * as z from "zod/mini";
import { answer, flagAt, pageOf, type Received, textAt } from "../answer.js";
import { openChoice } from "../check/open-choice.js";
import { id, identifier } from "../fields.js";
import { operation } from "../operation.js";
import { paging } from "../paging.js";
import type { RecordNames } from "../understood.js";
import { beneficiaryStatuses } from "../values.js";

const beneficiaryFields = {
	id: "Identifier",
	name: "Who is paid",
	type: "Type",
	status: "VALID, DECLINED, PENDING_REVIEW, PENDING",
	active: "Whether it can be paid",
	endUserId: "Whose beneficiary",
	friendlyName: "Your name for it",
	accountNumber: "Account (IBAN or other)",
	currency: "Currency of the account, if given",
	linkcyLedgerId: "The ledger, when the account is hosted at the service",
};

const beneficiaryNames: RecordNames = {
	ids: ["id", "beneficiaryId"],
	fields: [...Object.keys(beneficiaryFields), "beneficiaryId", "iban"],
};

export const listBeneficiaries = operation({
	id: "beneficiary.list",
	title: "List beneficiaries",
	effect: "read",
	method: "GET",
	path: "/api/partner/beneficiaries",
	params: z.object({}),
	query: z.strictObject({
		endUserId: z.optional(id("endUser", "Only those of this end-user")),
		status: z.optional(openChoice("Only this status", beneficiaryStatuses)),
		...paging(),
	}),
	answer: pageOf("beneficiaries"),
	record: beneficiaryNames,
	provenance: { method: "documented", path: "documented", request: "documented", answer: "documented" },
	specified: false,
});

export const getBeneficiary = operation({
	id: "beneficiary.get",
	title: "Get a beneficiary",
	effect: "read",
	method: "GET",
	path: "/api/partner/beneficiaries/{beneficiaryId}",
	params: z.strictObject({ beneficiaryId: identifier("beneficiary", "The beneficiary") }),
	query: z.object({}),
	answer: answer(beneficiaryFields, "documented", { currency: "assumed" }),
	record: beneficiaryNames,
	provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "documented" },
	specified: false,
});

export interface BeneficiaryView {
	id?: string;
	endUserId?: string;
	name?: string;
	friendlyName?: string;
	type?: string;
	status?: string;
	active?: boolean;
	account?: string;
	currency?: string;
	hostedLedgerId?: string;
}

/** Reads a beneficiary. Missing fields stay undefined. */
export function viewBeneficiary(record: Received): BeneficiaryView {
	return {
		id: textAt(record, "id", "beneficiaryId"),
		endUserId: textAt(record, "endUserId"),
		name: textAt(record, "name"),
		friendlyName: textAt(record, "friendlyName"),
		type: textAt(record, "type"),
		status: textAt(record, "status"),
		active: flagAt(record, "active"),
		account: textAt(record, "accountNumber", "iban"),
		currency: textAt(record, "currency"),
		hostedLedgerId: textAt(record, "linkcyLedgerId"),
	};
}
