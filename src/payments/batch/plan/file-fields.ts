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
	kind: field(z.enum(["ledger", "beneficiary"]), { description: "What every row is, where no column says so" }).optional(),
	ledgerFromId: uuid("The debited ledger, where no column says so").optional(),
	ledgerToId: uuid("The credited ledger, where no column says so").optional(),
	beneficiaryId: uuid("The beneficiary, where no column says so").optional(),
	amount: plain("The amount, where no column says so", { placeholder: "decimal" }).optional(),
	currency: plain("The currency (ISO 4217), where no column says so", { placeholder: "code" }).optional(),
	reference: plain("The reference, where no column says so", { placeholder: "text" }).optional(),
});
