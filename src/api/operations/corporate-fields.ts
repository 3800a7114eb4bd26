/**
 * What is said of a corporate and its account owner where one is created or changed (specification 2.1 to 2.3).
 */

import * as z from "zod/mini";
import { legalTypeList } from "../check/lists.js";
import { currency, openChoice } from "../check/open-choice.js";
import { country, date, lengthRemark, line, metadata, name, percentage, text } from "../fields.js";
import { field, type Source } from "../schema.js";
import { isUrl } from "../text/url.js";
import { currencies, employeesRanges, industries, monthlyExpenses } from "../values.js";
import { address, email, phone } from "./contact.js";
import { leastCertain } from "./provenance.js";

/** The person who manages the corporate account (specification 2.3). */
export const accountOwnerInfo = () =>
	field(
		z.strictObject({
			firstName: name("First name", { personal: true, example: "Ada", source: "spec" }),
			lastName: name("Last name", { personal: true, example: "Example", source: "spec" }),
			emailAddress: email("Email; a verification link is sent to it", { source: "spec" }),
			position: line("Position in the company", {
				example: "CEO",
				source: "assumed",
			}),
			isDirector: z.optional(field(z.boolean(), { description: "Is the account owner a director?", offer: true, source: "spec" })),
			directorAppointmentDate: z.optional(date("Director since", { source: "spec" })),
			directSharesPercentage: z.optional(
				percentage("Shares held directly; leave it out when they are held indirectly", { source: "spec" }),
			),
			address: z.optional(address("Home address", { personal: true, source: "spec" })),
			nationality: z.optional(country("Nationality", { personal: true, source: "spec" })),
			phone: z.optional(phone({ source: "spec", offer: true })),
		}),
		{ description: "The account owner", source: "spec" },
	);

const website = (source: Source) =>
	text("Website", 511, {
		example: "https://www.example.com",
		source,
		doubted: true,
		warn: (value: string) => websiteRemark(value) ?? lengthRemark(value, 511),
	});

/** An address is often written without https://. */
function websiteRemark(value: string): string | undefined {
	if (value === "") return "is given and empty";
	const written = /^[a-z][a-z0-9+.-]*:/i.test(value) && !/^[^/]*:\d+(\/|$)/.test(value) ? value : `https://${value}`;
	const isAddress = /^https?:\/\/[^\s/]+\.[^\s/]+/i.test(written) && isUrl(written) && !/\s/.test(value);
	return isAddress ? undefined : "is not the address of a website, like https://www.example.com";
}

const legalType = (source: Source) =>
	field(
		z.record(z.string(), z.unknown()).check(
			z.superRefine((value, context) => {
				const entries = Object.entries(value);
				const [key, form] = entries[0] ?? [];
				if (entries.length !== 1 || !/^[a-z][A-Za-z]*Value$/.test(key ?? "") || typeof form !== "string" || !/^[A-Z0-9_]+$/.test(form))
					context.addIssue({
						code: "custom",
						message: 'must be one country-specific key with a legal form, like {"austriaValue":"AT_AKTIENGESELLSCHAFT_AG"}',
					});
			}),
		),
		{
			description: "Legal form: one country-specific key with a value",
			placeholder: "json",
			example: '{"austriaValue":"AT_AKTIENGESELLSCHAFT_AG"}',
			source,
			list: legalTypeList,
			doubted: true,
		},
	);

/** Fields of a creation that an update may carry too. @param source of the fields: beyond lastTermsAccepted they are not shown for an update */
export const corporateFields = (source: Source) => ({
	externalId: z.optional(text("Your reference for this company (for example a CRM id)", 511, { example: "crm-4711", offer: true, source })),
	corporateName: text("Official name", 255, { example: "Example Trading SAS", source }),
	tradeName: z.optional(text("Business name, if any", 255, { source })),
	incorporationCountry: country("Country of registration", { source }),
	incorporationCode: text("Official incorporation code in that country", 255, { example: "000 000 000", source }),
	incorporationDate: z.optional(date("Date of incorporation", { past: true, example: "2019-04-01", offer: true, source })),
	legalType: z.optional(legalType(source)),
	website: z.optional(website(source)),
	industry: openChoice("Industry (12 of 136 values are known)", industries, {
		choose: "industry",
		list: "industry",
		example: "FOOD_RESTAURANT_CATERING",
		source,
	}),
	registeredAddress: address("Registered address", { source }),
	businessAddress: z.optional(address("Business address, when it differs", { source })),
	expectedMonthlyExpenses: field(
		z.strictObject({
			value: openChoice("Range of monthly expenses", monthlyExpenses, {
				list: "expected-monthly-expenses",
				example: "LESS_THAN_10_000",
				source,
			}),
			currency: currency("Currency of the range", currencies),
		}),
		{ description: "Expected monthly expenses", source },
	),
	employeesRange: z.optional(
		openChoice("Number of employees", employeesRanges, {
			list: "employees-range",
			source: leastCertain(source, "documented"),
		}),
	),
	lastTermsAccepted: z.optional(line("Version of the terms that the account owner accepted; can be set later", { source: "spec" })),
	metadata: z.optional(metadata({ source })),
});
