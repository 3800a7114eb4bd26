/**
 * A valid company and two ids for wrong input, and a run that must be refused.
 */
import { expect } from "vitest";
import { answered, makeWorld } from "../support/purser.js";

export const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
export const to = "0c9b8a76-5d4e-4f3a-9b2c-1d0e9f8a7b6c";

const fields = {
	corporateName: "Example Trading SAS",
	incorporationCountry: "FRA",
	incorporationCode: "000",
	industry: "CHARITY_RECOGNIZED",
	registeredAddress: {},
	expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
};
export const owner = { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "CEO" };
/** The body of a creation as JSON, with changes. */
export const corporate = (change: object): string => JSON.stringify({ ...fields, accountOwnerInfo: owner, ...change });

/** Runs a command that must be refused: nothing is sent or recorded, and standard output is empty. */
export async function runRefused(argv: readonly string[], input?: string) {
	const world = await makeWorld({ wire: async () => answered(500, "{}") });
	const ran = await world.purser(argv, { input });
	expect(world.requests).toEqual([]);
	expect(world.journal).toEqual([]);
	expect(ran.stdout).toBe("");
	return ran;
}
