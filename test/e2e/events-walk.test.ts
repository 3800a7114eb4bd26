/**
 * The walk-through of events as its page has it, by the built program: the sandbox delivers, a listener checks and tells, a payment ends, an
 * event is handed to a program that fails, a signature is checked by hand, and a lost reply is settled by an event alone.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closedPort } from "../faults/wire-peer.js";
import { longestRun } from "../support/built.js";
import { until } from "../support/time.js";
import { environment, typing } from "./service.js";

const page = fileURLToPath(new URL("../../src/sandbox/README.md", import.meta.url));

let folder: string;
let shell: Awaited<ReturnType<typeof typing>>;
const running: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-walk-"));
	shell = await typing(folder, environment(folder));
});
afterAll(async () => {
	for (const stop of running.reverse()) await stop();
	await rm(folder, { recursive: true, force: true });
});

const typed = (line: string) => shell.typed(`set -o pipefail; ${line}`);

/** A line of a terminal of its own. @returns what it has said so far, once it has said `ready` */
async function started(line: string, ready: string): Promise<() => string> {
	const process = execa("bash", ["-c", `exec ${line}`], shell.options);
	let said = "";
	for (const stream of [process.stdout, process.stderr])
		stream?.on("data", (part) => {
			said += part;
		});
	let ended = false;
	void process.then(() => {
		ended = true;
	});
	running.push(async () => {
		process.kill("SIGINT");
		await process;
	});
	await until(() => ended || said.includes(ready));
	if (ended) throw new Error(`${line} ended:\n${said}`);
	return () => said;
}

/** The page's lines, in their order. */
async function lines(): Promise<string[]> {
	const [, section = ""] = (await readFile(page, "utf8")).replaceAll("\r\n", "\n").split("### A walk-through of events\n");
	const [walk = ""] = section.split(/^## /m);
	return [...walk.matchAll(/^\$ (.*)$/gm)].map(([, line = ""]) => line);
}

test(
	"every line does what the page says",
	async () => {
		const [sandboxPort, hookPort] = [await closedPort(), await closedPort()];
		let listener = () => "";
		const known = { TRANSACTION: "", EVENT: "" };
		const seen: string[] = [];
		const event = async (type: string, subject: string): Promise<string> => {
			for (;;) {
				const { stdout } = await typed(`purser events list --type ${type} --subject ${subject} --json`);
				const [found] = JSON.parse(stdout) as { id: string }[];
				if (found) return found.id;
			}
		};
		const acts: Record<string, (line: string) => Promise<unknown>> = {
			"purser sandbox serve": (line) => started(`${line} --port ${sandboxPort}`, "Ctrl-C stops it"),
			"purser sandbox webhook-secret": async (line) => expect(await typed(line)).toMatchObject({ exit: 0 }),
			"purser events listen": async (line) => {
				listener = await started(line, `Listening at http://127.0.0.1:${hookPort}/hook`);
			},
			"purser pay ledger --from 'Main account' --to Savings --amount 10.10": async (line) => {
				const { exit, stdout } = await typed(`${line} --yes --json`);
				expect(exit).toBe(0);
				known.TRANSACTION = JSON.parse(stdout).id;
			},
			"purser pay show": async (line) => {
				const ran = await typed(line);
				expect(ran).toMatchObject({ exit: 0, stdout: expect.stringContaining("APPROVED") });
				known.EVENT = await event("transaction.approved", known.TRANSACTION);
				await until(() => listener().includes("transaction.approved"));
			},
			"purser events list --type": async (line) => {
				const { exit, stdout } = await typed(line);
				expect(exit).toBe(0);
				expect(stdout).toContain("transaction.pending");
				expect(stdout).toContain("transaction.approved");
			},
			"purser events replay": async (line) => expect((await typed(line)).stdout.trim().split("\n").at(-1)).toBe("9"),
			"purser events list --failed": async (line) => expect((await typed(line)).stdout).toContain("transaction.approved"),
			"purser events show": async (line) => expect(await typed(line)).toMatchObject({ exit: 0 }),
			"purser events verify": async (line) => {
				expect(await typed(line)).toMatchObject({ exit: 0 });
				// The control: one byte more.
				await writeFile(join(folder, "body.json"), `${await readFile(join(folder, "body.json"), "utf8")} `);
				expect(await typed(line)).toMatchObject({ exit: 3 });
			},
			"purser sandbox simulate fault": async (line) => expect(await typed(line)).toMatchObject({ exit: 0 }),
			"purser pay ledger --from 'Main account' --to Savings --amount 20.20": async (line) => {
				const { stdout } = await typed(line.replace(";", " --yes;"));
				expect(stdout.trim().split("\n").at(-1)).toBe("7");
				// The control: there is no list.
				expect(await typed("purser pay settle")).toMatchObject({ exit: 7 });
			},
			"purser pay settle --by events": async (line) => {
				await until(() => (listener().match(/transaction\.pending/g) ?? []).length === 2);
				expect(await typed(line)).toMatchObject({ exit: 0, stdout: expect.stringContaining("Created") });
			},
		};
		for (const line of await lines()) {
			const [name, act] = Object.entries(acts).find(([start]) => line.startsWith(start)) ?? [];
			if (name === undefined || act === undefined) throw new Error(`no act for: ${line}`);
			seen.push(name);
			await act(line.replace("4020", String(hookPort)).replace(/\b(TRANSACTION|EVENT)\b/, (word) => known[word as "EVENT"]));
		}
		expect([...new Set(seen)].sort()).toEqual(Object.keys(acts).sort());
	},
	longestRun,
);
