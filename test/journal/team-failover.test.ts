/**
 * A team's database fails over to its standby while eight senders of two batches and single payments beside them are at work. One that confirmed
 * each commit has all; one that was behind is refused until the machines' logs have filled it. Nothing is sent twice, nothing is lost.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { MachineLog } from "../../src/journal/postgres/log.js";
import type { RowOutcome } from "../../src/ports/batches.js";
import type { JournalOutcome } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import type { TeamAddress } from "../../src/ports/team.js";
import { Random } from "../payments/simulation/random.js";
import { noPostgres } from "../support/postgres.js";
import { seedOfRun } from "../support/seed.js";
import { failure, none, planned } from "./batch.js";
import { codeOf, machineOf, newUuid, payment, removeFolders, testClock } from "./journals.js";
import { type Kind, type Pair, startPair } from "./standby.js";

const failovers = Number(process.env.PURSER_TEST_FAILOVERS ?? 2);
const [rows, atOnce, machinesOfTeam] = [70, 4, ["laptop", "desk", "office", "tablet"]];
/** Payments that arrive before the standby is cut off at most, and after it: more than can be on their way. */
const [before, behind] = [50, 40];

afterEach(removeFolders);

async function machineAt(name: string, address: TeamAddress) {
	const own = machineOf(name, address, testClock());
	await own.adopt("first day");
	const journal = await own.open();
	const log = new MachineLog(own.folder, own.options.profile, await journal.installation(), own.options.clock.now);
	await journal.close();
	return { ...own, log, seen: 0 };
}
type Machine = Awaited<ReturnType<typeof machineAt>>;

class Team {
	/** How often what was sent has arrived, with the id that it got last. */
	readonly service = new Map<string, { times: number; id: string }>();
	/** Steps that ended without a word from the database: at most so many payments may be in doubt. */
	onItsWay = 0;
	arrived = 0;
	/** So many of them somebody has tried to pay once more. */
	paidAgain = 0;
	isDown = false;
	isOver = false;
	#payments = 0;
	#rows = 0;

	constructor(
		readonly pair: Pair,
		readonly random: Random,
		readonly machines: readonly Machine[],
	) {}

	async send(key: string): Promise<JournalOutcome> {
		const id = newUuid();
		this.service.set(key, { times: (this.service.get(key)?.times ?? 0) + 1, id });
		this.arrived += 1;
		await setTimeout(this.random.below(5));
		// As by a machine that loses its power with the database: nobody writes down what was answered.
		if (this.isDown && this.random.often(0.3)) throw "power";
		return { state: "accepted", id, status: 201 };
	}

	newRows(): number[] {
		this.#rows += rows;
		return Array.from({ length: rows }, (_, at) => this.#rows + at);
	}

	/** Works until the database or the power is gone. @param most payments that may be on their way then */
	async #step(most: number, work: () => Promise<unknown>): Promise<void> {
		try {
			await work();
		} catch (error) {
			this.onItsWay += most;
			if (error !== "power" && (error as { exit?: number }).exit !== 6) throw error;
		}
	}

	async sendBatch(machine: Machine, batch: string): Promise<void> {
		await this.#step(atOnce, async () => {
			const batches = await machine.rows();
			// One whose beginning was lost with the database is cancelled by the recovery.
			if ((await batches.show(batch))?.state === "abandoned") return batches.close();
			await batches.begin(batch, ["planned"], none);
			for (let ended: RowOutcome[] = []; ; ) {
				const taken = await batches.advance(batch, ended, atOnce);
				if (taken.length === 0) break;
				ended = await Promise.all(
					taken.map(async ({ number, transfer }) => ({ number, outcome: await this.send(String(transfer.reference)) })),
				);
			}
			await batches.release(batch);
			await batches.close();
		});
	}

	async pay(machine: Machine): Promise<void> {
		await this.#step(1, async () => {
			const journal = await machine.open();
			while (!this.isOver) {
				const reference = `Invoice ${++this.#payments}`;
				const intent = await journal.begin(payment({ reference }));
				await journal.end(intent, await this.send(reference));
			}
			await journal.close();
		});
	}

	/** Everybody works on two batches, and on payments beside them. */
	async work(batches: readonly string[]): Promise<void> {
		this.isOver = this.isDown = false;
		const paying = Promise.all(this.machines.map((machine) => this.pay(machine)));
		await Promise.all(this.machines.flatMap((machine) => batches.map((batch) => this.sendBatch(machine, batch))));
		this.isOver = true;
		await paying;
	}

	/** @returns whether the database lacks what a machine has written down, or what its anchor has */
	async lacks({ log, place, seen }: Machine, { schema }: TeamAddress): Promise<boolean> {
		const events = await this.pair.server().sql(`SELECT seq, hash FROM ${schema}.event`);
		const there = new Map(events.map(({ seq, hash }) => [Number(seq), hash]));
		const marks = [...log.lines()].slice(seen).filter(({ is }) => is === "mark");
		return [...marks, place.kept as { seq: number; hash: string }].some(({ seq, hash }) => there.get(seq) !== hash);
	}
}

