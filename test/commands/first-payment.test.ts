/**
 * The first payment through a binding is small, and a batch waits, until a payment through it was seen final by a GET that shows what was
 * sent.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Profile } from "../../src/ports/profiles.js";
import type { Ran } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const overrides: Profile["overrides"] = { "transaction.interLedger": { path: "/v2/payments", fields: { ledgerFromId: "payer" } } };
const id = (count: number): string => `eeeeeeee-0000-4000-8000-${String(count).padStart(12, "0")}`;

let world: BatchWorld;
/** The bodies that left. */
let sent: string[];
/** What a GET of a transaction shows. */
let shown: Record<string, unknown>;
let looks: number;
beforeEach(async () => {
	world = await batchWorld({}, { overrides });
	[sent, shown, looks] = [[], { status: "PENDING" }, 0];
	world.wire = async ({ method, url, body }) => {
		const { pathname } = new URL(url);
		if (method === "POST") {
			sent.push(new TextDecoder().decode(body));
			return answer({ id: id(sent.length) }, 201);
		}
		if (/\/transactions\/./.test(pathname)) {
			looks += 1;
			return answer({ id: pathname.split("/").at(-1), ...shown }, 200);
		}
		return answer({ id: pathname.split("/").at(-1), currency: "EUR", status: "ACTIVE", availableAmount: 1000 }, 200);
	};
});
afterEach(() => world.end());

const answer = (data: unknown, status: number) => ({
	kind: "answer" as const,
	status,
	headers: { "content-type": "application/json", date: world.clock.now().toUTCString() },
	body: new TextEncoder().encode(JSON.stringify(data)),
});
const codeOf = ({ stderr }: Ran): string => JSON.parse(stderr.trim().split("\n").at(-1) as string).error?.code;
const whyOf = ({ stderr }: Ran): string => JSON.parse(stderr.trim().split("\n").at(-1) as string).error?.why;
let references = 0;
const argv = (amount: string): string[] => {
	references += 1;
	return ["pay", "ledger", "--from", world.from, "--to", world.to, "--amount", amount, "--reference", `R ${references}`];
};
const pay = (amount: string, ...more: string[]) => world.purser([...argv(amount), "--yes", "--json", ...more]);
async function confirm(...more: string[]): Promise<Ran> {
	const { digest } = (await world.purser(["api", "confirm", "transaction.interLedger", "--dry-run", "--json"])).json();
	return world.purser(["api", "confirm", "transaction.interLedger", "--confirm-binding", digest, ...more]);
}

test("one of the currency, until it is seen final; then any, without another look, and batches", async () => {
	await confirm();
	const path = world.file([["2", "a"]]);
	await world.purser(["pay", "batch", "plan", path]);
	const send = ["pay", "batch", "send", `${path}.plan.json`, "--yes", "--json"];
	const large = await pay("1.01");
	expect([large.exit, codeOf(large), sent]).toEqual([10, "FIRST_PAYMENT_CAP", []]);
	expect([codeOf(await world.purser(send)), sent]).toEqual(["FIRST_PAYMENT_WAITS", []]);
	expect([(await pay("1.00")).exit, sent.length]).toEqual([0, 1]);
	const pending = await pay("5");
	expect([pending.exit, whyOf(pending), sent.length]).toEqual([10, `Payment ${id(1)} is PENDING`, 1]);
	shown = { status: "APPROVED", amount: 1, currency: "EUR", sender: { ledgerId: world.from }, receiver: { ledgerId: world.to } };
	expect([(await pay("5")).exit, sent.length]).toEqual([0, 2]);
	const before = looks;
	shown = { status: "DECLINED" };
	expect([(await pay("500")).exit, (await world.purser(send)).exit, sent.length, looks - before]).toEqual([0, 0, 4, 0]);
	expect((await world.purser(["history", "verify"])).exit).toBe(0);
});

test.each<[string, () => Record<string, unknown>]>([
	["another amount, as where minor units were meant", () => ({ status: "APPROVED", amount: 100 })],
	["the parties the other way round", () => ({ status: "APPROVED", amount: 1, sender: { ledgerId: world.to } })],
	["another payee", () => ({ status: "APPROVED", amount: 1, receiver: { ledgerId: id(9) } })],
	["another payment", () => ({ status: "APPROVED", id: id(9) })],
	["a payment that was declined", () => ({ status: "DECLINED", amount: 1 })],
	["a status that is not known to be final", () => ({ status: "SETTLED", amount: 1 })],
	["no status", () => ({ amount: 1 })],
])("what is seen proves nothing: %s", async (_name, showing) => {
	await confirm();
	await pay("1");
	shown = showing();
	const ran = await pay("5");
	expect([ran.exit, codeOf(ran), sent.length]).toEqual([10, "FIRST_PAYMENT_CAP", 1]);
	shown = { status: "APPROVED", amount: 1 };
	expect((await pay("5")).exit).toBe(0);
});

test("a payment through another binding proves nothing", async () => {
	await confirm();
	await pay("1");
	shown = { status: "APPROVED", amount: 1 };
	const profile = world.profiles.get("sandbox") as Profile;
	const other = { "transaction.interLedger": { path: "/v2/payments", fields: { ledgerFromId: "payer", reference: "note" } } };
	world.profiles.set("sandbox", { ...profile, overrides: other });
	await confirm();
	expect([codeOf(await pay("5")), sent.length]).toEqual(["FIRST_PAYMENT_CAP", 1]);
});

