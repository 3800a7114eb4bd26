/**
 * The mapping of a deployment: where its API differs from the service's description. Types only; `mapping/` reads, checks and applies it.
 */
import type { Method } from "../api/operation.js";
import type { IdForms } from "../api/text/ids.js";

/** Where a value stands in a request. */
export type Place = "path" | "query" | "header" | "body";

/** How a value is written. Without a form it is written as the description does. */
export type Form = "number" | "text" | "minor-units" | "alpha-2" | "e164" | DateForm;
type DateForm = "YYYY-MM-DD" | "YYYYMMDD" | "DD/MM/YYYY" | "DD.MM.YYYY" | "MM/DD/YYYY" | "epoch-seconds" | "epoch-milliseconds";

export type TheirValue = string | boolean | number;

/** The form and the values of a field. */
export interface MappedValue {
	form?: Form;
	/**
	 * Our value → the deployment's; of several, the first is written and all are read. A value of ours that is not listed cannot be written, and
	 * one of theirs that is not listed is read as it is.
	 */
	values?: Readonly<Record<string, TheirValue | readonly TheirValue[]>>;
	/** For `minor-units`: the currency (ISO 4217) that every amount is in, where no field tells it. */
	currency?: string;
}

/** A place in a request: a name, or in a body a JSON Pointer from its root (`*` stands for each of a list). */
export interface RequestPlace {
	place: Place;
	at: string;
}

/** Where one of our fields stands in a request. */
export interface RequestField extends MappedValue, RequestPlace {}

/** Where one of our fields stands in an answer. */
export interface AnswerField extends MappedValue {
	/** A JSON Pointer from the answer's record (`*` stands for each of a list). */
	at: string;
}

/** A value that is sent with every request of the operation; never in a path. */
export interface Constant extends RequestPlace {
	value: TheirValue | readonly TheirValue[];
}

/** An operation as the deployment has it. */
export interface MappedOperation {
	method: Method;
	path: string;
	/** How a body is written; JSON without it. */
	body?: "form";
	/**
	 * Our fields (dotted if nested, `*` for each of a list), and `set.NAME` for what is given with `--set NAME`. Absent: under our own names.
	 * Present: a field of ours that is not named has no place.
	 */
	fields?: Readonly<Record<string, RequestField | "none">>;
	constants?: readonly Constant[];
	answer?: {
		/** JSON Pointer of the record: from the answer's root, or from each entry of a list. */
		record?: string;
		/** JSON Pointer of a list's entries, from the answer's root. */
		records?: string;
		/** Absent: under our own names. Present: a field that is not named is not told. */
		fields?: Readonly<Record<string, AnswerField | "none">>;
	};
	/** Statuses that mean done, and those that mean accepted but waiting; each is a 2xx. Any other 2xx proves nothing then. */
	statuses?: { done?: readonly number[]; waiting?: readonly number[] };
}

/** How a deployment divides a list into pages. */
export interface Paging {
	style: "page" | "offset" | "cursor" | "link";
	/** The query field that says which page: its number, the offset, the cursor. None for `link`. */
	at?: string;
	/** The number of the first page, 0 or 1. */
	first?: 0 | 1;
	/** The query field of the page size, and the largest one. */
	size?: { at: string; most: number };
	/** JSON Pointer of the next cursor, or of the next page's address; for `link` without one the Link header (RFC 8288) is read. */
	next?: string;
	records?: string;
	total?: string;
}

/** How a deployment tells an error: JSON Pointers. Details are a list, or an object with an entry for each field. */
export type ErrorForm = Partial<Record<"code" | "message" | "details", string>>;

/** What makes a payment that is sent twice count once. */
export interface IdempotencyKey extends RequestPlace {
	/** For how many hours the service keeps keys; absent where that is not known: then nothing is ever sent again by it. */
	hours?: number;
}

/** A whole mapping. An operation that is not named is as described; one that is `none` does not exist at the deployment. */
export interface Mapping {
	operations: Readonly<Record<string, MappedOperation | "none">>;
	paging?: Paging;
	errors?: ErrorForm;
	/** The form of each kind of id, where it is no UUID: a pattern of the bounded language in `api/text/ids.ts`. */
	ids?: IdForms;
	/** The zone of times that have none: `UTC`, `+02:00` or an IANA name. */
	zone?: string;
	idempotency?: IdempotencyKey;
}
