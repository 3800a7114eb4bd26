/**
 * Classifies the outcome of a change by what happened on the wire; `README.md` here has the table. Pure.
 */
import { at, createdId, sameId, textAt } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { ownFields } from "../api/operation.js";
import type { IdKind } from "../api/text/ids.js";
import type { AppliedMapping } from "../mapping/request/applied.js";
import type { JournalOutcome } from "../ports/intent.js";
import type { WireOutcome } from "../ports/wire.js";
import type { Content } from "./content.js";

/** A complete answer with one of these statuses proves that a transfer was not created. */
const refusingMoney: readonly number[] = [400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 422, 428, 429, 431];

/** A change that moves no money is refused by every 4xx except 408 (timeout). */
const refusingWrites: readonly number[] = Array.from({ length: 100 }, (_, index) => 400 + index).filter((status) => status !== 408);

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

type WholeAnswer = WireOutcome & { kind: "answer" };

interface Asked {
	operation: AnyOperation;
	input: Input;
	/** How the deployment answers, where it differs; its statuses only make the verdict stricter. */
	applied?: Pick<AppliedMapping, "statuses" | "ids" | "errors" | "fromAnswer">;
}

/**
 * Whether the id in a creation's answer is one from the request instead of the new record's: the parent record's or, for a transfer, a
 * ledger's or the beneficiary's. Such an answer proves nothing.
 */
function wasSent({ operation, input }: Asked, id: string): boolean {
	const sent = [
		...Object.values(input.params ?? {}),
		...(operation.effect === "money" ? Object.values(ownFields(operation.body, input.body ?? {})) : []),
	];
	return sent.some((value) => typeof value === "string" && sameId(value, id));
}

/** Values of an error field that mean "no error" in a change that creates nothing too. */
const fine = /^(2\d\d|no[_ -]?error|n\/?a)$/i;
/** Values of an error field that mean "no error": some services write a word or a success code such as `00`. */
const noError = /^(0*|false|none|null|ok|success|\{\}|\[\])$/i;

/**
 * Whether an answer with a success status contains an error, in the service's form or in that of an intermediary. An id in it may be the
 * error's and proves nothing.
 * @param creates then whatever may be an error counts; else only what is one for certain, because the changed record may have such fields
 */
function hasError(data: unknown, creates: boolean): boolean {
	const isTold = (value: unknown): boolean => creates || typeof value === "string" || Array.isArray(value);
	const names = ["errorCode", "error", "errors"].filter((name) => isTold(at(data, name)));
	const values = names.map((name) => textAt(data, name));
	if (values.some((text) => text !== undefined && !noError.test(text) && (creates || !fine.test(text)))) return true;
	const statuses = [textAt(data, "status"), textAt(data, "statusCode")];
	const isFailed = (text = "") => /^\d{3,}$/.test(text) && Number(text) >= 400 && (creates || Number(text) < 600);
	return statuses.some(isFailed) || textAt(data, "success") === "false";
}

/** Why a success answer proves nothing, for people; undefined if it does. */
function oddityOf(asked: Asked, content: Content | undefined, id: string | undefined): string | undefined {
	// An HTML page comes from an intermediary, such as a login page or a captive portal.
	if (content?.kind === "other" && content.type?.includes("html")) return `a page (${content.type}) instead of an answer`;
	const creates = asked.operation.created !== undefined;
	if (hasError(content?.data, creates) || hasError(content?.received, creates)) return "an error in its body";
	return id !== undefined && wasSent(asked, id) ? "an id that was sent, instead of a new one" : undefined;
}

/** What a 2xx means; a profile that names the deployment's statuses makes this stricter. */
function meaningOf(status: number, statuses: AppliedMapping["statuses"]): "done" | "waiting" | "nothing" {
	if (statuses === undefined) return status === 202 ? "waiting" : "done";
	if (statuses.waiting?.includes(status)) return "waiting";
	return statuses.done?.includes(status) ? "done" : "nothing";
}

/** The id that an answer gives the record which the operation creates. */
function newId({ operation: { id, created }, applied }: Asked, data: unknown): string | undefined {
	return created && createdId(data, created, id.split(".", 1)[0] as IdKind, applied?.ids ?? {});
}

/** Whether an error is in the service's own form; a proxy may give a message alone too. */
function isOwnError(applied: Asked["applied"], content: Content | undefined): boolean {
	if (applied?.errors !== undefined) return (content?.problem?.apiCode ?? content?.problem?.message) !== undefined;
	return textAt(content?.data, "errorCode", "code", "error", "status", "details") !== undefined;
}

/** Why an answer with a refusing status does not refuse, for people; undefined if it does. */
function refusalOddityOf(asked: Asked, { status, reused, headers }: WholeAnswer, content: Content | undefined): string | undefined {
	const { applied } = asked;
	const ends = /\bclose\b/i.test(headers.connection ?? "");
	// A proxy says this to a connection that is idle for long, and the next request may have passed it on the way.
	if (status === 400 && reused && ends && !isOwnError(applied, content))
		return "closed a connection that was kept open, without an error of the service: it may not be about this request";
	// Without a length the end of the connection ends the body, wherever it was cut.
	const isUnframed = ends && headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
	if (isUnframed && /json/.test(content?.type ?? "") && content?.kind !== "json") return "came with a body that was cut short";
	const id = content?.kind === "json" ? newId(asked, applied ? applied.fromAnswer(content.data) : content.data) : undefined;
	return id !== undefined && !wasSent(asked, id) ? "came with the id of a new record" : undefined;
}

/** The service's error code, if it looks like a code: the journal stores it permanently, and a sentence might name a person. */
function codeIn(content: Content | undefined): string | undefined {
	const code = content?.problem?.apiCode;
	return code !== undefined && /^([A-Za-z][A-Za-z0-9_.:-]*|\d{1,6})$/.test(code) ? code : undefined;
}

/**
 * @param content the parsed answer; undefined without a complete answer
 * @param refusing the profile's refusing statuses; undefined for the default table
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
	const refuses = (refusing ?? (money ? refusingMoney : refusingWrites)).includes(status);
	const unproven = outcome.early ? "came before the request was written whole" : refuses && refusalOddityOf(asked, outcome, content);
	if (unproven) return { state: "in-doubt", reason: `status ${status} ${unproven}`, status };
	if (refuses) return { state: "refused", status, apiCode: codeIn(content) };
	if (status < 200 || status > 299) return { state: "in-doubt", reason: `status ${status} does not say what happened`, status };
	const meant = meaningOf(status, asked.applied?.statuses);
	if (meant === "nothing") return { state: "in-doubt", reason: `status ${status} is none that means done at this deployment`, status };
	const id = newId(asked, content?.data);
	const odd = oddityOf(asked, content, id);
	if (odd !== undefined) return { state: "in-doubt", reason: `status ${status} came with ${odd}`, status };
	// Without an id only 202 says by itself that it was taken; a mapping that names another status takes nothing away from what is asked.
	const isReadable = status === 202 ? content?.kind === "json" || content?.kind === "empty" : content?.kind === "json" && id !== undefined;
	if (money && meant === "waiting" && isReadable) return { state: "accepted", id, status, waiting: true };
	if (operation.created === undefined) return { state: "accepted", status };
	if (content?.kind === "json" && id !== undefined) return { state: "accepted", id, status };
	return { state: "in-doubt", reason: `status ${status} came without the new record's id`, status };
}
