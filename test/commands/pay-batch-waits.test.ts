/**
 * A batch whose service is busy or away: it pauses for as long as the service says, and what was refused for the moment is sent again at
 * the end, where the service does not list it. The invariants of money are asserted at the end of each.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WireOutcome } from "../../src/ports/wire.js";
import { violations } from "../support/invariants.js";
import { answered, type Ran } from "../support/purser.js";
import { sandboxAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
/** What the service made, by reference. */
let made: Map<string, string[]>;
/** Each reference that reached the service, in order. */
let arrived: string[];
beforeEach(async () => {
	world = await batchWorld();
	[made, arrived] = [new Map(), []];
});
afterEach(() => world.end());

type Answer = (reference: string, times: number, pay: () => Promise<WireOutcome>) => WireOutcome | Promise<WireOutcome>;

/** Plans so many rows, "row 1" and so on, and answers them so; `times`: how often the row has arrived. */
async function planned(rows: number, answer: Answer = (_reference, _times, pay) => pay()): Promise<void> {
	world.file(Array.from({ length: rows }, (_, at) => [`${at + 1}.00`, `row ${at + 1}`] as const));
	expect((await world.plan()).exit).toBe(0);
	world.onTransfer(async (reference, pass) => {
		arrived.push(reference);
		return answer(reference, arrived.filter((one) => one === reference).length, async () => {
			const paid = await pass();
			if (paid.kind === "answer" && paid.status === 201)
				made.set(reference, [...(made.get(reference) ?? []), JSON.parse(new TextDecoder().decode(paid.body)).id]);
			return paid;
		});
	});
}

const send = (more = ""): Promise<Ran> => world.purser(`pay batch send pay.csv.plan.json --yes --utc --jobs 1 ${more}`);
const pauses = ({ stderr }: Ran): string[] => stderr.split("\n").filter((line) => line.startsWith("Paused"));
const oneLine = (text: string): string => text.replace(/\s+/g, " ");

/** The rows as the journal has them, each with its attempts, which hold every invariant. */
async function rowsHeld(ran: Ran, doubts = 0) {
	const intents = (await world.json("history list --limit 500")) as {
		state: string;
		id?: string;
		attempt: number;
		row: number;
		transfer: { amount: string; reference: string };
	}[];
	const rows = intents.sort((one, other) => one.row - other.row);
	expect(
		violations({
			rows: rows.map(({ state, id, transfer }) => ({ key: transfer.reference, amount: transfer.amount, state: state as never, id })),
			asked: rows.map(({ transfer }) => transfer.reference),
			total: `${(rows.length * (rows.length + 1)) / 2}.00`,
			created: made,
			...{ deaths: 0, inFlight: 1, otherDoubts: doubts, faults: [] },
		}),
	).toEqual([]);
	expect(await world.faults()).toEqual([]);
	expect(ran.exit).not.toBe(1);
	return rows.map(({ state, attempt }) => `${state} ${attempt}`).join(", ");
}

const busy = (after: string): WireOutcome => answered(429, "", { "retry-after": after });
/** Row 2 is refused for so long, so often. */
const busyFor =
	(seconds: string, often: number): Answer =>
	(reference, times, pay) =>
		reference === "row 2" && times <= often ? busy(seconds) : pay();

