/**
 * Lines written without the reporter: for a second signal, whose handler can neither load nor await anything; for an answer that could not
 * be written; and for warnings of Node.
 */
import { advice, purser } from "../../api/advice.js";
import { sanitizeJson, sanitizeLine } from "../../api/text/sanitize.js";
import type { Advice } from "../../errors.js";
import type { OpenIntent } from "../under-way.js";

/** How lines are written. `shown` adds the profile of the run to commands. */
export interface Form {
	json: boolean;
	readonly shown: (advice: Advice) => string;
}

/**
 * The one line of the error, of kind `unknown` (exit 7).
 * @param rows of batches, begun and not ended; each moves money
 */
export function cutOffLine(underWay: readonly OpenIntent[], rows: number, { json, shown }: Form): string {
	const intents = underWay.map(({ intent }) => intent);
	const money = rows > 0 || underWay.some((one) => one.money);
	const message = `Stopped while ${[...intentWords(intents), ...rowWords(rows)].join(" and ")} on the way, and so in doubt`;
	const look = shown(money ? purser`pay doubts` : purser`history list`);
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

const intentWords = (intents: readonly string[]): string[] =>
	intents.length === 0 ? [] : [`intent${intents.length > 1 ? "s" : ""} ${intents.join(", ")} ${intents.length > 1 ? "were" : "was"}`];

const rowWords = (rows: number): string[] => (rows <= 0 ? [] : [rows === 1 ? "a row of a batch was" : `${rows} rows of a batch were`]);

/**
 * The line for an answer that could not be written to standard output. A full disk behind a redirection must not look like success, so it
 * is an error of kind `bug` (exit 1). A run with another exit code keeps it, because it says more, such as a payment that waits (8); the
 * line is a warning then.
 * @param why the system's code
 * @param code the exit code of the run
 * @param money whether a payment was begun: it ended well, so the money moved, and only the answer is missing
 */
export function unwrittenLine(why: string, code: number, money: boolean, { json, shown }: Form): string {
	const message = shown(advice`the answer could not be written (${why}); what was done is in ${purser`history list`}`);
	if (code !== 0) return warningLine(message, json);
	if (!json) return `Error: ${message}\n`;
	const fix = shown(
		advice`Make room where standard output goes. Before anything is sent again, check what was done: ${purser`history list`}`,
	);
	const error = { code: "ANSWER_UNWRITTEN", kind: "bug", exit: 1, message, fix, details: [], moneyMayHaveMoved: money };
	return `${JSON.stringify({ error })}\n`;
}

/** A warning, in the form that `--json` has for them or as a sentence. */
export function warningLine(message: string, json: boolean): string {
	// Node warns that certificates are not checked then, but the client checks them whatever the variable says.
	const ignored = message.includes("NODE_TLS_REJECT_UNAUTHORIZED");
	const text = ignored ? "NODE_TLS_REJECT_UNAUTHORIZED=0 is not followed: every certificate is checked" : message;
	return json ? `${sanitizeJson(JSON.stringify({ warning: { message: text } }))}\n` : `Warning: ${sanitizeLine(text)}\n`;
}
