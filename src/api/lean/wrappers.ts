/** Schemas around another one: what holds where there is no value. */
import { type Absence, type Check, LeanSchema, type Payload } from "./schema.js";

export class Optional extends LeanSchema {
	protected override with(checks: readonly Check[]): this {
		return new Optional(this._zod.def, checks) as this;
	}

	override get absence(): Absence {
		return this.unwrap().absence === "defaulted" ? "defaulted" : "optional";
	}

	override get mayStayAbsent(): boolean {
		return true;
	}

	protected override take(payload: Payload): void {
		if (payload.value !== undefined || this.absence === "defaulted") this.unwrap().run(payload);
	}
}

/** A value in the place of one that is not there: taken as it is, or (`checked`) as if it had been given. */
export class Default extends LeanSchema {
	protected override with(checks: readonly Check[]): this {
		return new Default(this._zod.def, checks) as this;
	}

	override get absence(): Absence {
		return "defaulted";
	}

	protected override take(payload: Payload): void {
		const { type, innerType, defaultValue } = this._zod.def;
		if (payload.value === undefined) {
			payload.value = defaultValue;
			if (type === "default") return;
		}
		innerType?.run(payload);
	}
}

/** The first of a few schemas that takes the value. */
export class AnyOf extends LeanSchema {
	readonly #options: readonly LeanSchema[];

	constructor(options: readonly LeanSchema[], checks?: readonly Check[]) {
		super({ type: "union" }, checks);
		this.#options = options;
	}

	protected override with(checks: readonly Check[]): this {
		return new AnyOf(this.#options, checks) as this;
	}

	protected override take(payload: Payload): void {
		for (const option of this.#options) {
			const tried: Payload = { value: payload.value, issues: [] };
			option.run(tried);
			if (tried.issues.length === 0) {
				payload.value = tried.value;
				return;
			}
		}
		payload.issues.push({ code: "invalid_union", path: [], message: "Invalid input" });
	}
}
