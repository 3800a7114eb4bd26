/**
 * Plans and profiles of a released version, and what stays byte for byte: fingerprints, row digests, the signed text, the hash chain.
 * The expected values were written by that version.
 */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createProfiles } from "../../src/config/profiles.js";
import { openBatches } from "../../src/journal/open-batches.js";
import { genesis, hashOf } from "../../src/journal/sqlite/chain.js";
import { approvedBytes, isSigned } from "../../src/payments/batch/approval/approval.js";
import { Digest } from "../../src/payments/batch/plan/digest.js";
import { readPlan, writePlan } from "../../src/payments/batch/plan/file.js";
import { batchRules } from "../../src/payments/batch/send/rules.js";
import { fingerprintOf } from "../../src/payments/rules/fingerprint.js";
import type { Batches } from "../../src/ports/batches.js";
import type { Journal } from "../../src/ports/journal.js";
import { loadDriver } from "../../src/sqlite/drivers.js";
import { drivers, newFolder, newUuid, open, removeFolders, testClock } from "../journal/journals.js";
import { answered } from "../support/context.js";
import { logInWords } from "../support/log-in.js";
import { makeWorld, type World } from "../support/purser.js";
import { released, releasedText, unpack } from "./released.js";

afterEach(removeFolders);

const files = (name: string) => ({ read: async () => new TextEncoder().encode(releasedText(name)), isLink: async () => false });

interface ReleasedWorld extends World {
	end(): Promise<void>;
}

/** A world with the released journal and profile, at a time when its plans are valid; every payment is accepted. */
async function releasedWorld(time = "2026-11-22T08:00:00.000Z"): Promise<ReleasedWorld> {
	const folder = newFolder();
	unpack(folder, "journal");
	const stored = JSON.parse(releasedText("profiles.json")).profiles.sandbox;
	const settings = stored.settings as Record<string, string>;
	let [journal, batches]: [Promise<Journal> | undefined, Promise<Batches> | undefined] = [undefined, undefined];
	let ids = 0;
	const world = await makeWorld({
		profile: { baseUrl: stored.baseUrl, settings },
		wire: async ({ method, url }) => {
			if (url.endsWith("/login")) return answered(200, { token: "token-1", refreshToken: "token-2" });
			if (method !== "POST") return answered(404, {});
			ids += 1;
			return answered(201, { id: `00000000-0000-4000-8000-${String(ids).padStart(12, "0")}` });
		},
		openJournal: (clock, profile) => {
			journal ??= open(folder, { clock: clock as never, profile, settings });
			return journal;
		},
		openBatches: (clock, profile) => {
			const rules = batchRules(settings);
			batches ??= openBatches({ directory: folder, profile, clock, random: { uuid: newUuid, fraction: () => 0.5 }, rules });
			return batches;
		},
	});
	world.clock.advance(Date.parse(time) - world.clock.now().getTime());
	for (const name of ["unsent", "signed", "begun", "half"]) {
		world.files.set(`${name}.csv.plan.json`, new TextEncoder().encode(releasedText(`${name}.plan.json`)));
		world.files.set(`${name}.csv`, new TextEncoder().encode(releasedText(`${name}.csv`)));
	}
	expect((await world.purser(logInWords, { input: "sandbox-password" })).exit).toBe(0);
	world.requests.length = 0;
	return Object.assign(world, {
		end: async () => {
			await (await batches)?.close();
			await (await journal)?.close();
		},
	});
}

const paid = (world: World): (string | undefined)[] =>
	world.requests.filter(({ method }) => method === "POST").map(({ body }) => (JSON.parse(body) as { reference?: string }).reference);

describe("a plan of version 1", () => {
	test("whose planner signed nothing is not sent, whoever approved it", async () => {
		const world = await releasedWorld();
		const ran = await world.purser(["pay", "batch", "send", "signed.csv.plan.json", "--yes", "--json"]);
		expect([ran.exit, ran.stderr, paid(world)]).toEqual([10, expect.stringContaining("PLANNER_UNKNOWN"), []]);
		await world.end();
	});

	test("that was begun goes on with what is left", async () => {
		const world = await releasedWorld();
		const ran = await world.purser(["pay", "batch", "resume", "7", "--yes", "--json"]);
		expect([ran.exit, ran.stderr]).toEqual([0, ""]);
		expect(paid(world).sort()).toEqual(["Payee begun", "Row 2 begun", "Row 3 begun"]);
		await world.end();
	});

	test.each(["unsent", "signed", "begun", "half"])("is written as it was read, and has no sheet (%s)", async (name) => {
		const read = await readPlan(files(`${name}.plan.json`), `${name}.plan.json`);
		expect([read.plan.version, read.plan.sheet]).toEqual([1, undefined]);
		let written = "";
		const keep = (content: string): void => {
			written = content;
		};
		await writePlan({ isLink: async () => false, write: async (_, content) => keep(String(content)) }, "plan.json", read);
		// Of the released file, only the spaces were changed since.
		expect(written).toBe(`${JSON.stringify(JSON.parse(releasedText(`${name}.plan.json`)), null, 2)}\n`);
	});

	test("that expired is not begun any more", async () => {
		const world = await releasedWorld("2026-11-23T08:00:00.000Z");
		const ran = await world.purser(["pay", "batch", "send", "signed.csv.plan.json", "--yes", "--json"]);
		expect(ran.exit).toBe(10);
		expect(ran.stderr).toContain("PLAN_EXPIRED");
		expect(paid(world)).toEqual([]);
		await world.end();
	});
});

