/**
 * All sixteen operations carried out through a binding, against a sandbox that speaks it, and what the sandbox itself holds then.
 */
import { describe, expect, it } from "vitest";
import { makeWorld } from "../support/purser.js";
import { dialectNamed } from "./dialects.js";
import { heldAfterTheJob, heldBy, notAsked, wholeJob } from "./sixteen.js";

describe.each(["enveloped", "rpc"] as const)("through the binding %s", (name) => {
	it("sixteen of sixteen, from the terms to the last payment", async () => {
		const dialect = dialectNamed(name);
		const world = await makeWorld({ dialect });
		const { corporate, transactions, shown } = await wholeJob(world);
		expect(corporate.kybStatus).toBe("VALIDATED");
		expect(transactions.map(({ status }) => status)).toEqual(["APPROVED", "APPROVED"]);
		expect(shown.firstName).toBe("Grace");
		expect(heldBy(world)).toMatchObject(heldAfterTheJob);
		expect(notAsked(world, dialect)).toEqual([]);
		// Nothing was asked in the words of the description.
		expect(world.requests.map(({ line }) => line).filter((line) => line.includes("/api/partner/"))).toEqual([]);
	});
});
