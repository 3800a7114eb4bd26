/**
 * How one run looks and speaks, from its global flags and its streams.
 */
import type { Outside } from "../context.js";
import type { Style } from "./command.js";
import { colourLevel, type Global, isSet } from "./options.js";
import { makeStyle } from "./style.js";
import { makeVoice, type Voice } from "./voice.js";

export interface Frame {
	global: Global;
	style: Style;
	voice: Voice;
}

/** The frame of a run. */
export function makeFrame(global: Global, { terminal, env, clock }: Outside): Frame {
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
		ndjson: global.format === "ndjson",
		quiet: global.quiet,
		verbose: global.verbose,
		debug: global.debug,
		spinner: terminal.stderr.isTerminal && !isSet(env.CI) && !accessible,
		paint: errors,
	});
	return { global, style: style(terminal.stdout), voice };
}

/** How text for people looks on standard error. */
export function errorStyle({ global }: Frame, { terminal, env, clock }: Outside): Style {
	const { stderr } = terminal;
	return makeStyle({
		colours: colourLevel(global.colour, env, stderr.isTerminal ? stderr.colours : 0),
		columns: stderr.columns,
		now: clock.now(),
		accessible: isSet(env.ACCESSIBLE),
	});
}
