/**
 * A machine joins a team's journal: everything that it had on record is there, its own journal pays no more, and what is interrupted goes on.
 */
import { afterEach, expect, test } from "vitest";
import { joinTeam, leaveTeam, teamStatus } from "../../src/journal/teams.js";
import type { Journal } from "../../src/ports/journal.js";
import type { TeamAddress } from "../../src/ports/team.js";
import { noPostgres, postgres } from "../support/postgres.js";
import { anchorOfAnother } from "./anchors.js";
import { none, planned, sent } from "./batch.js";
import {
	change,
	codeOf,
	doubtful,
	machineOf,
	newFolder,
	newMembership,
	newUuid,
	open,
	openRows,
	payment,
	removeFolders,
	teamOptions,
	testClock,
} from "./journals.js";

const pg = test.skipIf(noPostgres !== undefined);
const id = (last: number): string => `0000000a-0000-4000-8000-${String(last).padStart(12, "0")}`;

afterEach(removeFolders);

/** Machines, each with a journal of its own, and an empty journal of a team. */
async function machines() {
	const [clock, address] = [testClock(), await (await postgres()).journal()];
	const machine = (name: string, environment: "sandbox" | "live" = "sandbox") => {
		const { folder, place, options, open: team } = machineOf(name, address, clock, environment);
		const local = { ...options, driver: undefined };
		const both = async (to = address) => ({ ...(await teamOptions(folder, { ...options, address: to })), machine: name });
		return {
			...{ place, team },
			own: () => open(folder, local),
			batches: () => openRows(folder, local),
			join: async ({ to, ...more }: { operator?: string; to?: TeamAddress; progress?: (count: number) => void } = {}) =>
				joinTeam(await both(to), { progress: () => {}, ...more }),
			leave: async () => leaveTeam(await both()),
			status: async () => teamStatus(await both()),
		};
	};
	return { machine, address };
}

/** A payment that was made. */
const paid = async (journal: Journal, reference: string, created = newUuid()) =>
	journal.end(await journal.begin(payment({ reference })), { state: "accepted", id: created, status: 201 });

/** One change of each kind and state: 1 to 10. */
async function busy(one: { own(): Promise<Journal>; batches: () => ReturnType<typeof openRows> }): Promise<void> {
	const journal = await one.own();
	await doubtful(journal, { reference: "doubt" });
	const ended = async (reference: string, outcome: Parameters<Journal["end"]>[1]) => {
		const intent = await journal.begin(payment({ reference }));
		await journal.end(intent, outcome);
		return intent;
	};
	await ended("accepted", { state: "accepted", id: id(2), status: 201 });
	await ended("refused", { state: "refused", status: 422, apiCode: "NO_FUNDS" });
	const settled = await doubtful(journal, { reference: "settled" });
	await journal.settle(settled, { state: "not-created", evidence: { source: "person", reason: "asked the bank" } }, 1);
	const opened = await ended("opened", { state: "accepted", id: id(5), status: 201 });
	await journal.reopen(opened, "another's", 1);
	const created = await journal.begin(change({ creates: true, externalId: "case-1" }));
	await journal.end(created, { state: "accepted", id: id(6), status: 201 });
	await journal.close();
	const batches = await one.batches();
	const batch = await planned(batches, [1, 2]);
	await sent(batches, batch, [
		{ state: "accepted", id: id(7), status: 201 },
		{ state: "in-doubt", reason: "timeout" },
	]);
	await planned(batches, [3, 4]);
	await batches.close();
}

const seen = async (journal: Journal) =>
	(await journal.list({})).reverse().map(({ carried, state, transfer, id: created, attempt, formerIds, machine, batch }) => ({
		...{ carried, state, what: transfer?.reference ?? "creation", created, attempt, formerIds, machine, batch },
	}));

