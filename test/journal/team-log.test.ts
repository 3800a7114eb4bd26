/**
 * A machine's own log of a team's journal: what it keeps where a process or the database is gone, and how that comes into the database.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { MachineLog } from "../../src/journal/postgres/log.js";
import type { JournalOutcome, Settlement } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { noPostgres, postgres, type Server } from "../support/postgres.js";
import { programOf } from "../support/program.js";
import { endRows, failure, none, planned } from "./batch.js";
import { codeOf, machineOf, newFolder, newMembership, payment, removeFolders, testClock } from "./journals.js";

afterEach(removeFolders);

const made = (id: string): JournalOutcome => ({ state: "accepted", id, status: 201 });
const id = (number: number): string => `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** The only file of a machine's only log. */
function fileIn(folder: string): string {
	const journal = join(folder, "journal");
	const [log = "none"] = existsSync(journal) ? readdirSync(journal).filter((name) => name.includes(".team-")) : [];
	return join(journal, log, "2026-03.log");
}

const linesIn = (folder: string): string[] => readFileSync(fileIn(folder), "utf8").split("\n").filter(Boolean);
const kindsIn = (folder: string): string[] => linesIn(folder).map((line) => JSON.parse(line).line.is);

describe("the file", () => {
	const written = async (count: number) => {
		const folder = newFolder();
		const log = new MachineLog(folder, { name: "test", environment: "live" }, "i", testClock().now);
		for (let seq = 1; seq <= count; seq++)
			await log.append([{ is: "outcome", by: "me", seq, hash: `${seq}`, outcomes: [[seq, 1, made(id(seq))]] }]);
		return { log, file: fileIn(folder) };
	};
	const read = (log: MachineLog) => {
		let unreadable = 0;
		const known = [...log.lines(() => unreadable++)].map(({ seq }) => seq);
		return { known, unreadable, pending: log.opened().map(({ seq }) => seq) };
	};

	test.each<[what: string, harm: (file: string) => void, known: number[], unreadable: number]>([
		["as it was written", () => {}, [1, 2, 3], 0],
		["torn at its end", (file) => truncateSync(file, readFileSync(file).length - 9), [1, 2], 0],
		["torn within", (file) => appendFileSync(file, '{"digest":"77'), [1, 2, 3], 0],
		["altered", (file) => writeFileSync(file, readFileSync(file, "utf8").replace("000000000002", "000000000009")), [1, 3], 1],
	])("%s: what can be trusted is read, and what was altered is known", async (what, harm, known, unreadable) => {
		const { log, file } = await written(3);
		harm(file);
		expect(read(log)).toEqual({ known, unreadable, pending: known });
		await log.append([{ is: "outcome", by: "me", seq: 4, hash: "4", outcomes: [[4, 1, made(id(4))]] }]);
		expect(read(log).known).toEqual([...known, 4]);
		expect(read(log).unreadable).toBe(what.startsWith("torn") ? 1 : unreadable);
	});

	test("keeps a month and what waits, and nothing of the operator", async () => {
		const folder = newFolder();
		const clock = testClock("2026-01-20T10:00:00.000Z");
		const log = new MachineLog(folder, { name: "test", environment: "live" }, "i", clock.now);
		const line = { by: "me", seq: 1, hash: "a" } as const;
		await log.append([{ is: "outcome", ...line, outcomes: [[1, 1, made(id(1))]] }]);
		clock.set("2026-03-29T10:00:00.000Z");
		await log.append([{ is: "mark", ...line, at: "", intent: 2, attempt: 1, asked: payment() }]);
		expect([log.opened().length, readdirSync(log.folder)]).toEqual([1, ["2026-01.log", "2026-03.log"]]);
		await log.append([{ is: "recorded", ...line, outcomes: [["a", 1]] }]);
		expect([log.opened().length, readdirSync(log.folder)]).toEqual([0, ["2026-03.log"]]);
	});
});

