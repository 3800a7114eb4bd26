import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { textAt, typed } from "../../api/answer.js";
import { getRelated } from "../../api/operations/related.js";
import { sendPhoneCode } from "../../api/operations/verification.js";
import { endOf } from "../../api/text/duration.js";
import { defineCommand } from "../../cli/command.js";
import { type Failure, reworded } from "../../errors.js";
import { call } from "../../http/call.js";
import { aboutRelated, knownOf, whoseText } from "../../onboarding/records/about.js";

export default defineCommand({
	path: "phone send-code",
	summary: "Send a verification code by SMS",
	details:
		"The code is valid for a few minutes. A wrong number or dialling code is corrected with `purser related update`. A sandbox sends no SMS: the code there is always 123456.",
	examples: { "phone send-code crm-5002/ada@example.com": "To the phone on record" },
	effect: "write",
	operations: [sendPhoneCode.id, getRelated.id],
	input: sendPhoneCode.body,
	answer: () =>
		z.looseObject({
			...{ relatedPhysicalPersonId: z.string(), ttl: z.optional(z.unknown()) },
			...{ expiresAt: z.optional(z.string()), environment: z.string() },
		}),
	async run(context, body) {
		const { relatedPhysicalPersonId } = body;
		const id = typed(relatedPhysicalPersonId, "RELATED");
		await context.ask.begin();
		await context.ask.change(() => aboutRelated(context, relatedPhysicalPersonId, "Send a code by SMS to", "phone"));
		const correct = purser`related update ${id} --phone.country-code CODE --phone.number DIGITS`;
		// A missing or wrong number is the most common reason of a refusal.
		const words = ({ fix }: Failure) => ({ fix: advice`If the number on record is missing or wrong: ${correct}\n${fix}` });
		const { data } = await call(context, sendPhoneCode, { body }).catch(reworded("rejected", words, "NOT_FOUND"));
		const { environment } = (await context.settings.read()).profile;
		const expiresAt = endOf(textAt(data, "ttl"), context.clock.now());
		return {
			data: { relatedPhysicalPersonId, ...knownOf(context, relatedPhysicalPersonId), ...data, expiresAt, environment },
			next: [purser`phone verify ${id} ${environment === "sandbox" && ["--code", "123456"]}`],
		};
	},
	text: (sent, style) =>
		style.done("Code sent", {
			Person: whoseText(sent),
			Id: sent.relatedPhysicalPersonId,
			"Valid until": style.time(sent.expiresAt) ?? textAt(sent, "ttl"),
			Sandbox: sent.environment === "sandbox" ? "no SMS is sent; the code is 123456" : undefined,
		}),
});
