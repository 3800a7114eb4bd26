/**
 * The flags of every command that reads a batch's file: the mapping of columns, and values that apply to every row.
 */
import * as z from "zod/mini";
import { plain, uuid } from "../../../api/fields.js";
import { field } from "../../../api/schema.js";

export const fileFields = () => ({
	map: z.optional(
		field(z.array(plain("Column")), {
			description: "FIELD=COLUMN, for a column of another name",
			placeholder: "field=column",
		}),
	),
	kind: z.optional(field(z.enum(["ledger", "beneficiary"]), { description: "The kind of every row, if no column has it" })),
	ledgerFromId: z.optional(uuid("The debited ledger, if no column has it")),
	ledgerToId: z.optional(uuid("The credited ledger, if no column has it")),
	beneficiaryId: z.optional(uuid("The beneficiary, if no column has it")),
	amount: z.optional(plain("The amount, if no column has it", { placeholder: "decimal" })),
	currency: z.optional(plain("The currency (ISO 4217), if no column has it", { placeholder: "code" })),
	reference: z.optional(plain("The reference, if no column has it", { placeholder: "text" })),
});
