/**
 * `events listen` is killed again and again while senders deliver: what was acknowledged is kept, and handed on by this process or a later one.
 */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { execa } from "execa";
import { expect, test } from "vitest";
import { openInbox } from "../../src/inbox/inbox.js";
import type { ServiceEvent } from "../../src/ports/events.js";
import { Random } from "../payments/simulation/random.js";
import { environment, ownFolder, script } from "../support/built.js";
import { smallContext } from "../support/context.js";
import { faultyProgram } from "../support/driver.js";
import { deliver, ownSecret, receiving, transaction } from "../support/listening.js";
import { seedOfRun, uuidOf } from "../support/seed.js";

const isLong = process.env.PURSER_TORTURE !== undefined;
const kills = Number(process.env.PURSER_TEST_LISTEN_KILLS ?? (isLong ? 500 : 3));
const senders = 8;
const random = new Random(seedOfRun("events-kill"));

const listen = ["events", "listen", "--port", "0", "--path", "/hook", "--output", "ndjson", "--forward-to"];

/** Starts it; resolves once it listens. @returns its address, and what kills it: gives the ids of the transactions that it showed */
async function started(program: string, env: Record<string, string>, forwardTo: string) {
	const child = execa(process.execPath, [program, ...listen, forwardTo], {
		...({ env, extendEnv: false, reject: false, stdin: "ignore", stripFinalNewline: false } as const),
	});
	let stderr = "";
	const url = await new Promise<string>((resolve, reject) => {
		child.stderr.on("data", (part) => {
			stderr += part;
			const found = /^Listening at (http:\/\/127\.0\.0\.1:\d+\/hook)$/m.exec(stderr);
			if (found !== null) resolve(found[1] as string);
		});
		void child.then(() => reject(new Error(`it did not listen: ${stderr}`)));
	});
	const kill = async (): Promise<string[]> => {
		child.kill("SIGKILL");
		const lines = ((await child).stdout ?? "").split("\n");
		// The last line may be half of one.
		return lines.slice(0, -1).map((line) => (JSON.parse(line) as ServiceEvent).subject?.id ?? "");
	};
	return { url, kill };
}

/**
 * @param patience milliseconds that the last process has to hand on what the others did not
 * @returns the ids of the transactions of which deliveries were acknowledged, of those that the inbox has, of those that were handed on, and of
 * those that each process showed
 */
async function campaign(program: string, times: number, patience: number) {
	const folder = await ownFolder("purser-listen-");
	const env = { ...environment(folder), CI: "1" };
	const run = (argv: string[], input = "") => execa(process.execPath, [program, ...argv], { env, extendEnv: false, input });
	await run(["profile", "add", "test", "--base-url", "http://127.0.0.1:9", "--environment", "sandbox"]);
	await run(["events", "secret", "add", "own"], ownSecret);

	const acknowledged = new Set<string>();
	const handed = await receiving();
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
		const listener = await started(program, env, handed.url);
		url = listener.url;
		const before = acknowledged.size;
		// Not before it has acknowledged anything.
		while (acknowledged.size === before) await pause(2);
		await pause(random.below(150));
		url = undefined;
		told.push(await listener.kill());
	}
	isOver = true;
	await Promise.all(sending);
	// What was stored and not handed on by one that was killed is handed on by the next.
	const last = await started(program, env, handed.url);
	for (let waited = 0; waited < patience && [...acknowledged].some((id) => !ids().has(id)); waited += 100) await pause(100);
	told.push(await last.kill());

	const { clock, random: chance } = smallContext().context;
	const profile = { name: "test", environment: "sandbox" } as const;
	const inbox = await openInbox({ directory: join(folder, "state"), profile, clock, random: chance });
	const kept = (await inbox.list({})).map(({ subject }) => subject?.id ?? "");
	inbox.close();
	return { acknowledged, kept, got: ids(), told };
}

test(`${kills} SIGKILLs of events listen under load: nothing that was acknowledged is lost`, async () => {
	const { acknowledged, kept, got, told } = await campaign(script, kills, 40_000);
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
	const { acknowledged, kept } = await campaign(faulty, 2, 0);
	expect([...acknowledged].filter((id) => !kept.includes(id))).not.toEqual([]);
});
