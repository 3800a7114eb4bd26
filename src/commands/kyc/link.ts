import { textAt } from "../../api/answer.js";
import { getKycLink, getRelated, viewRelated } from "../../api/related.js";
import { call } from "../../client/call.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { durationWords, endOf } from "../../onboarding/duration.js";
import { ifOffered } from "../../onboarding/lenient.js";
import { typed } from "../../onboarding/record.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "kyc link",
	summary: "Get the link with which a person does the KYC",
	details:
		"Every UBO and every director needs a KYC. At least one director does it in full, with liveness checks; for the others documents are enough. Send the link to the person: it takes a few minutes.",
	examples: [
		{ run: "kyc link 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", note: "A link to send to the person" },
		{ run: "kyc link 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80 --json", note: "For a script that sends it" },
	],
	effect: "write",
	operations: [getRelated.id, getKycLink.id],
	input: getKycLink.body,
	run: async (context, body) => {
		const { dryRun } = await context.settings();
		const name = dryRun ? undefined : await personName(context, body.relatedPhysicalPersonId);
		const { data } = await call(context, getKycLink, { body });
		const expiresAt = endOf(textAt(data, "ttl"), context.clock.now());
		return { relatedPhysicalPersonId: body.relatedPhysicalPersonId, name, ...data, expiresAt };
	},
	text: (link, style) =>
		[
			style.good("KYC link obtained"),
			style.pairs([
				["Person", link.name],
				["Related entity", link.relatedPhysicalPersonId],
				["Link", style.accent(textAt(link, "url", "link") ?? "the service gave none; see its answer with --json")],
				["Valid until", style.time(link.expiresAt) ?? durationWords(textAt(link, "ttl"))],
			]),
			"Send the link to this person only: whoever opens it does the KYC in their name.",
		].join("\n"),
	next: (_, { relatedPhysicalPersonId }) => {
		const id = typed(relatedPhysicalPersonId, "RELATED");
		return [`purser kyc status ${id} --wait`, `purser phone send-code ${id}`];
	},
});

/**
 * The name of the person whom the link is for. KYC is for physical persons (specification 1, step 7).
 * @throws PurserError guard
 */
async function personName(context: Context, id: string): Promise<string | undefined> {
	const reply = await ifOffered(context, "whether it is a person was not checked", () =>
		call(context, getRelated, { params: { corporateRelatedId: id } }),
	);
	if (reply === undefined) return undefined;
	const { isCompany, name } = viewRelated(reply.data);
	if (!isCompany) return name;
	throw new PurserError("guard", {
		code: "KYC_OF_A_COMPANY",
		message: `${name ?? id} is a company, and a KYC is for physical persons. Nothing was sent`,
		fix: "Declare the persons behind it with `purser related add CORPORATE` and get their links.",
	});
}
