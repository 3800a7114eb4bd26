/** Schemas of what has parts: objects, lists, and free JSON objects. */
import { type Check, type Definition, type Issue, LeanSchema, type Payload, type Shape, wrongType } from "./schema.js";
import { leastCheck } from "./simple.js";
import { Optional } from "./wrappers.js";

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** The faults of a part, as faults of the whole. */
function within(key: PropertyKey, issues: readonly Issue[]): Issue[] {
	return issues.map((issue) => ({ ...issue, path: [key, ...issue.path] }));
}

export class Fields extends LeanSchema {
	protected override with(checks: readonly Check[]): this {
		return new Fields(this._zod.def, checks) as this;
	}

	protected override take(payload: Payload): void {
		const { value: input, issues } = payload;
		if (!isObject(input)) {
			issues.push(wrongType("object"));
			return;
		}
		const known: Record<string, unknown> = {};
		payload.value = known;
		for (const [key, schema] of Object.entries(this.shape)) if (key !== "__proto__") parseField(key, schema, input, known, issues);
		this.#meetUnknown(input, known, issues);
	}

	#meetUnknown(input: Record<string, unknown>, known: Record<string, unknown>, issues: Issue[]): void {
		const { unknownFields } = this._zod.def;
		if (unknownFields === undefined) return;
		const keys: string[] = [];
		// Inherited keys count too, as with zod.
		for (const key in input) {
			if (Object.hasOwn(this.shape, key)) continue;
			if (unknownFields === "refuse") keys.push(key);
			else if (key !== "__proto__") known[key] = input[key];
		}
		if (keys.length > 0) issues.push({ code: "unrecognized_keys", keys, path: [], message: "Unrecognized keys", continue: true });
	}

	/** Every field may be left out. */
	partial(): Fields {
		return this.#of(
			Object.fromEntries(Object.entries(this.shape).map(([key, schema]) => [key, new Optional({ type: "optional", innerType: schema })])),
		);
	}

	/** Without the fields that are named. */
	omit(names: Readonly<Record<string, true>>): Fields {
		return this.#of(Object.fromEntries(Object.entries(this.shape).filter(([key]) => !Object.hasOwn(names, key))));
	}

	#of(shape: Shape): Fields {
		if (this.checks.length > 0) throw new TypeError("an object with refinements cannot be made into another one");
		const definition: Definition = { ...this._zod.def, shape };
		return new Fields(definition);
	}
}

function parseField(
	key: string,
	schema: LeanSchema,
	input: Record<string, unknown>,
	known: Record<string, unknown>,
	issues: Issue[],
): void {
	const present = key in input;
	const { absence, mayStayAbsent } = schema;
	if (!present && mayStayAbsent && absence === "optional") return;
	const part: Payload = { value: input[key], issues: [] };
	schema.run(part);
	if (part.issues.length > 0) {
		if (!present && mayStayAbsent) return;
		issues.push(...within(key, part.issues));
	}
	if (!present && absence === undefined) {
		if (part.issues.length === 0) issues.push({ ...wrongType("nonoptional"), path: [key] });
		return;
	}
	if (part.value !== undefined || present || !mayStayAbsent) known[key] = part.value;
}

export class List extends LeanSchema {
	/** Most elements, and what is said of more; then none of them is looked at. */
	readonly #most: { limit: number; message: string } | undefined;

	constructor(definition: Definition, checks?: readonly Check[], most?: { limit: number; message: string }) {
		super(definition, checks);
		this.#most = most;
	}

	protected override with(checks: readonly Check[]): this {
		return new List(this._zod.def, checks, this.#most) as this;
	}

	protected override take(payload: Payload): void {
		const { value: input, issues } = payload;
		if (!Array.isArray(input)) {
			issues.push(wrongType("array"));
			return;
		}
		if (this.#most !== undefined && input.length > this.#most.limit) {
			issues.push({ code: "too_big", path: [], message: this.#most.message });
			return;
		}
		payload.value = input.map((element, index) => {
			const part: Payload = { value: element, issues: [] };
			this._zod.def.element?.run(part);
			issues.push(...within(index, part.issues));
			return part.value;
		});
	}

	min(least: number, message?: string): this {
		return this.also(leastCheck(least, message));
	}

	max(limit: number, message?: string): this {
		// A text in the place of the list is measured too, as zod does.
		const measured: Check = {
			always: true,
			run: ({ value, issues }) => {
				if (typeof value === "string" && value.length > limit)
					issues.push({ code: "too_big", path: [], message: message ?? tooBig("string", limit, "characters"), continue: true });
			},
		};
		const most = { limit, message: message ?? tooBig("array", limit, "items") };
		return new List(this._zod.def, [...this.checks, measured], most) as this;
	}
}

const tooBig = (whole: string, limit: number, parts: string): string => `Too big: expected ${whole} to have <=${limit} ${parts}`;

/** Any JSON object. */
export class FreeObject extends LeanSchema {
	protected override with(checks: readonly Check[]): this {
		return new FreeObject(this._zod.def, checks) as this;
	}

	protected override take(payload: Payload): void {
		const { value, issues } = payload;
		const plain =
			isObject(value) && (typeof value.constructor !== "function" || Object.hasOwn(value.constructor.prototype ?? {}, "isPrototypeOf"));
		if (!plain) {
			issues.push(wrongType("record"));
			return;
		}
		payload.value = Object.fromEntries(Object.entries(value).filter(([key]) => key !== "__proto__"));
	}
}
