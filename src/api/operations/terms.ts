import * as z from "zod/mini";
import { answer } from "../answer.js";
import { openChoice } from "../fields.js";
import { operation } from "../operation.js";
import { field } from "../schema.js";

export const getTerms = operation({
	id: "terms.get",
	title: "Get terms and conditions",
	effect: "read",
	send: "GET /api/partner/terms-and-conditions",
	query: () =>
		z.strictObject({
			type: z._default(field(z.enum(["CORPORATE"]), { description: "Whose terms" }), "CORPORATE"),
			language: z._default(openChoice("Language; others than EN and FR on request via customer care", ["EN", "FR"]), "EN"),
		}),
	answer: answer(["type", "version", "language", "downloadUrl"]),
	record: { ids: [], fields: ["version", "language", "downloadUrl"] },
	provenance: { method: "assumed", path: "assumed", request: "documented", answer: "documented" },
	specified: true,
});

/** Whose word it is that the account owner accepted the terms. */
export const confirmers = { "account-owner": "the account owner", operator: "the operator" } as const;
