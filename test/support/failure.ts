import { PurserError } from "../../src/errors.js";

/** The error that `act` throws. @throws whatever else it throws, and Error where it throws nothing */
export function failure(act: () => unknown): PurserError {
	try {
		act();
	} catch (error) {
		if (error instanceof PurserError) return error;
		throw error;
	}
	throw new Error("it did not fail");
}
