import ora from "ora";

/** Milliseconds between two readings of a label that changes by itself. */
const refresh = 500;

/**
 * A spinner on the stream given. It neither reads the keyboard nor hides the cursor for good.
 * @param coloured whether it may have a colour; the library looks at the terminal alone
 */
export function startSpinner(
	label: string,
	stream: NodeJS.WritableStream,
	coloured: boolean,
): { update(label: string | (() => string)): void; clear(): void; stop(): void } {
	const spinner = ora({ text: label, stream, discardStdin: false, hideCursor: false, color: coloured ? "cyan" : false }).start();
	let timer: NodeJS.Timeout | undefined;
	let read = (): void => {};
	const readAgain = (): void => read();
	stream.on("resize", readAgain);
	return {
		update: (next) => {
			clearInterval(timer);
			read = () => {
				spinner.text = typeof next === "string" ? next : next();
			};
			read();
			if (typeof next !== "string") timer = setInterval(read, refresh);
		},
		clear: () => {
			spinner.clear();
		},
		stop: () => {
			clearInterval(timer);
			stream.removeListener("resize", readAgain);
			spinner.stop();
		},
	};
}
