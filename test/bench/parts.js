// What the benches have in common. They are started from the root: `npm run bench:…`.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";

export const root = process.cwd();
export const [from, to] = ["aaaaaaaa-0001-4000-8000-000000000001", "aaaaaaaa-0002-4000-8000-000000000002"];
export const folder = mkdtempSync(join(tmpdir(), "purser-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

export const tell = (text) => process.stdout.write(`${text}\n`);
export const median = (values) => [...values].sort((one, other) => one - other)[(values.length - 1) >> 1];
export const programOf = (build) => join(build, "bin", "purser.js");

/** A clean environment: NODE_EXTRA_CA_CERTS alone triples the time of `node -e 0`. */
export const environment = (home) => ({
	PATH: process.env.PATH,
	HOME: home,
	PURSER_CONFIG_DIR: join(home, "config"),
	PURSER_STATE_DIR: join(home, "state"),
	PURSER_NO_KEYRING: "1",
});

/**
 * Runs a program with Node. @param exits those that are no failure
 * @returns what it wrote, the milliseconds that passed and those of the processor, and the most memory that it held, in MB
 */
export async function ran(argv, { env, input = "", node = process.execPath, exits = [0] }) {
	const start = performance.now();
	const { exitCode, stdout, stderr, stdio } = await execa(node, ["--require", join(root, "test/support/peak.cjs"), ...argv], {
		...{ env, input, extendEnv: false, reject: false, maxBuffer: 1e9 },
		stdio: ["pipe", "pipe", "pipe", "pipe"],
	});
	if (!exits.includes(exitCode)) throw new Error(`${argv.join(" ")} ended with ${exitCode}\n${stdout}${stderr}`);
	const passed = performance.now() - start;
	const [peak, processor] = stdio[3].split(" ").map(Number);
	return { stdout, passed, processor, peak: Math.round(peak / 1024) };
}

/** A profile `bench` of that address, which needs no login. */
export const profileAt = (url) => ["profile", "add", "bench", "--base-url", url, "--environment", "sandbox", "--auth", "none"];

/** A service that costs nothing beside the program, so that what is measured is the program. @param latency milliseconds before each answer */
export async function answering(latency = 0) {
	const child = spawn(process.execPath, [join(root, "test/bench/answering.js"), String(latency)], { stdio: ["ignore", "pipe", "inherit"] });
	process.on("exit", () => child.kill());
	const line = () => new Promise((resolve) => child.stdout.once("data", (part) => resolve(String(part).trim())));
	const url = `http://127.0.0.1:${await line()}`;
	/** @returns how many transfers it made, and the mean of the milliseconds that it took before an answer: a timer is never early and often late */
	const stop = async () => {
		const last = line();
		child.kill();
		const [transfers, waited] = (await last).split(" ").map(Number);
		return { transfers, waited };
	};
	return { url, stop };
}
