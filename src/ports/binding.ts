/**
 * How a deployment says what an operation's description says: a profile's replacement of method, address, names and forms. Types only;
 * `binding/` applies and checks them.
 */
import type { Method } from "../api/operation.js";
import type { IdForms } from "../api/text/ids.js";

/** Where a value stands in a request. */
export type Place = "path" | "query" | "header" | "body";

/** How a value is written; nothing else can be bound. Without one it is written as the description does. */
export type Codec = "number" | "decimal-text" | "minor-units" | "boolean-text" | DateCodec;

/** Forms of a date or a moment. */
export type DateCodec =
	| "date:YYYY-MM-DD"
	| "date:YYYYMMDD"
	| "date:DD/MM/YYYY"
	| "date:DD.MM.YYYY"
	| "date:MM/DD/YYYY"
	| "epoch-seconds"
	| "epoch-milliseconds";

/** One field in the deployment's form. */
export interface BoundValue {
	codec?: Codec;
	/** The description's value → the deployment's. */
	values?: Record<string, string>;
	/** For `minor-units`: the currency (ISO 4217) that every amount is in, where no field tells it. */
	currency?: string;
}

/** Where one of our fields stands in a request. */
export interface RequestField extends BoundValue {
	place: Place;
	/** The name of a path parameter, a query field or a header; in a body, a JSON Pointer from the request's record (`*` stands for each of a list). */
	at: string;
}

/** Where one of our fields stands in an answer. */
export interface AnswerField extends BoundValue {
	/** A JSON Pointer from the answer's record (`*` stands for each of a list). */
	at: string;
}

/** A value that is sent with every request of the operation. */
export interface Constant {
	place: Exclude<Place, "path">;
	/** A name, or in a body a JSON Pointer from its root. */
	at: string;
	value: string | boolean | number;
}

/** A value that the document requires in a request, and for which purser has nothing. */
export interface Wanted {
	place: Exclude<Place, "path">;
	/** A name, or in a body a JSON Pointer from its root. */
	at: string;
}

/** What a profile replaces of one operation. What is left out is as described. */
export interface OperationBinding {
	method?: Method;
	path?: string;
	/** Another base address than the profile's, of the same origin. */
	server?: string;
	/** Field name of the description (dotted if nested) → name on the wire (of the last part), for requests and answers. */
	fields?: Record<string, string>;
	/** Header name → value, sent with this operation. */
	headers?: Record<string, string>;
	constants?: Constant[];
	request?: {
		/** JSON Pointer of the object that the body's fields stand in. */
		record?: string;
		/** Our field (dotted if nested, `*` for each of a list) → where it stands. */
		fields?: Record<string, RequestField>;
		/** What happens to our fields that are not bound: they are sent under our names (the default), or cannot be sent at all. */
		others?: "sent" | "refused";
	};
	answer?: {
		/** JSON Pointer of the record: from the answer's root, or from each entry of a list. */
		record?: string;
		/** JSON Pointer of a list's entries, from the answer's root. */
		records?: string;
		fields?: Record<string, AnswerField>;
		/** What happens to the deployment's fields that are not bound: they are kept (the default), or only those whose names mean nothing to us. */
		others?: "kept" | "apart";
		/** Statuses that mean done, and those that mean accepted but waiting; each is a 2xx. Any other 2xx proves nothing then. */
		statuses?: { accepted?: number[]; waiting?: number[] };
	};
	/**
	 * Where this comes from, for people: the document, the place in it, the idempotency key that it names, which is not sent, and what it
	 * requires beside our fields.
	 */
	source?: { document: string; sha256: string; pointer: string; idempotency?: string; wants?: Wanted[] };
}

/** How a deployment divides a list into pages. */
export interface BoundPaging {
	style: "page" | "offset" | "cursor" | "link";
	/** The query field that says which page: its number, the offset, the cursor. None for `link`. */
	at?: string;
	/** The number of the first page, 0 or 1. */
	first?: 0 | 1;
	/** The query field of the page size, and the largest one. */
	size?: { at: string; most: number };
	/** JSON Pointer of the next cursor, or of the next page's address; for `link` without one the Link header (RFC 8288) is read. */
	next?: string;
	/** JSON Pointer of the entries. */
	records?: string;
	/** JSON Pointer of their number in all. */
	total?: string;
	/** The query field of the order, and its two values. */
	order?: { at: string; ascending: string; descending: string };
	/** How several values of one query field are written. */
	lists?: "repeated" | "comma";
}

/** How a deployment tells an error. Each is a JSON Pointer. */
export interface BoundErrors {
	code?: string;
	message?: string;
	/** The list of faults, and in each the field and what is wrong with it. */
	details?: { records: string; field: string; message: string };
}

/** A binding as the journal keeps it: what a change was sent through, or how what became of it is read. */
export interface KeptBinding {
	/** By which it is found; see {@link IntentBinding}. */
	digest: string;
	/** Values of headers and query fields stand as SHA-256, because one may be a secret. */
	operations: Record<string, OperationBinding>;
	service?: ServiceBinding;
}

/** What a change was sent through, where the profile bound anything that concerns it: digests of what the journal keeps. */
export interface IntentBinding {
	/** Of the operation's own binding, which a person confirms (`bindingDigest`); null: it was sent as described. */
	digest: string | null;
	/** Of the binding of the operations that read what became of it; null: they are as described. */
	lookUps: string | null;
}

/** What a profile replaces for all operations. */
export interface ServiceBinding {
	paging?: BoundPaging;
	errors?: BoundErrors;
	/** The form of each kind of id, where it is no UUID: a pattern of the bounded language in `api/text/ids.ts`. */
	ids?: IdForms;
}
