/**
 * One run: from the command line to an exit code. The only catch-all of the tool.
 */
import type { Context, Explained, Flags, Outside, Settings } from "./context.js";
import { kinds, PurserError } from "./errors.js";
import { withBuiltins } from "./shell/builtin.js";
import type { AnyCommand, CommandList, Style } from "./shell/command.js";
import { permit } from "./shell/effects.js";
import { readGlobal } from "./shell/global.js";
import { gather } from "./shell/input.js";
import { canAsk, colourLevel, type Global, isSet } from "./shell/options.js";
import { answerPages } from "./shell/pages.js";
import { type Parsed, parse, route } from "./shell/program.js";
import { errorJson, errorText, hint, warningText, writeAnswer } from "./shell/render.js";
import { makeStyle } from "./shell/style.js";
import { makeVoice, type Voice } from "./shell/voice.js";

/**
 * Runs a command line with everything outside handed in.
 * @param argv the words after the program's name
 * @returns the exit code; nothing is thrown and nothing ends the process
 */
export async function run(argv: readonly string[], outside: Outside, listed: CommandList): Promise<number> {
	const commands = withBuiltins(listed);
	const early = readGlobal(argv, {}, outside.env);
	let frame = makeFrame(early, outside);
	try {
		const found = route(argv, Object.keys(commands));
		const page = await answerPages(found, commands, outside, frame.style);
		if (page !== undefined) {
			await outside.terminal.stdout.write(page);
			return 0;
		}
		const { default: command } = await (commands[found.path as string] as CommandList[string])();
		const parsed = parse(command, found.rest);
		const global = readGlobal(argv, parsed.global, outside.env);
		frame = makeFrame(global, outside);
		return await execute(command, parsed, global, outside, frame);
	} catch (cause) {
		return report(cause, frame, outside);
	}
}

interface Frame {
	global: Global;
	style: Style;
	voice: Voice;
}

function makeFrame(global: Global, { terminal, env, clock }: Outside): Frame {
	const accessible = isSet(env.ACCESSIBLE);
	const style = (output: typeof terminal.stdout): Style =>
		makeStyle({
			colours: colourLevel(global.colour, env, output.isTerminal ? output.colours : 0),
			columns: output.columns,
			now: clock.now(),
			accessible,
		});
	const errors = style(terminal.stderr);
	const voice = makeVoice({
		stdout: terminal.stdout,
		stderr: terminal.stderr,
		clock,
		json: global.format !== "text",
		quiet: global.quiet,
		verbose: global.verbose,
		debug: global.debug,
		spinner: terminal.stderr.isTerminal && !isSet(env.CI) && !accessible,
		paint: errors,
	});
	return { global, style: style(terminal.stdout), voice };
}

async function execute(command: AnyCommand, parsed: Parsed, global: Global, outside: Outside, frame: Frame): Promise<number> {
	const { stdout } = outside.terminal;
	if (parsed.template) {
		const { template } = await import("./shell/template.js");
		await stdout.write(template(command));
		return 0;
	}
	const interactive = canAsk(
		outside.terminal.stdin.isTerminal,
		outside.terminal.stderr.isTerminal,
		global.noInput,
		global.format,
		outside.env,
	);
	const context = makeContext({ ...global, interactive }, outside, frame.voice);
	if (!command.standalone) await context.settings();
	const document =
		parsed.from === undefined
			? undefined
			: await (await import("./shell/document.js")).readDocument(parsed.from, outside.files, outside.terminal.stdin);
	const { data: gathered, warnings } = await gather(command, { ...parsed.given, document }, context, interactive && parsed.from !== "-");
	for (const { field, message } of warnings) frame.voice.warn(warningText(field, message));
	const input = command.prepare ? await command.prepare(context, gathered) : gathered;
	await permit(command, input, {
		context,
		style: errorStyle(frame, outside),
		line: global.format === "text" ? frame.voice.line : () => {},
	});
	const first = await runOrShow(command, input, context, frame, stdout);
	if (first === dry) return 0;
	await writeAnswer(command, first, global.format, frame.style, stdout);
	const data = command.again === undefined ? first : await keepShowing(command, first, input, context, outside, global);
	if (global.format !== "text")
		for (const warning of frame.voice.warnings) frame.voice.line(JSON.stringify({ warning: { message: warning } }));
	const outcome = command.outcome?.(data, input);
	if (outcome === undefined || outcome === "pending") suggest(command, data, input, frame, outside);
	return outcome === undefined ? 0 : kinds[outcome].exit;
}

