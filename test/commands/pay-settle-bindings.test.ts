/**
 * A doubt is looked up as the service is described today, and that it was not created is confirmed separately where it was described in
 * another way when it was sent. An accepted payment is shown as it was described then.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OperationBinding, ServiceBinding } from "../../src/ports/binding.js";
import type { Journal } from "../../src/ports/journal.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { removeFolders } from "../journal/journals.js";
import { answered, delivered, type World } from "../support/purser.js";
import { makeSettlingWorld } from "./settling-world.js";

let world: World;
let journal: Journal;
let from: string;
let to: string;
/** Whether a payment gets no answer, and whether it arrives. */
let losing = false;
let arriving = true;

beforeEach(async () => {
	[losing, arriving] = [false, true];
	({ world, journal, from, to } = await makeSettlingWorld());
	world.wire = wire;
	world.requests.length = 0;
});

afterEach(async () => {
	await journal.close();
	removeFolders();
});

const told = (status: number, body: object): WireOutcome => answered(status, JSON.stringify(body));

/** The service: `/v1/movements` and the described path list its payments, `/v2/movements` lists nothing, and `/v3/…` is gone. */
async function wire(request: WireRequest): Promise<WireOutcome> {
	const { pathname, search } = new URL(request.url);
	const path = pathname.replace(/^\/v1\/movements/, "/api/partner/transactions");
	if (path === "/v2/movements") return told(200, { content: [], totalElements: 0 });
	// Another API of the same service, which tells amounts in minor units.
	if (path.startsWith("/v2/movements/")) return told(200, { id: path.slice(14), status: "APPROVED", amount: 1010, currency: "EUR" });
	if (path.startsWith("/v3/")) return told(404, { status: 404, message: "gone" });
	const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
	const isPayment = request.method === "POST" && path.includes("/transactions/");
	const send = async () =>
		delivered(
			await world.sandbox.handle({ method: request.method, target: path + search, headers, body: request.body ?? new Uint8Array() }),
		);
	if (!isPayment || !losing) return send();
	if (arriving) await send();
	return { kind: "sent", reason: "the connection was closed before an answer came" };
}

function bind(overrides: Record<string, OperationBinding>, service?: ServiceBinding): void {
	const profile = world.profiles.get("sandbox");
	if (profile === undefined) throw new Error("there is no profile");
	world.profiles.set("sandbox", { ...profile, overrides, service });
}

/** A person confirms the binding of payments between ledgers, and that its first payment need not be small. */
async function confirm(): Promise<void> {
	const words = ["api", "confirm", "transaction.interLedger"];
	const { digest } = (await world.purser([...words, "--dry-run", "--json"])).json();
	expect((await world.purser([...words, "--confirm-binding", digest, "--no-first-cap", "--reason", "seen by hand"])).exit).toBe(0);
}

const lists = (path: string): Record<string, OperationBinding> => ({ "transaction.list": { path } });
const pay = (reference: string, ...more: string[]) =>
	world.purser(["pay", "ledger", "--from", from, "--to", to, "--amount", "10.10", "--reference", reference, "--yes", "--json", ...more]);
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
	test("is looked up as the service is described today, and its absence is confirmed separately, on record", async () => {
		arriving = false;
		bind(lists("/v1/movements"));
		await lost("Invoice 1");
		bind(lists("/v2/movements"));
		world.clock.advance(24 * 3_600_000 + 60_000);
		expect(await settled()).toEqual([{ intent: "1", state: "in-doubt", why: "it is not listed" }]);
		expect(listed()).toEqual(["/v2/movements"]);
		const word = ["pay", "settle", "1", "--not-created", "--check", "1", "--reason", "asked the bank", "--json"];
		expect((await world.purser(word)).exit).toBe(2);
		const said = await world.purser([...word, "--yes"]);
		expect([said.exit, said.json()]).toMatchObject([
			0,
			[
				{
					evidence: {
						before: { confirmed: "the service is described in another way since the payment was sent, so its list may be read wrongly" },
					},
				},
			],
		]);
		// The control: where it is described as it was then, the check is enough.
		await lost("Invoice 2");
		world.clock.advance(24 * 3_600_000 + 60_000);
		const [{ check }] = (await world.purser(["pay", "settle", "2", "--json"])).json();
		const second = ["pay", "settle", "2", "--not-created", "--check", String(check.number), "--reason", "asked the bank"];
		expect((await world.purser(second)).exit).toBe(0);
	});

	test("is not said to be not created by a list that is always asked with a value of the profile's own", async () => {
		arriving = false;
		const always = (place: "query" | "header") => ({
			"transaction.list": { path: "/v1/movements", constants: [{ place, at: "x-rail", value: "SEPA" }] },
		});
		bind(always("query"));
		await lost("Invoice 1");
		const why = "it is not listed, but the profile always asks the list with a value of its own (x-rail), which may leave payments out";
		expect(await settled("1")).toEqual([{ intent: "1", state: "in-doubt", why }]);
		// What it shows still settles.
		arriving = true;
		await lost("Invoice 2");
		expect(await settled("2")).toEqual([{ intent: "2", state: "accepted" }]);
		// The control: a header says who asks, and leaves nothing out.
		arriving = false;
		bind(always("header"));
		await lost("Invoice 3");
		expect(await settled("3")).toEqual([{ intent: "3", state: "in-doubt", why: "it is not listed" }]);
		const listing = await world.purser(["pay", "list", "--ledger-id", from]);
		expect(listing.stderr).not.toContain("may not have listed all");
		bind(always("query"));
		expect((await world.purser(["pay", "list", "--ledger-id", from])).stderr).toContain("The service may not have listed all");
	});
});

