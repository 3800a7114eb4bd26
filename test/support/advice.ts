import { adviceText } from "../../src/api/advice.js";
import type { Advice } from "../../src/errors.js";

/** Matches advice that reads so: the whole text, or what a matcher such as `expect.stringContaining` looks for. */
export function advised(wanted: string | { asymmetricMatch(text: string): boolean }): unknown {
	const matches = (text: string): boolean => (typeof wanted === "string" ? text === wanted : wanted.asymmetricMatch(text));
	return {
		$$typeof: Symbol.for("jest.asymmetricMatcher"),
		asymmetricMatch: (told: Advice | undefined) => told !== undefined && matches(adviceText(told)),
		toString: () => "advised",
		toAsymmetricMatcher: () => `advised(${typeof wanted === "string" ? JSON.stringify(wanted) : "a matcher"})`,
	};
}
