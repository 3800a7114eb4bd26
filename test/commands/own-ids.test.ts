/**
 * A deployment whose ids are no UUIDs: its form holds for what is typed, in files, in answers and for suggestions; two ids that follow one
 * another differ in capitals alone.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answered, lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { type OwnIds, ownForms, withOwnIds } from "./own-ids.js";

const uuid = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const form = /^id_[A-Za-z]{5}$/;

let world: BatchWorld;
let own: OwnIds;
let [from, to] = ["", ""];
beforeEach(async () => {
	world = await batchWorld({}, { mapping: { operations: {}, ids: ownForms } });
	own = withOwnIds(world);
	[from, to] = [own.of(world.from), own.of(world.to)];
	world.requests.length = 0;
});
afterEach(() => world.end());

const isCreation = ({ method, url }: { method: string; url: string }): boolean => method === "POST" && url.endsWith("/inter-ledger");
const pay = (more = "--json") => world.purser(`pay ledger --from ${from} --to ${to} --amount 1.50 --yes ${more}`);
/** Every payment of the sandbox, as it lists them. */
const made = async () => ((await world.json(`pay list --ledger-id ${from}`)) as { id: string }[]).map(({ id }) => id);
/** Replies to these creations (from 0) are lost after the sandbox has carried them out. */
function losing(lost: (nth: number) => boolean): void {
	let nth = 0;
	world.wire = async (request) => {
		const answer = await own.pass(request);
		return isCreation(request) && lost(nth++) ? lostAnswer : answer;
	};
}

describe("what is typed", () => {
	test("an id of the form is sent as it is, without reading a list, and the new payment is known by its own id", async () => {
		const paid = await pay();
		expect([paid.exit, paid.json().id]).toEqual([0, expect.stringMatching(form)]);
		expect(world.changes().map(({ body }) => JSON.parse(body).ledgerFromId)).toEqual([from]);
		expect(world.requests.some(({ line }) => /^GET \S+\/ledgers\?/.test(line))).toBe(false);
		expect((await pay("--reference again")).stderr).toMatch(/purser pay show id_[A-Za-z]{5} --wait/);
	});

	test("two ids that differ in capitals alone are two ledgers, also where one is cut", async () => {
		expect(from.toLowerCase()).toBe(to.toLowerCase());
		expect((await world.purser(`ledger show ${from.slice(0, 7)}`)).exit).toBe(3);
		to = from;
		expect((await pay()).exit).toBe(3);
	});

	test.each(["id_bcde", '"id_bcdef "', uuid])(
		"%s is no id of this deployment; where there is no list, the error says what is",
		async (typed) => {
			const ran = await world.purser(`ledger show ${typed} --json`);
			expect([ran.exit, ran.error().message]).toEqual([3, expect.stringContaining("No ledger fits")]);
			world.wire = async () => answered(404);
			const message = "must be the id of a ledger, like id_[A-Za-z]{5}";
			expect((await world.purser(`ledger show ${typed} --json`)).error().details).toEqual([{ field: "ledgerId", message }]);
		},
	);

	test("a name is still a name, and what to do next names it by its id", async () => {
		const shown = await world.json('ledger show "Main account"');
		expect([shown.id, shown.resolved[0].id]).toEqual([from, from]);
		const [company] = await world.json("corporate list");
		expect((await world.purser(`corporate show ${company.id}`)).stderr).not.toContain("CORPORATE");
	});
});

test.each([
	["a UUID", uuid, 7],
	["one character too many", "id_bcdefg", 7],
	["zeros", "0000", 7],
	["nothing", null, 7],
	["a ledger of the request", "FROM", 7],
	["an id of the form", "id_zZzZz", 0],
])("a payment answered with %s: exit %i", async (_, id, exit) => {
	world.wire = async (request) =>
		isCreation(request) ? answered(201, JSON.stringify({ id: id === "FROM" ? from : id })) : own.pass(request);
	expect((await pay()).exit).toBe(exit);
});

describe("a batch", () => {
	const sent = async () => {
		const lines = Array.from({ length: 12 }, (_, nth) => `${from},${to},1.${10 + nth},Salary ${nth}`);
		world.put("pay.csv", ["ledgerFromId,ledgerToId,amount,reference", ...lines].join("\n"));
		await world.plan();
		return (await world.send()).exit;
	};
	const journalIds = async () => ((await world.json("history list")) as { id: string }[]).map(({ id }) => id).sort();

	test("is planned, sent and reported with the service's ids as they are", async () => {
		expect(await sent()).toBe(0);
		const ids = await made();
		expect([new Set(ids).size, await journalIds()]).toEqual([12, ids.sort()]);
		// The control: in small letters some of them would be the same.
		expect(new Set(ids.map((id) => id.toLowerCase())).size).toBeLessThan(12);
		expect(await world.faults()).toEqual([]);
	});

	test("lost replies are settled by the list, and nothing is sent twice", async () => {
		losing((nth) => nth % 3 === 0);
		expect(await sent()).toBe(7);
		world.wire = own.pass;
		expect(await world.json("pay settle --batch 1")).toMatchObject(Array(4).fill({ state: "accepted", id: expect.stringMatching(form) }));
		expect((await world.purser("pay batch resume 1 --yes --json")).exit).toBe(0);
		const ids = await made();
		expect([ids.length, await journalIds()]).toEqual([12, ids.sort()]);
	});
});

test("a doubt is settled by a transaction's id, of which each letter counts", async () => {
	losing(() => true);
	expect((await pay()).exit).toBe(7);
	world.wire = own.pass;
	const [id = ""] = await made();
	const swapped = [...id].map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())).join("");
	expect((await world.purser(`pay settle 1 --transaction id_${swapped.slice(3)}`)).exit).not.toBe(0);
	expect(await world.json(`pay settle 1 --transaction ${id}`)).toMatchObject([{ state: "accepted", id }]);
	expect(await world.json(`pay show ${id}`)).toMatchObject({ id });
});
