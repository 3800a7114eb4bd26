/**
 * A team's database that went back: it is refused, and each machine fills in what its log has. Whatever was sent is known again, and nothing
 * is sent twice.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Batches, MarkedRow, RowOutcome } from "../../src/ports/batches.js";
import type { JournalOutcome } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { Random } from "../payments/simulation/random.js";
import { noPostgres, postgres, type Server } from "../support/postgres.js";
import { seedOfRun, uuidOf } from "../support/seed.js";
import { endRows, failure, none, planned } from "./batch.js";
import { codeOf, machineOf, newMembership, payment, removeFolders, testClock } from "./journals.js";

afterEach(removeFolders);

/** Payments of one reference that are at the service. */
type Service = Map<string, number>;

describe.skipIf(noPostgres !== undefined)("a team's database that went back", () => {
	let server: Server;
	beforeAll(async () => {
		server = await postgres();
	});

	async function team(random: Random) {
		const [address, clock, service] = [await newMembership(), testClock(), new Map() as Service];
		const { schema } = address;
		const machine = async (name: string) => {
			const own = machineOf(name, address, clock);
			await own.adopt("first day");
			let process: { journal: Journal; batches: Batches } | undefined;
			return {
				...own,
				/** The process that runs on it; a new one where none does. */
				running: async () => {
					process ??= { journal: await own.open(), batches: await own.rows() };
					return process;
				},
				end: async () => {
					await process?.journal.close();
					await process?.batches.close();
					process = undefined;
				},
			};
		};
		const [laptop, desk] = [await machine("laptop"), await machine("desk")];
		/** What the service does with a payment, and what is known of it then. */
		const send = (reference: string): JournalOutcome => {
			if (random.often(0.2)) return { state: "refused", status: 422 };
			service.set(reference, (service.get(reference) ?? 0) + 1);
			return random.often(0.2) ? { state: "in-doubt", reason: "timeout" } : { state: "accepted", id: uuidOf(random), status: 201 };
		};
		return { machines: [laptop, desk], clock, service, send, ...copiesOf(schema) };
	}
	type Team = Awaited<ReturnType<typeof team>>;
	type Machine = Team["machines"][number];

	/** A copy of all tables, as a backup has it. */
	const copiesOf = (schema: string) => {
		const tables = async () =>
			(await server.sql(`SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'`)).map(({ tablename }) => String(tablename));
		return {
			copy: async () => {
				const copies = (await tables()).map((table) => `CREATE TABLE ${schema}_old.${table} AS TABLE ${schema}.${table}`);
				await server.sql([`CREATE SCHEMA ${schema}_old`, ...copies].join(";"));
			},
			restore: async () => {
				const names = await tables();
				await server.sql(
					[
						`SET search_path TO ${schema}`,
						// No trigger of the journal's holds against who restores it.
						"SET session_replication_role TO replica",
						`TRUNCATE ${names.join(", ")}`,
						...names.map((table) => `INSERT INTO ${table} SELECT * FROM ${schema}_old.${table}`),
						"SELECT setval(pg_get_serial_sequence('intent', 'number'), (SELECT coalesce(max(number), 0) + 1 FROM intent), false)",
					].join(";"),
				);
			},
		};
	};

	async function pay({ send }: Team, random: Random, machine: Machine, reference: string): Promise<void> {
		const { journal } = await machine.running();
		const intent = await journal.begin(payment({ reference }));
		const outcome = random.often(0.1) ? undefined : send(reference);
		if (outcome !== undefined && random.often(0.8)) await journal.end(intent, outcome);
		else await machine.end();
	}

	/** Sends rows of a batch until it is over, or the process dies. */
	async function sendRows({ send }: Team, random: Random, machine: Machine, batch: string, deadly = 0.3): Promise<void> {
		const { batches } = await machine.running();
		await batches.begin(batch, ["planned", "not-sent"], none);
		for (let ended: RowOutcome[] = []; ; ) {
			const rows = await batches.advance(batch, ended, 2);
			if (rows.length === 0) break;
			ended = rows.map(({ number, transfer }) => ({ number, outcome: send(`${batch} ${transfer.reference}`) }));
			if (random.often(deadly)) return machine.end();
		}
		await batches.release(batch);
	}

	/** Two machines pay, the database goes back, and they go on. @param recover what is done then */
	async function round(seed: number, recover: (machine: Machine) => Promise<unknown>) {
		const random = new Random(seed);
		const all = await team(random);
		const { machines, service } = all;
		const batches: string[] = [];
		const copied = random.below(6);
		for (let step = 0; step < 6; step++) {
			const machine = random.pick(machines);
			if (step === 1) batches.push(await planned((await machine.running()).batches, [1, 2, 3, 4, 5]));
			if (step === copied) await all.copy();
			const batch = random.often(0.4) ? batches[0] : undefined;
			if (batch === undefined) await pay(all, random, machine, `Invoice ${step}`);
			else await sendRows(all, random, machine, batch);
			all.clock.advance(1_000);
		}
		for (const machine of machines) await machine.end();
		await all.restore();
		const codes: string[] = [];
		for (const { open } of machines) {
			const journal = await open();
			codes.push(await codeOf(journal.guard(false)));
			await journal.close();
		}
		for (const machine of machines) await recover(machine);
		const first = machines[0] as Machine;
		const { journal, batches: rows } = await first.running();
		// Whoever does not know what was paid pays it now.
		for (const [reference] of service)
			if (reference.startsWith("Invoice")) {
				const begun = await journal.begin(payment({ reference })).catch(() => undefined);
				if (begun !== undefined) service.set(reference, (service.get(reference) ?? 0) + 1);
			}
		for (const { batch, state } of await rows.list()) if (state !== "abandoned") await sendRows(all, random, first, batch, 0);
		const twice = [...service].filter(([, count]) => count > 1).map(([reference]) => reference);
		const { faults } = await journal.verify();
		const standing = await journal.standing();
		await first.end();
		return { codes, twice, faults, standing: standing?.kind };
	}

	const rounds = process.env.PURSER_TORTURE === "1" ? 100 : 20;

	test(`refused and recovered, ${rounds} times; adopted without the logs it pays twice`, async () => {
		const seed = seedOfRun("a database that went back");
		let refused = 0;
		for (let at = 0; at < rounds; at++) {
			const found = await round(seed + at, (machine) => machine.recover("the disk of the database failed"));
			expect([seed + at, found.twice, found.faults, found.standing]).toEqual([seed + at, [], [], "held"]);
			refused += found.codes.filter((code) => code === "JOURNAL_NOT_THE_ONE").length;
			expect(found.codes).toContain("JOURNAL_NOT_THE_ONE");
		}
		expect(refused).toBeGreaterThan(rounds);
		let twice = 0;
		for (let at = 0; at < 5; at++) {
			const control = await round(seed + at, async ({ folder, adopt }) => {
				rmSync(join(folder, "journal"), { recursive: true, force: true });
				await adopt("it will do");
			});
			twice += control.twice.length;
		}
		expect(twice).toBeGreaterThan(0);
	});

	test("says what it lacks, and each machine fills in its own", async () => {
		const all = await team(new Random(1));
		const [laptop, desk] = all.machines as [Machine, Machine];
		await all.copy();
		const [own, others] = [await laptop.open(), await desk.open()];
		await own.end(await own.begin(payment({ reference: "one" })), { state: "accepted", id: uuidOf(new Random(7)), status: 201 });
		await own.begin(payment({ reference: "two" }));
		await others.end(await others.begin(payment({ reference: "three" })), { state: "refused", status: 422 });
		await own.close();
		await others.close();
		await all.restore();
		const refusal = async ({ open }: Machine) => failure((await open()).begin(payment({ reference: "four" })));
		const error = await refusal(laptop);
		expect([error.exit, error.failure.code]).toEqual([10, "JOURNAL_NOT_THE_ONE"]);
		expect(error.failure.why).toContain("This machine's log has 2 payments and 1 outcome that it lacks");
		expect(JSON.stringify(error.failure.fix)).toContain("team");
		expect(await laptop.recover()).toEqual({ carried: 0, restored: 2, contested: [], doubts: ["2"], unreadable: 0 });
		expect((await refusal(desk)).failure.code).toBe("JOURNAL_NOT_THE_ONE");
		expect(await desk.recover()).toEqual({ carried: 0, restored: 1, contested: [], doubts: [], unreadable: 0 });
		for (const machine of all.machines)
			expect(await machine.recover()).toEqual({ carried: 0, restored: 0, contested: [], doubts: [], unreadable: 0 });
		const journal = await desk.open();
		const found = (await journal.list({})).map(({ transfer, state, carried }) => [transfer?.reference, state, carried?.split("@")[0]]);
		expect(found).toEqual([
			["three", "refused", "desk:3"],
			["two", "in-doubt", "laptop:2"],
			["one", "accepted", "laptop:1"],
		]);
		expect(await codeOf(journal.begin(payment({ reference: "two" })))).toBe("OPEN_DOUBT");
		expect((await journal.verify()).faults).toEqual([]);
	});

	test("rows that only the log knows to be sent are sent by nobody, even where the anchor is older", async () => {
		const all = await team(new Random(2));
		const [laptop, desk] = all.machines as [Machine, Machine];
		const batches = await laptop.rows();
		const batch = await planned(batches, [1, 2, 3, 4]);
		await batches.begin(batch, ["planned"], none);
		await all.copy();
		const [first] = await batches.advance(batch, [], 2);
		await endRows(batches, batch, [first as MarkedRow], () => ({ state: "accepted", id: uuidOf(new Random(3)), status: 201 }));
		await batches.close();
		await all.restore();
		expect((await (await laptop.rows()).show(batch))?.counts).toMatchObject({ planned: 4 });
		expect(await codeOf((await laptop.rows()).begin(batch, ["planned"], none))).toBe("JOURNAL_NOT_THE_ONE");
		expect(await laptop.recover("a standby took over")).toMatchObject({ restored: 2, doubts: ["2"] });
		const rows = await desk.rows();
		expect((await rows.show(batch))?.counts).toMatchObject({ accepted: 1, "in-doubt": 1, planned: 2 });
		await rows.begin(batch, ["planned"], none);
		expect((await rows.advance(batch, [], 9)).map(({ row }) => row)).toEqual([3, 4]);
	});

	test("an attempt of another machine that was lost too is counted, so that the number of the own one stays", async () => {
		const all = await team(new Random(4));
		const [laptop, desk] = all.machines as [Machine, Machine];
		const batch = await planned((await desk.running()).batches, [1]);
		await all.copy();
		const send = async ({ running, end }: Machine, outcome?: JournalOutcome) => {
			const { batches } = await running();
			await batches.begin(batch, ["planned", "not-sent"], none);
			const [row] = await batches.advance(batch, [], 1);
			if (outcome) await batches.advance(batch, [{ number: row?.number ?? 0, outcome }], 0);
			await end();
		};
		await send(desk, { state: "not-sent", reason: "no connection" });
		await send(laptop);
		await all.restore();
		for (const machine of [laptop, desk]) await machine.recover();
		const { journal } = await laptop.running();
		expect((await journal.list({ batch })).map(({ state, attempt }) => [state, attempt])).toEqual([["in-doubt", 2]]);
		expect((await journal.verify()).faults).toEqual([]);
	});

	test("what a machine sent once more with its key is in its own log, as of the first time", async () => {
		const all = await team(new Random(8));
		const [laptop, desk] = all.machines as [Machine, Machine];
		await all.copy();
		const own = await laptop.open();
		const intent = await own.begin(payment({ reference: "one" }));
		await own.end(intent, { state: "in-doubt", reason: "timeout" });
		await own.close();
		all.clock.advance(60_000);
		const others = await desk.open();
		const begun = (await others.show(intent))?.record.begun;
		await others.resend(intent, 1);
		await others.close();
		await all.restore();
		expect((await failure((await desk.open()).begin(payment({ reference: "one" })))).failure.code).toBe("JOURNAL_NOT_THE_ONE");
		expect(await desk.recover()).toEqual({ carried: 0, restored: 1, contested: [], doubts: ["1"], unreadable: 0 });
		const journal = await desk.open();
		expect(await journal.list({})).toMatchObject([{ state: "in-doubt", begun, transfer: { reference: "one" } }]);
		expect(await codeOf(journal.begin(payment({ reference: "one" })))).toBe("OPEN_DOUBT");
		expect((await journal.verify()).faults).toEqual([]);
	});

	test("a row that a machine sent once more with its key is not sent by it again", async () => {
		const all = await team(new Random(9));
		const [laptop, desk] = all.machines as [Machine, Machine];
		const { batches } = await laptop.running();
		const batch = await planned(batches, [1, 2]);
		await batches.begin(batch, ["planned"], none);
		await all.copy();
		await endRows(batches, batch, await batches.advance(batch, [], 1), () => ({ state: "in-doubt", reason: "timeout" }));
		await batches.release(batch);
		await laptop.end();
		await (await desk.running()).journal.resend("1", 1);
		await desk.end();
		await all.restore();
		expect(await desk.recover()).toEqual({ carried: 0, restored: 1, contested: [], doubts: ["1"], unreadable: 0 });
		const { batches: next } = await desk.running();
		await next.begin(batch, ["planned"], none);
		expect((await next.advance(batch, [], 9)).map(({ row }) => row)).toEqual([2]);
	});

	test("control: a machine that lacks nothing itself sends the rows again that another one has sent and not filled in yet", async () => {
		const all = await team(new Random(6));
		const [laptop, desk] = all.machines as [Machine, Machine];
		const batch = await planned((await laptop.running()).batches, [1, 2]);
		await all.copy();
		const rowsOf = async ({ running, end }: Machine) => {
			const { batches } = await running();
			await batches.begin(batch, ["planned"], none);
			const rows = (await batches.advance(batch, [], 2)).map(({ row }) => row);
			await end();
			return rows;
		};
		expect(await rowsOf(laptop)).toEqual([1, 2]);
		await all.restore();
		expect(await codeOf(rowsOf(laptop))).toBe("JOURNAL_NOT_THE_ONE");
		expect(await rowsOf(desk)).toEqual([1, 2]);
		// What was sent twice is told by the first one's log.
		expect(await laptop.recover("too late")).toMatchObject({ contested: ["1", "2"] });
	});

	test("an answer that came after its payment was filled in is its outcome all the same", async () => {
		const all = await team(new Random(5));
		const [laptop] = all.machines as [Machine];
		const { journal, batches } = await laptop.running();
		const batch = await planned(batches, [1]);
		await batches.begin(batch, ["planned"], none);
		await all.copy();
		const intent = await journal.begin(payment({ reference: "late" }));
		const [row] = await batches.advance(batch, [], 1);
		await server.sql("SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()");
		await all.restore();
		expect(await laptop.recover()).toMatchObject({ restored: 2, carried: 0 });
		const accepted = (number: number): JournalOutcome => ({ state: "accepted", id: uuidOf(new Random(number)), status: 201 });
		expect(await codeOf(journal.end(intent, accepted(8)))).toBe("OUTCOME_KEPT");
		expect(await codeOf(batches.advance(batch, [{ number: row?.number ?? 0, outcome: accepted(9) }], 0))).toBe("OUTCOME_KEPT");
		expect(await laptop.recover()).toMatchObject({ restored: 0, carried: 2 });
		const now = await laptop.open();
		expect((await now.list({})).map(({ state, transfer, evidence }) => [transfer?.reference, state, evidence?.source])).toEqual([
			["late", "accepted", "log"],
			["Row 1", "accepted", "log"],
		]);
		expect((await now.verify()).faults).toEqual([]);
	});
});
