/**
 * The control of a day: each of its lists, its exit code, the same columns whatever was found, commands that run, and a journal that is as it
 * was. Which line is which payment is tested in `payments/matching/`.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { WireOutcome } from "../../src/ports/wire.js";
import type { Ran } from "../support/purser.js";
import { answered, lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { notCreated } from "./payment-world.js";

type Line = Record<string, unknown> & { id: string; information: { reference?: string } };
/** What becomes of a payment: its answer is lost, it never arrives, it is refused, or it is made and refused all the same. */
type Fate = "lost" | "dropped" | "refused" | "refused but made";

const third = "aaaaaaaa-0003-4000-8000-000000000003";
const columns =
	"list,ledgerId,intent,batch,row,state,sentAt,sentAmount,sentCurrency,sentReference,counterpartyId,transactionId,status,listedAt,listedAmount,listedCurrency,listedReference,receiver,differs";
const none = { matched: 0, different: 0, notListed: 0, notYetListed: 0, notOurs: 0, inDoubt: 0, notMadeButListed: 0 };

let world: BatchWorld;
/** By reference; answered otherwise. */
let fates: Record<string, Fate>;
/** What the list of a ledger shows in place of its payments, or the whole answer. */
let list: (lines: Line[], ledger: string) => Line[] | { content: Line[]; totalElements: number } | WireOutcome;

beforeEach(async () => {
	world = await batchWorld();
	[fates, list] = [{}, (lines) => lines];
	world.onTransfer(async (reference, pass) => {
		const fate = fates[reference];
		if (fate === "dropped") return lostAnswer;
		if (fate === "refused") return answered(400, '{"message":"refused"}');
		const answer = await pass();
		return fate === "lost" ? lostAnswer : fate === "refused but made" ? answered(400, '{"message":"refused"}') : answer;
	});
	const { wire } = world;
	world.wire = async (request) => {
		const outcome = await (wire as NonNullable<typeof wire>)(request);
		const url = new URL(request.url);
		if (outcome.kind !== "answer" || !url.pathname.endsWith("/transactions")) return outcome;
		const { content } = JSON.parse(new TextDecoder().decode(outcome.body)) as { content: Line[] };
		const shown = list(content, url.searchParams.get("ledgerId") as string);
		if ("kind" in shown) return shown;
		const page = Array.isArray(shown) ? { content: shown, totalElements: shown.length } : shown;
		const isFirst = (url.searchParams.get("page") ?? "0") === "0";
		return answered(200, JSON.stringify(isFirst ? page : { ...page, content: [] }), { date: world.clock.now().toUTCString() });
	};
});
afterEach(() => world.end());

const run = (line: string): Promise<Ran> => world.purser(`${line} --json`);
/** A line of somebody else's from the main ledger to a third one. */
const foreign = (more: object = {}): Line =>
	({
		...{ id: "eeeeeeee-0000-4000-8000-000000000001", type: "TRANSFER", status: "APPROVED", amount: 3, currency: "EUR" },
		...{ creationDate: world.clock.now().toISOString(), information: { reference: "Theirs" } },
		...{ sender: { ledgerId: world.from }, receiver: { ledgerId: third } },
		...more,
	}) as Line;
type List = typeof list;
const beside =
	(...more: (() => Line)[]): List =>
	(lines) => [...lines, ...more.map((one) => one())];
const without =
	(reference: string): List =>
	(lines) =>
		lines.filter((line) => line.information.reference !== reference);
const reference = (line: Line, text: string): Line => ({ ...line, information: { reference: text } });
const head = async (): Promise<string> => (await world.json("history verify")).head?.hash;

interface Case {
	/** The references of the payments. */
	pays?: readonly string[];
	fates?: Record<string, Fate>;
	list?: List;
	/** What else happens before. */
	act?: () => unknown;
	code: number;
	counts: Partial<typeof none>;
	ledgers?: () => object[];
}

