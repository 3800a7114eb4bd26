/**
 * What every lean schema has in common: its definition in zod's own form, its checks, and the calls that chain.
 * The order of the issues, and which of them keep later checks from running, are zod's.
 */

/** A fault in zod's form. One with `continue` does not keep later checks from running. */
export interface Issue {
	code: string;
	path: PropertyKey[];
	message: string;
	continue?: true;
	expected?: string;
	values?: readonly unknown[];
	keys?: string[];
}

/** A value on its way through a schema; the value may change. */
export interface Payload {
	value: unknown;
	issues: Issue[];
}

export interface Check {
	run(payload: Payload): void;
	/** Runs after a fault that ends the other checks, where the value is of use to it. */
	always?: true;
}

/** The part of zod's definitions that `api/schema.ts` reads. */
export interface Definition {
	type: string;
	innerType?: LeanSchema;
	shape?: Shape;
	element?: LeanSchema;
	entries?: Record<string, string>;
	/** What an object makes of fields it does not know: kept, refused, or left out. */
	unknownFields?: "keep" | "refuse";
	readonly defaultValue?: unknown;
}

export type Shape = Record<string, LeanSchema>;

/** What happens where the value is not there: `optional` leaves it out, `defaulted` puts another in its place. */
export type Absence = "optional" | "defaulted" | undefined;

export interface Refinement {
	addIssue(issue: { code: "custom"; path?: PropertyKey[]; message: string }): void;
}

type Result = { success: true; data: unknown } | { success: false; error: { issues: Issue[] } };

/** A schema. What it takes and says is what zod's of the same calls takes and says; test/api/lean.test.ts compares them. */
export abstract class LeanSchema {
	readonly _zod: { def: Definition };
	readonly #checks: readonly Check[];

	constructor(definition: Definition, checks: readonly Check[] = []) {
		this._zod = { def: definition };
		this.#checks = checks;
	}

	/** The same kind of schema with these checks. */
	protected abstract with(checks: readonly Check[]): this;
	/** Checks the value itself, before the checks that were chained. */
	protected abstract take(payload: Payload): void;
	/** What an absent key of an object means for this schema. */
	get absence(): Absence {
		return undefined;
	}
	/** Whether an absent key may stay absent. */
	get mayStayAbsent(): boolean {
		return false;
	}

	get checks(): readonly Check[] {
		return this.#checks;
	}

	get shape(): Shape {
		return this._zod.def.shape as Shape;
	}

	clone(): this {
		return this.with(this.#checks);
	}

	unwrap(): LeanSchema {
		return this._zod.def.innerType as LeanSchema;
	}

	protected also(check: Check): this {
		return this.with([...this.#checks, check]);
	}

	/** Takes the value through the schema and its checks. */
	run(payload: Payload): void {
		this.take(payload);
		let ended = hasEnded(payload.issues, 0);
		for (const check of this.#checks) {
			if (ended && !check.always) continue;
			const before = payload.issues.length;
			check.run(payload);
			ended ||= hasEnded(payload.issues, before);
		}
	}

	safeParse(value: unknown): Result {
		const payload: Payload = { value, issues: [] };
		this.run(payload);
		return payload.issues.length === 0 ? { success: true, data: payload.value } : { success: false, error: { issues: payload.issues } };
	}

	/** @throws TypeError where the value is none */
	parse(value: unknown): unknown {
		const result = this.safeParse(value);
		if (!result.success) throw new TypeError(result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
		return result.data;
	}

	superRefine(refine: (value: unknown, context: Refinement) => void): this {
		return this.also({
			run: ({ value, issues }) =>
				refine(value, {
					addIssue: ({ code, path = [], message }) => void issues.push({ code, path: [...path], message, continue: true }),
				}),
		});
	}

	refine(holds: (value: unknown) => boolean, message: string): this {
		return this.superRefine((value, context) => {
			if (!holds(value)) context.addIssue({ code: "custom", message });
		});
	}
}

function hasEnded(issues: readonly Issue[], from: number): boolean {
	return issues.some((issue, at) => at >= from && issue.continue !== true);
}

/** A fault that says of which type the value is not. */
export const wrongType = (expected: string): Issue => ({ code: "invalid_type", expected, path: [], message: "Invalid input" });