describe("a service that says how long it is busy", () => {
	test("is left alone for so long, told once with the end; the row is read for and sent again as a new attempt", async () => {
		await planned(4, busyFor("120", 1));
		const ran = await send();
		expect([ran.exit, arrived]).toEqual([0, ["row 1", "row 2", "row 3", "row 4", "row 2"]]);
		expect(pauses(ran)).toEqual(["Paused for 2 min, until 2026-03-01 10:02 UTC: the service answered 429 (too many requests)"]);
		expect(await rowsHeld(ran)).toBe("accepted 1, accepted 2, accepted 1, accepted 1");
	});

	test("503: the row stays in doubt and is not sent again; the others wait", async () => {
		const times: number[] = [];
		await planned(3, async (reference, _times, pay) => {
			times.push(world.clock.monotonic());
			return reference === "row 2" ? answered(503, "", { "retry-after": "60" }) : pay();
		});
		const ran = await send();
		expect([ran.exit, arrived]).toEqual([7, ["row 1", "row 2", "row 3"]]);
		expect(Math.round(((times[2] as number) - (times[1] as number)) / 1_000)).toBe(60);
		expect(pauses(ran)).toEqual(["Paused for 60 s, until 2026-03-01 10:01 UTC: the service answered 503 (unavailable)"]);
		expect(await rowsHeld(ran, 1)).toBe("accepted 1, in-doubt 1, accepted 1");
	});

	test("for more than five minutes: it stops, exit 8, with when to go on and how; what is left goes on later", async () => {
		await planned(3, busyFor("1800", 1));
		const ran = await send();
		expect([ran.exit, arrived]).toEqual([8, ["row 1", "row 2"]]);
		expect(ran.stdout).toContain("the service answered 429 (too many requests) and asks to wait until 2026-03-01 10:30 UTC");
		expect(oneLine(ran.stdout)).toContain("purser pay batch resume 1 from 2026-03-01 10:30 UTC");
		expect(await rowsHeld(ran)).toBe("accepted 1, refused 1, not-sent 1");
		await world.nextProcess();
		expect((await world.purser("pay batch resume 1 --yes")).exit).toBe(9);
		await world.nextProcess();
		for (const words of ["report 1", "plan batch-1/refused.csv", "send batch-1/refused.csv.plan.json --yes"])
			expect([words, (await world.purser(`pay batch ${words}`)).exit]).toEqual([words, 0]);
	});
});

describe("a pause", () => {
	/** Does something once it has begun. */
	async function paused(act: () => unknown): Promise<void> {
		await planned(40, (_reference, _times, pay) => (arrived.length === 6 ? busy("240") : pay()));
		const { sleep } = world.clock;
		world.clock.sleep = async (milliseconds) => {
			if (milliseconds > 200_000) await act();
			await sleep(milliseconds);
		};
	}

	test("leaves no row on its way: a crash in it would leave no doubt", async () => {
		const looks: number[] = [];
		await paused(async () => {
			// What was answered before it is on record by then; the clock of these tests stands still meanwhile.
			await new Promise((resolve) => setTimeout(resolve, 150));
			looks.push((await world.json("pay batch status 1")).counts.sending);
		});
		const ran = await world.purser("pay batch send pay.csv.plan.json --yes --jobs 8");
		expect([looks[0], ran.exit]).toEqual([0, 0]);
		await rowsHeld(ran);
	});

	test("ends with Ctrl-C: what was not sent goes on with resume", async () => {
		const stop = new AbortController();
		await paused(() => stop.abort("SIGINT"));
		const ran = await world.purser("pay batch send pay.csv.plan.json --yes --json", { signal: stop.signal });
		expect([ran.exit, ran.json().stopped.code, ran.json().counts.refused]).toEqual([130, "INTERRUPTED", 1]);
		expect(world.clock.now().toISOString() < "2026-03-01T10:05").toBe(true);
		await rowsHeld(ran);
	});
});

test("a service that cannot be reached is left soon", async () => {
	await planned(8, () => ({ kind: "not-sent", reason: "the connection was refused", cause: { code: "ECONNREFUSED" } }));
	const ran = await send("--json");
	expect([ran.exit, ran.json().stopped.code, pauses(ran), made.size]).toEqual([10, "UNREACHABLE", [], 0]);
	await rowsHeld(ran);
});