pg("all of it is carried over with its states, ids, doubts and sums, and nothing twice", async () => {
	const { machine } = await machines();
	const laptop = machine("laptop");
	await busy(laptop);
	expect(await laptop.join({ operator: "ada" })).toEqual({ machine: "laptop", carried: 8 });
	// Once more, as after a crash before the profile had it.
	expect(await laptop.join({ operator: "ada" })).toEqual({ machine: "laptop", carried: 8 });
	const team = await laptop.team();
	const common = { attempt: 1, machine: "laptop", batch: undefined, formerIds: undefined, created: undefined };
	expect(await seen(team)).toEqual([
		{ ...common, carried: "laptop:1", state: "in-doubt", what: "doubt" },
		{ ...common, carried: "laptop:2", state: "accepted", what: "accepted", created: id(2) },
		{ ...common, carried: "laptop:3", state: "refused", what: "refused" },
		{ ...common, carried: "laptop:4", state: "not-created", what: "settled" },
		{ ...common, carried: "laptop:5", state: "in-doubt", what: "opened", formerIds: [id(5)] },
		{ ...common, carried: "laptop:6", state: "accepted", what: "creation", created: id(6) },
		{ ...common, carried: "laptop:7", state: "accepted", what: "Row 1", created: id(7) },
		{ ...common, carried: "laptop:8", state: "in-doubt", what: "Row 2" },
	]);
	expect((await team.show("laptop:7"))?.record).toMatchObject({ intent: "7", id: id(7), status: 201 });
	expect((await team.verify()).faults).toEqual([]);
	// What was paid on the laptop is known to everybody, and what is in doubt is settled there.
	expect(await codeOf(team.begin(payment({ reference: "accepted" })))).toBe("DUPLICATE");
	expect(await codeOf(team.begin(payment({ reference: "doubt" })))).toBe("OPEN_DOUBT");
	await team.settle("1", { state: "accepted", id: id(1), evidence: { source: "service", reason: "listed" } }, 1);
	// A payment that was proven not created is another attempt of the one that was carried over.
	expect(await team.begin(payment({ reference: "settled" }), { expected: { intent: "4", attempt: 1 } })).toBe("4");
	await team.end("4", { state: "accepted", id: id(4), status: 201 });
	expect((await team.show("laptop:4"))?.record).toMatchObject({ state: "accepted", attempt: 2, id: id(4) });
	expect((await team.verify()).faults).toEqual([]);
});

pg("whoever may not carry over what the machine has on record is told before anything is closed, and pays as before", async () => {
	const { machine, address } = await machines();
	const server = await postgres();
	const laptop = machine("laptop");
	const own = await laptop.own();
	await paid(own, "before", id(1));
	await own.close();
	const empty = { ...address, user: await server.member(address.schema, ["approver"], "only_approver") };
	expect(await codeOf(machine("another").join({ to: empty }))).toBe("JOURNAL_NOT_BEGUN");
	await machine("first").join();
	for (const roles of [["approver"], ["planner"]] as const) {
		const user = await server.member(address.schema, roles, `only_${roles[0]}`);
		expect(await codeOf(laptop.join({ to: { ...address, user } }))).toBe("ROLE_MISSING");
		const still = await laptop.own();
		expect(await codeOf(still.begin(payment({ reference: roles[0] })))).toBe("done");
		await still.close();
	}
	// Who has nothing on record joins, by a name that is nobody else's.
	const joined = await machine("first").join({ to: empty });
	expect(joined).toEqual({ machine: expect.stringMatching(/^first-[0-9a-f]{4}$/), carried: 0 });
});

pg("two machines with other caps are each compared with their own: nobody is told of a change that nobody made", async () => {
	const address = await newMembership();
	const told: unknown[] = [];
	for (const [at, name, cap] of [
		[1, "laptop", "100 EUR"],
		[2, "desk", "200 EUR"],
		[3, "laptop", "100 EUR"],
		[4, "desk", "200 EUR"],
		[5, "laptop", "300 EUR"],
	] as const) {
		const journal = await open(newFolder(), { driver: "postgres", address, machine: name, settings: { "cap-per-day": cap } });
		await journal.begin(payment({ reference: `of ${at}`, amount: "1" }), { warn: () => told.push(at) });
		expect((await journal.verify()).faults).toEqual([]);
		await journal.close();
	}
	expect(told).toEqual([5]);
});

pg("its own journal pays no more until it has left, and of one name there is one machine", async () => {
	const { machine } = await machines();
	const [laptop, other] = [machine("laptop"), machine("laptop")];
	await doubtful(await laptop.own(), { reference: "doubt" });
	await laptop.join();
	const own = await laptop.own();
	expect(await codeOf(own.begin(payment({ reference: "new" })))).toBe("JOURNAL_IN_TEAM");
	const rows = await laptop.batches();
	const batch = await planned(rows, [1]);
	expect(await codeOf(rows.begin(batch, ["planned"], none))).toBe("JOURNAL_IN_TEAM");
	expect(await other.join()).toEqual({ machine: "laptop-2", carried: 0 });
	expect(await codeOf(laptop.join({ to: await (await postgres()).journal() }))).toBe("TEAM_OTHER");
	expect(await codeOf(laptop.leave())).toBe("TEAM_LEAVE_DOUBTS");
	const team = await laptop.team();
	await team.settle("1", { state: "not-created", evidence: { source: "person", reason: "asked the bank" } }, 1);
	await laptop.leave();
	expect(await codeOf(own.begin(payment({ reference: "new" })))).toBe("done");
	expect((await other.status()).members).toMatchObject([{ machine: "laptop", left: "2026-03-01T10:00:00.000Z" }, { machine: "laptop-2" }]);
});

