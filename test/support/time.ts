/**
 * Time in tests on a busy machine: the processor time that an act costs, and waiting until something has happened.
 */

/** Seconds of processor time, which do not grow with what else the machine does. */
export async function processorSeconds(act: () => unknown): Promise<number> {
	const before = process.cpuUsage();
	await act();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000_000;
}

/** Polls until a condition holds. Where it never does, the test's own time limit ends it. */
export async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}
