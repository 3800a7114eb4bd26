/**
 * What became of a payment is read through the mapping in force. Where that changed since the payment was sent, the result says so, and
 * that it was not created is confirmed separately.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Mapping } from "../../src/ports/mapping.js";
import type { Profile } from "../../src/ports/profiles.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { answered, delivered, lostAnswer, sandboxAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { nothingListed, payIn, settlingTime } from "./payment-world.js";

let world: BatchWorld;
/** Whether a payment gets no answer, and whether it arrives. */
let [losing, arriving] = [false, true];
/** What was answered to each idempotency key. */
const kept = new Map<string, WireOutcome>();

beforeEach(async () => {
	[losing, arriving] = [false, true];
	kept.clear();
	world = await batchWorld();
	world.wire = wire;
});
afterEach(() => world.end());

/** The service: `/v1/movements` and the described path list its payments, and `/v2/movements` lists nothing. */
async function wire(request: WireRequest): Promise<WireOutcome> {
	const url = request.url.replace("/v1/movements", "/api/partner/transactions");
	const path = new URL(url).pathname;
	if (path === "/v2/movements") return answered(200, nothingListed);
	const send = async () => delivered(await sandboxAnswer(world, { ...request, url }));
	if (request.method !== "POST" || !path.includes("/transactions/")) return send();
	const [, key] = Object.entries(request.headers).find(([name]) => name.toLowerCase() === "idempotency-key") ?? [];
	if (key !== undefined) kept.set(key, kept.get(key) ?? (await send()));
	if (!losing) return kept.get(key ?? "") ?? send();
	if (arriving && key === undefined) await send();
	return lostAnswer;
}

const profile = () => world.profiles.get("sandbox") as Profile;
const map = (mapping?: Mapping): void => void world.profiles.set("sandbox", { ...profile(), mapping });
const lists = (path: string): Mapping => ({ operations: { "transaction.list": { method: "GET", path } } });
async function lost(reference: string, amount?: string): Promise<void> {
	losing = true;
	expect((await payIn(world, reference, { amount })).exit).toBe(7);
	losing = false;
	world.requests.length = 0;
}
const settled = async () =>
	((await world.json("pay settle")) as { intent: string; state: string; why?: string }[]).map(({ intent, state, why }) => [
		intent,
		why ?? state,
	]);
const said = (intent: string, check: { number: number }, more = "") =>
	world.purser(`pay settle ${intent} --not-created --check ${check.number} --reason "asked the bank" --json ${more}`);
/** The paths of the lists that were read. */
const listed = () => [
	...new Set(world.requests.map(({ url }) => new URL(url).pathname).filter((path) => /movements$|transactions$/.test(path))),
];
const changed = "the mapping changed since this payment was sent";

describe("a payment in doubt", () => {
	test("of another mapping is settled through the one in force, and says so, also on record", async () => {
		await lost("Invoice 1");
		map(lists("/v1/movements"));
		expect([await settled(), listed()]).toEqual([[["1", "accepted"]], ["/v1/movements"]]);
		const reason = async (intent: string) => (await world.json(`history show ${intent}`)).evidence.reason;
		expect(await reason("1")).toMatch(new RegExp(`^found in the service's list: a transaction of \\S+; ${changed}$`));
		// The control: with the same mapping nothing is said.
		await lost("Invoice 2");
		expect(await settled()).toEqual([["2", "accepted"]]);
		expect(await reason("2")).toMatch(/^found in the service's list: a transaction of \S+Z$/);
	});

	test("that is not listed says so, too, and its absence is confirmed separately, on record", async () => {
		arriving = false;
		map(lists("/v1/movements"));
		await lost("Invoice 1");
		map(lists("/v2/movements"));
		world.clock.advance(settlingTime);
		expect([await settled(), listed()]).toEqual([[["1", `it is not listed; ${changed}`]], ["/v2/movements"]]);
		expect((await said("1", { number: 1 })).exit).toBe(2);
		const word = await said("1", { number: 1 }, "--yes");
		const confirmed = `${changed}, so its list may be read wrongly`;
		expect([word.exit, word.json()]).toMatchObject([0, [{ evidence: { before: { confirmed } } }]]);
		// The control: where it is described as it was then, the check is enough.
		await lost("Invoice 2");
		world.clock.advance(settlingTime);
		const [{ check }] = await world.json("pay settle 2");
		expect((await said("2", check)).exit).toBe(0);
	});
});

describe("a payment in doubt at a service that keeps keys", () => {
	/** Keys are kept so long, and a person has confirmed the request of payments between ledgers. */
	async function keepsKeys(hours: number): Promise<void> {
		map({ operations: {}, idempotency: { place: "header", at: "Idempotency-Key", hours } });
		const { digest } = await world.json("api confirm transaction.interLedger --dry-run");
		expect((await world.purser(`api confirm transaction.interLedger --digest ${digest}`)).exit).toBe(0);
	}

	test("sent again without an answer, is not settled as not created by a check that was made before the settling time of that", async () => {
		await keepsKeys(72);
		losing = true;
		await payIn(world, "Invoice 1");
		const look = async () => (await world.json("pay settle 1"))[0];
		// Nothing of it is at the service, and it is not answered either when it is sent again.
		world.sandbox.state.transactions.splice(0);
		world.clock.advance(25 * 3_600_000);
		const first = await look();
		expect(first.after).toBeUndefined();
		world.clock.advance(3_600_000);
		expect((await world.purser("pay settle 1 --resend --yes")).exit).toBe(7);
		world.sandbox.state.transactions.splice(0);
		const early = await said("1", first.check);
		expect([early.exit, early.stderr]).toEqual([10, expect.stringContaining("was too early")]);
		const { check, after } = await look();
		expect(Date.parse(after)).toBeGreaterThan(world.clock.now().getTime() + 23 * 3_600_000);
		expect((await world.json("pay doubts"))[0]).toMatchObject({ intent: "1", after });
		expect((await said("1", check)).exit).toBe(10);
		world.clock.advance(settlingTime);
		expect((await said("1", (await look()).check)).exit).toBe(0);
	});

	test("is guarded as every payment: a question at a terminal, flags in a script, and on a live profile both", async () => {
		await keepsKeys(24);
		await lost("Invoice 1");
		expect((await world.purser("pay settle 1 --resend --json")).exit).toBe(2);
		const declined = await world.purser("pay settle 1 --resend", { answers: [false] });
		expect(declined.exit).toBe(10);
		for (const text of ["Send payment 1 once more with its idempotency key: 10.10 EUR", "A service that does not keep keys pays twice."])
			expect(declined.stderr).toContain(text);
		expect((await world.purser("pay settle 1 --resend --dry-run")).exit).toBe(7);
		world.profiles.set("sandbox", { ...profile(), environment: "live" });
		const live = await world.purser("pay settle 1 --resend --yes --json");
		expect([live.exit, live.error().code, world.changes()]).toEqual([10, "LIVE_GUARD", []]);
	});
});
