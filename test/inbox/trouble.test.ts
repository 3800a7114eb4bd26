/**
 * The inbox where something goes wrong: processes that are killed while they write, a full disk, another version, somebody else's file.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadDriver } from "../../src/sqlite/drivers.js";
import type { OpenStorage } from "../../src/sqlite/storage.js";
import { Random } from "../payments/simulation/random.js";
import { programOf } from "../support/program.js";
import { seedOfRun } from "../support/seed.js";
import { clock, heard, inboxIn, newFolder } from "./inboxes.js";

describe("processes", () => {
	let receiver: Awaited<ReturnType<typeof programOf>>;
	beforeAll(async () => {
		receiver = await programOf(new URL("./receiver.ts", import.meta.url));
	});
	afterAll(() => receiver.remove());

	/** @param killAfter ends it in mid-write, once it has said so many lines */
	function run(folder: string, first: number, count: number, killAfter = Number.POSITIVE_INFINITY): Promise<string[]> {
		return new Promise((resolve, reject) => {
			const child = spawn(process.execPath, ["--no-warnings", receiver.script, folder, String(first), String(count)]);
			let text = "";
			child.stdout.setEncoding("utf8").on("data", (part: string) => {
				text += part;
				if (text.split("\n").length > killAfter) child.kill("SIGKILL");
			});
			child.once("error", reject).once("close", () => resolve(text.split("\n").slice(0, -1)));
		});
	}

	test("two that hear the same tell each event once between them", async () => {
		const folder = newFolder();
		const lines = (await Promise.all([run(folder, 0, 200), run(folder, 0, 200), run(folder, 100, 200)])).flat();
		const told = lines.filter((line) => line.startsWith("new "));
		expect(lines).toHaveLength(600);
		expect(told).toHaveLength(300);
		expect(new Set(told.map((line) => line.split(" ")[1])).size).toBe(300);
		expect(await (await inboxIn(folder)).list({})).toHaveLength(300);
	});

	test("what was acknowledged before a kill is there, and is told no second time", async () => {
		const random = new Random(seedOfRun("killed receivers"));
		const folder = newFolder();
		const acknowledged: string[] = [];
		for (let round = 0; round < 6; round++) acknowledged.push(...(await run(folder, 0, 400, 1 + random.below(120))));
		const told = acknowledged.filter((line) => line.startsWith("new ")).map((line) => line.split(" ")[1] as string);
		expect(new Set(told).size).toBe(told.length);
		const kept = new Set((await (await inboxIn(folder)).list({})).map(({ id }) => id));
		expect(told.filter((id) => !kept.has(id))).toEqual([]);
		expect(told.length).toBeGreaterThan(0);
	});
});

describe("faults of the disk", () => {
	const full = () => Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });

	/** Fails with each write from the call `at` on. */
	async function failing(at: { write: number }): Promise<OpenStorage> {
		const driver = await loadDriver();
		let writes = 0;
		const step = () => {
			writes += 1;
			if (writes >= at.write) throw full();
		};
		return (path, options) => {
			const storage = driver(path, options);
			return {
				exec: (sql) => {
					if (sql === "COMMIT") step();
					storage.exec(sql);
				},
				prepare: (sql) => storage.prepare(sql),
				close: () => storage.close(),
			};
		};
	}

	test("what cannot be stored is not accepted, and comes again as new", async () => {
		const folder = newFolder();
		const at = { write: 3 };
		const inbox = await inboxIn(folder, {}, { storage: await failing(at) });
		expect((await inbox.receive(heard("msg_1"))).isNew).toBe(true);
		for (let tries = 0; tries < 3; tries++)
			await expect(inbox.receive(heard("msg_2"))).rejects.toMatchObject({ kind: "unavailable", failure: { code: "INBOX_FULL" } });
		at.write = Number.POSITIVE_INFINITY;
		expect((await inbox.receive(heard("msg_2"))).isNew).toBe(true);
		expect(await inbox.list({})).toHaveLength(2);
	});
});

describe("files that are no inbox", () => {
	test("a folder that others could enter is closed", async () => {
		const folder = newFolder();
		const { file } = await inboxIn(folder);
		chmodSync(dirname(file), 0o755);
		await inboxIn(folder);
		expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
	});

	test("another version, another program's file and no database are left alone", async () => {
		const folder = newFolder();
		const { file } = await inboxIn(folder);
		const driver = await loadDriver();
		const other = driver(file, { wait: 1_000 });
		other.exec("PRAGMA user_version = 99");
		other.close();
		await expect(inboxIn(folder)).rejects.toMatchObject({ failure: { code: "INBOX_FOREIGN" } });
		const place = (name: string): string => join(dirname(file), `${name}.sandbox.db`);
		const foreign = driver(place("foreign"), { wait: 1_000 });
		foreign.exec("CREATE TABLE anything (a)");
		foreign.close();
		await expect(inboxIn(folder, {}, { name: "foreign" })).rejects.toMatchObject({ failure: { code: "INBOX_FOREIGN" } });
		writeFileSync(place("none"), "this is no database, however long it is: ".repeat(100));
		await expect(inboxIn(folder, {}, { name: "none" })).rejects.toMatchObject({ failure: { code: "INBOX_DAMAGED" } });
		expect(readFileSync(place("none"), "utf8")).toContain("no database");
		mkdirSync(place("folder"));
		await expect(inboxIn(folder, {}, { name: "folder" })).rejects.toMatchObject({ failure: { code: "INBOX_DENIED" } });
	});
});

describe("what is kept", () => {
	test("a body for seven days, and then its digest alone: also from the file itself", async () => {
		const inbox = await inboxIn(newFolder());
		const { event } = await inbox.receive(heard("msg_1", '{"type":"a.b","secretword":"quite-unmistakable"}'));
		clock.advance(6 * 86_400_000);
		await inbox.receive(heard("msg_0"));
		expect((await inbox.show(event.id))?.delivery).toHaveProperty("body");
		clock.advance(2 * 86_400_000);
		await inbox.receive(heard("msg_2"));
		const kept = (await inbox.show(event.id))?.delivery;
		expect(kept).toMatchObject({ id: "msg_1", digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
		expect(kept).not.toHaveProperty("body");
		expect((await inbox.receive(heard("msg_1", '{"type":"a.b","secretword":"quite-unmistakable"}'))).isNew).toBe(false);
		const { file } = inbox;
		inbox.close();
		inbox.close = () => {};
		expect(readFileSync(file).includes(Buffer.from("quite-unmistakable").toString("base64").slice(4, -4))).toBe(false);
	});

	test("what each hook did with an event", async () => {
		const inbox = await inboxIn(newFolder());
		const { event } = await inbox.receive(heard("msg_1"), ["one", "two"]);
		expect(await inbox.hooks.due("one", 10)).toEqual([event.id]);
		await inbox.hooks.ended(event.id, "one", null);
		await inbox.hooks.ended(event.id, "two", "it ended with 1");
		expect(await inbox.hooks.due("two", 10)).toEqual([]);
		expect((await inbox.show(event.id))?.hooks).toMatchObject([
			{ hook: "one", state: "done" },
			{ hook: "two", state: "failed", why: "it ended with 1" },
		]);
		expect((await inbox.list({ failed: true })).map(({ id }) => id)).toEqual([event.id]);
	});
});
