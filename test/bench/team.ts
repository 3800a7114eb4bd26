/**
 * What a team's journal costs beside one machine's own: `npm run bench:team [-- PAYMENTS ROWS]` (40 of each, and 4,000 rows, unless given). Everything
 * runs on this machine, against one service with ready answers. Payments by a file and by PostgreSQL alternate; so do the batches of a round.
 * What is told is a median of ratios or of differences of pairs, in processor time where the machine may be busy.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { noPostgres, startPostgres } from "../support/postgres.js";

if (noPostgres !== undefined) throw new Error(noPostgres);
const run = promisify(execFile);
const root = process.cwd();
const program = join(root, "bin", "purser.js");
const [payments = "40", rows = "4000"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "purser-bench-"));
const [spent, telling] = [join(folder, "spent"), join(folder, "telling.cjs")];
writeFileSync(
	telling,
	`process.on("exit", () => { const { user, system } = process.cpuUsage(); require("node:fs").writeFileSync(process.env.SPENT, String(user + system)); });`,
);
const [from, to] = ["aaaaaaaa-0001-4000-8000-000000000001", "aaaaaaaa-0002-4000-8000-000000000002"];

const tell = (text: string): void => void process.stdout.write(`${text}\n`);
const median = (values: readonly number[]): number => [...values].sort((one, other) => one - other)[(values.length - 1) >> 1] as number;

/** Runs purser as one machine does; exits 8 and 10 tell that a batch is being sent, or will be. @param machine the name of its folder */
async function purser(machine: string, ...words: string[]): Promise<{ stdout: string; stderr: string }> {
	const home = join(folder, machine);
	const env = {
		PATH: process.env.PATH,
		HOME: home,
		SPENT: spent,
		PURSER_CONFIG_DIR: join(home, "config"),
		PURSER_STATE_DIR: home,
		PURSER_NO_KEYRING: "1",
	};
	try {
		return await run(process.execPath, ["--require", telling, program, ...words], { env, maxBuffer: 1 << 28 });
	} catch (error) {
		const ended = error as { code: unknown; stdout: string; stderr: string };
		if (ended.code === 8 || ended.code === 10) return ended;
		throw error;
	}
}

