import ora from "ora";

/**
 * A spinner on the stream given. It neither reads the keyboard nor hides the cursor for good.
 * @param coloured whether it may have a colour; the library looks at the terminal alone
 */
export function startSpinner(
	label: string,
	stream: NodeJS.WritableStream,
	coloured: boolean,
): { update(label: string): void; clear(): void; stop(): void } {
	const spinner = ora({ text: label, stream, discardStdin: false, hideCursor: false, color: coloured ? "cyan" : false }).start();
	return {
		update: (next) => {
			spinner.text = next;
		},
		clear: () => {
			spinner.clear();
		},
		stop: () => {
			spinner.stop();
		},
	};
}