/** What is wrong with what was sent. */
async function wrongIn(team: Team, journal: Journal, schema: string) {
	// Whoever does not know what was paid pays it now.
	for (const [reference] of [...team.service].slice(team.paidAgain).filter(([key]) => key.startsWith("Invoice")))
		if ((await codeOf(journal.begin(payment({ reference })))) === "done") await team.send(reference);
	team.paidAgain = team.service.size;
	const twice = [...team.service].filter(([, { times }]) => times > 1).map(([key]) => key);
	const records = (await journal.list({})).filter(({ state }) => state !== "abandoned");
	// By its reference: a row of a batch whose beginning was lost too, and that was cancelled for it, is a payment of its own then.
	const known = new Map(records.map(({ transfer, ...rest }) => [String(transfer?.reference), rest]));
	const lost = [...team.service].filter(([key, { id }]) => {
		const record = known.get(key);
		return record?.state !== "in-doubt" && !(record?.state === "accepted" && record.id === id);
	});
	const invented = [...known].filter(([key, { state }]) => state === "accepted" && !team.service.has(key));
	const doubts = records.filter(({ state }) => state === "in-doubt").length;
	const others = records
		.filter(({ state }) => state !== "in-doubt" && state !== "accepted")
		.map(({ intent, state }) => `${intent} ${state}`);
	const left = [...others, ...(await team.pair.server().sql(`SELECT number FROM ${schema}.intent WHERE state = 'planned'`))];
	const double = records.length - known.size;
	return { twice, lost, invented, double, faults: (await journal.verify()).faults, left, isTooMany: doubts > team.onItsWay };
}

const nothing = { twice: [], lost: [], invented: [], double: 0, faults: [], left: [], isTooMany: false };

async function teamOn(pair: Pair, random: Random, schema: string) {
	await pair.server().journal(schema);
	const address: TeamAddress = { ...pair.address, schema };
	const machines: Machine[] = [];
	for (const name of machinesOfTeam) machines.push(await machineAt(name, address));
	return { team: new Team(pair, random, machines), address };
}

/** Everybody works until the standby has taken over. @returns the batches, and the machines whose marks it lacks */
async function failOver(team: Team, address: TeamAddress, kind: Kind) {
	const { pair, machines, random } = team;
	const first = await (machines[0] as Machine).rows();
	const batches = [await planned(first, team.newRows()), await planned(first, team.newRows())];
	await first.close();
	await pair.follow(kind);
	const working = team.work(batches);
	const ended = working.then(
		() => "ended",
		() => "failed",
	);
	const arrives = async (more: number): Promise<void> => {
		const enough = team.arrived + more;
		await Promise.race([ended, vi.waitUntil(() => team.arrived >= enough, { timeout: 60_000, interval: 1 })]);
	};
	await arrives(random.below(before));
	const isCut = kind === "asynchronous" || random.often(0.5);
	if (isCut) pair.cut();
	if (kind === "asynchronous") await arrives(behind);
	else await setTimeout(random.below(100));
	team.isDown = true;
	await pair.kill();
	await working;
	// The standby that has not taken over yet takes no payment.
	const early = await failure((machines[0] as Machine).open().then((journal) => journal.begin(payment({ reference: "early" }))));
	expect(kind === "synchronous" ? [6] : [6, 10]).toContain(early.exit);
	await pair.promote();
	const lacking: Machine[] = [];
	for (const machine of machines) if (await team.lacks(machine, address)) lacking.push(machine);
	return { batches, lacking };
}

const noPair = noPostgres !== undefined || process.env.PURSER_TEST_POSTGRES !== undefined;

test.skipIf(noPair)(
	`${failovers} failovers to a standby: nothing twice, nothing lost; without the machines' logs something is paid twice`,
	async () => {
		const random = new Random(seedOfRun("failovers of a team"));
		const pair = await startPair();
		const { team, address } = await teamOn(pair, random, "journal");
		const { machines } = team;
		for (let at = 0; at < failovers; at++) {
			const kind = at % 2 === 0 ? "synchronous" : "asynchronous";
			const { batches, lacking } = await failOver(team, address, kind);
			expect([at, kind, lacking.length > 0]).toEqual([at, kind, kind === "asynchronous"]);
			for (const machine of machines) {
				const [journal, own] = [await machine.open(), await machine.rows()];
				const refusals = [codeOf(journal.guard(false)), codeOf(own.begin(batches[0] as string, ["planned"], none))];
				// Also who lacks nothing: what a colleague sent last may be missing.
				expect([at, await Promise.all(refusals)]).toEqual([at, ["JOURNAL_NOT_THE_ONE", "JOURNAL_NOT_THE_ONE"]]);
				await journal.close();
				await own.close();
			}
			for (const { recover } of machines) expect(await recover("the standby was behind")).toMatchObject({ contested: [], unreadable: 0 });
			for (const machine of machines) machine.seen = [...machine.log.lines()].length;
			await team.work(batches);
			const journal = await (machines[0] as Machine).open();
			expect([at, await wrongIn(team, journal, "journal")]).toEqual([at, nothing]);
			await journal.close();
		}

		const control = await teamOn(pair, random, "control");
		const { batches } = await failOver(control.team, control.address, "asynchronous");
		for (const { folder, adopt } of control.team.machines) {
			rmSync(join(folder, "journal"), { recursive: true, force: true });
			await adopt("it will do");
		}
		await control.team.work(batches);
		const journal = await (control.team.machines[0] as Machine).open();
		expect((await wrongIn(control.team, journal, "control")).twice.length).toBeGreaterThan(0);
		await journal.close();
		await pair.stop();
	},
);
