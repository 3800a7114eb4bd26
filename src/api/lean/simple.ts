/** Schemas of one value: text, choices, yes or no, and those that take anything. */
import { type Check, type Issue, LeanSchema, type Payload, wrongType } from "./schema.js";

/** The check that a text or a list has at least so many characters or items; a message is made where none is given. */
export function leastCheck(least: number, message?: string): Check {
	return {
		always: true,
		run: ({ value, issues }) => {
			if (!(typeof value === "string" || Array.isArray(value)) || value.length >= least) return;
			const [whole, parts] = typeof value === "string" ? ["string", "characters"] : ["array", "items"];
			const said = message ?? `Too small: expected ${whole} to have >=${least} ${parts}`;
			issues.push({ code: "too_small", path: [], message: said, continue: true });
		},
	};
}

export class Text extends LeanSchema {
	protected override with(checks: readonly Check[]): this {
		return new Text(this._zod.def, checks) as this;
	}

	protected override take({ value, issues }: Payload): void {
		if (typeof value !== "string") issues.push(wrongType("string"));
	}

	regex(pattern: RegExp, message: string): this {
		return this.also({
			run: ({ value, issues }) => {
				pattern.lastIndex = 0;
				if (!pattern.test(value as string)) issues.push({ code: "invalid_format", path: [], message, continue: true });
			},
		});
	}

	min(least: number, message?: string): this {
		return this.also(leastCheck(least, message));
	}

	normalize(form: "NFC"): this {
		return this.also({
			run: (payload) => {
				payload.value = (payload.value as string).normalize(form);
			},
		});
	}
}

export class Flag extends LeanSchema {
	protected override with(checks: readonly Check[]): this {
		return new Flag(this._zod.def, checks) as this;
	}

	protected override take({ value, issues }: Payload): void {
		if (typeof value !== "boolean") issues.push(wrongType("boolean"));
	}
}

/** One of a few values: an enumeration or a literal. */
export class OneOf extends LeanSchema {
	readonly #values: readonly unknown[];

	constructor(type: "enum" | "literal", values: readonly string[], checks?: readonly Check[]) {
		super({ type, entries: Object.fromEntries(values.map((value) => [value, value])) }, checks);
		this.#values = values;
	}

	protected override with(checks: readonly Check[]): this {
		return new OneOf(this._zod.def.type as "enum", this.#values as string[], checks) as this;
	}

	protected override take({ value, issues }: Payload): void {
		if (this.#values.includes(value)) return;
		const issue: Issue = { code: "invalid_value", values: this.#values, path: [], message: "Invalid input" };
		issues.push(issue);
	}
}

export class Anything extends LeanSchema {
	protected override with(checks: readonly Check[]): this {
		return new Anything(this._zod.def, checks) as this;
	}

	protected override take(): void {}
}

/** Takes no value but the one that is not there. */
export class Absent extends LeanSchema {
	protected override with(checks: readonly Check[]): this {
		return new Absent(this._zod.def, checks) as this;
	}

	protected override take({ value, issues }: Payload): void {
		if (value !== undefined) issues.push(wrongType("undefined"));
	}
}
