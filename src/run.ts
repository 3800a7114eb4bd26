/**
 * One run: from the command line to an exit code. The only catch-all of the tool.
 */
import type { Effect } from "./api/operation.js";
import type { CommandList } from "./cli/command.js";
import type { Contract } from "./cli/contract.js";
import type { Frame } from "./cli/frame.js";
import { answerPages, withBuiltins } from "./cli/help/pages.js";
import { canAsk, type Global, readGlobal } from "./cli/input/options.js";
import { type Route, route } from "./cli/input/route.js";
import { UnderWay } from "./cli/under-way.js";
import type { Runtime } from "./context.js";

/**
 * Runs a command line.
 * @param argv the words after the program's name
 * @param ports everything outside
 * @param built a contract that the build wrote, where there is one (`help`: what a person reads of it); else it is made from the commands
 * @param onFrame is called with the frame once it is known: a profile may set the output format
 * @param changed follows what the run changes
 * @returns the exit code; nothing is thrown and nothing ends the process
 */
export async function run(
	argv: readonly string[],
	ports: Runtime,
	listed: CommandList,
	built?: (name: "contract" | "help") => Promise<Contract | undefined>,
	onFrame: (frame: Frame) => void = () => {},
	changed = new UnderWay(),
): Promise<number> {
	const runtime = changed.follow(ports);
	const read = async (): Promise<Contract> =>
		(await built?.(unparsed.format.people ? "help" : "contract")) ??
		(await import("./cli/help/command-spec.js")).contractOf(commands, runtime.system.version);
	let contract: Promise<Contract> | undefined;
	const commands = withBuiltins(listed);
	const paths = Object.keys(listed);
	const unparsed = readGlobal(argv, {}, runtime.system.env);
	let frame: Frame | undefined;
	let effect: Effect | undefined;
	try {
		const found = withHome(route(argv, Object.keys(commands)), unparsed, runtime);
		const page = await answerPages(found, {
			paths: Object.keys(commands),
			contract: () => (contract ??= read()),
			runtime,
			global: unparsed,
		});
		if (page !== undefined) {
			await runtime.system.terminal.stdout.write(page);
			return 0;
		}
		const [{ default: command }, { perform }] = await Promise.all([
			(commands[found.path as string] as CommandList[string])(),
			import("./cli/perform.js"),
		]);
		effect = command.effect;
		return await perform(command, argv, found.rest, paths, runtime, (known) => {
			frame = known;
			onFrame(known);
		});
	} catch (cause) {
		const { makeFrame } = await import("./cli/frame.js");
		const { report, endOf } = await import("./cli/report.js");
		return report(cause, frame ?? (await makeFrame(unparsed, runtime, paths)), runtime, effect, await endOf(changed));
	}
}

/** `purser` alone is help; where a person is at the terminal it is the command `home`. */
function withHome(found: Route, global: Global, { system }: Runtime): Route {
	if (found.words.length > 0 || found.unknown !== undefined || found.help || found.version) return found;
	const { stdin, stdout, stderr } = system.terminal;
	// Flags are checked where help is printed, and streams are looked at only where nothing else was asked for.
	const noInput = found.rest.includes("--no-input");
	if (!canAsk(stdin.isTerminal, stderr.isTerminal, noInput, global.format, system.env) || !stdout.isTerminal) return found;
	return { ...found, path: "home" };
}
