import { formatJson } from "../api/json.js";
import { secondsOf } from "../api/quantity.js";
import { describe } from "../api/schema.js";
import type { Context, Runtime } from "../context.js";
import { exitOf } from "../errors.js";
import type { Answer, AnyCommand } from "./command.js";
import { type Frame, makeFrame } from "./frame.js";
import { type Given, withFlagNames } from "./input/flags.js";
import { gather } from "./input/input.js";
import { canAsk, isSet, readGlobal, refuseWatch } from "./input/options.js";
import { parse } from "./input/program.js";
import { flagOf } from "./names.js";
import { errorJson } from "./output/error-json.js";
import { type Writing, withNamed, writeAnswer, writeDryRun } from "./output/render.js";
import { makeContext } from "./run-context.js";

/**
 * Runs a command.
 * @param argv the whole command line; `rest` is the part after the command's path
 * @param paths of all commands
 * @param onFrame is called with the frame once the flags are read: errors have its format from then on
 * @returns the exit code
 * @throws whatever the command throws
 */
export async function perform(
	command: AnyCommand,
	argv: readonly string[],
	rest: readonly string[],
	paths: readonly string[],
	runtime: Runtime,
	onFrame: (frame: Frame) => void,
): Promise<number> {
	const parsed = parse(command, rest);
	const global = readGlobal(argv, parsed.global, runtime.system.env);
	const frame = await makeFrame(global, runtime, paths);
	onFrame(frame);
	const { stdin, stderr } = runtime.system.terminal;
	const interactive = canAsk(stdin.isTerminal, stderr.isTerminal, global.noInput, global.format, runtime.system.env);
	const makeService = command.operations.length === 0 ? undefined : await runtime.service();
	const context = makeContext({ ...global, interactive }, runtime, frame, makeService);
	if (command.effect !== "read") await context.settings.read();
	const reading = parsed.file === undefined ? undefined : await import("./input/document.js");
	const document = await reading?.readDocument(parsed.file as string, runtime, describe(command.input));
	const given = { ...parsed.given, document };
	try {
		return await carryOut(command, given, interactive && parsed.file !== "-", { runtime, frame, context });
	} catch (error) {
		throw withFlagNames(error, command, given);
	}
}

interface Run {
	runtime: Runtime;
	frame: Frame;
	context: Context;
}

async function carryOut(command: AnyCommand, given: Given, mayAsk: boolean, { runtime, frame, context }: Run): Promise<number> {
	const { global } = frame;
	const { stdout } = runtime.system.terminal;
	const gathered = await gather(command, given, context, mayAsk);
	const { data: checked, warnings, resolved: named } = gathered;
	frame.prompted = gathered.prompted;
	refuseWatch(checked, global);
	if (global.columns !== undefined) (await import("./output/table.js")).columnsChosen(command, global.columns);
	for (const { field, message } of warnings) frame.reporter.warn(field ? `${flagOf(field)} ${message}` : message);
	const writing = writingOf(frame, runtime);
	const started = runtime.clock.monotonic();
	let written = false;
	let first: Answer<unknown> | undefined;
	try {
		first = await runOrShow(command, checked, { runtime, frame, context });
		if (first !== undefined)
			await writeAnswer(command, { ...first, data: withNamed(first.written ?? first.data, named, global.format) }, writing);
		written = stdout.isClosed?.() !== true;
	} finally {
		for (const act of frame.reporter.waiting) await act(written);
	}
	if (first === undefined) {
		frame.reporter.tellWarnings();
		return 0;
	}
	const inPlace = stdout.isTerminal && !isSet(runtime.system.env.ACCESSIBLE);
	const answer =
		first.again === undefined ? first : await (await import("./output/watch.js")).watch(command, first, checked, context, writing, inPlace);
	frame.reporter.tellWarnings();
	const { exit: kind, failure } = answer;
	if (kind === undefined || kind === "pending" || kind === "partial") suggest(answer, checked, frame, runtime.clock.monotonic() - started);
	const exit = kind === undefined ? 0 : exitOf(kind, runtime.signal);
	if (!global.format.people && kind !== undefined && failure !== undefined)
		frame.reporter.line(errorJson({ kind, failure }, [], exit, formatJson));
	return exit;
}

/** What stands in a pipe is for programs, unless the form for people is asked for by its name. */
function writingOf({ global, style, reporter }: Frame, { system }: Runtime): Writing {
	const { stdout } = system.terminal;
	const piped = !stdout.isTerminal && global.output === undefined && !isSet(system.env.PURSER_OUTPUT);
	return { format: global.format, style, stdout, columns: global.columns, piped, line: reporter.line };
}

/** A change in a dry run ends with the requests that would have left, which are then the answer. @returns undefined after those */
async function runOrShow(command: AnyCommand, input: unknown, { runtime, frame, context }: Run): Promise<Answer<unknown> | undefined> {
	try {
		return await command.run(context, input);
	} catch (cause) {
		if (!(cause instanceof Error) || cause.name !== "DryRun") throw cause;
		const { requests } = cause as unknown as { requests: never[] };
		await writeDryRun(requests, frame.global.format, frame.style, runtime.system.terminal.stdout);
		return undefined;
	}
}

/** @param took milliseconds; less one second for its last pause, a wait that ended before its limit did not time out */
function suggest({ exit, next = [] }: Answer<unknown>, { wait, waitTimeout }: Record<string, unknown>, frame: Frame, took: number): void {
	if (frame.global.quiet || !frame.global.format.people) return;
	const limit = secondsOf(String(waitTimeout)) ?? 0;
	if (exit === "pending" && wait && took >= (limit - 1) * 1000) frame.reporter.line(`Still not final after ${limit} s of waiting.`);
	if (next.length > 0) frame.reporter.line(frame.errors.next(next));
}
