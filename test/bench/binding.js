#!/usr/bin/env node

// What a payment through a mapping costs beside the same one without: `npm run bench:binding [-- PAYMENTS]` (60 of each, unless given). Two
// servers with ready answers, one as the service is described and one in the words of an enveloped deployment (test/mapping/documents/harbour), so
// that what is measured is the program alone; one payment of each after the other, so that a machine that others use too slows both alike. Once with the ledgers' ids,
// as scripts pay, and once with their names, which reads a list as well. What is told is the median, and that of the pairs' differences: of the
// time that passed, and of the processor time, which counts where the machine is busy with something else.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const program = join(root, "bin", "purser.js");
const [count = "60"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "purser-bench-"));
const env = {
	PATH: process.env.PATH,
	HOME: folder,
	PURSER_CONFIG_DIR: join(folder, "config"),
	PURSER_STATE_DIR: folder,
	PURSER_NO_KEYRING: "1",
};
const median = (values) => [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) / 2)];
/** Each run leaves its processor time behind, in microseconds. */
const [spent, telling] = [join(folder, "spent"), join(folder, "telling.cjs")];
writeFileSync(
	telling,
	`process.on("exit", () => { const { user, system } = process.cpuUsage(); require("node:fs").writeFileSync(${JSON.stringify(spent)}, String(user + system)); });`,
);
const purser = (...words) => run(process.execPath, ["--require", telling, program, ...words], { env });

const main = "aaaaaaaa-0001-4000-8000-000000000001";
const savings = "aaaaaaaa-0002-4000-8000-000000000002";
const holder = "11111111-1111-4111-8111-111111111111";
const described = [
	[main, "Main account"],
	[savings, "Savings"],
].map(
	([id, name]) =>
		`{"id":"${id}","endUserId":"${holder}","friendlyName":"${name}","status":"ACTIVE","currency":"EUR","totalAmount":10000.00,"availableAmount":10000.00,"reservedAmount":0.00,"iban":"XX00EXAMPLE00000000001"}`,
);
const [theirMain, theirSavings] = ["acct_00000000000a", "acct_00000000000b"];
const mapped = [
	[theirMain, "Main account"],
	[theirSavings, "Savings"],
].map(
	([id, name]) =>
		`{"id":"${id}","business_id":"biz_000000000001","name":"${name}","status":"open","currency":"EUR","balance":1000000,"iban":"XX00EXAMPLE00000000001"}`,
);

/** The answers of each service, by method, and for a list and one ledger. */
const services = {
	described: {
		list: () => `{"content":[${described}],"totalElements":2,"page":0,"pageSize":100}`,
		one: () => described[0],
		payment: () => `{"id":"${randomUUID()}","status":"PENDING"}`,
	},
	mapped: {
		list: () => `{"data":[${mapped}],"page":{"next_cursor":null}}`,
		one: () => `{"data":${mapped[0]}}`,
		payment: () => `{"data":{"id":"pay_${randomUUID().slice(-12)}"}}`,
	},
};

async function serve({ list, one, payment }) {
	const server = createServer((request, response) => {
		request.resume().on("end", () => {
			const isOne = request.url.includes(main) || request.url.includes(theirMain);
			const body = request.method === "POST" ? payment() : isOne ? one() : list();
			response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" }).end(body);
		});
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return server;
}

/** How the ledgers are named. */
const names = ["Main account", "Savings"];
const ways = { "by id": { described: [main, savings], mapped: [theirMain, theirSavings] }, "by name": { described: names, mapped: names } };

/** Milliseconds of one payment, from the program's start to its end, and of the processor. */
async function paid(profile, [from, to], reference) {
	const start = performance.now();
	const words = ["pay", "ledger", "--from", from, "--to", to, "--amount", "1.10", "--reference", reference];
	await purser(...words, "--profile", profile, "--yes", "--json");
	return { passed: performance.now() - start, processor: Number(readFileSync(spent, "utf8")) / 1_000 };
}

const servers = [];
try {
	for (const [name, answers] of Object.entries(services)) {
		const server = await serve(answers);
		servers.push(server);
		const address = `http://127.0.0.1:${server.address().port}`;
		await purser("profile", "add", name, "--base-url", address, "--environment", "sandbox", "--auth", "none");
	}
	const [operation, profile] = ["transaction.interLedger", ["--profile", "mapped"]];
	await purser("api", "use", join(root, "test/mapping/documents/harbour.mapping.yaml"), ...profile);
	const { digest } = JSON.parse((await purser("api", "confirm", operation, "--dry-run", "--json", ...profile)).stdout);
	await purser("api", "confirm", operation, "--digest", digest, ...profile);
	for (const [way, ledgers] of Object.entries(ways)) {
		const pairs = [];
		for (let number = 0; number < Number(count) + 2; number++) {
			const [first, second] = number % 2 === 0 ? ["described", "mapped"] : ["mapped", "described"];
			const reference = `Bench ${way} ${number}`;
			const took = { [first]: await paid(first, ledgers[first], reference), [second]: await paid(second, ledgers[second], reference) };
			// The first ones fill the system's caches.
			if (number >= 2) pairs.push(took);
		}
		for (const time of ["passed", "processor"]) {
			const of = (name) => median(pairs.map((one) => one[name][time]));
			const difference = median(pairs.map((one) => one.mapped[time] - one.described[time]));
			process.stdout.write(
				`${way}, time ${time === "passed" ? "that passed" : "of the processor"}: as described ${of("described").toFixed(1)} ms, mapped ${of("mapped").toFixed(1)} ms; ratio ${(of("mapped") / of("described")).toFixed(3)}; the difference of a pair ${difference.toFixed(1)} ms (a payment: at most 3)\n`,
			);
		}
	}
} finally {
	for (const server of servers) server.close();
	rmSync(folder, { recursive: true });
}
