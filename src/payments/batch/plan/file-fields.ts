/**
 * The flags of every command that reads a batch's file: which column is which, and what is the same for every row.
 */
import { z } from "zod";
import { plain, uuid } from "../../../api/fields.js";
import { field } from "../../../api/schema.js";

export const fileFields = () => ({
	map: field(z.array(plain("Column")), {
		description: "FIELD=COLUMN, for a column of another name",
		placeholder: "field=column",
	}).optional(),
	kind: field(z.enum(["ledger", "beneficiary"]), { description: "The kind of every row, if no column has it" }).optional(),
	ledgerFromId: uuid("The debited ledger, if no column has it").optional(),
	ledgerToId: uuid("The credited ledger, if no column has it").optional(),
	beneficiaryId: uuid("The beneficiary, if no column has it").optional(),
	amount: plain("The amount, if no column has it", { placeholder: "decimal" }).optional(),
	currency: plain("The currency (ISO 4217), if no column has it", { placeholder: "code" }).optional(),
	reference: plain("The reference, if no column has it", { placeholder: "text" }).optional(),
});
