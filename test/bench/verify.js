// What `history verify` and `history backup` of a large journal cost: seconds and peak memory of the built program.
// Usage: npm run build && npm run bench:verify -- [rows] [folder]. With a folder the journal is kept there and used again.
import { spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = join(root, "bin", "purser.js");
const [given = "1000000", kept] = process.argv.slice(2);
const rows = Number(given);
const folder = kept ?? mkdtempSync(join(tmpdir(), "purser-bench-"));
const state = join(folder, "state");
const env = { ...process.env, PURSER_CONFIG_DIR: join(folder, "config"), PURSER_STATE_DIR: state, PURSER_NO_KEYRING: "1" };
const from = "aaaaaaaa-0001-4000-8000-000000000001";
const to = "aaaaaaaa-0002-4000-8000-000000000002";

/** Runs the program; seconds, peak memory in MB, what it wrote. @throws Error where it does not exit 0 */
function purser(...argv) {
	return new Promise((resolve, reject) => {
		const start = performance.now();
		const child = spawn(process.execPath, [program, ...argv], { env, stdio: ["ignore", "pipe", "pipe"] });
		let [output, peak] = ["", 0];
		const look = setInterval(() => {
			try {
				peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
			} catch {}
		}, 20);
		for (const stream of [child.stdout, child.stderr])
			stream.on("data", (part) => {
				output = (output + part).slice(-4_000);
			});
		child.on("close", (code) => {
			clearInterval(look);
			const told = { seconds: ((performance.now() - start) / 1000).toFixed(1), peak: Math.round(peak), output };
			if (code === 0) resolve(told);
			else reject(new Error(`purser ${argv.join(" ")}: exit ${code}\n${output}`));
		});
	});
}

/** A journal of a batch, sent to a minimal service. */
async function made() {
	const service = spawn(process.execPath, [join(root, "test", "bench", "answering.js")], { stdio: ["ignore", "pipe", "inherit"] });
	const port = await new Promise((resolve) => service.stdout.once("data", (part) => resolve(String(part).trim())));
	try {
		const file = createWriteStream(join(folder, "rows.csv"));
		file.write("ledgerFromId,ledgerToId,amount,reference\n");
		for (let row = 1; row <= rows; row++)
			if (!file.write(`${from},${to},${(row % 700) + 1}.10,Row ${row}\n`)) await new Promise((resolve) => file.once("drain", resolve));
		await new Promise((resolve) => file.end(resolve));
		await purser("profile", "add", "bench", "--base-url", `http://127.0.0.1:${port}`, "--environment", "sandbox", "--auth", "none");
		await purser("pay", "batch", "plan", join(folder, "rows.csv"), "--to", join(folder, "plan.json"), "--json");
		await purser("pay", "batch", "send", join(folder, "plan.json"), "--yes", "--json");
	} finally {
		service.kill();
	}
}

const tell = (what, { seconds, peak }) => process.stdout.write(`${what.padEnd(8)} ${seconds} s, peak ${peak} MB\n`);
try {
	mkdirSync(folder, { recursive: true });
	if (!existsSync(state)) await made();
	process.stdout.write(`Node ${process.versions.node}; ${rows.toLocaleString("en")} rows; verify: at most 200 MB\n`);
	tell("verify", await purser("history", "verify", "--json"));
	const copy = join(folder, "copy.db");
	rmSync(copy, { force: true });
	tell("backup", await purser("history", "backup", copy, "--json"));
	process.stdout.write(`copy     ${Math.round(statSync(copy).size / 1e6)} MB\n`);
} finally {
	if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}
