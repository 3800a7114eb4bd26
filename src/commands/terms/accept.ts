import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { optionals, textAt, typed } from "../../api/answer.js";
import { plain } from "../../api/fields.js";
import { corporateRecord, getCorporate, updateCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { confirmers, getTerms } from "../../api/operations/terms.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { call } from "../../http/call.js";
import { type AcceptedDocument, confirmedBy, readAccountOwner, withDigest } from "../../onboarding/evidence/acceptance.js";
import { companyNamed } from "../../onboarding/records/about.js";
import { readBack, readCorporate } from "../../onboarding/records/reading.js";
import { yesNo } from "../../onboarding/records/record.js";

const { corporateId } = getCorporate.params.shape;
const { type, language } = getTerms.query.shape;

export default defineCommand({
	path: "terms accept",
	summary: "Record that a company accepts the latest terms",
	details:
		"The account owner must have seen the terms first: `purser terms show`. It is a legal act in the owner's name, so it asks on every profile; a script says --yes, and whose word it is: --confirmed-by account-owner, or operator. The journal keeps that word. A company must accept them before it can use any financial service, and again after each update. The answer is the evidence: with --json it says who accepted which version, when, and the SHA-256 of the document behind the service's address; where that cannot be read, why.",
	examples: {
		"terms accept crm-5002": "The latest version; asks first",
		"terms accept crm-5002 --yes --confirmed-by account-owner": "In a script: the owner said so",
		"terms accept crm-5002 --version 2026-03": "Only if the version that was shown is still the latest",
		"terms accept crm-5002 --yes --confirmed-by operator --json > acceptance.json": "Keep who accepted which document, and when",
	},
	effect: "write",
	operations: [getTerms.id, updateCorporate.id, getCorporate.id, listRelated.id],
	input: z.strictObject({
		corporateId,
		confirmedBy: confirmedBy(),
		version: z.optional(plain("Version that was shown to the account owner; refused unless it is the latest")),
		type,
		language,
	}),
	answer: () =>
		z.extend(corporateRecord(), {
			...{ corporateId: z.string(), lastTermsAccepted: z.string() },
			acceptance: z.strictObject({
				...{ corporateId: z.string(), version: z.string(), state: z.string(), at: z.string(), confirmedBy: z.string() },
				acceptedBy: z.optional(z.strictObject(optionals(["relatedId", "name"]))),
				document: z.optional(z.strictObject({ ...optionals(["url", "language", "sha256", "why"]), bytes: z.optional(z.number()) })),
			}),
		}),
	async run(context, input) {
		const { corporateId, confirmedBy = "operator" } = input;
		const { dryRun, yes, interactive } = context.settings.flags;
		await context.ask.begin();
		const latest = await latestTerms(context, input);
		const isAsked = !dryRun && !yes && interactive;
		const company = isAsked ? await companyNamed(context.service, corporateId) : corporateId;
		const owner = isAsked ? await readAccountOwner(context, corporateId) : undefined;
		const { version, ...shown } = latest;
		const named = company === corporateId ? corporateId : `${company} ${corporateId}`;
		const rows = Object.entries({ Company: named, "Account owner": owner?.name, Version: version, Document: latest.url });
		await context.ask.change(
			{ title: `Record that ${company} accepts the terms`, rows, acceptsOnly: true },
			{ terms: [{ version, owner: owner?.name, company }], confirmedBy: input.confirmedBy },
		);

		const document: AcceptedDocument = dryRun ? shown : await withDigest(context, shown);
		const at = context.clock.now().toISOString();
		await call(context, updateCorporate, { params: { corporateId }, body: { lastTermsAccepted: version } });
		const record = await readBack(context, () => readCorporate(context.service, corporateId));

		// Where the service took the request but still says that the latest terms are not accepted, there is no evidence of an acceptance.
		const isTaken = !(record && viewCorporate(record).termsAccepted === false);
		const acceptedBy = await readAccountOwner(context, corporateId);
		const state = isTaken ? "accepted" : "asked";
		const accepted = { corporateId, version, state, at, confirmedBy, acceptedBy, document } as const;
		return {
			data: { corporateId, ...record, lastTermsAccepted: version, acceptance: accepted },
			exit: isTaken ? undefined : "pending",
			next: [isTaken ? purser`corporate status ${typed(corporateId, "CORPORATE")}` : purser`terms show`],
		};
	},
	text: (data, style) => {
		const { name, termsAccepted } = viewCorporate(data);
		return [
			termsAccepted === false
				? style.warn("The acceptance was taken, but the service still says that the latest terms are not accepted.")
				: style.good("Terms accepted"),
			style.pairs({
				Company: name,
				Id: data.corporateId,
				Version: data.lastTermsAccepted,
				"Accepted by": data.acceptance.acceptedBy?.name,
				"Confirmed by": confirmers[data.acceptance.confirmedBy],
				At: style.time(data.acceptance.at),
				Document: documentText(data.acceptance.document),
				Digest: data.acceptance.document.sha256,
				"Terms accepted": style.status(yesNo(termsAccepted)),
			}),
		].join("\n");
	},
});

const documentText = (document: AcceptedDocument): string | undefined =>
	document.sha256 === undefined ? document.why && "its digest is not recorded" : "its digest is recorded";

/**
 * The version to accept (specification 3: an update reports acceptance of the latest one).
 * @throws PurserError guard, where another version was asked for; PurserError bug, where the service names none
 */
async function latestTerms(
	context: Context,
	{ corporateId, version, type, language }: Record<"corporateId" | "language", string> & { type: "CORPORATE"; version?: string },
) {
	const { data } = await call(context, getTerms, { query: { type, language } });
	const latest = textAt(data, "version");
	if (latest === undefined)
		throw new PurserError("bug", {
			code: "TERMS_WITHOUT_VERSION",
			message: "The service did not name the version of its latest terms, so nothing can be accepted",
			fix: advice`Look at its answer with \`${purser`terms show --json`}\`; where a field is renamed, the mapping says so: \`${purser`help mapping`}\`.`,
		});
	if (version !== undefined && version !== latest)
		throw new PurserError("guard", {
			code: "TERMS_NOT_LATEST",
			message: `Version ${version || '""'} is not the latest: that is ${latest}. Nothing was accepted`,
			why: "Only the latest version counts, and the account owner has to have seen it.",
			fix: advice`Show it with \`${purser`terms show`}\`, then run \`${purser`terms accept ${corporateId} --version ${latest}`}\`.`,
		});
	return { version: latest, url: textAt(data, "downloadUrl"), language: textAt(data, "language") };
}
