/**
 * A program that events are given to: its words are no shell's, it is given its input, and it ends when it must.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { processes } from "../../src/system/processes.js";

let told = "";
const { program } = processes(
	process.execPath,
	"",
	(pid, signal) => void process.kill(pid, signal),
	(text) => {
		told += text;
	},
);
const generous = 60_000;

async function folder(): Promise<string> {
	const path = await mkdtemp(join(tmpdir(), "purser-program-"));
	onTestFinished(() => rm(path, { recursive: true, force: true }));
	return path;
}

async function contentOf(file: string): Promise<string> {
	for (;;) {
		const text = await readFile(file, "utf8").catch(() => "");
		if (text !== "") return text;
		await pause(20);
	}
}

describe("a program of the user's own", () => {
	test("is given its input and its words as they are, and acknowledges with 0", async () => {
		const at = join(await folder(), "out");
		const code = `const fs = require("node:fs"); fs.writeFileSync(process.argv[1], JSON.stringify([process.argv.slice(2), fs.readFileSync(0, "utf8")]))`;
		const why = await program([process.execPath, "-e", code, at, "$(touch x); *", "a b"], { input: '{"id":"é"}', limit: generous });
		expect(why).toBeUndefined();
		expect(JSON.parse(await contentOf(at))).toEqual([["$(touch x); *", "a b"], '{"id":"é"}']);
	});

	test("prints through the gate for text from outside, also what it wrote last", async () => {
		const code = `process.stdin.on("data", (text) => { process.stdout.write(text); process.stderr.write("\\u009b2J") }).on("end", () => process.exit(0))`;
		expect(await program([process.execPath, "-e", code], { input: "\u001b[31mred\u202e\r\n", limit: generous })).toBeUndefined();
		expect(told).toBe("␛[31mred<U+202E>\n<U+009B>2J");
	});

	test("that ends with another code, or by a signal, or that there is not, says so", async () => {
		const run = (code: string) => program([process.execPath, "-e", code], { input: "x".repeat(1_000_000), limit: generous });
		expect(await run("process.exit(3)")).toBe("it ended with 3");
		expect(await run(`process.kill(process.pid, "SIGKILL")`)).toBe("it was ended by SIGKILL");
		expect(await program(["/nowhere/at-all"], { input: "", limit: generous })).toBe("it could not be started (ENOENT)");
	});

	test("that takes too long is ended, with what it has started", async () => {
		const at = join(await folder(), "pid");
		const child = `setInterval(() => {}, 1000)`;
		const code = `const { spawn } = require("node:child_process"); const one = spawn(process.execPath, ["-e", ${JSON.stringify(child)}]); require("node:fs").writeFileSync(process.argv[1], String(one.pid)); setInterval(() => {}, 1000)`;
		const stop = new AbortController();
		const ended = program([process.execPath, "-e", code, at], { input: "", limit: generous, signal: stop.signal });
		const pid = Number(await contentOf(at));
		stop.abort();
		expect(await ended).toBe("it was stopped with purser");
		const isAlive = (): boolean => {
			try {
				process.kill(pid, 0);
				return true;
			} catch {
				return false;
			}
		};
		while (isAlive()) await pause(20);
		expect(await program([process.execPath, "-e", child], { input: "", limit: 200 })).toBe("it did not end within 0 s");
	});
});