describe.skipIf(noPostgres !== undefined)("a team's machine", () => {
	let server: Server;
	beforeAll(async () => {
		server = await postgres();
	});

	/** A machine of a team, and another one. */
	const machines = async () => {
		const [address, clock] = [await newMembership(), testClock()];
		const machine = (name: string) => machineOf(name, address, clock, "sandbox");
		return { address, laptop: machine("laptop"), desk: machine("desk") };
	};
	/** The server finds out a little later that a session is gone. */
	const gone = () => vi.waitUntil(async () => (await server.sql("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")).length === 0);
	/** As by a network that is gone: whoever has a session now has none. */
	const lost = async () => {
		await server.sql("SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()");
		await gone();
	};

	test("a payment is in the log before it leaves, without who asked, and its outcome before the database has it; rows by one write a step", async () => {
		const { laptop, desk } = await machines();
		const journal = await laptop.open();
		const intent = await journal.begin(payment({ reference: "Invoice 7" }, { operator: "Grace Example" }));
		expect(kindsIn(laptop.folder)).toEqual(["mark"]);
		await journal.end(intent, made(id(1)));
		expect(kindsIn(laptop.folder)).toEqual(["mark", "outcome", "recorded"]);
		expect(linesIn(laptop.folder).join()).toContain("Invoice 7");
		expect(linesIn(laptop.folder).join()).not.toContain("Grace");
		const batches = await desk.rows();
		const batch = await planned(batches, [1, 2, 3]);
		await batches.begin(batch, ["planned"], none);
		const rows = await batches.advance(batch, [], 2);
		await endRows(batches, batch, rows, (number) => made(id(number)), 1);
		expect(kindsIn(desk.folder)).toEqual(["mark", "outcome", "recorded", "mark"]);
	});

	test("where the log cannot be written nothing is sent, and nothing is in doubt", async () => {
		const { laptop } = await machines();
		const [journal, batches] = [await laptop.open(), await laptop.rows()];
		const first = await journal.begin(payment({ reference: "first" }));
		await journal.end(first, made(id(1)));
		const batch = await planned(batches, [1, 2, 3]);
		await batches.begin(batch, ["planned"], none);
		rmSync(fileIn(laptop.folder));
		symlinkSync("/dev/full", fileIn(laptop.folder));
		const refused = [failure(journal.begin(payment({ reference: "second" }))), failure(batches.advance(batch, [], 2))];
		expect((await Promise.all(refused)).map(({ exit, failure: { code, why } }) => [exit, code, why])).toEqual(
			Array(2).fill([2, "JOURNAL_LOG", `${fileIn(laptop.folder)}: the system said ENOSPC`]),
		);
		expect((await journal.list({})).map(({ state }) => state).sort()).toEqual(["accepted", "not-sent", "not-sent", "not-sent"]);
		expect((await batches.show(batch))?.counts).toMatchObject({ planned: 1, "not-sent": 2, sending: 0 });
		rmSync(fileIn(laptop.folder));
		expect(await codeOf(journal.begin(payment({ reference: "second" })))).toBe("done");
		expect((await journal.verify()).faults).toEqual([]);
	});

	const kill = 'process.kill(process.pid, "SIGKILL"); await new Promise(() => {});';
	test.each<[where: string, before: string, kinds: string[], sent: number, state: string]>([
		["after the commit", "const own = { number: Number(number), attempt };", [], 0, "in-doubt"],
		["after its mark", "await anchoring?.renew();\n\t\t\t\t\t} catch", ["mark"], 0, "in-doubt"],
		["after the byte", "const isKept =", ["mark"], 1, "in-doubt"],
		["after its outcome in the log", "let failure: PurserError | undefined;", ["mark", "outcome"], 1, "accepted"],
	])("killed %s", async (_, part, kinds, sent, state) => {
		const { address, laptop } = await machines();
		const plant = { file: "journal/store.ts", part, instead: `${kill} ${part}` };
		const program = await programOf(new URL("./team-payer.ts", import.meta.url), plant);
		const words = ["--no-warnings", program.script, JSON.stringify(address), laptop.folder, id(1)];
		expect((await execa(process.execPath, words, { reject: false })).signal).toBe("SIGKILL");
		await program.remove();
		const service = join(laptop.folder, "service");
		expect(existsSync(fileIn(laptop.folder)) ? kindsIn(laptop.folder) : []).toEqual(kinds);
		expect(existsSync(service) ? readFileSync(service, "utf8").trim().split("\n").length : 0).toBe(sent);
		await gone();
		const journal = await laptop.open();
		const [record] = await journal.list({});
		const found = { ...record, faults: (await journal.verify()).faults };
		expect(found).toMatchObject({ state, ...(state === "accepted" && { id: id(1) }), faults: [] });
	});

	test("an outcome that the database cannot take is carried over by the next run, once; without the log it is lost", async () => {
		for (const [hasLog, state] of [
			[true, "accepted"],
			[false, "in-doubt"],
		] as const) {
			const { laptop } = await machines();
			const [journal, batches] = [await laptop.open(), await laptop.rows()];
			const intent = await journal.begin(payment());
			const batch = await planned(batches, [1, 2, 3, 4]);
			await batches.begin(batch, ["planned"], none);
			const rows = await batches.advance(batch, [], 3);
			await lost();
			const outcome = (number: number, at: number): JournalOutcome => (at === 2 ? { state: "refused", status: 422 } : made(id(number)));
			expect((await failure(journal.end(intent, made(id(1))))).exit).toBe(6);
			for (const want of [1, 0]) expect(await codeOf(endRows(batches, batch, rows, outcome, want))).toBe("OUTCOME_KEPT");
			expect(kindsIn(laptop.folder)).toEqual(["mark", "mark", "outcome", "outcome"]);
			if (!hasLog) rmSync(fileIn(laptop.folder));
			for (let times = 0; times < 2; times++) {
				const next = await laptop.open();
				expect((await next.show(intent))?.record).toMatchObject({ state, ...(hasLog && { id: id(1) }) });
				expect((await next.verify()).faults).toEqual([]);
			}
			const counts = (await (await laptop.rows()).show(batch))?.counts;
			expect(counts).toMatchObject({ ...(hasLog ? { accepted: 2, refused: 1 } : { "in-doubt": 3 }), planned: 1 });
		}
	});

	const notCreated: Settlement = { state: "not-created", evidence: { source: "person", reason: "not listed" } };
	const as = (other: string): Settlement => ({ state: "accepted", id: other, evidence: { source: "person", reason: "seen" } });
	const opened = `it was opened again: the log of laptop says that attempt 1 was accepted as ${id(1)}`;
	test.each<[what: string, decide: (journal: Journal, intent: string) => Promise<unknown>, state: string, more: object, last: string]>([
		["nobody decided", async () => {}, "accepted", { id: id(1), why: undefined }, "ended"],
		["a colleague settled it so", (j, n) => j.settle(n, as(id(1)), 1), "accepted", { id: id(1) }, "settled"],
		["not created", (j, n) => j.settle(n, notCreated, 1), "in-doubt", { why: opened }, "reopened"],
		["another id", (j, n) => j.settle(n, as(id(2)), 1), "in-doubt", { why: opened, formerIds: [id(2)] }, "reopened"],
		[
			"it was sent again",
			async (j, n) => {
				await j.settle(n, notCreated, 1);
				await j.end(await j.begin(payment()), made(id(3)));
			},
			"in-doubt",
			{ attempt: 2, why: opened, formerIds: [id(3)] },
			"reopened",
		],
		[
			"it was tried again",
			async (j, n) => {
				await j.settle(n, notCreated, 1);
				await j.end(await j.begin(payment()), { state: "not-sent", reason: "no connection" });
			},
			"in-doubt",
			{ attempt: 3 },
			"checked",
		],
		["another has its id", async (j) => j.end(await j.begin(payment({ reference: "other" })), made(id(1))), "in-doubt", {}, "ended"],
		[
			"it was sent once more with its key",
			async (j, n) => {
				await j.resend(n, 1);
				await j.settle(n, as(id(1)), 1);
			},
			"accepted",
			{ id: id(1) },
			"settled",
		],
	])("what was answered, and %s meanwhile", async (_, decide, state, more, last) => {
		const { laptop, desk } = await machines();
		const journal = await laptop.open();
		const intent = await journal.begin(payment());
		await lost();
		expect((await failure(journal.end(intent, made(id(1))))).failure.code).toBe("OUTCOME_KEPT");
		await decide(await desk.open(), intent);
		for (let times = 0; times < 2; times++) {
			const next = await laptop.open();
			const shown = await next.show(intent);
			expect(shown?.record).toMatchObject({ state, ...more });
			expect(shown?.events.at(-1)?.kind).toBe(last);
			expect(JSON.stringify(shown?.events)).toContain(id(1));
			expect((await next.verify()).faults).toEqual([]);
		}
	});

	test("a refusal settles no doubt that was sent once more with its key", async () => {
		const { laptop, desk } = await machines();
		const journal = await laptop.open();
		const intent = await journal.begin(payment());
		await lost();
		await failure(journal.end(intent, { state: "refused", status: 422 }));
		await (await desk.open()).resend(intent, 1);
		const shown = await (await laptop.open()).show(intent);
		expect([shown?.record.state, shown?.events.map(({ kind }) => kind)]).toEqual(["in-doubt", ["begun", "died", "resent", "checked"]]);
		expect(JSON.stringify(shown?.events.at(-1))).toContain("the log of laptop says that attempt 1 was refused (HTTP 422)");
	});

	test("what was answered to one that was sent once more settles it by the next run, and only where it was accepted", async () => {
		for (const [outcome, state, kinds] of [
			[made(id(1)), "accepted", ["mark", "outcome"]],
			[{ state: "refused", status: 422 }, "in-doubt", ["mark"]],
		] as const) {
			const { laptop, desk } = await machines();
			const journal = await laptop.open();
			const intent = await journal.begin(payment());
			await journal.end(intent, { state: "in-doubt", reason: "timeout" });
			const again = await desk.open();
			await again.resend(intent, 1);
			await lost();
			await again.answered(intent, outcome);
			expect((await failure(again.settle(intent, as(id(1)), 1))).exit).toBe(6);
			expect(kindsIn(desk.folder)).toEqual(kinds);
			for (let times = 0; times < 2; times++) {
				const next = await desk.open();
				expect((await next.show(intent))?.record).toMatchObject({ state, ...(state === "accepted" && { id: id(1) }) });
				expect((await next.verify()).faults).toEqual([]);
			}
		}
	});

	test("what a payment that was sent once more is settled by is in the log no longer than needed", async () => {
		const { laptop } = await machines();
		const journal = await laptop.open();
		const intent = await journal.begin(payment());
		await journal.end(intent, { state: "in-doubt", reason: "timeout" });
		const again = await laptop.open();
		await again.resend(intent, 1);
		await again.answered(intent, made(id(1)));
		await again.settle(intent, as(id(1)), 1);
		expect(kindsIn(laptop.folder).slice(3)).toEqual(["mark", "outcome", "recorded"]);
		expect((await (await laptop.open()).show(intent))?.events.map(({ kind }) => kind)).toEqual(["begun", "ended", "resent", "settled"]);
	});

	test("a colleague who resumed the batch finds the rows settled by the machine that sent them", async () => {
		const { laptop, desk } = await machines();
		const batches = await laptop.rows();
		const batch = await planned(batches, [1, 2, 3]);
		await batches.begin(batch, ["planned"], none);
		const rows = await batches.advance(batch, [], 3);
		await lost();
		const outcomes: JournalOutcome[] = [made(id(1)), { state: "refused", status: 422 }, { state: "in-doubt", reason: "timeout" }];
		await failure(endRows(batches, batch, rows, (_, at) => outcomes[at] as JournalOutcome));
		await (await desk.rows()).begin(batch, ["planned"], none);
		const next = await laptop.open();
		expect((await next.list({ batch })).map(({ row, state, evidence }) => [row, state, evidence?.source])).toEqual([
			[3, "in-doubt", undefined],
			[2, "not-created", "log"],
			[1, "accepted", "log"],
		]);
		expect((await next.verify()).faults).toEqual([]);
	});

	test("what a living process of the machine is about to record is left to it", async () => {
		const { laptop } = await machines();
		const journal = await laptop.open();
		const intent = await journal.begin(payment());
		const mark = JSON.parse(linesIn(laptop.folder)[0] as string).line;
		const log = new MachineLog(laptop.folder, { name: "test", environment: "sandbox" }, await journal.installation(), testClock().now);
		await log.append([{ is: "outcome", by: mark.by, seq: mark.seq, hash: mark.hash, outcomes: [[1, 1, made(id(1))]] }]);
		expect((await (await laptop.open()).show(intent))?.record.state).toBe("sending");
		await journal.end(intent, made(id(1)));
		expect((await (await laptop.open()).show(intent))?.events.map(({ kind }) => kind)).toEqual(["begun", "ended"]);
	});
});
