import { advice, purser } from "../../api/advice.js";
import { verifyPhoneCode } from "../../api/operations/verification.js";
import { call } from "../../client/call.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "phone verify",
	summary: "Verify a phone with the code from the SMS",
	details: "There are 5 tries within 10 minutes. A sandbox sends no SMS: the code there is always 123456.",
	examples: [{ run: "phone verify 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80 --code 123456", note: "The six digits of the SMS" }],
	effect: "write",
	operations: [verifyPhoneCode.id],
	input: verifyPhoneCode.body,
	run: async (context, body) => {
		try {
			await call(context, verifyPhoneCode, { body });
		} catch (error) {
			throw await withNewCodeAdvice(context, error, body.relatedPhysicalPersonId);
		}
		return { relatedPhysicalPersonId: body.relatedPhysicalPersonId, phoneVerified: true };
	},
	text: ({ relatedPhysicalPersonId }, style) =>
		[style.good("Phone verified"), style.pairs([["Related entity", relatedPhysicalPersonId]])].join("\n"),
	next: () => [purser`kyb status`],
});

/** Says how to get a new code after a refused one: there are few tries and little time. */
async function withNewCodeAdvice(context: Context, error: unknown, id: string): Promise<unknown> {
	if (!(error instanceof PurserError) || error.kind !== "rejected" || error.failure.code === "NOT_FOUND") return error;
	const anew = advice`ask for a new code with \`${purser`phone send-code ${id}`}\`.`;
	// A service may use another name for a code that is too old or locked, so the advice for that is added to every refusal.
	if (error.failure.apiCode !== "INVALID_PHONE_CODE")
		return new PurserError(error.kind, {
			...error.failure,
			fix: advice`${error.failure.fix}; if the code is too old or was tried too often, ${anew}`,
		});
	const { profile } = await context.settings();
	const sandbox = profile.environment === "sandbox" ? " In a sandbox the code is always 123456." : "";
	return new PurserError(error.kind, {
		...error.failure,
		code: "INVALID_PHONE_CODE",
		message: "The service refused the code: it is wrong, too old, or tried too often",
		why: error.failure.why ?? error.message,
		fix: advice`Type the six digits again, or ${anew}${sandbox}`,
	});
}
