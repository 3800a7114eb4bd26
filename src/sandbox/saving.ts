/**
 * Writing the state after changes: one write at a time, and one for all the changes that came during the last.
 */

export interface Saver {
	/** Resolves once everything that has changed up to now is written, or could not be. Never rejects. */
	saved(): Promise<void>;
}

/**
 * @param write writes the state as it is when called
 * @param failed called for each failed write: the change is in memory and its answer is true, but a restart would lose it
 */
export function createSaver(write: () => Promise<void>, failed: (cause: unknown) => void): Saver {
	let next: Promise<void> | undefined;
	let running: Promise<void> = Promise.resolve();
	const once = async (): Promise<void> => {
		try {
			await write();
		} catch (cause) {
			failed(cause);
		}
	};
	return {
		saved: () => {
			next ??= running.then(() => {
				next = undefined;
				running = once();
				return running;
			});
			return next;
		},
	};
}
