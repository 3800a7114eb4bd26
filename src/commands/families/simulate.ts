/**
 * What the commands of `sandbox simulate` share: each sends one control operation, and only to a sandbox.
 */
import type * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { type Received, textAt } from "../../api/answer.js";
import type { AnyOperation } from "../../api/operation.js";
import { type Command, defineHooked, type Hooked } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { call } from "../../http/call.js";

type Own<B extends z.ZodMiniObject> = Pick<Hooked<B, Received>, "path" | "summary" | "details" | "examples" | "next"> &
	Partial<Pick<Command<B, Received>, "text">>;

/** A command that sends the body of a control operation. */
export function simulation<B extends z.ZodMiniObject>(operation: AnyOperation & { body: B }, own: Own<B>): Command<B, Received> {
	return defineHooked<B, Received>({
		effect: "write",
		sandboxOnly: true,
		operations: [operation.id],
		input: operation.body,
		run: async (context, body) => {
			await onlySandbox(context);
			return (await call(context, operation, { body })).data;
		},
		text: (data, style) => `${style.good("Done")}: ${textAt(data, "done") ?? "as requested"}`,
		...own,
	});
}

/** @throws PurserError guard, on a profile that is not marked sandbox */
export async function onlySandbox(context: Context): Promise<void> {
	const { profile } = await context.settings.read();
	if (profile.environment === "sandbox") return;
	throw new PurserError("guard", {
		code: "SANDBOX_ONLY",
		message: `The profile ${profile.name} is not a sandbox; nothing was sent`,
		fix: advice`Start one with \`${purser`sandbox serve`}\`, and choose its profile with --profile.`,
	});
}
