/**
 * README.md as somebody types it who has nothing else: each block after the one before it, in a terminal, in one folder and against one
 * sandbox; what a block shows below a line comes. The sandbox's walk-through of events goes on from there.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closedPort } from "../faults/wire-peer.js";
import { environment, longestRun } from "../support/built.js";
import { filledIn } from "../support/template.js";
import { type Session, terminal } from "../support/terminal.js";
import { typing } from "./service.js";

interface Typed {
	line: string;
	/** What the page shows below it; `…` stands for whatever the page leaves out. */
	shown: string[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = async (name: string): Promise<string> => (await readFile(join(root, name), "utf8")).replaceAll("\r\n", "\n");

/** The lines behind `$` of a page's blocks. */
function typedIn(text: string): Typed[] {
	const blocks = [...text.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block = ""]) => block.replace(/\\\n\s*/g, ""));
	return blocks
		.flatMap((block) => block.split(/^\$ /m).slice(1))
		.map((part) => {
			const [line = "", ...shown] = part.trimEnd().split("\n");
			return { line, shown: shown.filter((one) => one.trim() !== "…") };
		});
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
/** A shown line as it may come: ids and the port are others. */
const pattern = (shown: string): RegExp => {
	const parts = shown.trim().split(new RegExp(`${uuid.source}|127\\.0\\.0\\.1:\\d+`));
	return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\S+"));
};
/** The shown lines that did not come, in their order. */
function missing(shown: readonly string[], came: string): string[] {
	let rest = came;
	return shown.filter((line) => {
		const found = pattern(line).exec(rest);
		if (found) rest = rest.slice(found.index + found[0].length);
		return !found;
	});
}

test("the check sees a line that does not come, and one that comes too early", () => {
	const shown = ["Batch 1: accepted", "Next: purser pay show 066b099d-ea4b-4cfa-8d1e-e625ef637841"];
	const came = "Batch 1: accepted\nNext: purser pay show aaaaaaaa-0001-4000-8000-000000000001\n";
	expect(missing(shown, came)).toEqual([]);
	expect(missing(shown, came.replace("1:", "2:"))).toEqual([shown[0]]);
	expect(missing([...shown].reverse(), came)).toEqual([shown[0]]);
});

const prompt = "ready> ";
let folder: string;
let env: Record<string, string>;
let shell: Session;
let sandbox: Session | undefined;
let listener: Session | undefined;
const ports = { sandbox: 0, hook: 0 };

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-readme-"));
	const { options } = await typing(folder, environment(folder));
	env = { ...options.env, PS1: prompt, LC_ALL: "C.UTF-8" };
	ports.sandbox = await closedPort();
	ports.hook = await closedPort();
	shell = terminal("bash", ["--norc", "--noprofile", "-i"], env);
	await shell.sees(prompt);
	await typeLine(`cd '${folder}'`);
});
afterAll(async () => {
	shell.kill("SIGKILL");
	await shell.ends();
	for (const server of [listener, sandbox]) await ended(server);
	await rm(folder, { recursive: true, force: true });
});

/** Types a line, then each answer where its question stands. @returns what came */
async function typeLine(line: string, acts: readonly (readonly [question: string, keys: string])[] = []): Promise<string> {
	const before = shell.screen.length;
	shell.answer(line);
	for (const [question, keys] of acts) {
		await shell.sees(question);
		shell.type(keys);
	}
	await shell.sees(`\n${prompt}`);
	return shell.screen.slice(before);
}

async function ended(server?: Session): Promise<void> {
	server?.type("\u0003");
	await server?.ends();
}

/** A line with a terminal of its own, which says `ready` and goes on. */
async function serving(line: string, ready: string): Promise<Session> {
	const session = terminal("bash", ["-c", `cd '${folder}' && exec ${line}`], env);
	await session.sees(ready);
	return session;
}

const yes = ["(y/N)", "y\r"] as const;
/** What is asked after a line that begins so, and what is answered. */
const answers: readonly (readonly [start: string, acts: readonly (readonly [string, string])[]])[] = [
	["purser pay beneficiary --amount", [["Ledger to debit", "\r"], ["Beneficiary to credit", "\r"], yes]],
	["purser onboard apply", [yes]],
	["purser pay batch send", [yes]],
	["purser pay ledger --from 'Main account'", [yes]],
];

/** What stands in the place of the words that a page leaves to its reader. */
const known = { TRANSACTION: "", EVENT: "" };

/** What a reader does before a line. */
async function prepare({ line, shown }: Typed): Promise<void> {
	const file = (name: string) => join(folder, name);
	if (line === "cat invoices.csv") await writeFile(file("invoices.csv"), `${shown.join("\n")}\n`);
	if (line.startsWith("purser onboard plan bakery.yaml"))
		await writeFile(file("bakery.yaml"), filledIn(await readFile(file("bakery.yaml"), "utf8")));
	if (line.startsWith("purser pay settle --by events")) for (let at = 0; at < 2; at++) await listener?.sees("transaction.pending");
}

async function typeAll(lines: readonly Typed[]): Promise<void> {
	for (const typed of lines) {
		await prepare(typed);
		const line = typed.line.replace("4020", String(ports.hook)).replace(/\b(TRANSACTION|EVENT)\b/, (word) => known[word as "EVENT"]);
		let came: string;
		if (line.startsWith("purser sandbox serve")) {
			await ended(sandbox);
			sandbox = await serving(`${line} --port ${ports.sandbox}`, "Ctrl-C stops it");
			came = sandbox.screen;
		} else if (line.startsWith("purser events listen")) {
			listener = await serving(line, "/hook");
			came = listener.screen;
		} else came = await typeLine(line, answers.find(([start]) => line.startsWith(start))?.[1] ?? []);
		expect([line, missing(typed.shown, came), came]).toEqual([line, [], came]);
		if (!line.endsWith("echo $?") && !/^purser (sandbox serve|events listen)/.test(line))
			expect([line, await typeLine("echo $?")]).toEqual([line, expect.stringMatching(/^0$/m)]);
		if (/^purser pay ledger .*10\.10/.test(line)) known.TRANSACTION = uuid.exec(came.split("Payment accepted")[1] ?? "")?.[0] ?? "";
		if (line.startsWith("purser events list --type")) {
			const found = await typeLine(`purser events list --type transaction.approved --subject ${known.TRANSACTION} --json`);
			known.EVENT = /"id": ?"([^"]+)"/.exec(found)?.[1] ?? "";
		}
	}
}

test(
	"every block of the README goes on where the one before it ended, and the walk-through of events after it",
	async () => {
		const readme = typedIn(await page("README.md"));
		await typeAll(readme);
		const [, walk = ""] = (await page("src/sandbox/README.md")).split("### A walk-through of events\n");
		const events = typedIn(walk.split(/^## /m)[0] ?? "");
		await typeAll(events);
		expect([readme.length, events.length]).toEqual([16, 11]);
		// The controls: one byte more is another text, and without its event a lost payment stays in doubt.
		expect(await typeLine("echo >> body.json; purser events verify body.json --header @headers.txt; echo $?")).toMatch(/^3$/m);
	},
	longestRun,
);
