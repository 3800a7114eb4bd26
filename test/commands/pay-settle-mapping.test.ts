/**
 * What became of a payment is read through the mapping in force. Where that changed since the payment was sent, the result says so, and
 * that it was not created is confirmed separately.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Journal } from "../../src/ports/journal.js";
import type { MappedOperation } from "../../src/ports/mapping.js";
import type { Profile } from "../../src/ports/profiles.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { answered } from "../support/purser.js";
import { delivered, lostAnswer, sandboxAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { errorOf, payIn } from "./payment-world.js";

let world: BatchWorld;
let journal: Journal;
/** Whether a payment gets no answer, and whether it arrives. */
let losing = false;
let arriving = true;
/** What was answered to each idempotency key. */
const kept = new Map<string, WireOutcome>();

beforeEach(async () => {
	[losing, arriving] = [false, true];
	kept.clear();
	world = await batchWorld();
	journal = await world.history();
	world.wire = wire;
	world.requests.length = 0;
});
afterEach(() => world.end());

const told = (status: number, body: object): WireOutcome => answered(status, JSON.stringify(body));

/** The service: `/v1/movements` and the described path list its payments, and `/v2/movements` lists nothing. */
async function wire(request: WireRequest): Promise<WireOutcome> {
	const path = new URL(request.url).pathname.replace(/^\/v1\/movements/, "/api/partner/transactions");
	if (path === "/v2/movements") return told(200, { content: [], totalElements: 0 });
	// Another API of the same service, which tells amounts in minor units.
	if (path.startsWith("/v2/movements/")) return told(200, { id: path.slice(14), status: "APPROVED", amount: 1010, currency: "EUR" });
	const isPayment = request.method === "POST" && path.includes("/transactions/");
	const url = request.url.replace("/v1/movements", "/api/partner/transactions");
	const send = async () => delivered(await sandboxAnswer(world, { ...request, url }));
	const [, key] = Object.entries(request.headers).find(([name]) => name.toLowerCase() === "idempotency-key") ?? [];
	if (isPayment && key !== undefined) {
		const known = kept.get(key) ?? (await send());
		kept.set(key, known);
		if (!losing) return known;
	}
	if (!isPayment || !losing) return send();
	if (arriving && key === undefined) await send();
	return lostAnswer;
}

/** @param operations none: no mapping at all */
function map(operations?: Record<string, MappedOperation>): void {
	const profile = world.profiles.get("sandbox");
	if (profile === undefined) throw new Error("there is no profile");
	world.profiles.set("sandbox", { ...profile, mapping: operations && { operations } });
}

/** A person confirms the request of payments between ledgers. */
async function confirm(): Promise<void> {
	const words = ["api", "confirm", "transaction.interLedger"];
	const { digest } = (await world.purser([...words, "--dry-run", "--json"])).json();
	expect((await world.purser([...words, "--digest", digest])).exit).toBe(0);
}

const lists = (path: string): Record<string, MappedOperation> => ({ "transaction.list": { method: "GET", path } });
const pay = (reference: string, ...more: string[]) => payIn(world, reference, { more });
async function lost(reference: string, ...more: string[]): Promise<void> {
	losing = true;
	expect((await pay(reference, ...more)).exit).toBe(7);
	losing = false;
	world.requests.length = 0;
}
const settled = async (...words: string[]) => {
	const ran = await world.purser(["pay", "settle", ...words, "--json"]);
	return (ran.json() as { intent: string; state: string; why?: string }[]).map(({ intent, state, why }) => ({ intent, state, why }));
};
/** The paths of the lists that were read. */
const listed = () => [
	...new Set(world.requests.map(({ url }) => new URL(url).pathname).filter((path) => /movements$|transactions$/.test(path))),
];

