/**
 * What a team's journal costs beside one machine's own: `npm run bench:team [-- PAYMENTS ROWS]` (40 of each, and 4,000 rows, unless given). Everything
 * runs on this machine, against one service with ready answers. Payments by a file and by PostgreSQL alternate; so do the batches of a round.
 * What is told is a median of ratios or of differences of pairs, in processor time where the machine may be busy.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { noPostgres, startPostgres } from "../support/postgres.js";
import { answering, environment, folder, from, median, profileAt, programOf, ran, root, tell, to } from "./parts.js";

if (noPostgres !== undefined) throw new Error(noPostgres);
const [payments = "40", rows = "4000"] = process.argv.slice(2);

/** Runs purser as one machine does; exits 8 and 10 tell that a batch is being sent, or will be. @param machine the name of its folder */
const purser = (machine, ...words) => ran([programOf(root), ...words], { env: environment(join(folder, machine)), exits: [0, 8, 10] });

/** A machine with a profile, in a team or not. */
async function machine(name, url, team) {
	await purser(name, ...profileAt(url));
	if (team !== undefined) await purser(name, "team", "join", team, "--yes");
	return name;
}

const paid = (name, reference) =>
	purser(name, "pay", "ledger", "--from", from, "--to", to, "--amount", "1.10", "--reference", reference, "--yes", "--json");

/** Plans one batch and sends it by all these machines. @returns rows a second from the first one's start to the last one's end */
async function sent(machines, batch) {
	const [first = "", ...others] = machines;
	const file = join(folder, `${batch}.csv`);
	const lines = Array.from({ length: Number(rows) }, (_, row) => `${from},${to},${(row % 700) + 1}.10,${batch} ${row}`);
	writeFileSync(file, ["ledgerFromId,ledgerToId,amount,reference", ...lines].join("\n"));
	const { stdout } = await purser(first, "pay", "batch", "plan", file, "--to", `${file}.json`, "--json");
	const { batch: number } = JSON.parse(stdout);
	const start = performance.now();
	const sending = purser(first, "pay", "batch", "send", `${file}.json`, "--yes", "--json");
	// What fails first is what is told.
	sending.catch(() => {});
	// It can be joined from the moment on at which it has begun.
	const [second] = others;
	while (second !== undefined) {
		const status = await purser(second, "pay", "batch", "status", String(number), "--json");
		if (JSON.parse(status.stdout).state !== "planned") break;
	}
	await Promise.all([sending, ...others.map((other) => purser(other, "pay", "batch", "resume", String(number), "--yes", "--json"))]);
	return Number(rows) / ((performance.now() - start) / 1_000);
}

const server = await startPostgres("fsync=on", "max_connections=80");
try {
	let journals = 0;
	const journal = async () => {
		const name = `bench${journals++}`;
		await server.sql(`CREATE DATABASE ${name}`);
		const address = `postgresql://tests@127.0.0.1:${server.address.port}/${name}`;
		await machine(`admin-${name}`, "http://127.0.0.1:1");
		await purser(`admin-${name}`, "team", "init", address, "--yes");
		return address;
	};
	const fast = await answering();
	const [file, team] = [await machine("file", fast.url), await machine("team", fast.url, await journal())];
	const pairs = [];
	for (let number = 0; number < Number(payments) + 2; number++) {
		const [first, second] = number % 2 === 0 ? [file, team] : [team, file];
		const took = { [first]: await paid(first, `Bench ${number}`), [second]: await paid(second, `Bench ${number}`) };
		// The first ones fill the system's caches.
		if (number >= 2) pairs.push(took);
	}
	for (const time of ["processor", "passed"]) {
		const of = (name) => median(pairs.map((pair) => pair[name][time]));
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
	const rates = new Map([1, 4, 8].map((senders) => [senders, []]));
	for (let round = 0; round < 3; round++)
		for (const [senders, seen] of rates) seen.push(await sent(all.slice(0, senders), `Round ${round} of ${senders}`));
	const { transfers: made } = await slow.stop();
	if (made !== Number(rows) * 9) throw new Error(`the service made ${made} transfers instead of ${Number(rows) * 9}`);
	const one = median(rates.get(1));
	for (const [senders, seen] of rates)
		tell(
			`50 ms an answer, ${senders} sender${senders === 1 ? "" : "s"}: ${median(seen).toFixed(0)} rows/s, ${(median(seen) / one).toFixed(2)} of one sender`,
		);
} finally {
	await server.stop();
}
process.exit();
