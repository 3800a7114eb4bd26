import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { textAt, typed } from "../../api/answer.js";
import { getRelated } from "../../api/operations/related.js";
import { sendEmailLink } from "../../api/operations/verification.js";
import { endOf } from "../../api/text/duration.js";
import { defineCommand } from "../../cli/command.js";
import { call } from "../../http/call.js";
import { aboutRelated, knownOf, whoseText } from "../../onboarding/records/about.js";

export default defineCommand({
	path: "email send-link",
	summary: "Send an email verification link to the account owner",
	details: "The email is verified once the person opens the link. A wrong address is corrected with `purser related update`.",
	examples: {
		"email send-link crm-5002/ada@example.com": "To the address on record",
		"email send-link crm-5002/ada@example.com --url-on-success https://www.example.com/welcome": "Redirect the person afterwards",
	},
	effect: "write",
	operations: [sendEmailLink.id, getRelated.id],
	input: sendEmailLink.body,
	answer: () => z.looseObject({ relatedPhysicalPersonId: z.string(), ttl: z.optional(z.unknown()), expiresAt: z.optional(z.string()) }),
	async run(context, body) {
		const { relatedPhysicalPersonId: id } = body;
		await context.ask.begin();
		await context.ask.change(() => aboutRelated(context, id, "Send the email verification link to", "email"));
		const { data } = await call(context, sendEmailLink, { body });
		const expiresAt = endOf(textAt(data, "ttl"), context.clock.now());
		return {
			data: { relatedPhysicalPersonId: id, ...knownOf(context, id), ...data, expiresAt },
			next: [purser`email status ${typed(id, "RELATED")} --wait`],
		};
	},
	text: (sent, style) =>
		style.done("Verification link sent", {
			Person: whoseText(sent),
			Id: sent.relatedPhysicalPersonId,
			"Valid until": style.time(sent.expiresAt) ?? textAt(sent, "ttl"),
		}),
});
