/**
 * What a document says of the events of its service.
 */
import { expect, test } from "vitest";
import { describedEvents } from "../../src/events/described.js";
import { makeWorld } from "../support/purser.js";

const header = (name: string) => ({ name, in: "header", required: true, schema: { type: "string" } });
const family = (first: string) => ["Id", "Timestamp", "Signature"].map((name) => header(`${first}-${name}`));
const webhook = (parameters: object[]) => ({ post: { parameters, responses: { 200: { description: "ok" } } } });

test.each([
	["Standard Webhooks", { "transaction.approved": webhook(family("Webhook")) }, { names: ["transaction.approved"], scheme: "standard" }],
	["Svix", { "transaction.approved": webhook(family("svix")) }, { names: ["transaction.approved"], scheme: "standard" }],
	["two of which one does not say", { a: webhook(family("svix")), b: webhook([]) }, { names: ["a", "b"], scheme: "standard" }],
	["part of a family", { a: webhook(family("svix").slice(1)) }, { names: ["a"], scheme: null }],
	["another header", { a: webhook([header("X-Signature")]) }, { names: ["a"], scheme: null }],
	["two that differ", { a: webhook(family("svix")), b: webhook([header("X-Signature")]) }, { names: ["a", "b"], scheme: null }],
	["a query of that name", { a: webhook(family("svix").map((one) => ({ ...one, in: "query" }))) }, { names: ["a"], scheme: null }],
	["control characters", { "a\u001b[2J": webhook([]), b: webhook([]) }, { names: ["b"], scheme: null }],
])("%s", (_what, webhooks, expected) => {
	expect(describedEvents({ openapi: "3.1.0", webhooks })).toEqual(expected);
});

test("references into the document are followed, once", () => {
	const components = {
		pathItems: { hook: webhook([{ $ref: "#/components/parameters/id" }, ...family("svix").slice(1)]) },
		parameters: { id: family("svix")[0], loop: { $ref: "#/components/parameters/loop" } },
	};
	expect(describedEvents({ webhooks: { a: { $ref: "#/components/pathItems/hook" } }, components })?.scheme).toBe("standard");
	expect(describedEvents({ webhooks: { a: webhook([{ $ref: "#/components/parameters/loop" }]) }, components })?.scheme).toBeNull();
	for (const wrong of [null, 1, [], {}, { webhooks: [] }, { webhooks: {} }, { webhooks: null }])
		expect(describedEvents(wrong)).toBeUndefined();
});

test("`api import` tells of them, and of the secret that they need", async () => {
	const world = await makeWorld();
	const document = {
		openapi: "3.1.0",
		info: { title: "Example", version: "1" },
		paths: {},
		webhooks: { "transaction.approved": webhook(family("svix")), "transaction.declined": webhook(family("svix")) },
	};
	world.files.set("api.json", new TextEncoder().encode(JSON.stringify(document)));
	const told = await world.purser(["api", "import", "api.json", "--dry-run", "--json"]);
	expect(told.json().events).toEqual({ names: ["transaction.approved", "transaction.declined"], scheme: "standard" });
	const shown = await world.purser(["api", "import", "api.json", "--dry-run"]);
	expect(shown.stdout).toContain("2 events, signed by the scheme standard: transaction.approved, transaction.declined");
	expect(`${shown.stdout}${shown.stderr}`).toContain("purser events secret add NAME --scheme standard");
	const { webhooks: _, ...without } = document;
	world.files.set("api.json", new TextEncoder().encode(JSON.stringify(without)));
	expect((await world.purser(["api", "import", "api.json", "--dry-run", "--json"])).json()).not.toHaveProperty("events");
});
