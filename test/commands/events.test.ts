/**
 * What the inbox has, how its secrets are kept and changed, and how events are handed on once more.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import replay from "../../src/commands/events/replay.js";
import { createEventSecrets } from "../../src/config/secrets/event-secrets.js";
import { changeIn } from "../../src/events/normal.js";
import { openVerifying, verdictOn } from "../../src/events/verdict.js";
import { standardSender } from "../events/senders.js";
import { changed, smallContext } from "../support/context.js";
import { ownSecret, type Place, place, receiving, signedHeaders, transaction } from "../support/listening.js";
import { makeWorld, type World } from "../support/purser.js";
import { makeClock } from "../support/world-time.js";

const { secret } = standardSender("webhook");
const payment = "3f1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11";
const body = JSON.stringify({ type: "transaction.approved", data: { id: payment, status: "APPROVED" } });

describe("the commands", () => {
	function headersOf(world: World, key?: number): string[] {
		const time = String(Math.floor(world.clock.now().getTime() / 1_000));
		const headers = standardSender("webhook", key).headers({ id: "msg_1", time, body: Buffer.from(body) });
		return Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
	}
	const verify = (world: World, headers: readonly string[], ...more: string[]) =>
		world.purser(["events", "verify", "body.json", ...headers, ...more]);

	async function withSecret(): Promise<World> {
		const world = await makeWorld();
		world.put("body.json", body);
		expect(await world.purser("events secret add live", { input: `${secret}\n` })).toMatchObject({ exit: 0 });
		return world;
	}

	test("secrets are stored and listed without what they are, and removed; what is none is refused, and never shown", async () => {
		const world = await withSecret();
		const listed = await world.purser("events secret list --json");
		expect(listed.json()).toEqual([{ name: "live", addedAt: expect.any(String), fingerprint: "02e4e1d2" }]);
		expect(listed.stdout).not.toContain(secret.slice(6));
		expect(await world.purser("events secret add live", { input: secret })).toMatchObject({ exit: 2 });
		expect(await world.json("events secret remove live --yes")).toMatchObject({ removed: true, left: 0 });
		expect(await world.json("events secret list")).toEqual([]);
		const refused = await world.purser("events secret add live", { input: "whsec_not-base64!" });
		expect(refused).toMatchObject({ exit: 3, stdout: "", stderr: expect.not.stringContaining("not-base64") });
	});

	test("verify accepts what the sender signed and tells what it says; another secret's and a late one end with 3", async () => {
		const world = await withSecret();
		const headers = headersOf(world);
		const ran = await verify(world, headers, "--json");
		const says = { type: "transaction.approved", subject: { kind: "transaction", id: payment }, to: "APPROVED" };
		expect([ran.exit, ran.json()]).toMatchObject([0, { genuine: true, id: "msg_1", says }]);
		expect(await verify(world, headersOf(world, 8))).toMatchObject({ exit: 3, stdout: "" });
		const came = world.clock.now().toISOString();
		world.clock.advance(3_600_000);
		expect((await verify(world, headers)).exit).toBe(3);
		expect((await verify(world, headers, "--at", came)).exit).toBe(0);
	});

	test("nothing heard is an empty list, and makes no inbox", async () => {
		const world = await makeWorld();
		expect(await world.json("events list")).toEqual([]);
		expect((await world.purser("events show evt_00000000")).exit).toBe(2);
	});

	test("an event is on two lines where one is too short, and its body is written byte for byte", async () => {
		const world = await makeWorld();
		const delivery = { id: "msg_1", headers: { "webhook-id": "msg_1", host: "127.0.0.1" }, body: Buffer.from(body) };
		const inbox = await world.inbox();
		const { event } = await inbox.receive({ source: "webhook", change: changeIn(delivery.body), delivery });
		await inbox.confirm(event.id, { status: "APPROVED", at: "2026-03-01T10:00:01.000Z" });
		const listed = await world.purser("events list --utc", { columns: 80 });
		expect(listed.stdout.split("\n").slice(0, 2)).toEqual([
			"2026-03-01 10:00 UTC  transaction.approved  APPROVED  confirmed",
			`  transaction ${payment}  ${event.id.slice(0, 12)}`,
		]);
		expect(await world.json("events list")).toMatchObject([{ id: event.id, raw: JSON.parse(body) }]);
		expect((await world.purser(`events show ${event.id.slice(0, 12)} --body`)).stdout).toBe(body);
		expect((await world.purser(`events show ${event.id}`)).stdout).toContain("webhook, its signature is valid");
	});
});

describe("the list of secrets", () => {
	const profile = { name: "test", baseUrl: "https://api.example.com" };
	const whole = { ...profile, environment: "sandbox" as const, auth: { kind: "none" as const }, settings: {} };
	const added = (name: string, secret: string) => ({ name, secret, addedAt: "2026-03-01T10:00:00.000Z" });
	const secretOf = (at: number) => added(`n${at}`, standardSender("webhook", at).secret);

	function secretsIn(keyring?: Map<string, string>) {
		const directory = mkdtempSync(join(tmpdir(), "purser-rotation-"));
		onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
		const ring = keyring && {
			get: async (account: string) => keyring.get(account),
			set: async (account: string, secret: string) => void keyring.set(account, secret),
			remove: async (account: string) => void keyring.delete(account),
		};
		return createEventSecrets({ directory, env: {}, platform: "linux", keyring: async () => ring });
	}

	test.each([
		["a file", undefined],
		["the keyring", new Map<string, string>()],
	])(
		"one that is removed from %s is no good for the next delivery, and one that is added is; without any, none is taken",
		async (_, keyring) => {
			const [before, after] = [standardSender("svix", 7), standardSender("svix", 8)];
			const secrets = secretsIn(keyring);
			await secrets.add(profile, added("old", before.secret));
			const context = changed(smallContext().context, { clock: makeClock(), config: { eventSecrets: async () => secrets } });
			const verify = await openVerifying(context, whole);
			const check = async () =>
				Promise.all(
					[before, after].map(async (of) => {
						const delivery = { id: "m1", time: "1772359200", body: Buffer.from("{}") };
						const found = await verify({ headers: of.headers(delivery), body: delivery.body });
						return found.isGenuine || found.why;
					}),
				);
			expect(await check()).toEqual([true, "wrong-signature"]);
			await secrets.add(profile, added("new", after.secret));
			expect(await check()).toEqual([true, true]);
			await secrets.remove(profile, "old");
			expect(await check()).toEqual(["wrong-signature", true]);
			await secrets.remove(profile, "new");
			expect(await check()).toEqual(["no-secret", "no-secret"]);
		},
	);

	test("is for one address: another one of the same profile gets none, until the profile is cleared", async () => {
		const secrets = secretsIn();
		await secrets.add(profile, added("one", secret));
		const elsewhere = { ...profile, baseUrl: "https://other.example.com" };
		const refused = { failure: { code: "SECRET_OTHER_ADDRESS" } };
		await expect(secrets.list(elsewhere)).rejects.toMatchObject(refused);
		await expect(secrets.add(elsewhere, added("two", secret))).rejects.toMatchObject(refused);
		await secrets.clear(elsewhere);
		expect(await secrets.list(elsewhere)).toEqual([]);
	});

	test("has twenty of a profile, and none twice; several processes that add at once lose none", async () => {
		const secrets = secretsIn();
		const numbers = [...Array(20).keys()];
		await Promise.all(numbers.slice(0, 5).map((at) => secrets.add(profile, secretOf(at))));
		for (const at of numbers.slice(5)) await secrets.add(profile, secretOf(at));
		const names = (await secrets.list(profile)).map(({ name }) => name);
		expect(new Set(names)).toEqual(new Set(numbers.map((at) => `n${at}`)));
		await expect(secrets.add(profile, secretOf(20))).rejects.toMatchObject({ failure: { code: "EVENT_SECRETS_TOO_MANY" } });
		await secrets.remove(profile, "n0");
		const again = { ...secretOf(5), name: "again" };
		await expect(secrets.add(profile, again)).rejects.toMatchObject({ failure: { code: "EVENT_SECRET_KNOWN" } });
		await secrets.add(profile, secretOf(20));
	});
});

describe("events replay", () => {
	/** Puts an event into the inbox as a delivery brings it. @returns its id */
	async function heard(at: Place, id: string, status: string): Promise<string> {
		const body = Buffer.from(transaction(payment, status));
		const headers = signedHeaders({ id, body: String(body) });
		return (await at.inbox.receive({ source: "webhook", change: changeIn(body), delivery: { id, headers, body } })).event.id;
	}
	type Input = Parameters<typeof replay.run>[1];
	async function replayed(at: Place, input: Partial<Input>, dryRun = false) {
		const transport = (await import("../../src/http/transport/http.js")).createTransport({ env: {} });
		const context = changed(smallContext({ transport, dryRun }).context, {
			journal: { inbox: async () => at.inbox, hasInbox: async () => true },
		});
		return replay.run(context, { failed: false, ...input } as Input);
	}

	test("hands on the bytes and headers as they came", async () => {
		const at = await place();
		const id = await heard(at, "msg_1", "APPROVED");
		const { got, url } = await receiving(() => 204);
		const { data, exit } = await replayed(at, { events: [id.slice(0, 14)], forwardTo: [url] });
		const hook = `http://127.0.0.1:${new URL(url).port}/webhooks`;
		expect([data, exit]).toEqual([[{ id, type: "transaction.updated", hook, acknowledged: true, why: null }], undefined]);
		expect(got.map((one) => verdictOn(one, [ownSecret], Date.now()))).toMatchObject([{ isGenuine: true, id: "msg_1" }]);
	});

	test("what a hook fails for is a failure that --failed finds, until it is acknowledged", async () => {
		const at = await place();
		const ids = [await heard(at, "msg_1", "PENDING"), await heard(at, "msg_2", "APPROVED"), await heard(at, "msg_3", "REVERSED")];
		let status = 500;
		const { got, url } = await receiving(() => status);
		const failed = await replayed(at, { events: ids, forwardTo: [url] });
		expect(failed).toMatchObject({ exit: "partial", data: ids.map((id) => ({ id, why: "it answered 500" })) });
		status = 200;
		await replayed(at, { events: [ids[1] as string], forwardTo: [url] });
		const again = await replayed(at, { failed: true, forwardTo: [url] });
		expect(again.data.map(({ id, acknowledged }) => [id, acknowledged])).toEqual([ids[0], ids[2]].map((id) => [id, true]));
		expect([(await replayed(at, { failed: true, forwardTo: [url] })).data, got.length]).toEqual([[], 6]);
		const dry = await replayed(at, { events: ids, forwardTo: [url] }, true);
		expect([dry.exit, dry.data.map(({ why }) => why), got.length]).toEqual([undefined, Array(3).fill("dry run"), 6]);
	});

	test.each([
		["nothing to hand on", { exec: "./x" }, "MISSING_INPUT"],
		["nowhere to", { events: ["evt_00000000"] }, "MISSING_INPUT"],
		["an event that there is not", { events: ["evt_00000000"], exec: "./x" }, "EVENT_UNKNOWN"],
	])("%s is said", async (_, input, code) => {
		await expect(replayed(await place(), input)).rejects.toMatchObject({ kind: "usage", failure: { code } });
	});
});
