/**
 * What the commands of `sandbox simulate` share: each sends one control operation, and only to a sandbox.
 */
import type * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { type Received, textAt } from "../../api/answer.js";
import type { AnyOperation } from "../../api/operation.js";
import { type Command, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import { call } from "../../http/call.js";

interface Own<B extends z.ZodMiniObject> extends Pick<Command<B, Received>, "path" | "summary" | "details" | "examples"> {
	text?: Command<B, Received>["text"];
	next?(data: Received, body: z.output<B>): readonly Advice[];
}

/** A command that sends the body of a control operation. */
export function simulation<B extends z.ZodMiniObject>(operation: AnyOperation & { body: B }, { next, ...own }: Own<B>) {
	return defineCommand<B, Received>({
		effect: "write",
		operations: [operation.id],
		input: operation.body,
		async run(context, body) {
			await onlySandbox(context);
			// A sandbox grants it without a question.
			await context.ask.permit({ title: own.summary });
			const { data } = await call(context, operation, { body });
			return { data, next: next?.(data, body) };
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
