/**
 * Runs a command that an answer offers, where the person wants that.
 */
import { withIds } from "../api/advice.js";
import type { Outside } from "../context.js";
import { PurserError, type SuggestedCommand } from "../errors.js";
import type { AnyCommand, CommandList } from "./command.js";
import { exitOf } from "./exit.js";
import { route } from "./input/route.js";
import type { Performed } from "./perform.js";

/**
 * @param run runs a command line and returns its exit code
 * @returns the exit code of the offered command; that of the answer where the person does not want it
 */
export async function follow(
	{ exit, offer, frame }: Performed,
	commands: CommandList,
	outside: Outside,
	run: (argv: readonly string[]) => Promise<number>,
): Promise<number> {
	if (offer === undefined || frame === undefined) return exit;
	const offered = withIds(offer.command, frame.ids);
	const words = wordsOf(offered);
	const shown = frame.shown(offered);
	if (offer.chosen) frame.reporter.line(`${frame.errors.dim("Next time:")} ${frame.errors.accent(shown)}\n`);
	else {
		const path = route(words, Object.keys(commands)).path;
		const command: AnyCommand | undefined = path === undefined ? undefined : (await commands[path]?.())?.default;
		if (command === undefined || hasPlaceholder(offered)) return exit;
		const prompts = await outside.prompts();
		try {
			if (!(await prompts.confirm({ message: `Do this now? ${shown}`, fallback: command.effect === "read" }))) return exit;
		} catch (error) {
			if (error instanceof PurserError && error.kind === "interrupted") return exitOf("interrupted", outside.signal);
			throw error;
		}
	}
	return run([...words, ...globalWords(frame.global)]);
}

const wordsOf = ({ words }: SuggestedCommand): string[] => words.map((word) => (typeof word === "string" ? word : word.value));

/** A word that stands for something to fill in, like `FILE` or `FIELD=VALUE`: such a command is shown, and typed by the person. */
const hasPlaceholder = ({ words }: SuggestedCommand): boolean =>
	words.some((word) => (typeof word === "string" ? /[A-Z]{2}|…/.test(word) : /^[A-Z][A-Z_]+$/.test(word.value)));

/** The global flags of this run, for the next one. */
function globalWords({ profile, baseUrl, timeout, debug, verbose, colour }: NonNullable<Performed["frame"]>["global"]): string[] {
	const valued = { profile, "base-url": baseUrl, timeout: timeout === undefined ? undefined : String(timeout / 1_000) };
	return [
		...Object.entries(valued).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
		...(debug ? ["--debug"] : []),
		...(verbose ? ["--verbose"] : []),
		...(colour === "auto" ? [] : ["--color", colour]),
	];
}
