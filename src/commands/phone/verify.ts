import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { check } from "../../api/check/check.js";
import { fitting, flag, fromFile } from "../../api/fields.js";
import { getRelated } from "../../api/operations/related.js";
import { verifyPhoneCode } from "../../api/operations/verification.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { type Failure, invalidField, PurserError, reworded } from "../../errors.js";
import { call } from "../../http/call.js";
import { aboutRelated, knownOf, whoseText } from "../../onboarding/records/about.js";

const { relatedPhysicalPersonId, code } = verifyPhoneCode.body.shape;

export default defineCommand({
	path: "phone verify",
	summary: "Verify a phone with the code from the SMS",
	details:
		"At a terminal you are asked for the code. A script sends it with --code-stdin: a flag's value stays in the shell's history, and other users of the machine can see it. There are 5 tries within 10 minutes. A sandbox sends no SMS: the code there is always 123456.",
	examples: {
		"phone verify crm-5002/ada@example.com": "Asks for the six digits of the SMS",
		"phone verify crm-5002/ada@example.com --code-stdin < code.txt": "In a script",
		"phone verify crm-5002/ada@example.com --code 123456": "In a sandbox",
	},
	effect: "write",
	// A service may want more than the code: --set challenge_id=….
	operations: [verifyPhoneCode.id, getRelated.id],
	input: fromFile(
		fitting(
			z.strictObject({
				relatedPhysicalPersonId,
				code: z.optional(code),
				codeStdin: flag("Read the code from standard input"),
			}),
			(given) => [given.codeStdin && given.code !== undefined && ["codeStdin", "cannot be combined with --code"]],
		).check(
			// Also where the id is missing: both are named at once.
			z.refine(({ code, codeStdin }) => codeStdin || code !== undefined, { path: ["code"], message: "is required", when: () => true }),
		),
	),
	answer: () => z.strictObject({ relatedPhysicalPersonId: z.string(), phoneVerified: z.boolean() }),
	async run(context, input) {
		const { relatedPhysicalPersonId: id } = input;
		await context.ask.begin();
		await context.ask.change(() => aboutRelated(context, id, "Verify the phone of", "phone"));
		const body = { ...input, code: input.codeStdin ? await codeFromInput(context) : (input.code as string) };
		const update = purser`related update ${typed(id, "RELATED")} --phone.country-code CODE --phone.number DIGITS`;
		// There are few tries and little time; where the service asks to wait, it did not look at the code.
		const retyped = advice`Only if the digits were mistyped and tries are left, run this again with the right ones; else ask for a new code (phone send-code). If the number on record is missing or wrong: ${update}`;
		const words = ({ code, fix }: Failure) => ({ fix: code === "TOO_MANY_REQUESTS" ? fix : retyped });
		await call(context, verifyPhoneCode, { body }).catch(reworded("rejected", words, "NOT_FOUND"));
		return { data: { relatedPhysicalPersonId: id, ...knownOf(context, id), phoneVerified: true }, next: [purser`related show ${id}`] };
	},
	text: ({ relatedPhysicalPersonId, ...whose }, style) =>
		style.done("Phone verified", { Person: whoseText(whose), Id: relatedPhysicalPersonId }),
});

/** Bytes of standard input: six digits and what surrounds them. */
const longest = 1024;

/** @throws PurserError validation, which does not quote what came; interrupted */
async function codeFromInput(context: Context): Promise<string> {
	const bytes = await context.system.terminal.stdin.read(longest).catch((cause) => {
		if (cause instanceof PurserError) throw cause;
		return new Uint8Array();
	});
	const text = new TextDecoder().decode(bytes).trim();
	const { faults } = check(code, text);
	if (faults.length === 0) return text;
	const fix = advice`Send the 6 digits of the SMS on one line, like: printf %s "$CODE" | ${purser`phone verify … --code-stdin`}`;
	const fault = faults[0]?.message ?? "is not a code";
	throw invalidField("validation", "codeStdin", fault, "Standard input does not hold a code; nothing was sent", fix);
}
