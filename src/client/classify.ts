/**
 * What became of a change, from what the wire showed; `README.md` here has the table. Pure.
 */
import { createdId, sameId, textAt } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import type { JournalOutcome } from "../ports/intent.js";
import type { WireOutcome } from "../ports/wire.js";
import type { Content } from "./content.js";

/** Whole answers of these statuses prove that a transfer was not created. */
const refusingMoney: readonly number[] = [400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 422, 428, 429, 431];

/** For a change that moves no money every 4xx refuses, but for the one that tells of a timeout. */
function refusesWrite(status: number): boolean {
	return status >= 400 && status < 500 && status !== 408;
}

/**
 * The statuses that refuse, from the profile's setting `refusing-statuses` (`400,404 409`), or undefined for the table.
 * Only 4xx can refuse: a 5xx or a 3xx never proves anything.
 */
export function refusingStatuses(setting: string | undefined): readonly number[] | undefined {
	if (setting === undefined || setting.trim() === "") return undefined;
	return setting
		.split(/[\s,]+/)
		.filter((part) => /^4\d\d$/.test(part))
		.map(Number);
}

/** What was asked. */
interface Asked {
	operation: AnyOperation;
	input: Input;
}

/**
 * Whether the id in a creation's answer is one that was sent with the request, in the place of the new record's: the record it was asked
 * under or, for a transfer, a ledger or the beneficiary. Such an answer proves nothing.
 */
function wasSent({ operation, input }: Asked, id: string): boolean {
	const sent = [...Object.values(input.params ?? {}), ...(operation.effect === "money" ? Object.values(input.body ?? {}) : [])];
	return sent.some((value) => typeof value === "string" && sameId(value, id));
}

/** What a field for an error holds where there is none: some write a word or the code of success, as `00`. */
const noError = /^(0*|false|none|null|ok|success|\{\}|\[\])$/i;

/**
 * Whether an answer whose status says success holds an error: in the form of the service's own, or as something in
 * between writes it. An id beside it may be the error's, and proves nothing.
 */
function hasError(data: unknown): boolean {
	const values = [textAt(data, "errorCode"), textAt(data, "error")];
	if (values.some((text) => text !== undefined && !noError.test(text))) return true;
	return /^[45]\d\d$/.test(textAt(data, "status") ?? "") || textAt(data, "success") === "false";
}

/**
 * What an answer of success holds that makes it prove nothing, in words.
 * @param id under which the answer says that the new record was made
 */
function oddityOf(asked: Asked, content: Content | undefined, id: string | undefined): string | undefined {
	// A page in the place of an answer comes from something in between: a login, a portal.
	if (content?.kind === "other" && content.type?.includes("html")) return `a page (${content.type}) instead of an answer`;
	if (asked.operation.created === undefined) return undefined;
	if (hasError(content?.data)) return "an error in its body";
	return id !== undefined && wasSent(asked, id) ? "an id that was sent, in the place of a new one" : undefined;
}

/** The service's code, where it is one: a sentence in its place may name a person, and the journal keeps it for good. */
function codeIn(content: Content | undefined): string | undefined {
	const code = content?.problem?.apiCode;
	return code !== undefined && /^([A-Za-z][A-Za-z0-9_.:-]*|\d{1,6})$/.test(code) ? code : undefined;
}

/**
 * @param content the answer's content, parsed; undefined without a whole answer
 * @param refusing the profile's own set, or undefined for the table
 */
export function classify(
	asked: Asked,
	outcome: WireOutcome,
	content: Content | undefined,
	refusing: readonly number[] | undefined,
): JournalOutcome {
	const { operation } = asked;
	if (outcome.kind === "not-sent") return { state: "not-sent", reason: outcome.reason };
	if (outcome.kind === "sent") return { state: "in-doubt", reason: outcome.reason, status: outcome.status };
	const { status } = outcome;
	const money = operation.effect === "money";
	const refuses = refusing ? refusing.includes(status) : money ? refusingMoney.includes(status) : refusesWrite(status);
	if (refuses) return { state: "refused", status, apiCode: codeIn(content) };
	if (status < 200 || status > 299) return { state: "in-doubt", reason: `status ${status} does not say what happened`, status };
	const id = operation.created === undefined ? undefined : createdId(content?.data, operation.created);
	const odd = oddityOf(asked, content, id);
	if (odd !== undefined) return { state: "in-doubt", reason: `status ${status} came with ${odd}`, status };
	if (money && status === 202 && (content?.kind === "json" || content?.kind === "empty"))
		return { state: "accepted", id, status, waiting: true };
	if (operation.created === undefined) return { state: "accepted", status };
	if (content?.kind === "json" && id !== undefined) return { state: "accepted", id, status };
	return { state: "in-doubt", reason: `status ${status} came without the new record's id`, status };
}