describe("rows that were refused for the moment", () => {
	test("where the service lists one, all of its ledger stay refused, and that is said", async () => {
		await planned(4, async (reference, times, pay) => {
			if (times > 1 || reference === "row 4") return pay();
			// The service made row 2 in spite of its answer.
			const sent = world.requests.findLast(({ method, body }) => method === "POST" && body.includes('"row 2"'));
			if (reference === "row 2") await sandboxAnswer(world, { ...sent, body: Buffer.from(sent?.body ?? "") } as never);
			return busy("3");
		});
		const ran = await send();
		expect([ran.exit, arrived.toSorted()]).toEqual([9, ["row 1", "row 2", "row 3", "row 4"]]);
		expect(oneLine(ran.stderr)).toContain(
			"Rows 2, 3, 4 stay refused and are not sent again: the service may have made some after all (intent 2 may be transaction",
		);
		expect((await world.json("pay batch status 1")).counts).toMatchObject({ accepted: 1, refused: 3 });
	});

	test("where the list cannot be read, all stay refused, and that is said", async () => {
		await planned(3, busyFor("3", 9));
		const pay = world.wire as NonNullable<BatchWorld["wire"]>;
		world.wire = async (request) => (/\/transactions\?/.test(request.url) ? answered(404, "{}") : pay(request));
		const ran = await send();
		expect([ran.exit, arrived]).toEqual([9, ["row 1", "row 2", "row 3"]]);
		expect(ran.stderr).toContain("Row 3 stays refused and is not sent again: whether the service made them could not be checked");
		expect(await rowsHeld(ran)).toBe("accepted 1, refused 1, accepted 1");
	});

	test("one that is always refused is sent again three times and no more", async () => {
		await planned(3, busyFor("3", 9));
		const ran = await send();
		expect([ran.exit, arrived.filter((one) => one === "row 2").length]).toEqual([9, 4]);
		expect(await rowsHeld(ran)).toBe("accepted 1, refused 4, accepted 1");
	});

	test("401 where the token could be renewed: the batch goes on, and the row is sent again", async () => {
		let revoked = "";
		await planned(4, async (reference, times, pay) => {
			if (reference !== "row 2" || times > 1) return pay();
			revoked = world.requests.at(-1)?.headers.authorization as string;
			return answered(401, "{}");
		});
		const ran = await send();
		expect([ran.exit, arrived]).toEqual([0, ["row 1", "row 2", "row 3", "row 4", "row 2"]]);
		const payments = world.changes().filter(({ url }) => url.includes("/transactions/"));
		expect(payments.map(({ headers }) => headers.authorization === revoked)).toEqual([true, true, false, false, false]);
		expect(await rowsHeld(ran)).toBe("accepted 1, accepted 2, accepted 1, accepted 1");
	});

	test("401 with the renewed token too: the batch stops, as before (control)", async () => {
		await planned(9, (reference, _times, pay) => (reference === "row 1" ? pay() : answered(401, "{}")));
		const ran = await send("--json");
		expect([ran.json().stopped.code, arrived]).toEqual(["NOT_ALLOWED", ["row 1", "row 2", "row 3"]]);
		await rowsHeld(ran);
	});
});

test("whoever says No, or Ctrl-C, at the question of resume is told what was done and what was not", async () => {
	await planned(3);
	expect((await send("--stop-after 1")).exit).toBe(9);
	await world.nextProcess();
	for (const [answer, exit] of [
		[false, 10],
		["^C", 130],
	] as const) {
		const ran = await world.purser("pay batch resume 1", { answers: [answer] });
		const told = "Stopped. Done: 1 row accepted. Not done: 2 rows Next: Run the same command to continue.";
		expect([ran.exit, oneLine(ran.stderr)]).toEqual([exit, expect.stringContaining(told)]);
		expect(ran.stderr).not.toMatch(/nothing was sent/i);
	}
	expect(arrived).toEqual(["row 1"]);
	const ran = await world.purser("pay batch resume 1", { answers: [true] });
	expect(ran.exit).toBe(0);
	await rowsHeld(ran);
});
