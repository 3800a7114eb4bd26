import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { optionals, textAt, typed } from "../../api/answer.js";
import { flag, fromFile } from "../../api/fields.js";
import { sameText } from "../../api/names.js";
import { ownFields } from "../../api/operation.js";
import { createCorporate, createdOwner, listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { invalidField, PurserError, reworded } from "../../errors.js";
import { call } from "../../http/call.js";
import { confirmedBy } from "../../onboarding/evidence/acceptance.js";
import { sentRows } from "../../onboarding/records/about.js";
import { ifReadable } from "../../onboarding/records/reading.js";
import { newestFirst } from "../../onboarding/records/twins.js";

/** Maximum number of companies that are searched for the same externalId, newest first. */
const maxSearched = 2000;

export default defineCommand({
	path: "corporate create",
	summary: "Create a company and its account owner",
	details:
		"The account owner becomes a related entity of the company, with its own id. A company with the same externalId is looked for first, so that a repeated run does not create a second one. --last-terms-accepted, also in a file, accepts the terms in the account owner's name: it asks on every profile, and a script says --yes --confirmed-by account-owner, or operator.",
	examples: {
		"corporate create -f corporate.yaml": "From a file",
		"corporate create -f corporate.yaml --external-id crm-4711 --dry-run": "The exact request, without sending it",
		"corporate create -f corporate.yaml --anonymous --partner-name example-partner": "Without a credential, as the end-user",
	},
	effect: "write",
	operations: [createCorporate.id, listCorporates.id],
	input: fromFile(
		z.strictObject({
			...createCorporate.body.shape,
			anonymous: flag("Send no credential; partnerName is then mandatory"),
			allowDuplicate: flag("Create it even if one with this externalId exists", { flagOnly: true }),
			confirmedBy: confirmedBy(),
		}),
	),
	answer: () => z.looseObject({ ...optionals(["corporateId", "accountOwnerId"], z.unknown()) }),
	async run(context, input) {
		const { anonymous, allowDuplicate, externalId = "", partnerName, lastTermsAccepted: version, accountOwnerInfo: owner } = input;
		await context.ask.begin();
		await context.ask.change(
			{
				title: `Create ${input.corporateName || "a company without a name"}${anonymous ? " without a credential" : ""}`,
				rows: sentRows(ownFields(createCorporate.body, input)),
			},
			{
				terms: version === undefined ? [] : [{ version, owner: `${owner.firstName} ${owner.lastName}`, company: input.corporateName }],
				confirmedBy: input.confirmedBy,
			},
		);
		const { profile, dryRun } = await context.settings.read();
		const isAnonymous = anonymous || profile.auth.kind === "none";
		checkPartner(context, partnerName, isAnonymous);
		const isLookedUp = externalId !== "" && !allowDuplicate && !dryRun;
		if (isLookedUp) await refuseDuplicate(context, externalId, isAnonymous);
		const sent = call(context, createCorporate, { body: input }, { anonymous: isAnonymous });
		const created = await (isAnonymous ? sent.catch(reworded("auth", () => withoutCredential)) : sent);
		const data = { ...created.data, name: input.corporateName };
		const id = typed(textAt(data, "corporateId"), "CORPORATE");
		const owns = createdOwner(created, profile.mapping?.ids);
		if (owns === undefined) context.report.warn(advice`The service did not say who the account owner is: ${purser`related list ${id}`}`);
		const accept = purser`terms accept ${id}`;
		const link = purser`email send-link ${typed(owns, "RELATED")}`;
		return { data, next: version === undefined ? [accept, link] : [link] };
	},
	text: (created, style) =>
		style.done("Company created", {
			Company: created.name,
			Id: textAt(created, "corporateId"),
			"Account owner": textAt(created, "accountOwnerId"),
		}),
});

/**
 * Checks partnerName: it is mandatory for an anonymous creation, and ignored when a partner creates the company (specification 2.1, 5).
 * @throws PurserError validation
 */
function checkPartner(context: Context, partnerName: string | undefined, anonymous: boolean): void {
	if (!anonymous && partnerName !== undefined)
		context.report.warn("--partner-name is ignored when a partner creates a company; it is used with --anonymous only");
	if (!anonymous || partnerName) return;
	const fix = advice`Add --partner-name NAME, or create the company as a partner after \`${purser`auth login`}\`.`;
	const message = "An anonymous creation must name the partner; nothing was sent";
	throw invalidField("validation", "partnerName", "is required for an anonymous creation", message, fix);
}

/** No credential was sent, so the usual advice to check it would be wrong. */
const withoutCredential = {
	why: "It was sent without a credential, and your service may not allow anonymous creation",
	fix: advice`Check --partner-name, or create the company as a partner: log in (${purser`auth login`}), then run this again without --anonymous`,
};

/** @throws PurserError guard, where a company with this externalId is listed */
async function refuseDuplicate(context: Context, externalId: string, anonymous: boolean): Promise<void> {
	if (anonymous) {
		context.report.warn("Without a credential the list cannot be read: a company with this externalId was not looked for");
		return;
	}
	const page = await ifReadable(context, "a company with this externalId was not looked for", () =>
		context.service.list(listCorporates, { query: newestFirst }, maxSearched),
	);
	const found = page?.records.find((record) => sameText(viewCorporate(record).externalId, externalId));
	if (page && !page.complete && !found)
		context.report.warn(`Only the first ${page.records.length} companies were searched for this externalId`);
	if (found === undefined) return;
	const { id, name } = viewCorporate(found);
	throw new PurserError("guard", {
		code: "EXTERNAL_ID_IN_USE",
		message: `A company with the externalId ${externalId} already exists: ${[name, id].filter(Boolean).join(", ")}. Nothing was created`,
		fix: advice`Look at it with \`${purser`corporate show ${typed(id, "CORPORATE")}`}\`. To create a second one, add --allow-duplicate.`,
		details: [{ field: "externalId", message: "is in use" }],
	});
}
