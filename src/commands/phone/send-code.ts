import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { textAt, typed } from "../../api/answer.js";
import { getRelated } from "../../api/operations/related.js";
import { sendPhoneCode } from "../../api/operations/verification.js";
import { endOf } from "../../api/text/duration.js";
import { defineCommand } from "../../cli/command.js";
import { PurserError } from "../../errors.js";
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
		await context.ask.change(() =>
			aboutRelated(
				context,
				relatedPhysicalPersonId,
				(who) => `Send a code by SMS to ${who}`,
				({ phone }) => [["Phone", phone]],
			),
		);
		const { data } = await call(context, sendPhoneCode, { body }).catch((error: unknown) => {
			throw withNumberAdvice(error, id);
		});
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

/** Adds how to correct the number, because a missing or wrong one is the most common reason of a refusal. */
function withNumberAdvice(error: unknown, id: ReturnType<typeof typed>): unknown {
	if (!(error instanceof PurserError) || error.kind !== "rejected" || error.failure.code === "NOT_FOUND") return error;
	return new PurserError("rejected", {
		...error.failure,
		fix: advice`If the number on record is missing or wrong: ${purser`related update ${id} --phone.country-code CODE --phone.number DIGITS`}\n${error.failure.fix}`,
		cause: error,
	});
}
