import * as z from "zod/mini";
import { type AnyCommand, defineCommand } from "../../src/cli/command.js";

/** A command that does nothing, for tests of an input. @param more its other parts */
export const made = (input: z.ZodMiniType, more: object = {}): AnyCommand =>
	defineCommand({
		path: "try it",
		summary: "Try it",
		examples: { "try it": "As it is" },
		effect: "read",
		operations: [],
		input: input as never,
		answer: () => z.looseObject({}),
		run: async () => ({ data: {} }),
		text: () => "",
		...more,
	}) as unknown as AnyCommand;
