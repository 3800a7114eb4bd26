/**
 * The kinds of failure, each with its exit code, and the one error class of the tool.
 * The table is the stable interface: `purser help exit-codes` prints it.
 */
export const kinds = {
	bug: {
		exit: 1,
		when: "a bug, or an unreadable answer to a read",
		again: "read the message",
	},
	usage: {
		exit: 2,
		when: "unknown flag, missing input without a terminal, bad or missing configuration",
		again: "yes",
	},
	validation: {
		exit: 3,
		when: "input refused locally, any row of a batch included; nothing was sent",
		again: "after fixing",
	},
	auth: {
		exit: 4,
		when: "no credential; 401; 403 (a role may be missing)",
		again: "after fixing",
	},
	rejected: {
		exit: 5,
		when: "the service refused: other 4xx, or a final status that is not success",
		again: "after fixing",
	},
	unavailable: {
		exit: 6,
		when: "no usable answer, and nothing can have changed",
		again: "yes",
	},
	unknown: {
		exit: 7,
		when: "a change may have been made and no answer says so",
		again: "no: settle it first",
	},
	pending: {
		exit: 8,
		when: "not final within the time to wait; or waiting for strong authentication (202)",
		again: "yes, to check again",
	},
	partial: {
		exit: 9,
		when: "some of several were refused or not sent, none is in doubt",
		again: "resume",
	},
	guard: {
		exit: 10,
		when: "declined, or refused by a limit, a duplicate, a live guard, a missing approval; nothing was sent",
		again: "after deciding",
	},
	interrupted: {
		exit: 130,
		when: "Ctrl-C with nothing in doubt (TERM: 143; a terminal that was closed, HUP: 129)",
		again: "yes",
	},
} as const;

export type Kind = keyof typeof kinds;

/**
 * A word of a command: shown as it is, or a value, which is quoted. An id of a record is shown where it has the form of ids `of` its kind; elsewhere
 * its kind stands in capitals, as something to fill in.
 */
export type CommandWord = string | { readonly value: string; readonly path?: true; readonly of?: string };

/** A command for a person to type, as data; `purser` in `api/advice.ts` makes it. */
export interface SuggestedCommand {
	/** After the program's name: the command's path, then arguments and flags. */
	readonly words: readonly CommandWord[];
	/** Shown below it in a list of next commands. */
	readonly remark?: Advice;
}

/** Text for a person, with commands in it. */
export type Advice = string | SuggestedCommand | readonly Advice[];

/** One fault of the input: the field's dotted path, the row of the spreadsheet where there is one, and what is wrong. */
export interface Fault {
	field: string;
	message: string;
	row?: number;
	/** Of the payment in that row. */
	reference?: string;
	/** Of an open question: the answers that a script may give, and in words what else it takes. */
	answers?: readonly string[];
	other?: string;
	/** As the person typed the field, like `--wait-timeout`, or its label; text shows it in place of the field, JSON does not have it. */
	flag?: string;
	/** The line of a file, and the heading under which text gathers faults that say the same. */
	line?: number;
	heading?: string;
}

/** Faults as text shows them, where and what: those with a heading on one line, each with its label and its line in the file. */
export function faultRows(faults: readonly Fault[]): { where: string; message: string }[] {
	const rows = new Map<string, { where: string; message: string }>();
	for (const [at, { field, flag, row, reference, line, heading, message }] of faults.entries()) {
		const label = `${flag ?? field}${line === undefined ? "" : ` (line ${line})`}`;
		const gathered = heading === undefined ? undefined : rows.get(heading);
		if (gathered !== undefined) gathered.message += `, ${label}`;
		else if (heading !== undefined) rows.set(heading, { where: `${heading}:`, message: label });
		else
			rows.set(String(at), {
				where: [row === undefined ? "" : rowName({ row, reference }), flag ?? field].filter(Boolean).join(", "),
				message,
			});
	}
	return [...rows.values()];
}

/** Most characters of a reference beside its row. */
const longestReference = 40;