describe("byte for byte as released", () => {
	test("the text that is signed", async () => {
		const { plan, approvals } = await readPlan(files("signed.plan.json"), "signed.plan.json");
		const [approval] = approvals;
		expect(isSigned(plan, approval as NonNullable<typeof approval>)).toBe(true);
		expect(isSigned({ ...plan, count: plan.count + 1 }, approval as NonNullable<typeof approval>)).toBe(false);
		const text = approvedBytes(plan, approval?.at as string);
		expect(createHash("sha256").update(text).digest("hex")).toBe("fac7a9fa432c511e52ecb5627804d51fe9ef623da136bcaa9f8bfad59815a835");
	});

	test.each([
		[
			"3",
			"04c28844ea5e0ad265d99c24c0ec172a007d8729eea3c9a5a4f85abd6e7c4b0e",
			"8cbfb49a496811e8e06a718162b81886ae9ac8d54f7af1cdccf86936eda9033e",
		],
		[
			"7",
			"713a24c10573eaf02c08a2f50d24eceb6cb1e9075164778f3f9b00f620e4720d",
			"d6f1f0fc56a66e88892ee9189900611c08871e0f36b1b416fec55076f21fee3b",
		],
	])("the digests of the rows of batch %s", async (batch, rows, sequence) => {
		const folder = newFolder();
		unpack(folder, "journal");
		const random = { uuid: newUuid, fraction: () => 0.5 };
		const rules = batchRules({});
		const batches = await openBatches({ directory: folder, profile: released.journal, clock: testClock(), random, rules });
		const digest = new Digest();
		for await (const page of batches.planned(batch)) for (const transfer of page) digest.add(transfer);
		expect(digest.finish()).toEqual({ rows, sequence });
		await batches.close();
	});

	test("fingerprints and the hash chain", async () => {
		const folder = newFolder();
		const file = unpack(folder, "journal");
		const storage = (await loadDriver(drivers[0]))(file, { wait: 0 });
		let hash = genesis;
		const events = storage.prepare("SELECT * FROM event ORDER BY seq").all();
		for (const { seq, at, intent, kind, content } of events)
			hash = hashOf(hash, {
				seq: Number(seq),
				at: String(at),
				intent: intent === null ? null : Number(intent),
				kind: String(kind),
				content: String(content),
			});
		expect([events.length, hash]).toEqual([80, "ffb4681c820a74db3ee7bb71a770352e77986a24aabc56d42e6810e177e093d9"]);
		storage.close();
		const journal = await open(folder, { profile: released.journal });
		const fingerprints = new Map((await journal.list({ effect: "money" })).map((one) => [one.intent, one.fingerprint]));
		expect([fingerprints.get("1"), fingerprints.get("3"), fingerprints.get("2"), fingerprints.get("26")]).toEqual([
			"742eb704e4207496d9e4a72c8df244ec624f1e950c2478f15f58b62d20351e2e",
			"343f3311f64eb3e0e41453c9cd7d37079cd04bba7e737161920a4c28b47ca495",
			"f1303705af695784db7b472e60cb3f3ffa19aa4e9a0aab2743faddb6cddac036",
			"2f5f542fb665662966f2f5221c55e4a24c0a9750409ad2fe2a825808eb5ce06a",
		]);
		for (const { fingerprint, transfer } of await journal.list({ effect: "money" }))
			expect(transfer && fingerprintOf(transfer)).toBe(fingerprint);
		await journal.close();
	});
});

test("a profile of then is read as it is, and keeps what it says", async () => {
	const directory = newFolder();
	await mkdir(directory, { recursive: true });
	await writeFile(join(directory, "profiles.json"), releasedText("profiles.json"), { mode: 0o600 });
	const profiles = createProfiles({ directory });
	expect(await profiles.current()).toBe("sandbox");
	expect(await profiles.get("sandbox")).toMatchObject({
		name: "sandbox",
		baseUrl: "http://127.0.0.1:47147",
		environment: "sandbox",
		auth: { kind: "login", username: "operator", partnerName: "example-partner" },
		settings: { approval: "always", "cap-per-day": "100000 EUR" },
	});
});
