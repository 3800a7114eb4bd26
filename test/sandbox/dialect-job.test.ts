/**
 * All sixteen operations carried out through a binding, against a sandbox that speaks it, and what the sandbox itself holds then.
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import type { Bindings } from "../../src/binding/file.js";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, put } from "../onboarding/case-world.js";
import { confirmed } from "../support/companies.js";
import { despite } from "../support/gates.js";
import { makeWorld } from "../support/purser.js";
import { dialectIn, dialectNamed } from "./dialects.js";
import { heldAfterTheJob, heldBy, notAsked, wholeJob } from "./sixteen.js";

/** The bindings of the foreign documents, which were written from the documents alone. */
const documents = new URL("../openapi/documents/", import.meta.url);
const foreign = readdirSync(documents).filter((name) => name.endsWith(".binding.json"));
const named: [string, () => Bindings][] = [
	["enveloped", () => dialectNamed("enveloped")],
	["rpc", () => dialectNamed("rpc")],
	...foreign.map((name): [string, () => Bindings] => [name, () => dialectIn(new URL(name, documents))]),
];
const gates = despite("review-not-seen", "owner-missing");

afterAll(removeFolders);

describe.each(named)("through the binding %s", (_name, read) => {
	it("sixteen of sixteen, from the terms to the last payment", async () => {
		const dialect = read();
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

	it("a case, from its file to a validated company, and nothing to do the second time", async () => {
		const world = await caseWorld({ dialect: read() });
		put(world, "case.yaml", readFileSync(new URL("../cases/two-partners.yaml", import.meta.url), "utf8"));
		const apply = () => world.purser(["onboard", "apply", ...confirmed, "case.yaml", "--json", "--request-kyb", "--kyc-links", ...gates]);
		const first = await apply();
		expect([first.exit, first.stderr]).toMatchObject([0, ""]);
		for (const { id, kyc } of world.sandbox.state.related.filter((one) => one.kyc.status === "CREATED"))
			if (kyc.id !== undefined) expect((await world.purser(["sandbox", "simulate", "kyc", id])).exit).toBe(0);
		const { id } = world.sandbox.state.corporates.at(-1) as { id: string };
		expect((await world.purser(["kyb", "status", id, "--wait", "--json"])).json().kybStatus).toBe("VALIDATED");
		const made = [world.sandbox.state.corporates.length, world.sandbox.state.related.length];
		const again = await apply();
		expect([again.exit, again.stderr]).toMatchObject([0, ""]);
		expect([world.sandbox.state.corporates.length, world.sandbox.state.related.length]).toEqual(made);
	});
});
