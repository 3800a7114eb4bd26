// What it costs to start: processor time of interleaved runs, as medians of ratios to `node -e 0` run just before, on each Node that is here.
// The children get a clean environment (PATH and HOME, and the program's own folders): NODE_EXTRA_CA_CERTS alone triples the time of `node -e 0`.
// Usage: npm run bench:start -- [runs] [path of another node …]
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const program = path("../../bin/purser.js");
const counter = path("../start/loaded.cjs");
const cpu = path("../start/cpu.cjs");
const [count, ...others] = process.argv.slice(2);
const runs = Number(count ?? 21);
const nodes = [process.execPath, ...others.filter((file) => existsSync(file))];
const folder = mkdtempSync(join(tmpdir(), "purser-bench-"));
const env = {
	PATH: process.env.PATH,
	HOME: folder,
	PURSER_CONFIG_DIR: join(folder, "config"),
	PURSER_STATE_DIR: join(folder, "state"),
	PURSER_NO_KEYRING: "1",
};
const from = "aaaaaaaa-0001-4000-8000-000000000001";
const to = "aaaaaaaa-0002-4000-8000-000000000002";
let number = 0;
const payment = (amount = "1") => [
	"pay",
	"ledger",
	"--ledger-from-id",
	from,
	"--ledger-to-id",
	to,
	"--amount",
	amount,
	"--reference",
	`r${number++}`,
];

/** A service that costs nothing beside the program, so that what is measured is the program. @returns its port */
function serve(...options) {
	const server = spawn(process.execPath, [path("answering.js"), "0", ...options], { stdio: ["ignore", "pipe", "inherit"] });
	return new Promise((resolve, reject) => {
		server.stdout.once("data", (part) => resolve({ server, port: String(part).trim() }));
		server.once("exit", () => reject(new Error("the server did not start")));
	});
}

/** A profile of that address, logged in. */
function prepare(profile, url, special = {}) {
	for (const [argv, input] of [
		[["auth", "login", "--profile", profile, "--base-url", url, "--environment", "sandbox", "--token-stdin"], "a-token"],
		// What Tab has to tell.
		[["ledger", "show", from, "--profile", profile], undefined],
	]) {
		const { status, stderr } = spawnSync(process.execPath, [program, ...argv], { env: { ...env, ...special }, input, encoding: "utf8" });
		if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}: ${stderr}`);
	}
}

// A certificate for the payment over TLS, trusted through OpenSSL's own file, which is read only where TLS is used.
const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
const made = spawnSync("openssl", [
	"req",
	"-x509",
	"-newkey",
	"ec",
	"-pkeyopt",
	"ec_paramgen_curve:P-256",
	"-nodes",
	"-days",
	"1",
	"-keyout",
	key,
	"-out",
	cert,
	...subject,
]);
const secure = { SSL_CERT_FILE: cert, NODE_OPTIONS: "--use-openssl-ca" };

// The road, how it is run, and the ratios to reach on Node 20 and on 24.
const roads = {
	"--version": { argv: () => ["--version"], reach: [1.15, 1.15] },
	"--help": { argv: () => ["--help"], reach: [1.6, 1.5] },
	"pay ledger --help": { argv: () => ["pay", "ledger", "--help"], reach: [1.6, 1.5] },
	"completion of ids": { argv: () => ["complete", "--", "ledger", "show", ""], reach: [1.8, 1.5] },
	"payment --dry-run": { argv: () => [...payment(), "--dry-run", "--json"], reach: [3.5, 2.8] },
	payment: { argv: () => [...payment(), "--yes", "--json"], reach: [4.8, 3.7] },
	// An amount with decimals is checked against its currency first: two requests.
	"payment of 0.01": { argv: () => [...payment("0.01"), "--yes", "--json"] },
	...(made.status === 0 && {
		"payment over TLS": { argv: () => [...payment(), "--yes", "--json", "--profile", "secure"], special: secure },
	}),
};

/** Milliseconds of processor time. */
function cost(node, argv, special = {}) {
	const { status, stderr, output } = spawnSync(node, ["--require", cpu, ...argv], {
		env: { ...env, ...special },
		stdio: ["ignore", "pipe", "pipe", "pipe"],
	});
	if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}: ${stderr}`);
	return Number(String(output[3]));
}

const median = (list) => [...list].sort((one, other) => one - other)[list.length >> 1];

/** Ratios of each road to the empty program that ran just before it. */
function measure(node) {
	const ratios = {};
	const empty = [];
	const cases = Object.entries(roads).map(([name, { argv, special }]) => [name, () => cost(node, [program, ...argv()], special)]);
	for (const [, run] of cases) run();
	for (let round = 0; round < runs; round += 1) {
		for (const [name, run] of cases) {
			const base = cost(node, ["-e", "0"]);
			empty.push(base);
			ratios[name] = [...(ratios[name] ?? []), run() / base];
		}
	}
	return { ratios, empty: median(empty) };
}

/** How many files of the program and modules of Node a road loads; test/start holds each road to what it may load. */
function loaded(node, { argv, special }) {
	const { stderr } = spawnSync(node, ["--require", counter, program, ...argv()], { env: { ...env, ...special }, encoding: "utf8" });
	const paths = JSON.parse(/^LOADED (.*)$/m.exec(stderr)?.[1] ?? "[]");
	const own = paths.filter((file) => file.includes("/dist/") || file.includes("\\dist\\"));
	return `${own.length} files, ${paths.filter((file) => file.startsWith("node:")).length} of Node's modules`;
}

/** Peak memory of a payment in MB, where GNU time is here. */
function memory(node) {
	const { status, stderr } = spawnSync("/usr/bin/time", ["-f", "%M", node, program, ...payment(), "--yes", "--json"], {
		env,
		encoding: "utf8",
	});
	return status === 0 ? Math.round(Number(stderr.trim().split("\n").at(-1)) / 1024) : undefined;
}

const servers = [];
try {
	const plain = await serve();
	servers.push(plain.server);
	prepare("bench", `http://127.0.0.1:${plain.port}`);
	if (made.status === 0) {
		const tls = await serve(key, cert);
		servers.push(tls.server);
		prepare("secure", `https://localhost:${tls.port}`, secure);
		spawnSync(process.execPath, [program, "profile", "use", "bench"], { env });
	} else console.log("openssl is not here: the payment over TLS is not measured");
	console.log("Processor time, children in a clean environment (PATH, HOME)");
	for (const node of nodes) {
		const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
		const { ratios, empty } = measure(node);
		console.log(`\nNode ${version}: ${runs} runs, node -e 0 takes ${empty.toFixed(0)} ms`);
		for (const [name, list] of Object.entries(ratios)) {
			const reach = roads[name].reach?.[{ v20: 0, v24: 1 }[version.slice(0, 3)]];
			const target = reach ? `to reach ${reach}` : "";
			console.log(`  ${name.padEnd(20)} ${median(list).toFixed(2)}  ${target.padEnd(14)} ${loaded(node, roads[name])}`);
		}
		console.log(`  peak memory of a payment: ${memory(node) ?? "not measured, GNU time is not here"} MB (to reach 75)`);
	}
} finally {
	for (const server of servers) server.kill();
	rmSync(folder, { recursive: true, force: true });
}
