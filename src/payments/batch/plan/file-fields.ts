/**
 * The flags of every command that reads a batch's file: the mapping of columns, and values that apply to every row.
 */
import * as z from "zod/mini";
import { id, plain } from "../../../api/fields.js";
import { field } from "../../../api/schema.js";

export const fileFields = () => ({
	map: z.optional(
		field(z.array(plain("Column")), {
			description: "FIELD=COLUMN, for a column of another name",
			placeholder: "field=column",
		}),
	),
	kind: z.optional(field(z.enum(["ledger", "beneficiary"]), { description: "The kind of every row, when no column gives it" })),
	ledgerFromId: z.optional(id("ledger", "The debited ledger, when no column gives it", { alias: "from" })),
	ledgerToId: z.optional(id("ledger", "The credited ledger, when no column gives it")),
	beneficiaryId: z.optional(id("beneficiary", "The beneficiary, when no column gives it")),
	amount: z.optional(plain("The amount, when no column gives it", { placeholder: "decimal" })),
	currency: z.optional(plain("The currency (ISO 4217), when no column gives it", { placeholder: "code" })),
	reference: z.optional(plain("The reference, when no column gives it", { placeholder: "text" })),
});
