/**
 * How somebody is reached: the phone, the address and the email that corporates and related entities share.
 */
import * as z from "zod/mini";
import { country, type FieldOptions, line, textWithout, writtenWithout } from "../fields.js";
import { numberFault, readPhone } from "../phones.js";
import { field } from "../schema.js";
import { lineFault } from "../typed.js";
import { diallingCodes } from "../values.js";

/** Phone: countryCode from the closed list with or without "+", number of 1..14 digits (specification 2.3); typed as one text too. */
export function phone(say: FieldOptions = {}) {
	const parts = z.strictObject({
		countryCode: field(
			textWithout((value) =>
				diallingCodes.includes(value.replace(/^\+/, ""))
					? undefined
					: `is not a dialling code the service takes: ${JSON.stringify(value)} (like 33 or +33)`,
			),
			{
				description: 'Dialling code, "+" optional; a wrong one means no SMS',
				choose: "dialling-code",
				placeholder: "code",
				example: "33",
				source: "spec",
			},
		),
		number: field(z.string().check(z.regex(/^[0-9]{1,14}$/, "must be 1 to 14 digits after the dialling code, like +33 639980001")), {
			description: "Number, after the dialling code or with it (+33 639980001)",
			placeholder: "number",
			example: "639980001",
			personal: true,
			source: "documented",
		}),
	});
	const checked = parts.check(
		z.superRefine((value, context) => {
			const message = numberFault(value);
			if (message) context.addIssue({ code: "custom", path: ["number"], message });
		}),
	);
	return field(checked, { description: "Phone", example: "+33 639980001", read: readPhone, personal: true, ...say });
}

/** Address (specification 2.2). Which fields are required is not shown: none is made so. */
export function address(description: string, say: FieldOptions = {}) {
	return field(
		z.strictObject({
			isoCountryCode: z.optional(country("Country", { offer: true })),
			city: z.optional(line("City", { personal: true, offer: true, example: "Paris" })),
			postalCode: z.optional(line("Postal code", { personal: true, offer: true, example: "75001" })),
			street: z.optional(line("Street", { personal: true, offer: true, example: "Rue de l'Exemple" })),
			number: z.optional(line("House number", { personal: true, offer: true, example: "1" })),
			refinement: z.optional(line("Floor, building, care of", { personal: true })),
			stateOrProvince: z.optional(line("State or province", { personal: true })),
		}),
		{ description, ...say },
	);
}

/** The names in an address. */
export const addressFields = ["isoCountryCode", "city", "postalCode", "street", "number", "refinement", "stateOrProvince"];

/** An email address: something, one "@", a domain. The service decides the rest. */
export function email(description: string, say: FieldOptions = {}) {
	return field(
		writtenWithout((value) =>
			/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value) ? lineFault(value) : "must be an email address, like ada@example.com",
		),
		{ description, placeholder: "address", example: "ada@example.com", personal: true, ...say },
	);
}
