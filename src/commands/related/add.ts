import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { type Received, textAt, typed } from "../../api/answer.js";
import { type FieldFault, fitting, flag, fromFile, openChoice } from "../../api/fields.js";
import { ownFields } from "../../api/operation.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { createRelated, listRelated, missingNames } from "../../api/operations/related.js";
import { relatedTypes } from "../../api/values.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { call } from "../../http/call.js";
import { companyNamed, sentRows } from "../../onboarding/records/about.js";
import { ifReadable, listRelatedOf } from "../../onboarding/records/reading.js";
import { duplicateOf, entityName } from "../../onboarding/records/twins.js";

/** Maximum number of the company's entities that are compared with the new one. */
const maxCompared = 5000;

const relatedInput = z.strictObject({
	...createRelated.params.shape,
	...createRelated.body.shape,
	// Without the operation's default, so that a company's name without a type is recognised.
	type: z.optional(
		openChoice("Person or company; PHYSICAL when left out", relatedTypes, {
			offer: "answered",
			labels: { PHYSICAL: "Person", COMPANY: "Company" },
			source: "assumed",
		}),
	),
	allowDuplicate: flag("Declare it even if it seems to be declared already", { flagOnly: true }),
});

function missingFields(value: Received): FieldFault[] {
	// Only a company has a corporateName, so the type is missing, not the names of a person.
	const unnamed = value.firstName === undefined && value.lastName === undefined;
	if (value.type === undefined && unnamed && value.corporateName !== undefined) return [["type", "is required for a company, as COMPANY"]];
	return missingNames(value);
}

export default defineCommand({
	path: "related add",
	summary: "Declare an owner, a director or another related entity",
	details:
		"Every UBO and every director has to be declared. Several are written in a case and declared in the right order: `purser onboard apply`. An entity that seems to be declared already is refused.",
	examples: {
		"related add crm-5002 --first-name Grace --last-name Sample --email-address grace@example.com --is-director": "A director",
		'related add crm-5002 --type COMPANY --corporate-name "Example Holding BV" --direct-shares-percentage 60':
			"A company that holds shares",
		"related add crm-5002 -f person.yaml": "The one in a file",
	},
	effect: "write",
	operations: [listRelated.id, createRelated.id, getCorporate.id],
	input: fromFile(fitting(relatedInput, missingFields)),
	answer: () => z.looseObject({ corporateId: z.string(), name: z.string(), id: z.optional(z.unknown()) }),
	async run(context, input) {
		const { corporateId, allowDuplicate } = input;
		await context.ask.begin();
		await context.ask.change(async () => ({
			title: `Declare ${entityName(input)} for ${await companyNamed(context.service, corporateId)}`,
			rows: [["Company", corporateId], ...sentRows(ownFields(createRelated.body, input))],
		}));
		const request = { params: { corporateId }, body: input };
		// A dry run ends here: it shows the request and looks nothing up.
		if (context.settings.flags.dryRun) await call(context, createRelated, request);
		if (!allowDuplicate) await refuseDuplicate(context, corporateId, input);
		const declared = await call(context, createRelated, request);
		const data: Received = { corporateId, name: entityName(input), ...declared.data };
		const id = typed(corporateId, "CORPORATE");
		return { data, next: [purser`related list ${id}`, purser`corporate review ${id}`] };
	},
	text: (declared, style) =>
		`${style.good("Related entity declared")}\n${style.pairs({ Name: textAt(declared, "name"), Id: textAt(declared, "id", "corporateRelatedId") })}`,
});

/** @throws PurserError guard, where the entity seems to be declared already */
async function refuseDuplicate(context: Context, corporateId: string, body: Received): Promise<void> {
	const listed = await ifReadable(context, "entities declared already were not looked for", () =>
		listRelatedOf(context.service, corporateId, maxCompared),
	);
	if (listed && !listed.complete)
		context.report.warn("Entities declared already were looked for only in the part of the list that was given");
	const message = duplicateOf(body, listed?.records ?? []);
	if (message === undefined) return;
	throw new PurserError("guard", {
		code: "ALREADY_DECLARED",
		message: "This related entity seems to be declared already. Nothing was sent",
		fix: advice`Look with \`${purser`related list ${corporateId}`}\`. If it is another one, add --allow-duplicate.`,
		details: [{ field: "", message }],
	});
}
