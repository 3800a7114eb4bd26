import { adviceText } from "../../src/api/advice.js";
import type { Advice } from "../../src/errors.js";

/** Matches advice by its text: the whole text, or a matcher such as `expect.stringContaining`. */
export function advised(wanted: string | { asymmetricMatch(text: string): boolean }): unknown {
	const matches = (text: string): boolean => (typeof wanted === "string" ? text === wanted : wanted.asymmetricMatch(text));
	return {
		$$typeof: Symbol.for("jest.asymmetricMatcher"),
		asymmetricMatch: (advice: Advice | undefined) => advice !== undefined && matches(adviceText(advice)),
		toString: () => "advised",
		toAsymmetricMatcher: () => `advised(${typeof wanted === "string" ? JSON.stringify(wanted) : "a matcher"})`,
	};
}
