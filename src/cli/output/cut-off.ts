/**
 * Lines written without the reporter: for a second signal, whose handler can neither load nor await anything; for an answer that could not
 * be written; and for warnings of Node.
 */
import { advice, purser } from "../../api/advice.js";
import { sanitizeLine } from "../../api/text/sanitize.js";
import { isDiskFull } from "../../api/text/trouble.js";
import { type Advice, kinds } from "../../errors.js";
import type { RunChange, UnderWay } from "../under-way.js";
import { errorJson, warningJson } from "./error-json.js";

/** How lines are written. `shown` adds the profile of the run to commands. */
export interface Form {
	json: boolean;
	readonly shown: (advice: Advice) => string;
}

/**
 * The one line of the error, of kind `unknown` (exit 7).
 * @param rows of batches, begun and not ended; each moves money
 */
export function cutOffLine(underWay: readonly Pick<RunChange, "intent" | "money">[], rows: number, { json, shown }: Form): string {
	const intents = underWay.map(({ intent }) => intent);
	const money = rows > 0 || underWay.some((one) => one.money);
	const message = `Stopped while ${[...intentWords(intents), ...(rows > 0 ? [rowWords(rows)] : [])].join(" and ")} on the way, and so in doubt`;
	const next = shown(money ? purser`pay doubts` : purser`history list`);
	if (!json) return `\nError: ${message}\n  Next: ${next}\n`;
	const why = "A second signal ended the run before an answer came";
	const fix = `See what is in doubt with \`${next}\` before anything is sent again.`;
	const failure = { code: "CUT_OFF", message, why, fix, moneyMayHaveMoved: money, intent: intents[0] };
	return `${errorJson({ kind: "unknown", failure }, [], kinds.unknown.exit)}\n`;
}

const intentWords = (intents: readonly string[]): string[] =>
	intents.length === 0 ? [] : [`intent${intents.length > 1 ? "s" : ""} ${intents.join(", ")} ${intents.length > 1 ? "were" : "was"}`];

const rowWords = (rows: number): string => (rows === 1 ? "a row of a batch was" : `${rows} rows of a batch were`);

/**
 * The line for an answer that could not be written to standard output, and the exit code. A full disk behind a redirection must not look
 * like success: it is of kind `unavailable` (exit 6) where the run changed nothing, or of kind `unknown` (exit 7) where a payment was accepted
 * or something is in doubt, since nobody was told; anything else is of kind `bug` (exit 1). Any other exit code of the run says more, such as
 * a refusal, and is kept; the line is a warning then.
 * @param why the system's code
 * @param code the exit code of the run
 */
export function unwritten(why: string, code: number, run: UnderWay, { json, shown }: Form): { line: string; exit: number } {
	const { accepted: rows } = run.ended;
	const paid = run.changes.filter(({ money, state }) => money && state === "accepted");
	const paymentWords = paid.map(({ id, intent }) => `the payment${id === undefined ? "" : ` ${id}`} (intent ${intent}) was`);
	const accepted = [...paymentWords, ...(rows > 0 ? [rowWords(rows)] : [])];
	const paidWords = accepted.map((words) => `; ${words} accepted`).join("");
	const isUnknown = accepted.length > 0 || run.inDoubt.changes.length > 0 || run.inDoubt.rows > 0;
	const isNothing = !isUnknown && run.changes.length === 0;
	const found = isNothing ? "no change was sent to the service" : advice`what was done is in ${purser`history list`}`;
	const message = shown(advice`the answer could not be written (${why})${paidWords}; ${found}`);
	if (code !== 0 && !isUnknown) return { line: warningLine(message, json), exit: code };
	const canRunAgain = isDiskFull({ code: why }) && isNothing;
	const kind = isUnknown ? "unknown" : canRunAgain ? "unavailable" : "bug";
	const { exit } = kinds[kind];
	if (!json) return { line: `Error: ${message}\n`, exit };
	const fix = shown(
		advice`Make room where standard output goes. Before anything is sent again, check what was done: ${purser`history list`}`,
	);
	const intent = (run.inDoubt.changes[0] ?? paid[0])?.intent;
	const failure = { code: "ANSWER_UNWRITTEN", message, fix, moneyMayHaveMoved: accepted.length > 0 || run.isMoneyInDoubt, intent };
	return { line: `${errorJson({ kind, failure }, [], exit)}\n`, exit };
}

/** A warning, in the form that `--json` has for them or as a sentence. */
export function warningLine(message: string, json: boolean): string {
	// Node warns that certificates are not checked then, but the client checks them whatever the variable says.
	const ignored = message.includes("NODE_TLS_REJECT_UNAUTHORIZED");
	const text = ignored ? "NODE_TLS_REJECT_UNAUTHORIZED=0 is not followed: every certificate is checked" : message;
	return json ? `${warningJson(text)}\n` : `Warning: ${sanitizeLine(text)}\n`;
}
