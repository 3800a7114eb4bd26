// Batches beside what else sends a file of payments: `npm run bench:batch [-- ROWS … FOLDER …]` (10000 100000 unless given; 1000000 takes
// some minutes). A folder is that of another build, such as a checkout of an older version, which sends the same beside this one. Everything that is compared runs one after the other in the same round, and what is told is the median of the
// rounds' ratios: this says something on a machine that others use too. All against one minimal server on the loopback, at once and,
// as users meet a service, with 20, 50 and 200 ms before each answer.
import { spawnSync } from "node:child_process";
import { createWriteStream, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { answering, environment, folder, from, median, profileAt, programOf, ran, root, tell, to } from "./parts.js";

const given = process.argv.slice(2);
const sizes = given.filter((word) => /^\d+$/.test(word)).map(Number);
const rows = sizes.length > 0 ? sizes : [10_000, 100_000];
const beside = given.filter((word) => !/^\d+$/.test(word)).map((word) => resolve(word));
for (const build of beside) if (!existsSync(programOf(build))) throw new Error(`${build} holds no bin/purser.js`);

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

/** @returns the seconds that it took */
function curlOf(config) {
	const start = performance.now();
	const { status } = spawnSync("curl", ["--silent", "--parallel", "--parallel-max", "16", "--config", join(folder, config)]);
	if (status !== 0) throw new Error(`curl ended with ${status}`);
	return (performance.now() - start) / 1_000;
}

/** One plan and one send on a state directory of its own. @param build its folder */
async function purser(count, url, build = root) {
	const state = await mkdtemp(join(folder, "state-"));
	const run = (...words) => ran([programOf(build), ...words], { env: environment(state) });
	await run(...profileAt(url));
	const file = join(state, "plan.json");
	const plan = await run("pay", "batch", "plan", join(folder, `${count}.csv`), "--to", file, "--json");
	const send = await run("pay", "batch", "send", file, "--yes", "--json");
	await rm(state, { recursive: true });
	return { plan, send, own: Number(/"seconds":\s*([\d.]+)/.exec(send.stdout)?.[1]) };
}

const speed = (count, seconds) => `${Math.round(count / seconds).toLocaleString("en")} rows/s`;
const { url } = await answering();
const curl = spawnSync("curl", ["--version"]).error === undefined;
tell(`Node ${process.versions.node}; medians of rounds; "whole" is plan + send, each with its start; "send" is the sending alone`);
const perRow = new Map();
for (const count of rows) {
	await written(join(folder, `${count}.csv`), csv(count));
	if (curl) await written(join(folder, `${count}.curl`), curlConfig(count, url));
	const rounds = [];
	for (let round = 0; round < (count >= 500_000 ? 1 : 3); round++) {
		const ours = await purser(count, url);
		const others = [];
		for (const build of beside) others.push(await purser(count, url, build));
		rounds.push({ ...ours, others, theirs: curl ? curlOf(`${count}.curl`) : undefined });
	}
	const of = (pick) => median(rounds.map(pick));
	const wholeOf = ({ plan, send }) => (plan.passed + send.passed) / 1_000;
	perRow.set(count, of(({ own }) => own) / count);
	const memory = (run) => `, peak ${of((round) => round[run].peak)} MB`;
	tell(`\n${count.toLocaleString("en")} rows`);
	tell(
		`  purser plan   ${speed(
			count,
			of(({ plan }) => plan.passed / 1_000),
		)}${memory("plan")}`,
	);
	tell(
		`  purser send   ${speed(
			count,
			of(({ own }) => own),
		)}${memory("send")}`,
	);
	tell(`  purser whole  ${speed(count, of(wholeOf))}`);
	for (const [number, build] of beside.entries()) {
		const send = of(({ others, own }) => others[number].own / own);
		const plan = of(({ others, plan }) => others[number].plan.passed / plan.passed);
		tell(`  send : ${build}  ${send.toFixed(2)}, plan : its plan  ${plan.toFixed(2)} (more than 1: faster)`);
	}
	if (!curl) tell("  curl is not installed: not compared");
	else {
		tell(
			`  curl --parallel --parallel-max 16  ${speed(
				count,
				of(({ theirs }) => theirs),
			)}`,
		);
		tell(`  send : curl   ${of(({ own, theirs }) => theirs / own).toFixed(2)} (reference: 0.75)`);
		tell(`  whole : curl  ${of((round) => round.theirs / wholeOf(round)).toFixed(2)}`);
	}
}
tell("\nA service that takes its time, 16 payments at once; 1 is what 16 at once allow");
for (const latency of [20, 50, 200]) {
	const slow = await answering(latency);
	// Twenty seconds of sending each.
	const count = 16 * Math.round(20_000 / latency);
	await written(join(folder, `${count}.csv`), csv(count));
	const { own } = await purser(count, slow.url);
	const others = [];
	for (const build of beside) others.push((await purser(count, slow.url, build)).own / own);
	const { waited } = await slow.stop();
	const share = ((count / own) * (waited / 1_000 / 16)).toFixed(2);
	const told = others.map((share) => `; ${share.toFixed(2)} of the speed of the build beside it`).join("");
	tell(`  ${String(latency).padStart(3)} ms: ${speed(count, own)} = ${share} (to reach: 0.93)${told}`);
}
const [least, most] = [rows[0], rows.at(-1)];
if (least !== most) {
	const cost = (perRow.get(most) / perRow.get(least)).toFixed(2);
	tell(`\nA row of ${most.toLocaleString("en")} costs ${cost} of a row of ${least.toLocaleString("en")} (to reach: at most 1.15)`);
}
process.exit();
