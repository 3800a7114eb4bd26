/**
 * Batches, doubts and the journal of a deployment whose ids are no UUIDs; two that follow one another differ in capitals alone.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { type OwnIds, ownForms, withOwnIds } from "./own-ids.js";

const form = /^id_[A-Za-z]{5}$/;

let world: BatchWorld;
let own: OwnIds;
let [from, to]: string[] = [];

beforeEach(async () => {
	world = await batchWorld({}, { mapping: { operations: {}, ids: ownForms } });
	own = withOwnIds(world);
	[from, to] = [own.of(world.from), own.of(world.to)];
	world.requests.length = 0;
});
afterEach(() => world.end());

const isCreation = ({ method, url }: { method: string; url: string }): boolean => method === "POST" && url.endsWith("/inter-ledger");

/** Replies to these creations (from 0) are lost after the sandbox has carried them out. */
function losing(lost: (nth: number) => boolean): void {
	let nth = 0;
	world.wire = async (request) => {
		const answer = await own.pass(request);
		return isCreation(request) && lost(nth++) ? { kind: "sent", reason: "the connection was closed before an answer came" } : answer;
	};
}

function file(rows: readonly (readonly [amount: string, reference: string])[], ids = `${from},${to}`): void {
	const lines = rows.map(([amount, reference]) => `${ids},${amount},${reference}`);
	world.put("pay.csv", ["ledgerFromId,ledgerToId,amount,reference", ...lines].join("\n"));
}

const rows = (count: number): [string, string][] => Array.from({ length: count }, (_, nth) => [`1.${10 + nth}`, `Salary ${nth}`]);

async function sent(): Promise<{ exit: number }> {
	const planned = await world.plan();
	expect(planned.stderr + planned.exit).toBe("0");
	return world.send();
}

/** Every payment of the sandbox, as it lists them. */
const made = async (): Promise<{ id: string; amount: number }[]> => (await world.json(`pay list --ledger-id ${from}`)) as never;

const journalIds = async (): Promise<string[]> => ((await world.json("history list")) as { id: string }[]).map(({ id }) => id);

describe("a batch", () => {
	test("is planned, sent and reported with the service's ids as they are", async () => {
		file(rows(12));
		expect((await sent()).exit).toBe(0);
		const ids = (await made()).map(({ id }) => id);
		expect(new Set(ids).size).toBe(12);
		// The control: in small letters some of them would be the same.
		expect(new Set(ids.map((id) => id.toLowerCase())).size).toBeLessThan(12);
		expect((await journalIds()).sort()).toEqual(ids.sort());
		expect(await world.json("history verify")).toMatchObject({ faults: [] });
	});

	test("lost replies are settled by the list, and nothing is sent twice", async () => {
		losing((nth) => nth % 3 === 0);
		file(rows(12));
		expect((await sent()).exit).toBe(7);
		world.wire = own.pass;
		const settled = (await world.json("pay settle --batch 1")) as { state: string; id: string }[];
		expect(settled.map(({ state }) => state)).toEqual(Array(4).fill("accepted"));
		expect(settled.every(({ id }) => form.test(id))).toBe(true);
		expect((await world.purser("pay batch resume 1 --yes --json")).exit).toBe(0);
		const ids = (await made()).map(({ id }) => id);
		expect(ids).toHaveLength(12);
		expect((await journalIds()).sort()).toEqual(ids.sort());
	});
});

describe("a doubt", () => {
	const pay = (amount = "2.50") => world.purser(`pay ledger --from ${from} --to ${to} --amount ${amount} --yes --json`);

	test("is settled by a transaction's id, of which each letter counts", async () => {
		losing(() => true);
		expect((await pay()).exit).toBe(7);
		world.wire = own.pass;
		const id = (await made())[0]?.id as string;
		expect(id).toMatch(form);
		const swapped = [...id].map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())).join("");
		const wrong = await world.purser(`pay settle 1 --transaction id_${swapped.slice(3)} --json`);
		expect(wrong.exit).not.toBe(0);
		const settled = await world.purser(`pay settle 1 --transaction ${id} --json`);
		expect(settled.json()).toMatchObject([{ state: "accepted", id }]);
		expect(await world.json(`pay show ${id}`)).toMatchObject({ id });
	});
});
