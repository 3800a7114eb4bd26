import { advice, purser } from "../../api/advice.js";
import { textAt, typed } from "../../api/answer.js";
import { getRelated } from "../../api/operations/related.js";
import { sendPhoneCode } from "../../api/operations/verification.js";
import { durationWords, endOf } from "../../api/text/duration.js";
import { defineHooked } from "../../cli/command.js";
import { PurserError } from "../../errors.js";
import { call } from "../../http/call.js";
import { aboutRelated } from "../../onboarding/records/about.js";

export default defineHooked({
	path: "phone send-code",
	summary: "Send a verification code by SMS",
	details:
		"The code is valid for a few minutes. A wrong number or dialling code is corrected with `purser related update`. A sandbox sends no SMS: the code there is always 123456.",
	examples: [{ run: "phone send-code crm-5002/ada@example.com", note: "To the phone on record" }],
	effect: "write",
	operations: [sendPhoneCode.id, getRelated.id],
	input: sendPhoneCode.body,
	about: (context, { relatedPhysicalPersonId: id }) =>
		aboutRelated(
			context.service,
			id,
			(name) => `Send ${name} a code by SMS`,
			({ phone }) => [["Phone", phone]],
		),
	run: async (context, body) => {
		const { data } = await call(context, sendPhoneCode, { body }).catch((error: unknown) => {
			throw withNumberAdvice(error, typed(body.relatedPhysicalPersonId, "RELATED"));
		});
		const { profile } = await context.settings.read();
		return {
			relatedPhysicalPersonId: body.relatedPhysicalPersonId,
			...data,
			expiresAt: endOf(textAt(data, "ttl"), context.clock.now()),
			environment: profile.environment,
		};
	},
	text: (sent, style) =>
		[
			style.good("Code sent"),
			style.pairs([
				["Related entity", sent.relatedPhysicalPersonId],
				["Valid until", style.time(sent.expiresAt) ?? durationWords(textAt(sent, "ttl"))],
				["Sandbox", sent.environment === "sandbox" ? "no SMS is sent; the code is 123456" : undefined],
			]),
		].join("\n"),
	next: ({ environment }, { relatedPhysicalPersonId }) => [
		purser`phone verify ${typed(relatedPhysicalPersonId, "RELATED")} ${environment === "sandbox" && ["--code", "123456"]}`,
	],
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
