import { sanitizeJson, sanitizeLine, sanitizeText } from "../../api/text/sanitize.js";
import type { Reporter } from "../../context.js";
import type { Advice } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import type { Output } from "../../ports/terminal.js";
import { warningJson } from "./error-json.js";
import type { OutputFormat } from "./formats.js";
import { sanitizeData } from "./render.js";
import { wrapLines, wrapSentence } from "./wrap.js";

export interface ReporterOptions {
	stdout: Output;
	stderr: Output;
	global: { format: OutputFormat; quiet: boolean; verbose: boolean; debug: boolean };
	/** Whether a spinner is allowed: on a terminal, not in CI, not with ACCESSIBLE. */
	spinner: boolean;
	coloured: boolean;
	/** Of standard output, and of standard error. */
	style: Style;
	errors: Style;
	/** Makes warnings text; their commands name the profile. */
	readonly shown: (advice: Advice) => string;
	readonly shownHere: (advice: Advice) => string;
}

/** Keeps its warnings for a program, so that a JSON error can carry them and stay one line. */
export interface RunReporter extends Reporter {
	/** Those that were not written yet. */
	readonly warnings: readonly string[];
	line(text: string): void;
	/** What {@link Reporter.afterAnswer} was given. */
	readonly waiting: readonly ((written: boolean) => Promise<void>)[];
}

export function makeReporter(options: ReporterOptions): RunReporter {
	const { stdout, stderr, global, errors } = options;
	const { format, quiet } = global;
	const json = !format.people;
	const warnings: string[] = [];
	const waiting: ((written: boolean) => Promise<void>)[] = [];
	let tellsAtOnce = false;
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
		waiting,
		line,
		shown: options.shown,
		shownHere: options.shownHere,
		afterAnswer: (act) => void waiting.push(act),
		warn: (advice) => {
			const message = options.shown(advice);
			if (json && tellsAtOnce) line(warningJson(message));
			else if (json) warnings.push(message);
			else line(`${errors.warn("Warning:")} ${wrapSentence(sanitizeLine(message), stderr.isTerminal ? stderr.columns : undefined, 9)}`);
		},
		tellWarnings: () => {
			tellsAtOnce = true;
			for (const message of warnings.splice(0)) line(warningJson(message));
		},
		verbose: (message) => {
			if (global.verbose || global.debug) line(errors.dim(sanitizeLine(message)));
		},
		debug: (message) => {
			if (global.debug) line(errors.dim(`debug: ${sanitizeLine(message)}`));
		},
		step: (message) => {
			if (!json && !quiet) line(errors.dim(sanitizeLine(message)));
		},
		announce: (message) => line(sanitizeLine(options.shown(message))),
		show: (text) => shown(sanitizeText(text)),
		part: (data, text) => (json ? Promise.resolve() : shown(`${text(sanitizeData(data), options.style)}\n`)),
		passOn: shown,
		record: async (make) => {
			if (format.people || !format.streams) return true;
			const { formatJson } = await import("../../api/json.js");
			await stdout.write(`${sanitizeJson(formatJson(make()))}\n`);
			return stdout.isClosed?.() !== true;
		},
		during: async (label, work) => {
			if (json || quiet) return work(() => {});
			const { stream } = stderr;
			if (!options.spinner || stream === undefined) {
				line(`${sanitizeLine(label)} …`);
				return work(() => {});
			}
			const spinner = await startSpinner(sanitizeText(label), stream, options.coloured);
			pauseSpinner = spinner.clear;
			try {
				const textOf = (next: string | ((style: Style) => string)): string =>
					sanitizeText(typeof next === "string" ? next : next({ ...errors, columns: stderr.columns - widthOfLabel }));
				return await work((next) => spinner.update(() => textOf(next)));
			} finally {
				pauseSpinner = () => {};
				spinner.stop();
			}
		},
	};
}

/**
 * Columns that a spinner's label has not: the sign and the blank before it, the last one, after which some terminals wrap, and two for the
 * `^C` that a terminal shows at Ctrl-C: where that wraps, the line cannot be cleared.
 */
const widthOfLabel = 5;

/** Milliseconds between two readings of a label, which may change by itself. */
const refresh = 500;

/**
 * A spinner on the stream given. It neither reads the keyboard nor hides the cursor for good.
 * @param coloured whether it may have a colour; the library looks at the terminal alone
 */
async function startSpinner(label: string, stream: NodeJS.WritableStream, coloured: boolean) {
	const { default: ora } = await import("ora");
	const spinner = ora({ text: label, stream, discardStdin: false, hideCursor: false, color: coloured ? "cyan" : false }).start();
	let read = (): string => label;
	const draw = (): void => {
		spinner.text = read();
	};
	const timer = setInterval(draw, refresh);
	stream.on("resize", draw);
	return {
		update: (next: () => string): void => {
			read = next;
			draw();
		},
		clear: (): void => void spinner.clear(),
		stop: (): void => {
			clearInterval(timer);
			stream.removeListener("resize", draw);
			spinner.stop();
		},
	};
}
