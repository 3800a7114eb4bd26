/**
 * How one run looks and speaks, from its global flags and its streams.
 */
import type { Outside } from "../context.js";
import type { Style } from "../ports/style.js";
import { colourLevel, type Global, isSet } from "./options.js";
import { type Paint, paintOf } from "./paint.js";
import { makeStyle } from "./style.js";
import { makeVoice, type Voice } from "./voice.js";

export interface Frame {
	global: Global;
	/** How text for people looks on standard output, and on standard error. */
	style: Style;
	errors: Style;
	/** The first of them with the width and the time of now. */
	anew(): Style;
	voice: Voice;
}

/** The frame of a run. */
export async function makeFrame(global: Global, { terminal, env, clock }: Outside): Promise<Frame> {
	const { stdout, stderr } = terminal;
	const accessible = isSet(env.ACCESSIBLE);
	const coloursOf = (output: typeof stdout) => colourLevel(global.colour, env, output.isTerminal ? output.colours : 0);
	const [out, err] = await Promise.all([stdout, stderr].map((output) => paintOf(coloursOf(output))));
	const style = (paint: Paint, { columns }: typeof stdout): Style => makeStyle({ paint, columns, now: clock.now(), accessible });
	const errors = style(err as Paint, stderr);
	const voice = makeVoice({
		stdout,
		stderr,
		clock,
		json: global.format !== "text",
		ndjson: global.format === "ndjson",
		quiet: global.quiet,
		verbose: global.verbose,
		debug: global.debug,
		spinner: stderr.isTerminal && !isSet(env.CI) && !accessible,
		paint: errors,
	});
	const anew = (): Style => style(out as Paint, stdout);
	return { global, style: anew(), errors, anew, voice };
}
