/**
 * Everything a run tells beside its answer, on standard error: warnings, debug lines, spinners.
 */
import type { Reporter } from "../../context.js";
import type { Advice } from "../../errors.js";
import type { Clock } from "../../ports/machine.js";
import type { Output } from "../../ports/terminal.js";
import { sanitizeJson, sanitizeLine, sanitizeText } from "./sanitize.js";
import { wrapLines, wrapSentence } from "./wrap.js";

export interface VoiceOptions {
	stdout: Output;
	stderr: Output;
	clock: Clock;
	json: boolean;
	/** Records are written as they come. */
	streams: boolean;
	quiet: boolean;
	verbose: boolean;
	debug: boolean;
	/** A spinner may turn: a terminal, colours or not, no CI, not ACCESSIBLE. */
	spinner: boolean;
	paint: { warn(text: string): string; dim(text: string): string };
	/** What warnings go through: their commands name the profile. */
	readonly shown: (advice: Advice) => string;
}

/** A voice whose warnings are kept, so that a JSON error can carry them and stay one line. */
export interface Voice extends Reporter {
	readonly warnings: readonly string[];
	/** Writes a line to standard error now, whatever the mode. */
	line(text: string): void;
}

/** Makes the voice of one run. */
export function makeVoice(options: VoiceOptions): Voice {
	const { stdout, stderr, json, quiet } = options;
	const warnings: string[] = [];
	let pauseSpinner: () => void = () => {};
	const shown = async (text: string): Promise<void> => {
		if (!json) await stdout.write(wrapLines(text, stdout.isTerminal ? stdout.columns : undefined));
	};
	const line = (text: string): void => {
		pauseSpinner();
		void stderr.write(`${text}\n`);
	};
	return {
		warnings,
		line,
		warn: (said) => {
			const message = options.shown(said);
			warnings.push(message);
			if (!json)
				line(`${options.paint.warn("Warning:")} ${wrapSentence(sanitizeLine(message), stderr.isTerminal ? stderr.columns : undefined, 9)}`);
		},
		verbose: (message) => {
			if (options.verbose || options.debug) line(options.paint.dim(sanitizeLine(message)));
		},
		debug: (message) => {
			if (options.debug) line(options.paint.dim(`debug: ${sanitizeLine(message)}`));
		},
		show: (text) => shown(sanitizeText(text)),
		passOn: shown,
		record: async (make) => {
			if (!options.streams) return true;
			const { formatJson } = await import("../../api/json.js");
			await stdout.write(`${sanitizeJson(formatJson(make()))}\n`);
			return stdout.isClosed?.() !== true;
		},
		during: async (label, work) => {
			if (json || quiet) return work(() => {});
			const { stream } = stderr;
			if (!options.spinner || stream === undefined) return plainly(label, work, line, options.clock);
			const { startSpinner } = await import("./spinner.js");
			const spinner = startSpinner(sanitizeText(label), stream);
			pauseSpinner = spinner.clear;
			try {
				return await work((next) => spinner.update(sanitizeText(next)));
			} finally {
				pauseSpinner = () => {};
				spinner.stop();
			}
		},
	};
}

/** Without a spinner: one line at the start, and one at the end when it took a noticeable time. */
async function plainly<T>(
	label: string,
	work: (update: (label: string) => void) => Promise<T>,
	line: (text: string) => void,
	clock: Clock,
): Promise<T> {
	const start = clock.monotonic();
	line(`${sanitizeLine(label)} …`);
	const result = await work(() => {});
	const took = clock.monotonic() - start;
	if (took > 2000) line(`${sanitizeLine(label)}: ${Math.round(took / 1000)} s`);
	return result;
}
