/**
 * What a test may know of time on a machine that is busy with other things: what an act costs, and that something has come about.
 */

/** Seconds of processor time, which do not grow with what else the machine does. */
export async function processorSeconds(act: () => unknown): Promise<number> {
	const before = process.cpuUsage();
	await act();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000_000;
}

/** Looks until it is so. What never comes about ends with the test's own time limit. */
export async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}
