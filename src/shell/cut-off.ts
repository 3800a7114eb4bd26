/**
 * What is said when a second signal ends a run at once. It is written in the signal's handler: nothing can be loaded or waited for there.
 */

/** An intent that was begun and not ended, and whether it moves money. */
export interface UnderWay {
	intent: string;
	money: boolean;
}

/**
 * The one line of the error, of kind `unknown` (exit 7).
 * @param rows of batches, begun and not ended; each moves money
 * @param json as an error of `--json` is told
 */
export function cutOffLine(underWay: readonly UnderWay[], rows: number, json: boolean): string {
	const intents = underWay.map(({ intent }) => intent);
	const money = rows > 0 || underWay.some((one) => one.money);
	const message = `Stopped while ${[...named(intents), ...counted(rows)].join(" and ")} on the way, and so in doubt`;
	const look = money ? "purser pay doubts" : "purser history list";
	if (!json) return `\nError: ${message}\n  Next: ${look}\n`;
	const error = {
		code: "CUT_OFF",
		kind: "unknown",
		exit: 7,
		message,
		why: "A second signal ended the run before an answer came",
		fix: `See what is in doubt with \`${look}\` before anything is sent again.`,
		details: [],
		moneyMayHaveMoved: money,
		intent: intents[0],
	};
	return `${JSON.stringify({ error })}\n`;
}

const named = (intents: readonly string[]): string[] =>
	intents.length === 0 ? [] : [`intent${intents.length > 1 ? "s" : ""} ${intents.join(", ")} ${intents.length > 1 ? "were" : "was"}`];

const counted = (rows: number): string[] => (rows <= 0 ? [] : [rows === 1 ? "a row of a batch was" : `${rows} rows of a batch were`]);
