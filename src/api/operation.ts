import * as z from "zod/mini";
import { type AnswerFields, answer, type Received, type RecordNames } from "./answer.js";
import { describe, type Source } from "./schema.js";

/** What an operation does to the service: nothing, a change, or a movement of money. */
export type Effect = "read" | "write" | "money";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

type Shape = z.ZodMiniObject;

/**
 * One operation of the service, described once. The client, the sandbox's routes, the flags, the completions and the
 * reference read this; a mapping may say another method, another path and other places.
 */
export interface Operation<
	Params extends Shape = Shape,
	Query extends Shape = Shape,
	Body extends Shape = Shape,
	Answer extends AnswerFields | undefined = AnswerFields | undefined,
> {
	id: string;
	/** The specification's own name. */
	title: string;
	effect: Effect;
	/** Of a change, for what a run has done: what it is about, of one and of several, and what became of it. */
	done?: { readonly one: string; readonly many: string; readonly verb: string };
	method: Method;
	/** With `{named}` parameters, one for each key of `params`. */
	path: string;
	params: Params;
	query: Query;
	/** Absent: no body is sent. */
	body?: Body;
	/** Read leniently: unknown fields and values stay. Absent: it may be a list, or anything else. */
	answer?: Answer;
	/** How a record is recognised: of the answer, or of each record of a list. Absent: any answer is accepted. */
	record?: RecordNames;
	/** Names under which the answer of a creation carries the new record's UUID, the first found wins. */
	created?: readonly string[];
	/** Names under which the answer carries the link that is asked for: without one, nobody has it. */
	link?: readonly string[];
	/** `required` (default), `optional` (the service takes it without a credential too, where that is asked for) or `none`. */
	auth?: "optional" | "none";
	/** The answer may be anything with a Content-Type: branch on it. */
	document?: true;
	/** Which part of the description comes from where. */
	provenance: Readonly<Record<"method" | "path" | "request" | "answer", Source>>;
	/** True for the sixteen of the specification's section 4. */
	specified: boolean;
}

const nothing = z.object({});
type Nothing = typeof nothing;

/**
 * An operation as it is written down: what has no parameters, or is not of the specification, does not say so. The schemas of a request are made
 * when they are first asked for: a run uses few operations of many.
 */
type Described<Id extends string, P extends Shape, Q extends Shape, A extends AnswerFields | undefined> = Omit<
	Operation<P, Q, Shape, A>,
	"method" | "path" | "params" | "query" | "body" | "specified"
> & { id: Id; send: `${Method} /${string}`; params?: () => P; query?: () => Q; specified?: true };

// biome-ignore lint/suspicious/noExplicitAny: the one place where operations of every shape meet
export type AnyOperation = Operation<any, any, any, any>;

/** Defines an operation and keeps its types and its id; one defined with a body always has it. */
export function operation<
	const Id extends string,
	B extends Shape,
	P extends Shape = Nothing,
	Q extends Shape = Nothing,
	A extends AnswerFields | undefined = undefined,
>(described: Described<Id, P, Q, A> & { body: () => B }): Operation<P, Q, B, A> & { id: Id; body: B };
export function operation<
	const Id extends string,
	P extends Shape = Nothing,
	Q extends Shape = Nothing,
	A extends AnswerFields | undefined = undefined,
>(described: Described<Id, P, Q, A> & { body?: undefined }): Operation<P, Q, Shape, A> & { id: Id; body?: undefined };
export function operation({
	send,
	params = () => nothing,
	query = () => nothing,
	body,
	...described
}: Described<string, Shape, Shape, AnswerFields | undefined> & { body?: () => Shape }): AnyOperation {
	const [method, path] = send.split(" ") as [Method, string];
	const made: { params?: Shape; query?: Shape; body?: Shape } = {};
	return {
		method,
		path,
		specified: false,
		...described,
		get params() {
			made.params ??= params();
			return made.params;
		},
		get query() {
			made.query ??= query();
			return made.query;
		},
		get body() {
			made.body ??= body?.();
			return made.body;
		},
	};
}

/** What is the same of every list. */
export const ofList = {
	effect: "read",
	answer: answer(["content", "totalElements", "page", "pageSize"]),
	provenance: { method: "documented", path: "documented", request: "documented", answer: "documented" },
} as const;

/** Input of an operation: its path parameters, query and body, each by the field names of the description. */
export interface Input<O extends AnyOperation = AnyOperation> {
	params?: z.input<O["params"]>;
	query?: z.input<O["query"]>;
	body?: O["body"] extends Shape ? z.input<O["body"]> & Record<string, unknown> : Record<string, unknown>;
}

export type Answer<O extends AnyOperation> = O["answer"] extends undefined ? unknown : Received;

// What a request is made of: the fields of its operation, and what is added to them by name, as `--set` does. Every other member of a
// command's input is an option of the tool, and stays on this machine.

/** The member of an input that has the fields which its operation is not described with. Neither a file nor a flag can name a symbol. */
export const extraFields: unique symbol = Symbol("extra fields");

/** The part of an input that is sent in the body that `schema` describes; an extra field never replaces one of its own. */
export function ownFields(schema: z.ZodMiniType, input: object): Record<string, unknown> {
	const given = input as Readonly<Record<string, unknown>> & { [extraFields]?: Readonly<Record<string, unknown>> };
	const own: Record<string, unknown> = {};
	for (const { name } of describe(schema).fields ?? []) if (given[name] !== undefined) own[name] = given[name];
	return given[extraFields] === undefined ? own : { ...own, ...given[extraFields], ...own };
}
