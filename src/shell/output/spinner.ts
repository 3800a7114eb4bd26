import ora from "ora";

/** A spinner on the stream given. It neither reads the keyboard nor hides the cursor for good. */
export function startSpinner(label: string, stream: NodeJS.WritableStream): { update(label: string): void; clear(): void; stop(): void } {
	const spinner = ora({ text: label, stream, discardStdin: false, hideCursor: false }).start();
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
