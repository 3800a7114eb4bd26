/**
 * Eight senders of a team's batches, four of each, killed at any moment and started again, while the database crashes: nothing is sent twice, nothing
 * is lost.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { execa, type ResultPromise } from "execa";
import { afterAll, expect, test } from "vitest";
import { MachineLog } from "../../src/journal/postgres/log.js";
import { Random } from "../payments/simulation/random.js";
import { noPostgres, postgres, startPostgres } from "../support/postgres.js";
import { programOf } from "../support/program.js";
import { seedOfRun } from "../support/seed.js";
import { planned } from "./batch.js";
import { newFolder, open, openRows, removeFolders } from "./journals.js";

afterAll(removeFolders);

const kills = Number(process.env.PURSER_TEST_TEAM_KILLS ?? 20);
const [crashes, senders, batches, rows] = [Math.max(2, kills / 20), 8, 2, Math.max(300, kills * 6)];

test.skipIf(noPostgres !== undefined || process.env.PURSER_TEST_POSTGRES !== undefined)(
	`${senders} senders, ${kills} kills and ${crashes} crashes of the database: nothing twice, nothing lost`,
	async () => {
		const random = new Random(seedOfRun("senders of a team"));
		const server = await startPostgres("fsync=on", "max_connections=80");
		const program = await programOf(new URL("./team-sender.ts", import.meta.url));
		const options = { driver: "postgres", address: await server.journal(), forgetful: false } as const;
		const folder = newFolder();
		const service = join(folder, "service.txt");
		writeFileSync(service, "");
		const before = await openRows(folder, options);
		for (let batch = 0; batch < batches; batch++)
			await planned(
				before,
				Array.from({ length: rows }, (_, row) => batch * rows + row),
			);
		await before.close();

		const running = new Map<number, ResultPromise<{ reject: false }>>();
		const said: string[] = [];
		let deaths = 0;
		const work = async (slot: number): Promise<void> => {
			for (let exit: number | undefined = 1; exit !== 0; ) {
				const words = ["--no-warnings", program.script, JSON.stringify(options.address), service, String(1 + (slot % batches))];
				const child = execa(process.execPath, words, { reject: false });
				running.set(slot, child);
				const { exitCode, stderr, signal } = await child;
				exit = exitCode;
				if (exit !== 0) deaths += 1;
				if (signal === undefined && ![0, 6].includes(exit ?? 1)) said.push(`exit ${exit}: ${stderr}`);
				if (said.length > 0) return;
			}
			running.delete(slot);
		};
		const all = Promise.all(Array.from({ length: senders }, (_, slot) => work(slot)));
		let [killed, crashed] = [0, 0];
		while (said.length === 0 && (killed < kills || crashed < crashes)) {
			await setTimeout(20 + random.below(120));
			const victims = [...running.values()];
			if (killed < kills && random.pick(victims)?.kill("SIGKILL")) killed += 1;
			if (crashed < (crashes * killed) / kills - 0.4) {
				crashed += 1;
				await server.kill();
				await server.start();
			}
		}
		writeFileSync(`${service}.stop`, "");
		await all;
		expect(said).toEqual([]);

		const [journal, after] = [await open(folder, options), await openRows(folder, options)];
		expect((await journal.verify()).faults).toEqual([]);
		const sent = readFileSync(service, "utf8").trim().split("\n");
		const times = new Map<string, number>();
		for (const number of sent) times.set(number, (times.get(number) ?? 0) + 1);
		expect([...times].filter(([, count]) => count > 1)).toEqual([]);
		const records = await journal.list({});
		const wrong = records.filter(({ intent, state }) => (state === "accepted" ? !times.has(intent) : state !== "in-doubt"));
		expect(wrong.map(({ intent, state }) => `${intent} ${state}`)).toEqual([]);
		const known = new Set(records.map(({ intent }) => intent));
		expect([...times.keys()].filter((number) => !known.has(number))).toEqual([]);
		const doubts = records.filter(({ state }) => state === "in-doubt").length;
		// Four rows of a batch, or one payment, for each that died.
		expect(doubts).toBeLessThanOrEqual(deaths * 5);
		let most = 0;
		for await (const { kind, content } of journal.events(0))
			if (kind === "begun-batch") most = Math.max(most, 1 + (content.beside as string[]).length);
		// All of them at the same moment only where nobody else is busy.
		expect(most).toBeGreaterThan(1);
		expect((await after.list()).map(({ counts }) => counts.planned)).toEqual(Array.from({ length: batches }, () => 0));
		// All of them wrote into one log.
		const log = new MachineLog(folder, { name: "test", environment: "sandbox" }, await journal.installation(), () => new Date());
		const [first] = readdirSync(log.folder);
		expect([readdirSync(log.folder).length, first]).toEqual([1, "2026-03.log"]);
		let torn = 0;
		const lines = [...log.lines(() => torn++)];
		expect(torn).toBeLessThanOrEqual(deaths);
		const marked = new Set(
			lines.flatMap((line) => (line.is !== "mark" ? [] : "rows" in line ? line.rows.map(([one]) => one) : [line.intent])),
		);
		expect([...times.keys()].filter((number) => !marked.has(Number(number)))).toEqual([]);
		expect(log.opened()).toEqual([]);
		await journal.close();
		await after.close();
		await server.stop();
		await program.remove();
	},
);

test.skipIf(noPostgres !== undefined)(
	"control: without the lock of those who write, the record of two does not hold together",
	async () => {
		const plant = { file: "journal/postgres/connection.ts", part: "SELECT pg_advisory_xact_lock(${writers})", instead: "SELECT 1" };
		const program = await programOf(new URL("./team-sender.ts", import.meta.url), plant);
		const address = await (await postgres()).journal();
		const before = await openRows("-", { driver: "postgres", address });
		await planned(before, [...Array(200).keys()]);
		const service = join(newFolder(), "service.txt");
		writeFileSync(`${service}.stop`, "");
		const words = ["--no-warnings", program.script, JSON.stringify(address), service, "1"];
		const ended = await Promise.all(Array.from({ length: 4 }, () => execa(process.execPath, words, { reject: false })));
		expect(
			ended
				.filter(({ exitCode }) => exitCode !== 0)
				.map(({ stderr }) => stderr)
				.join("\n"),
		).toMatch(/duplicate key|JOURNAL_/);
		await before.close();
		await program.remove();
	},
);