describe("what lifts or sets the limit", () => {
	test("--no-first-cap, with a reason, which is on record", async () => {
		const unsaid = await confirm("--no-first-cap", "--json");
		expect([unsaid.exit, JSON.parse(unsaid.stderr).error.details]).toMatchObject([2, [{ field: "reason" }]]);
		expect((await confirm("--no-first-cap", "--reason", "Tested by the bank, ticket 4711")).exit).toBe(0);
		expect([(await pay("500")).exit, sent.length]).toEqual([0, 1]);
		const [latest] = (await world.purser(["history", "settings", "--json"])).json();
		expect(latest.changes[0].new).toMatch(
			/^[0-9a-f]{64} for http:\/\/127\.0\.0\.1:4010, its first payment not limited: Tested by the bank, ticket 4711$/,
		);
	});

	test("the setting first-payment, with a currency or without", async () => {
		await confirm();
		const profile = world.profiles.get("sandbox") as Profile;
		const set = (cap: string) => world.profiles.set("sandbox", { ...profile, settings: { "first-payment": cap } });
		set("20 USD");
		expect(codeOf(await pay("20"))).toBe("FIRST_PAYMENT_CAP");
		set("20 EUR");
		expect([codeOf(await pay("20.01")), (await pay("20")).exit, sent.length]).toEqual(["FIRST_PAYMENT_CAP", 0, 1]);
	});

	test("a payment that an earlier version sent through it counts for both: nobody is asked, and nothing is limited", async () => {
		const { digest } = (await world.purser(["api", "confirm", "transaction.interLedger", "--dry-run", "--json"])).json();
		const journal = await world.history();
		const transfer = { kind: "ledger" as const, ledgerFromId: world.from, counterpartyId: world.to, amount: "70" };
		const place = {
			profile: "sandbox",
			origin: "http://127.0.0.1:4010",
			service: "http://127.0.0.1:4010",
			method: "POST" as const,
			path: "/v2/payments",
		};
		const begun = {
			operation: "transaction.interLedger",
			effect: "money" as const,
			...place,
			transfer,
			binding: { digest, lookUps: null },
		};
		const intent = await journal.begin(begun, { kept: [{ digest, operations: overrides }] });
		expect([codeOf(await pay("500")), sent.length]).toEqual(["BINDING_UNCONFIRMED", 0]);
		await journal.end(intent, { state: "accepted", id: id(99), status: 201 });
		expect([(await pay("500")).exit, sent.length]).toEqual([0, 1]);
		const profile = world.profiles.get("sandbox") as Profile;
		expect(profile.confirmations?.["transaction.interLedger"]).toMatchObject({ digest, paid: intent });
		// What the file loses is found once more.
		world.profiles.set("sandbox", { ...profile, confirmations: {} });
		expect([(await pay("502")).exit, sent.length]).toEqual([0, 2]);
		// Changed by this version, it asks.
		world.profiles.set("sandbox", { ...profile, confirmations: { "transaction.interLedger": null } });
		expect([codeOf(await pay("501")), sent.length]).toEqual(["BINDING_UNCONFIRMED", 2]);
	});

	test("a payment of this version does not: where its confirmation was taken out of the profile's file, it is asked for again", async () => {
		await confirm();
		expect([(await pay("1")).exit, sent.length]).toEqual([0, 1]);
		// The service's time passes with what it answers.
		world.clock.advance(400 * 24 * 3_600_000);
		expect((await pay("0.5")).exit).toBe(0);
		const before = sent.length;
		const { confirmations: _, ...without } = world.profiles.get("sandbox") as Profile;
		world.profiles.set("sandbox", without);
		expect([codeOf(await pay("500")), sent.length]).toEqual(["BINDING_UNCONFIRMED", before]);
		// A journal that was purged knows it still.
		const purged = await world.purser(["history", "purge", "--before", "2026-06-01", "--yes"]);
		expect(purged.exit).toBe(0);
		expect([codeOf(await pay("500")), sent.length]).toEqual(["BINDING_UNCONFIRMED", before]);
		await confirm();
		expect(codeOf(await pay("500"))).toBe("FIRST_PAYMENT_CAP");
	});
});

test("the currency that an amount in minor units needs, or the limit names, is looked up; what leaves is in it", async () => {
	const fields = {
		ledgerFromId: { place: "body", at: "/payer" },
		ledgerToId: { place: "body", at: "/payee" },
		amount: { place: "body", at: "/cents", codec: "minor-units" },
		reference: { place: "body", at: "/memo" },
	} as const;
	const profile = world.profiles.get("sandbox") as Profile;
	const minor: Profile["overrides"] = { "transaction.interLedger": { path: "/v2/payments", request: { fields, others: "refused" } } };
	world.profiles.set("sandbox", { ...profile, overrides: minor, settings: { "first-payment": "7 EUR" } });
	await confirm();
	expect([codeOf(await pay("8")), (await pay("7")).exit, sent.length]).toEqual(["FIRST_PAYMENT_CAP", 0, 1]);
	expect(JSON.parse(sent[0] as string)).toMatchObject({ payer: world.from, payee: world.to, cents: 700 });
	expect((await world.purser(argv("6"), { answers: [true] })).exit).toBe(0);
	expect(JSON.parse(sent[1] as string)).toMatchObject({ cents: 600 });
});

test("at a terminal nobody is asked about a payment that is too large to be the first", async () => {
	await confirm();
	const ran = await world.purser(argv("5"), { answers: [] });
	expect([ran.exit, world.asked, sent]).toEqual([10, [], []]);
	expect(ran.stderr).toContain("5.00 is more than the first payment may be (1.00)");
	expect((await world.purser(argv("1"), { answers: [true] })).exit).toBe(0);
});
