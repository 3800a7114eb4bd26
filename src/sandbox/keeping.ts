/**
 * Writing the state after changes: one write at a time, and one for all the changes that came during the last.
 */

export interface Keeper {
	/** Resolves once everything that has changed up to now is written, or could not be. Never rejects. */
	kept(): Promise<void>;
}

/**
 * @param write writes the state as it is when called
 * @param failed told of each write that failed: what happened has happened in memory, and its answer is true, but a restart would not know
 */
export function createKeeper(write: () => Promise<void>, failed: (cause: unknown) => void): Keeper {
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
		kept: () => {
			next ??= running.then(() => {
				next = undefined;
				running = once();
				return running;
			});
			return next;
		},
	};
}
