/**
 * What a command answers, held against what `purser COMMAND --help --json` says of it. Every run of a test does so by itself.
 */
import * as z from "zod";
import type { AnyCommand } from "../../src/cli/command.js";
import { commandSpecOf, dryRunSpec } from "../../src/cli/help/command-spec.js";

type Schema = Parameters<typeof z.fromJSONSchema>[0];

const schemas = new Map<string, { answer: z.ZodType; record: z.ZodType }>();
let dryRun: z.ZodType | undefined;

function schemasOf(command: AnyCommand): { answer: z.ZodType; record: z.ZodType } {
	const known = schemas.get(command.path);
	if (known !== undefined) return known;
	const { answer, record = (answer as { items?: object }).items ?? answer } = commandSpecOf(command);
	const made = { answer: z.fromJSONSchema(answer as Schema), record: z.fromJSONSchema(record as Schema) };
	schemas.set(command.path, made);
	return made;
}

/** Paths of the commands whose answer was checked in this process. */
export const checkedAnswers = new Set<string>();

/** @throws Error naming what the answer has that its schema does not say */
export function checkAnswer(command: AnyCommand, answer: unknown, part: "answer" | "record" = "answer"): void {
	const isDryRun = (answer as { dryRun?: unknown } | null)?.dryRun === true && "requests" in (answer as object);
	if (isDryRun) dryRun ??= z.fromJSONSchema(dryRunSpec() as Schema);
	const found = (isDryRun ? (dryRun as z.ZodType) : schemasOf(command)[part]).safeParse(answer);
	if (!found.success) throw new Error(`${command.path} answers what its schema does not say:\n${z.prettifyError(found.error)}`);
	checkedAnswers.add(command.path);
}
