// Batches beside what else sends a file of payments: `npm run bench:batch [-- ROWS … FOLDER …]` (10000 100000 unless given; 1000000 takes
// some minutes). A folder is that of another build, such as a checkout of an older version, which sends the same beside this one. Everything that is compared runs one after the other in the same round, and what is told is the median of the
// rounds' ratios: this says something on a machine that others use too. All against one minimal server on the loopback, at once and,
// as users meet a service, with 20, 50 and 200 ms before each answer.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createWriteStream, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const given = process.argv.slice(2);
const sizes = given.filter((word) => /^\d+$/.test(word)).map(Number);
const rows = sizes.length > 0 ? sizes : [10_000, 100_000];
const beside = given.filter((word) => !/^\d+$/.test(word)).map((word) => resolve(word));
for (const build of beside) if (!existsSync(join(build, "bin", "purser.js"))) throw new Error(`${build} holds no bin/purser.js`);
const from = "aaaaaaaa-0001-4000-8000-000000000001";
const to = "aaaaaaaa-0002-4000-8000-000000000002";
const folder = await mkdtemp(join(tmpdir(), "purser-bench-"));

const has = (name) => spawnSync(name, ["--version"]).error === undefined;
const median = (values) => [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) / 2)];

/** Runs a program; seconds, peak memory in MB (where the system tells it), what it wrote. */
function run(command, argv, { env = {} } = {}) {
	return new Promise((resolve, reject) => {
		const start = performance.now();
		const child = spawn(command, argv, {
			cwd: folder,
			env: { PATH: process.env.PATH, HOME: folder, ...env },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let [output, peak] = ["", 0];
		const look = setInterval(() => {
			try {
				peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
			} catch {}
		}, 50);
		child.stdout.on("data", (part) => {
			output = (output + part).slice(-4_000);
		});
		child.stderr.on("data", (part) => {
			output = (output + part).slice(-4_000);
		});
		child.on("error", reject);
		child.on("close", (code) => {
			clearInterval(look);
			resolve({ code, seconds: (performance.now() - start) / 1000, peak: Math.round(peak), output });
		});
	});
}

function server(latency = 0) {
	const child = spawn(process.execPath, [join(root, "test", "bench", "answering.js"), String(latency)], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	return new Promise((resolve) => {
		child.stdout.once("data", (part) => resolve({ url: `http://127.0.0.1:${String(part).trim()}`, stop }));
		/** @returns the mean of the milliseconds that it took before an answer: a timer of this machine is never early and often late */
		const stop = () =>
			new Promise((ended) => {
				child.stdout.once("data", (part) => ended(Number(String(part).split(" ")[1])));
				child.kill();
			});
	});
}

async function written(path, lines) {
	const file = createWriteStream(path);
	for (const text of lines) if (!file.write(text)) await new Promise((resolve) => file.once("drain", resolve));
	await new Promise((resolve) => file.end(resolve));
}

const body = (row) => `{"ledgerFromId":"${from}","ledgerToId":"${to}","amount":${(row % 700) + 1}.10,"reference":"Row ${row}"}`;

function* csv(count) {
	yield "ledgerFromId,ledgerToId,amount,reference\n";
	for (let row = 1; row <= count; row++) yield `${from},${to},${(row % 700) + 1}.10,Row ${row}\n`;
}

function* curlConfig(count, url) {
	for (let row = 1; row <= count; row++)
		yield `url = "${url}/api/partner/transactions/inter-ledger"\nheader = "Content-Type: application/json"\ndata = "${body(row).replaceAll('"', '\\"')}"\noutput = /dev/null\n${row < count ? "next\n" : ""}`;
}

const curlOf = (config) => run("curl", ["--silent", "--parallel", "--parallel-max", "16", "--config", config]);

/** One plan and one send on a state directory of its own. @param build its folder */
async function purser(count, url, build = root) {
	const program = join(build, "bin", "purser.js");
	const state = await mkdtemp(join(folder, "state-"));
	const env = { PURSER_CONFIG_DIR: join(state, "config"), PURSER_STATE_DIR: state, PURSER_NO_KEYRING: "1" };
	execFileSync(process.execPath, [program, "profile", "add", "bench", "--base-url", url, "--environment", "sandbox", "--auth", "none"], {
		env: { PATH: process.env.PATH, HOME: folder, ...env },
		stdio: "ignore",
	});
	const file = join(folder, `${count}.csv`);
	const plan = await run(process.execPath, [program, "pay", "batch", "plan", file, "--to", join(state, "plan.json"), "--json"], { env });
	if (plan.code !== 0) throw new Error(`plan: exit ${plan.code}\n${plan.output}`);
	const words = [program, "pay", "batch", "send", join(state, "plan.json"), "--yes", "--json"];
	const send = await run(process.execPath, words, { env });
	if (send.code !== 0) throw new Error(`send: exit ${send.code}\n${send.output}`);
	const own = Number(/"seconds":\s*([\d.]+)/.exec(send.output)?.[1]);
	await rm(state, { recursive: true });
	return { plan, send, own };
}

const tell = (text) => process.stdout.write(`${text}\n`);
const speed = (count, seconds) => `${Math.round(count / seconds).toLocaleString("en")} rows/s`;
const { url, stop } = await server();
try {
	const curl = has("curl");
	tell(`Node ${process.versions.node}; medians of rounds; "whole" is plan + send, each with its start; "send" is the sending alone`);
	const perRow = new Map();
	for (const count of rows) {
		await written(join(folder, `${count}.csv`), csv(count));
		if (curl) {
			await written(join(folder, `${count}.curl`), curlConfig(count, url));
		}
		const rounds = [];
		for (let round = 0; round < (count >= 500_000 ? 1 : 3); round++) {
			const ours = await purser(count, url);
			const others = [];
			for (const build of beside) others.push(await purser(count, url, build));
			rounds.push({ ours, others, theirs: curl ? await curlOf(`${count}.curl`) : undefined });
		}
		const of = (pick) => median(rounds.map(pick));
		const [whole, sending] = [of(({ ours }) => ours.plan.seconds + ours.send.seconds), of(({ ours }) => ours.own)];
		perRow.set(count, sending / count);
		tell(`\n${count.toLocaleString("en")} rows`);
		tell(
			`  purser plan   ${speed(
				count,
				of(({ ours }) => ours.plan.seconds),
			)}, peak ${of(({ ours }) => ours.plan.peak)} MB`,
		);
		tell(`  purser send   ${speed(count, sending)}, peak ${of(({ ours }) => ours.send.peak)} MB`);
		tell(`  purser whole  ${speed(count, whole)}`);
		for (const [number, build] of beside.entries()) {
			const send = of(({ ours, others }) => others[number].own / ours.own);
			const plan = of(({ ours, others }) => others[number].plan.seconds / ours.plan.seconds);
			tell(`  send : ${build}  ${send.toFixed(2)}, plan : its plan  ${plan.toFixed(2)} (more than 1: faster)`);
		}
		if (curl) {
			tell(
				`  curl --parallel --parallel-max 16  ${speed(
					count,
					of(({ theirs }) => theirs.seconds),
				)}`,
			);
			tell(`  send : curl   ${of(({ ours, theirs }) => theirs.seconds / ours.own).toFixed(2)} (reference: 0.75)`);
			tell(`  whole : curl  ${of(({ ours, theirs }) => theirs.seconds / (ours.plan.seconds + ours.send.seconds)).toFixed(2)}`);
		} else tell("  curl is not installed: not compared");
	}
	tell("\nA service that takes its time, 16 payments at once; 1 is what 16 at once allow");
	for (const latency of [20, 50, 200]) {
		const slow = await server(latency);
		// Twenty seconds of sending each.
		const count = 16 * Math.round(20_000 / latency);
		await written(join(folder, `${count}.csv`), csv(count));
		const { own } = await purser(count, slow.url);
		const others = [];
		for (const build of beside) others.push((await purser(count, slow.url, build)).own / own);
		const took = await slow.stop();
		tell(
			`  ${String(latency).padStart(3)} ms: ${speed(count, own)} = ${((count / own) * (took / 1_000 / 16)).toFixed(2)} (to reach: 0.93)${others.map((share) => `; ${share.toFixed(2)} of the speed of the build beside it`).join("")}`,
		);
	}
	const [least, most] = [rows[0], rows.at(-1)];
	if (least !== most)
		tell(
			`\nA row of ${most.toLocaleString("en")} costs ${(perRow.get(most) / perRow.get(least)).toFixed(2)} of a row of ${least.toLocaleString("en")} (to reach: at most 1.15)`,
		);
} finally {
	stop();
	await rm(folder, { recursive: true, force: true });
}