const [one, both] = [["Inv 1"], ["Inv 1", "Inv 2"]];
const other = (number: number, more: object) => () => foreign({ id: `eeeeeeee-0000-4000-8000-00000000000${number}`, ...more });
const cases: Record<string, Case> = {
	"nothing was sent": { code: 0, counts: {}, ledgers: () => [] },
	"all matched": { pays: both, code: 0, counts: { matched: 2 } },
	"credits, fees and reversals are counted apart": {
		pays: one,
		list: (lines, ledger) =>
			beside(
				other(2, { sender: { ledgerId: third }, receiver: { ledgerId: world.from } }),
				other(3, { type: "TRANSFER_FEE", amount: 0.1 }),
				other(4, { type: "FEE", amount: 0.2 }),
				other(5, { type: "REVERSAL", amount: 5 }),
			)(lines, ledger),
		...{ code: 0, counts: { matched: 1 }, ledgers: () => [{ ledgerId: world.from, credits: 1, fees: 2, reversals: 1 }] },
	},
	"different: the reference of the line that has the id": {
		...{ pays: one, list: (lines) => lines.map((line) => reference(line, "Other")), code: 9, counts: { different: 1 } },
	},
	"not yet listed": { pays: both, list: without("Inv 2"), code: 8, counts: { matched: 1, notYetListed: 1 } },
	"not listed, a day later": {
		...{ pays: both, list: without("Inv 2"), act: () => world.clock.advance(26 * 3_600_000) },
		...{ code: 9, counts: { matched: 1, notListed: 1 } },
	},
	"listed and not ours": { pays: one, list: beside(() => foreign()), code: 9, counts: { matched: 1, notOurs: 1 } },
	"in doubt": { pays: both, fates: { "Inv 2": "lost" }, code: 7, counts: { matched: 1, inDoubt: 1 } },
	"refused, but listed": { pays: both, fates: { "Inv 2": "refused but made" }, code: 9, counts: { matched: 1, notMadeButListed: 1 } },
	"not created, but listed": {
		...{ pays: one, fates: { "Inv 1": "dropped" }, code: 9, counts: { notMadeButListed: 1 } },
		act: async () => {
			expect((await notCreated(world, "1")).exit).toBe(0);
			list = beside(() => reference(foreign({ amount: 10.1, receiver: { ledgerId: world.to } }), "Inv 1"));
		},
	},
	"two ledgers, one of which cannot be read": {
		pays: one,
		act: () => world.purser(`pay ledger --from ${world.to} --to ${world.from} --amount 1 --yes`),
		list: (lines, ledger) => (ledger === world.to ? answered(500, "{}") : lines),
		...{ code: 9, counts: { matched: 1 } },
		ledgers: () => [{ ledgerId: world.to, unread: expect.stringContaining("500") }, { ledgerId: world.from }],
	},
	"a list that announces more than it shows": {
		...{ pays: one, list: (content) => ({ content, totalElements: 9 }), code: 9, counts: { matched: 1 } },
		ledgers: () => [{ ledgerId: world.from, lacks: "the list announces 9 transactions and shows 1" }],
	},
};

test.each(Object.entries(cases))("%s", async (_, { pays = [], act, code, counts, ledgers, ...service }) => {
	[fates, list] = [service.fates ?? {}, service.list ?? list];
	for (const reference of pays) await world.pay("10.10", reference);
	await act?.();
	const before = await head();
	const said = await run("pay reconcile --since 3d");
	const csv = await world.purser("pay reconcile --since 3d --output csv");
	const { found } = said.json();
	const rows = csv.stdout.trim().split(/\r?\n/);
	expect([csv.exit, rows[0], rows.length], csv.stderr).toEqual([said.exit, columns, found.length + 1]);
	expect(await head()).toBe(before);
	expect([said.exit, said.json().counts], said.stdout).toEqual([code, { ...none, ...counts }]);
	expect(found).toHaveLength(Object.values(counts).reduce((sum, count) => sum + count, 0));
	if (ledgers !== undefined) expect(said.json().ledgers).toMatchObject(ledgers());
	// Every command that it names can be typed: it is neither unknown nor wrongly put.
	for (const next of new Set<string>(found.flatMap(({ next }: { next?: string }) => next ?? []))) {
		const named = await run(next.replace(/^purser /, "").replace("TEXT", "because"));
		expect([0, 5, 7, 8], `${next}\n${named.stderr}`).toContain(named.exit);
	}
});

test.each(["--since 2026-02-30", "--since 2026-02-03 --until 2026-02-01"])("a day that is none is refused: %s", async (words) => {
	expect((await run(`pay reconcile ${words}`)).exit).toBe(3);
});