describe("a payment in doubt", () => {
	test("of another mapping is settled through the one in force, and says so, also on record", async () => {
		await lost("Invoice 1");
		map(lists("/v1/movements"));
		expect(await settled()).toEqual([{ intent: "1", state: "accepted" }]);
		expect(listed()).toEqual(["/v1/movements"]);
		const reason = async (intent: string) => (await journal.show(intent))?.record.evidence?.reason;
		expect(await reason("1")).toMatch(
			/^found in the service's list: a transaction of \S+; the mapping changed since this payment was sent$/,
		);
		// The control: with the same mapping nothing is said.
		await lost("Invoice 2");
		map(lists("/v1/movements"));
		expect(await settled()).toEqual([{ intent: "2", state: "accepted" }]);
		expect(await reason("2")).toMatch(/^found in the service's list: a transaction of \S+Z$/);
	});

	test("that is not listed says so, too, and its absence is confirmed separately, on record", async () => {
		arriving = false;
		map(lists("/v1/movements"));
		await lost("Invoice 1");
		map(lists("/v2/movements"));
		world.clock.advance(24 * 3_600_000 + 60_000);
		expect(await settled()).toEqual([
			{ intent: "1", state: "in-doubt", why: "it is not listed; the mapping changed since this payment was sent" },
		]);
		expect(listed()).toEqual(["/v2/movements"]);
		const word = ["pay", "settle", "1", "--not-created", "--check", "1", "--reason", "asked the bank", "--json"];
		expect((await world.purser(word)).exit).toBe(2);
		const said = await world.purser([...word, "--yes"]);
		expect([said.exit, said.json()]).toMatchObject([
			0,
			[{ evidence: { before: { confirmed: "the mapping changed since this payment was sent, so its list may be read wrongly" } } }],
		]);
		// The control: where it is described as it was then, the check is enough.
		await lost("Invoice 2");
		world.clock.advance(24 * 3_600_000 + 60_000);
		const [{ check }] = (await world.purser(["pay", "settle", "2", "--json"])).json();
		const second = ["pay", "settle", "2", "--not-created", "--check", String(check.number), "--reason", "asked the bank"];
		expect((await world.purser(second)).exit).toBe(0);
	});
});

describe("a payment in doubt at a service that keeps keys", () => {
	const again = ["pay", "settle", "1", "--resend"];
	const posts = () => world.requests.filter(({ method }) => method === "POST");
	const profile = () => world.profiles.get("sandbox") as Profile;
	beforeEach(async () => {
		const idempotency = { place: "header", at: "Idempotency-Key", hours: 24 } as const;
		world.profiles.set("sandbox", { ...profile(), mapping: { operations: {}, idempotency } });
		await confirm();
		await lost("Invoice 1");
	});

	test("sent again without an answer, is not settled as not created by a check that was made before the settling time of that", async () => {
		const idempotency = { place: "header", at: "Idempotency-Key", hours: 72 } as const;
		world.profiles.set("sandbox", { ...profile(), mapping: { operations: {}, idempotency } });
		await confirm();
		arriving = false;
		losing = true;
		await payIn(world, "Invoice 2", { amount: "20.20" });
		// Nothing of it is at the service, and it is not answered either when it is sent again.
		world.sandbox.state.transactions.splice(0);
		world.clock.advance(25 * 3_600_000);
		const [{ check: first, after: none }] = (await world.purser(["pay", "settle", "2", "--json"])).json();
		expect(none).toBeUndefined();
		world.clock.advance(3_600_000);
		expect((await world.purser(["pay", "settle", "2", "--resend", "--yes"])).exit).toBe(7);
		world.sandbox.state.transactions.splice(0);
		const said = ({ number }: { number: number }) =>
			world.purser(["pay", "settle", "2", "--not-created", "--check", String(number), "--reason", "asked the bank", "--json"]);
		const early = await said(first);
		expect([early.exit, early.stderr]).toEqual([10, expect.stringContaining("was too early")]);
		const [{ check: second, after }] = (await world.purser(["pay", "settle", "2", "--json"])).json();
		expect(Date.parse(after)).toBeGreaterThan(world.clock.now().getTime() + 23 * 3_600_000);
		expect((await world.purser(["pay", "doubts", "--json"])).json()[0]).toMatchObject({ intent: "2", after });
		expect((await said(second)).exit).toBe(10);
		world.clock.advance(24 * 3_600_000 + 60_000);
		const [{ check: third }] = (await world.purser(["pay", "settle", "2", "--json"])).json();
		expect((await said(third)).exit).toBe(0);
	});

	test("is guarded as every payment: a question at a terminal, flags in a script, and on a live profile both", async () => {
		expect((await world.purser([...again, "--json"])).exit).toBe(2);
		const declined = await world.purser(again, { answers: [false] });
		expect([declined.exit, declined.stderr]).toEqual([
			10,
			expect.stringContaining("Send payment 1 once more with its idempotency key: 10.10 EUR"),
		]);
		expect(declined.stderr).toContain("A service that does not keep keys pays twice.");
		expect((await world.purser([...again, "--dry-run"])).exit).toBe(7);
		world.profiles.set("sandbox", { ...profile(), environment: "live" });
		const live = await world.purser([...again, "--yes", "--json"]);
		expect([live.exit, errorOf(live).code]).toEqual([10, "LIVE_GUARD"]);
		expect(posts()).toEqual([]);
	});
});
