/**
 * A bar that shows how much of something is done.
 * @param share from 0 to 1; the bar is full only at 1
 * @param plain without signs that a screen reader does not know
 */
export function barText(share: number, cells: number, plain: boolean): string {
	const [done, open] = plain ? ["#", "-"] : ["█", "░"];
	const full = Math.floor(Math.min(1, Math.max(0, share)) * cells);
	return `[${done.repeat(full)}${open.repeat(cells - full)}]`;
}