describe("an accepted payment", () => {
	const described = {
		"transaction.interLedger": { headers: { "x-channel": "7" } },
		"transaction.get": { path: "/v1/movements/{transactionId}" },
	};
	const shown = async () => {
		const id = (await journal.show("1"))?.record.id as string;
		world.requests.length = 0;
		const ran = await world.purser(["pay", "show", id, "--json"]);
		return { ran, id, paths: world.requests.map(({ url }) => new URL(url).pathname.replace(id, "ID")) };
	};

	test("is shown as it was described when it was sent, and keeps its id where another description shows it differently", async () => {
		bind(described);
		await confirm();
		expect((await pay("Invoice 1")).exit).toBe(0);
		bind({ "transaction.get": { path: "/v2/movements/{transactionId}" } });
		const { ran, paths, id } = await shown();
		expect([ran.exit, paths, ran.stderr]).toEqual([0, ["/v1/movements/ID"], ""]);
		expect((await journal.show("1"))?.record.id).toBe(id);
	});

	test("that cannot be read so any more is shown as the service is described today, with a word about it and without any conclusion", async () => {
		bind({ "transaction.get": { path: "/v3/movements/{transactionId}" } });
		expect((await pay("Invoice 1")).exit).toBe(0);
		bind({ "transaction.get": { path: "/v2/movements/{transactionId}" } });
		const { ran, paths, id } = await shown();
		expect([ran.exit, paths]).toEqual([0, ["/v3/movements/ID", "/v2/movements/ID"]]);
		expect(ran.stderr).toContain(
			"The transaction is shown as the service is described today: as it was described when intent 1 was sent, it cannot be read (",
		);
		expect((await journal.show("1"))?.record.id).toBe(id);
		// The control: had it been sent as described today, the record in minor units would be told as another one.
		expect((await pay("Invoice 2")).exit).toBe(0);
		const second = (await journal.show("2"))?.record.id as string;
		expect((await world.purser(["pay", "show", second])).stderr).toContain("is not what intent 2 sent: amount differs");
	});

	test("that is seen final is on record as that, for its binding and no other", async () => {
		bind(described);
		await confirm();
		expect((await pay("Invoice 1")).exit).toBe(0);
		const digest = (await journal.show("1"))?.record.binding?.digest as string;
		expect(await journal.paidThrough("transaction.interLedger", digest)).toEqual({ accepted: true, final: false });
		world.clock.advance(3_600_000);
		expect((await shown()).ran.json().status).toBe("APPROVED");
		expect(await journal.paidThrough("transaction.interLedger", digest)).toEqual({ accepted: true, final: true });
		bind({ ...described, "transaction.interLedger": { headers: { "x-channel": "8" } } });
		await confirm();
		expect((await pay("Invoice 2", "--wait")).exit).toBe(0);
		const other = (await journal.show("2"))?.record.binding?.digest as string;
		expect(other).not.toBe(digest);
		expect(await journal.paidThrough("transaction.interLedger", other)).toEqual({ accepted: true, final: true });
	});
});
