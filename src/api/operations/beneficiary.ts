import * as z from "zod/mini";
import { answer, flagAt, type Received, type RecordNames, recordSchema, textAt } from "../answer.js";
import { id, identifier, openChoice, paging } from "../fields.js";
import { ofList, operation } from "../operation.js";
import { beneficiaryStatuses } from "../values.js";

const beneficiaryFields = "id name type status active endUserId friendlyName accountNumber currency linkcyLedgerId".split(" ");

const beneficiaryNames: RecordNames = {
	ids: ["id", "beneficiaryId"],
	fields: [...beneficiaryFields, "beneficiaryId", "iban"],
};

export const listBeneficiaries = operation({
	id: "beneficiary.list",
	title: "List beneficiaries",
	send: "GET /api/partner/beneficiaries",
	query: () =>
		z.strictObject({
			endUserId: z.optional(id("endUser", "Only those of this end-user")),
			status: z.optional(openChoice("Only this status", beneficiaryStatuses)),
			...paging(),
		}),
	record: beneficiaryNames,
	...ofList,
});

export const getBeneficiary = operation({
	id: "beneficiary.get",
	title: "Get a beneficiary",
	effect: "read",
	send: "GET /api/partner/beneficiaries/{beneficiaryId}",
	params: () => z.strictObject({ beneficiaryId: identifier("beneficiary", "The beneficiary") }),
	answer: answer(beneficiaryFields, "documented", { currency: "assumed" }),
	record: beneficiaryNames,
	provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "documented" },
});

/** A beneficiary as a command answers it. */
export const beneficiaryRecord = () => recordSchema(beneficiaryFields);

/** Reads a beneficiary. Missing fields stay undefined. */
export function viewBeneficiary(record: Received) {
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

export type BeneficiaryView = Partial<ReturnType<typeof viewBeneficiary>>;

/**
 * Masks an account number for display: `FR76••••0189`. Enough to recognise it, not enough to use it.
 * An account of six characters or fewer is hidden completely, because its ends would show all of it.
 */
export function maskedAccount(account: string | undefined): string | undefined {
	if (account === undefined) return undefined;
	const bare = [...account.replace(/\s/g, "")];
	if (bare.length === 0) return undefined;
	const shownAtStart = /^[A-Z]{2}[0-9]{2}/.test(bare.join("")) ? 4 : 2;
	if (bare.length < shownAtStart + 8) return bare.length <= 6 ? "••••" : `••••${bare.slice(-2).join("")}`;
	return `${bare.slice(0, shownAtStart).join("")}••••${bare.slice(-4).join("")}`;
}
