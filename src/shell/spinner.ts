import ora from "ora";

/** A spinner on standard error. It neither reads the keyboard nor hides the cursor for good. */
export function startSpinner(label: string): { update(label: string): void; clear(): void; stop(): void } {
	const spinner = ora({ text: label, discardStdin: false, hideCursor: false }).start();
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