/** @param latency milliseconds before each answer */
async function answering(latency: number): Promise<{ url: string; stop(): Promise<number> }> {
	const child = spawn(process.execPath, [join(root, "test", "bench", "answering.js"), String(latency)], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const line = (): Promise<string> => new Promise((resolve) => child.stdout.once("data", (part) => resolve(String(part).trim())));
	services.push(child);
	const port = await line();
	/** @returns how many transfers it made */
	const stop = async (): Promise<number> => {
		const last = line();
		child.kill();
		return Number((await last).split(" ")[0]);
	};
	return { url: `http://127.0.0.1:${port}`, stop };
}

/** A machine with a profile, in a team or not. */
async function machine(name: string, url: string, team?: string): Promise<string> {
	await purser(name, "profile", "add", "bench", "--base-url", url, "--environment", "sandbox", "--auth", "none");
	if (team !== undefined) await purser(name, "team", "join", team, "--yes");
	return name;
}

/** @returns the milliseconds of the processor that a payment took, and those that passed */
async function paid(name: string, reference: string): Promise<{ processor: number; passed: number }> {
	const start = performance.now();
	await purser(name, "pay", "ledger", "--from", from, "--to", to, "--amount", "1.10", "--reference", reference, "--yes", "--json");
	return { passed: performance.now() - start, processor: Number(readFileSync(spent, "utf8")) / 1_000 };
}

/** Plans one batch and sends it by all these machines. @returns rows a second from the first one's start to the last one's end */
async function sent(machines: readonly string[], batch: string): Promise<number> {
	const [first = "", ...others] = machines;
	const file = join(folder, `${batch}.csv`);
	const lines = Array.from({ length: Number(rows) }, (_, row) => `${from},${to},${(row % 700) + 1}.10,${batch} ${row}`);
	writeFileSync(file, ["ledgerFromId,ledgerToId,amount,reference", ...lines].join("\n"));
	const { stdout } = await purser(first, "pay", "batch", "plan", file, "--to", `${file}.json`, "--json");
	const { batch: number } = JSON.parse(stdout) as { batch: number };
	const start = performance.now();
	const sending = purser(first, "pay", "batch", "send", `${file}.json`, "--yes", "--json");
	// What fails first is what is told.
	sending.catch(() => {});
	// It can be joined from the moment on at which it has begun.
	const [second] = others;
	while (second !== undefined) {
		const status = await purser(second, "pay", "batch", "status", String(number), "--json");
		if ((JSON.parse(status.stdout) as { state: string }).state !== "planned") break;
	}
	await Promise.all([sending, ...others.map((other) => purser(other, "pay", "batch", "resume", String(number), "--yes", "--json"))]);
	return Number(rows) / ((performance.now() - start) / 1_000);
}

const server = await startPostgres("fsync=on", "max_connections=80");
const services: { kill(): unknown }[] = [];
try {
	let journals = 0;
	const journal = async (): Promise<string> => {
		const name = `bench${journals++}`;
		await server.sql(`CREATE DATABASE ${name}`);
		const address = `postgresql://tests@127.0.0.1:${server.address.port}/${name}`;
		await machine(`admin-${name}`, "http://127.0.0.1:1");
		await purser(`admin-${name}`, "team", "init", address, "--yes");
		return address;
	};
	const fast = await answering(0);
	const [file, team] = [await machine("file", fast.url), await machine("team", fast.url, await journal())];
	const pairs: Record<"file" | "team", Took>[] = [];
	for (let number = 0; number < Number(payments) + 2; number++) {
		const [first, second] = number % 2 === 0 ? [file, team] : [team, file];
		const took = { [first]: await paid(first, `Bench ${number}`), [second]: await paid(second, `Bench ${number}`) };
		// The first ones fill the system's caches.
		if (number >= 2) pairs.push({ file: took.file as Took, team: took.team as Took });
	}
	for (const time of ["processor", "passed"] as const) {
		const of = (name: "file" | "team"): number => median(pairs.map((pair) => pair[name][time]));
		const more = median(pairs.map((pair) => pair.team[time] - pair.file[time]));
		const what = time === "processor" ? "of the processor" : "that passed";
		const limit = time === "processor" ? " (to reach: at most 60)" : "";
		tell(
			`A payment, time ${what}: file ${of("file").toFixed(0)} ms, team ${of("team").toFixed(0)} ms; the difference of a pair ${more.toFixed(0)} ms${limit}`,
		);
	}

	const shares = [];
	for (let round = 0; round < 3; round++) shares.push((await sent([team], `Team ${round}`)) / (await sent([file], `File ${round}`)));
	tell(`A batch of ${rows} rows, one sender, answers at once: ${median(shares).toFixed(2)} of the rate with a file (to reach: 0.5)`);
	await fast.stop();

	const slow = await answering(50);
	const address = await journal();
	const all = [];
	for (let number = 0; number < 8; number++) all.push(await machine(`sender${number}`, slow.url, address));
	const rates = new Map<number, number[]>([1, 4, 8].map((senders) => [senders, []]));
	for (let round = 0; round < 3; round++)
		for (const [senders, seen] of rates) seen.push(await sent(all.slice(0, senders), `Round ${round} of ${senders}`));
	const made = await slow.stop();
	if (made !== Number(rows) * 9) throw new Error(`the service made ${made} transfers instead of ${Number(rows) * 9}`);
	const one = median(rates.get(1) as number[]);
	for (const [senders, seen] of rates)
		tell(
			`50 ms an answer, ${senders} sender${senders === 1 ? "" : "s"}: ${median(seen).toFixed(0)} rows/s, ${(median(seen) / one).toFixed(2)} of one sender`,
		);
} finally {
	for (const service of services) service.kill();
	await server.stop();
	rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

type Took = Awaited<ReturnType<typeof paid>>;