/** A row of a spreadsheet for people, as its program numbers it: `row 4 (Invoice 7)`. */
export function rowName({ row, reference = "" }: { row: number; reference?: string }): string {
	const shown = reference.length > longestReference ? `${reference.slice(0, longestReference)}…` : reference;
	return shown === "" ? `row ${row}` : `row ${row} (${shown})`;
}

/** @typeParam Text plain text once the commands in it are rendered */
export interface Failure<Text = Advice> {
	/** Stable, upper case with underscores. */
	code: string;
	message: string;
	/** Why, where more is known. */
	why?: Text;
	/** What to do next, with the command to type. Required: every error offers a way out. */
	fix: Text;
	/** HTTP status of the answer, where there was one. */
	status?: number;
	/** The service's own errorCode, as received. */
	apiCode?: string;
	details?: Fault[];
	/** True when money may have left and no answer says so. */
	moneyMayHaveMoved?: boolean;
	/** The journal's number of the intent concerned. */
	intent?: string;
	/** What the run did before it failed, and what is in doubt of it, in words; the frame knows them. */
	done?: readonly string[];
	inDoubt?: readonly string[];
	/** What the run would have done after it, where the command knows that. */
	notDone?: readonly string[];
	/** Milliseconds after which the service asked to be tried again. */
	wait?: number;
	/** An unreadable answer as received; only commands that read show it. */
	answer?: unknown;
	/** The underlying error, for --debug only. */
	cause?: unknown;
}

/** The only error the tool throws on purpose. Anything else that reaches `run` is a bug (exit 1). */
export class PurserError extends Error {
	override readonly name = "PurserError";
	readonly kind: Kind;
	readonly failure: Failure;

	constructor(kind: Kind, failure: Failure) {
		super(failure.message, { cause: failure.cause });
		this.kind = kind;
		this.failure = failure;
	}

	get exit(): number {
		return kinds[this.kind].exit;
	}
}

/** The refusal of what may not be done: nothing was sent or changed. */
export const guard = (failure: Failure): PurserError => new PurserError("guard", failure);

/** 128 and the number of the signal; Ctrl-C has the code of its kind. */
const signalCodes: Readonly<Record<string, number>> = { SIGTERM: 143, SIGHUP: 129 };

/** The code of the kind, or of the signal that interrupted the run. Pure. */
export function exitOf(kind: Kind, signal: AbortSignal): number {
	const { exit } = kinds[kind];
	return kind === "interrupted" && signal.aborted ? (signalCodes[String(signal.reason)] ?? exit) : exit;
}

/** What is given in one field cannot be used. @param fault what is wrong with the field itself */
export function invalidField(kind: "usage" | "validation", field: string, fault: string, message: string, fix: Advice): PurserError {
	return new PurserError(kind, { code: "INVALID_INPUT", message, fix, details: [{ field, message: fault }] });
}

/** For `catch`: an error of that kind is thrown in other words, any other as it is. @param but a code that keeps its words */
export const reworded =
	(kind: Kind, words: (failure: Failure) => Pick<Failure, "fix"> & Partial<Failure>, but?: string) =>
	(error: unknown): never => {
		if (!(error instanceof PurserError) || error.kind !== kind || error.failure.code === but) throw error;
		throw new PurserError(kind, { ...error.failure, ...words(error.failure), cause: error });
	};

/** Statuses by which a deployment says that it has no such operation, or not for this user. */
const notOffered: readonly number[] = [403, 404, 405, 410, 501];

/** Whether a look-up failed because the deployment does not have it, by its answer or by the mapping, or not for this user. */
export function isNotOffered(error: unknown): error is PurserError {
	if (!(error instanceof PurserError)) return false;
	return error.failure.code === "OPERATION_ABSENT" || notOffered.includes(error.failure.status ?? 0);
}

/** By what it is known that a look-up is not offered, for people: `HTTP 404`. */
export const notOfferedBy = ({ failure: { status } }: PurserError): string =>
	status === undefined ? "the mapping says that it is none" : `HTTP ${status}`;