/** A command that keeps its answer up to date. The style knows the moment, for relative times: each round has its own. */
async function keepShowing(
	command: AnyCommand,
	first: unknown,
	input: unknown,
	context: Context,
	outside: Outside,
	global: Global,
): Promise<unknown> {
	const { runAgain } = await import("./shell/again.js");
	const inPlace = outside.terminal.stdout.isTerminal && !isSet(outside.env.ACCESSIBLE);
	return runAgain(command, first, input, context, { format: global.format, style: () => makeFrame(global, outside).style, inPlace });
}

const dry = Symbol("dry run");

/** A change in a dry run ends with the requests that would have left, which are then the answer. */
async function runOrShow(
	command: AnyCommand,
	input: never | Record<string, unknown>,
	context: Context,
	frame: Frame,
	stdout: Outside["terminal"]["stdout"],
): Promise<unknown> {
	try {
		return await command.run(context, input);
	} catch (cause) {
		if (!(cause instanceof Error) || cause.name !== "DryRun") throw cause;
		const { writeDryRun } = await import("./shell/dry-run.js");
		await writeDryRun((cause as unknown as { requests: never[] }).requests, frame.global.format, frame.style, stdout);
		return dry;
	}
}

function errorStyle({ global }: Frame, { terminal, env, clock }: Outside): Style {
	const { stderr } = terminal;
	return makeStyle({
		colours: colourLevel(global.colour, env, stderr.isTerminal ? stderr.colours : 0),
		columns: stderr.columns,
		now: clock.now(),
		accessible: isSet(env.ACCESSIBLE),
	});
}

function suggest(command: AnyCommand, data: unknown, input: Record<string, unknown>, frame: Frame, outside: Outside): void {
	if (frame.global.quiet || frame.global.format !== "text") return;
	const next = command.next?.(data, input) ?? [];
	if (next.length > 0) frame.voice.line(hint(next, errorStyle(frame, outside)));
}

function makeContext(flags: Flags, outside: Outside, voice: Voice): Context {
	let resolved: Promise<{ settings: Settings; explained: readonly Explained[] }> | undefined;
	const resolve = () => {
		resolved ??= outside.resolve(flags);
		return resolved;
	};
	let credentials: ReturnType<Outside["credentials"]> | undefined;
	return {
		...outside,
		flags,
		say: voice,
		documents: documents(outside),
		credentials: () => {
			credentials ??= outside.credentials(voice.warn);
			return credentials;
		},
		settings: async () => (await resolve()).settings,
		explained: async () => (await resolve()).explained,
	};
}

/** Loaded when a command asks: few do. */
function documents({ files, terminal }: Outside): Context["documents"] {
	return {
		read: async (source) => (await import("./shell/document.js")).readInput(source, files, terminal.stdin),
		yaml: async (value, comment) => (await import("./shell/document.js")).yamlText(value, comment),
		choices: async (field) => (await import("./shell/asking.js")).knownChoices(field),
	};
}

function report(cause: unknown, frame: Frame, outside: Outside): number {
	const error = cause instanceof PurserError ? cause : bug(cause);
	const json = frame.global.format !== "text";
	frame.voice.line(json ? errorJson(error, frame.voice.warnings) : errorText(error, errorStyle(frame, outside)));
	if (frame.global.debug && !json && !(cause instanceof PurserError) && cause instanceof Error)
		frame.voice.debug(cause.stack ?? cause.message);
	if (error.kind === "interrupted" && outside.signal.aborted && outside.signal.reason === "SIGTERM") return 143;
	return error.exit;
}

function bug(cause: unknown): PurserError {
	const what = cause instanceof Error ? `${cause.name}: ${cause.message.split("\n")[0]}` : "something that is not an error was thrown";
	return new PurserError("bug", {
		code: "BUG",
		message: `purser met a fault of its own (${what.slice(0, 300)})`,
		fix: "Run it again with --debug and report what it prints. If it was a payment, look first: purser pay doubts.",
		cause,
	});
}
