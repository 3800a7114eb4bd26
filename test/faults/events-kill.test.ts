/**
 * `events listen` is killed again and again while senders deliver: what was acknowledged is kept, and handed on by this process or a later one.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openInbox } from "../../src/inbox/inbox.js";
import type { ServiceEvent } from "../../src/ports/events.js";
import { Random } from "../payments/simulation/random.js";
import { smallContext } from "../support/context.js";
import { faultyProgram, type Program } from "../support/driver.js";
import { deliver, ownSecret, receiving, transaction } from "../support/listening.js";
import { programsOfFile } from "../support/programs.js";
import { seedOfRun, uuidOf } from "../support/seed.js";

const isLong = process.env.PURSER_TORTURE !== undefined;
const kills = Number(process.env.PURSER_TEST_LISTEN_KILLS ?? (isLong ? 500 : 3));
const senders = 8;
const random = new Random(seedOfRun("events-kill"));
const programs = programsOfFile();
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

interface Listener {
	child: ChildProcess;
	/** Undefined where it ended before it listened. */
	url?: string;
	stdout(): string;
}

async function started(program: Program, env: Record<string, string>, forwardTo: string): Promise<Listener> {
	const argv = ["events", "listen", "--port", "0", "--path", "/hook", "--forward-to", forwardTo, "--output", "ndjson"];
	const child = spawn(process.execPath, [program.script, ...argv], { env, stdio: ["ignore", "pipe", "pipe"] });
	let stdout = "";
	child.stdout.setEncoding("utf8").on("data", (part: string) => {
		stdout += part;
	});
	let stderr = "";
	const url = await new Promise<string | undefined>((resolve) => {
		child.once("exit", () => resolve(undefined));
		child.stderr.setEncoding("utf8").on("data", (part: string) => {
			stderr += part;
			const found = /^Listening at (http:\/\/127\.0\.0\.1:\d+\/hook)$/m.exec(stderr);
			if (found !== null) resolve(found[1]);
		});
	});
	if (url === undefined) throw new Error(`it did not listen: ${stderr}`);
	return { child, url, stdout: () => stdout };
}

const toldIn = (listener: Listener): string[] =>
	listener
		.stdout()
		.split("\n")
		.slice(0, -1)
		.map((line) => (JSON.parse(line) as ServiceEvent).subject?.id ?? "");

/**
 * @param patience milliseconds that the last process has to hand on what the others did not
 * @returns the ids of the transactions of which deliveries were acknowledged, of those that the inbox has, of those that were handed on, and of
 * those that each process showed
 */
async function campaign(program: Program, times: number, patience: number) {
	const folder = await mkdtemp(join(tmpdir(), "purser-listen-"));
	folders.push(folder);
	const env = {
		HOME: folder,
		PATH: process.env.PATH ?? "",
		PURSER_CONFIG_DIR: join(folder, "config"),
		PURSER_STATE_DIR: join(folder, "state"),
		PURSER_NO_KEYRING: "1",
		CI: "1",
	};
	const run = (argv: string[], input?: string) =>
		execFileSync(process.execPath, [program.script, ...argv], { env, input, stdio: ["pipe", "pipe", "pipe"] });
	run(["profile", "add", "test", "--base-url", "http://127.0.0.1:9", "--environment", "sandbox"]);
	run(["events", "secret", "add", "own"], ownSecret);

	const acknowledged = new Set<string>();
	const handed = await receiving();
	const forwardTo = handed.url;
	const ids = (): Set<string> => new Set(handed.got.map(({ headers }) => String(headers["svix-id"]).slice("msg_".length)));
	const told: string[][] = [];
	let url: string | undefined;
	let isOver = false;
	const sender = async (): Promise<void> => {
		while (!isOver) {
			const id = uuidOf(random);
			const sent = { id: `msg_${id}`, body: transaction(id, "APPROVED") };
			// As a sender does: again until it is acknowledged, and now and then once more.
			for (let again = random.below(4) === 0 ? 2 : 1; again > 0 && !isOver; ) {
				const to = url;
				if (to === undefined || (await deliver(to, sent)) !== 200) {
					await pause(5);
					continue;
				}
				acknowledged.add(id);
				again -= 1;
			}
		}
	};
	const sending = Array.from({ length: senders }, sender);
	for (let killed = 0; killed < times; killed += 1) {
		const listener = await started(program, env, forwardTo);
		url = listener.url;
		const before = acknowledged.size;
		// Not before it has acknowledged anything.
		while (acknowledged.size === before) await pause(2);
		await pause(random.below(150));
		url = undefined;
		const gone = new Promise((resolve) => listener.child.once("close", resolve));
		listener.child.kill("SIGKILL");
		await gone;
		told.push(toldIn(listener));
	}
	isOver = true;
	await Promise.all(sending);
	// What was stored and not handed on by one that was killed is handed on by the next.
	const last = await started(program, env, forwardTo);
	for (let waited = 0; waited < patience && [...acknowledged].some((id) => !ids().has(id)); waited += 100) await pause(100);
	const gone = new Promise((resolve) => last.child.once("close", resolve));
	last.child.kill("SIGKILL");
	await gone;
	told.push(toldIn(last));

	const { clock, random: chance } = smallContext().context;
	const inbox = await openInbox({
		directory: join(folder, "state"),
		profile: { name: "test", environment: "sandbox" },
		clock,
		random: chance,
	});
	const kept = (await inbox.list({})).map(({ subject }) => subject?.id ?? "");
	inbox.close();
	return { acknowledged, kept, got: ids(), told };
}

test(`${kills} SIGKILLs of events listen under load: nothing that was acknowledged is lost`, async () => {
	const { acknowledged, kept, got, told } = await campaign(programs.built, kills, 40_000);
	process.stdout.write(`events-kill: ${kills} kills, ${acknowledged.size} acknowledged, ${kept.length} kept, ${got.size} handed on\n`);
	expect(acknowledged.size).toBeGreaterThanOrEqual(kills);
	expect([...acknowledged].filter((id) => !kept.includes(id))).toEqual([]);
	expect(new Set(kept).size).toBe(kept.length);
	expect([...acknowledged].filter((id) => !got.has(id))).toEqual([]);
	// Nothing is shown twice, by one process or by two.
	expect(told.flat().filter((id, at, all) => all.indexOf(id) !== at)).toEqual([]);
});

test("control: a program that acknowledges before it stores is caught", async () => {
	const faulty = await faultyProgram(
		"src/commands/events/listen.ts",
		"await stream.receive(notice);",
		"void context.clock.sleep(300).then(() => stream.receive(notice));",
	);
	programs.keep(faulty);
	const { acknowledged, kept } = await campaign(faulty, 2, 0);
	expect([...acknowledged].filter((id) => !kept.includes(id))).not.toEqual([]);
});
