/**
 * The input of `related add`: one entity by its fields, or several in a list.
 */
import * as z from "zod/mini";
import type { Received } from "../../api/answer.js";
import { openChoice } from "../../api/check/open-choice.js";
import { flag } from "../../api/fields.js";
import { createRelated } from "../../api/operations/related.js";
import { missingNames } from "../../api/operations/related-names.js";
import { field } from "../../api/schema.js";
import { relatedTypes } from "../../api/values.js";

/** Maximum number of entities of one list. */
const maxEntities = 500;

const { type, ...fields } = createRelated.body.shape;
const names = ["type", ...Object.keys(fields)] as readonly (keyof typeof createRelated.body.shape)[];

/** Without the operation's default, so that a type beside a list is recognised as given. */
const givenType = z.optional(
	openChoice("Person or company; PHYSICAL when left out", relatedTypes, {
		offer: true,
		source: "assumed",
	}),
);

const several = z.optional(
	field(
		z.array(field(createRelated.body, { description: "A related entity" })).check(z.minLength(1, "is empty"), z.maxLength(maxEntities)),
		{
			description: "Several related entities, from a file",
		},
	),
);

export const relatedInput = z
	.strictObject({
		...createRelated.params.shape,
		type: givenType,
		...fields,
		entities: several,
		allowDuplicate: flag("Declare it even if it seems to be declared already", { flagOnly: true }),
	})
	.check(
		z.superRefine((value, context) => {
			if (value.entities === undefined) {
				for (const [name, message] of missingFields(value)) context.addIssue({ code: "custom", path: [name], message });
				return;
			}
			for (const name of names)
				if (value[name] !== undefined)
					context.addIssue({ code: "custom", path: [name], message: "cannot be combined with a list of entities; put it inside the list" });
		}),
	);

function missingFields(value: Received): [string, string][] {
	// Only a company has a corporateName, so the type is missing, not the names of a person.
	const unnamed = value.firstName === undefined && value.lastName === undefined;
	if (value.type === undefined && unnamed && value.corporateName !== undefined) return [["type", "is required for a company, as COMPANY"]];
	return missingNames(value);
}