pg("what is under way keeps a machine from joining, and nothing is changed", async () => {
	const { machine } = await machines();
	const laptop = machine("laptop");
	const rows = await laptop.batches();
	const batch = await planned(rows, [1, 2]);
	await sent(rows, batch, [{ state: "accepted", id: id(1), status: 201 }]);
	expect(await codeOf(laptop.join())).toBe("TEAM_BATCH_UNDER_WAY");
	await rows.abandon(batch, { reason: "enough" });
	const own = await laptop.own();
	const intent = await own.begin(payment({ reference: "sending" }));
	expect(await codeOf(laptop.join())).toBe("TEAM_PAYMENT_UNDER_WAY");
	await own.end(intent, { state: "accepted", id: id(2), status: 201 });
	expect(await codeOf(own.begin(payment({ reference: "still pays" })))).toBe("done");
});

pg("stopped at any page, nothing pays by the own journal, its name is nobody else's, and joining goes on where it stopped", async () => {
	const { machine } = await machines();
	const laptop = machine("laptop");
	const own = await laptop.own();
	for (let at = 0; at < 230; at++) await own.end(await own.begin(payment({ reference: `No ${at}` })), { state: "refused", status: 422 });
	await own.close();
	const other = machine("laptop");
	await doubtful(await other.own(), { reference: "of the other" });
	for (const last of [100, 200, 230]) {
		const progress = (count: number): void => {
			if (count === last) throw new Error("killed");
		};
		expect(await codeOf(laptop.join({ progress }))).toMatch(/killed|JOURNAL_FAILED/);
		expect(await codeOf((await laptop.own()).begin(payment({ reference: "meanwhile" })))).toBe("JOURNAL_IN_TEAM");
		expect(await other.join()).toEqual({ machine: "laptop-2", carried: 1 });
	}
	expect(await laptop.join()).toEqual({ machine: "laptop", carried: 230 });
	const team = await laptop.team();
	const names = (await seen(team)).map(({ carried }) => carried);
	expect(new Set(names)).toEqual(new Set([...Array.from({ length: 230 }, (_, at) => `laptop:${at + 1}`), "laptop-2:1"]));
	expect([names.length, await codeOf(team.begin(payment({ reference: "of the other" })))]).toEqual([231, "OPEN_DOUBT"]);
	expect((await team.verify()).faults).toEqual([]);
});

pg("what a machine sent again after it had left is known when it joins again", async () => {
	const { machine } = await machines();
	const laptop = machine("laptop");
	const own = await laptop.own();
	const one = await doubtful(own, { reference: "again" });
	await own.settle(one, { state: "not-created", evidence: { source: "person", reason: "asked the bank" } }, 1);
	await laptop.join();
	await laptop.leave();
	expect(await own.begin(payment({ reference: "again" }), { expected: { intent: one, attempt: 1 } })).toBe(one);
	await own.end(one, { state: "accepted", id: id(1), status: 201 });
	await own.close();
	await laptop.join();
	const team = await laptop.team();
	expect(await codeOf(team.begin(payment({ reference: "again" })))).toBe("DUPLICATE");
	expect(await codeOf(team.begin(payment({ reference: "again" }), { expected: { intent: "1", attempt: 1 } }))).toBe("DUPLICATE");
	expect((await team.verify()).faults).toEqual([]);
});

pg("on a live profile the team's journal is the one that pays, and the own one after leaving only once it was adopted", async () => {
	const { machine } = await machines();
	const laptop = machine("laptop", "live");
	const own = await laptop.own();
	await own.guard(true);
	await own.adopt("first");
	await paid(own, "own", id(1));
	await own.close();
	laptop.place.beside = [{ ...anchorOfAnother(), services: ["https://api.example.org"] }];
	await laptop.join();
	const team = await laptop.team();
	await paid(team, "team", id(2));
	await team.close();
	await laptop.leave();
	expect(await codeOf((await laptop.own()).begin(payment({ reference: "team" })))).toBe("JOURNAL_NOT_THE_ONE");
});
