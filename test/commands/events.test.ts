/**
 * What the inbox has and how its secrets are kept, as commands show it.
 */
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { saidIn } from "../../src/events/normal.js";
import { makeWorld, type World } from "../support/purser.js";

const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const transaction = "3f1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11";
const body = JSON.stringify({ type: "transaction.approved", data: { id: transaction, status: "APPROVED" } });

function headersOf(world: World, key = secret): string[] {
	const time = String(Math.floor(world.clock.now().getTime() / 1_000));
	const signature = createHmac("sha256", Buffer.from(key.slice(6), "base64"))
		.update(`msg_1.${time}.${body}`)
		.digest("base64");
	return [`webhook-id: msg_1`, `webhook-timestamp: ${time}`, `webhook-signature: v1,${signature}`].flatMap((one) => ["--header", one]);
}

async function withSecret(): Promise<World> {
	const world = await makeWorld();
	world.files.set("body.json", new TextEncoder().encode(body));
	expect(await world.purser(["events", "secret", "add", "live"], { input: `${secret}\n` })).toMatchObject({ exit: 0 });
	return world;
}

describe("secrets of events", () => {
	test("are stored and listed without what they are, and removed", async () => {
		const world = await withSecret();
		const listed = await world.purser(["events", "secret", "list", "--json"]);
		expect(listed.json()).toEqual([{ name: "live", scheme: "standard", addedAt: expect.any(String), fingerprint: "02e4e1d2" }]);
		expect(listed.stdout).not.toContain(secret.slice(6));
		expect(await world.purser(["events", "secret", "add", "live"], { input: secret })).toMatchObject({ exit: 2 });
		expect((await world.purser(["events", "secret", "remove", "live", "--yes", "--json"])).json()).toMatchObject({
			removed: true,
			left: 0,
		});
		expect((await world.purser(["events", "secret", "list", "--json"])).json()).toEqual([]);
	});

	test("what is none is refused, and never shown", async () => {
		const world = await makeWorld();
		const refused = await world.purser(["events", "secret", "add", "live"], { input: "whsec_not-base64!" });
		expect(refused).toMatchObject({ exit: 3, stdout: "" });
		expect(refused.stderr).not.toContain("not-base64");
	});
});

describe("events verify", () => {
	test("accepts what the sender signed, and tells what it says", async () => {
		const world = await withSecret();
		const ran = await world.purser(["events", "verify", "body.json", ...headersOf(world), "--json"]);
		expect(ran.exit).toBe(0);
		expect(ran.json()).toMatchObject({
			genuine: true,
			scheme: "standard",
			id: "msg_1",
			says: { type: "transaction.approved", subject: { kind: "transaction", id: transaction }, to: "APPROVED" },
		});
	});

	test("refuses another secret's signature, and a late one, with exit 3", async () => {
		const world = await withSecret();
		const other = `whsec_${Buffer.alloc(24, 8).toString("base64")}`;
		expect(await world.purser(["events", "verify", "body.json", ...headersOf(world, other)])).toMatchObject({ exit: 3, stdout: "" });
		const headers = headersOf(world);
		const came = world.clock.now().toISOString();
		world.clock.advance(3_600_000);
		expect((await world.purser(["events", "verify", "body.json", ...headers])).exit).toBe(3);
		expect((await world.purser(["events", "verify", "body.json", ...headers, "--at", came])).exit).toBe(0);
	});

	test("without a secret says how to add one", async () => {
		const world = await makeWorld();
		world.files.set("body.json", new TextEncoder().encode(body));
		const ran = await world.purser(["events", "verify", "body.json", ...headersOf(world)]);
		expect(ran.exit).toBe(2);
		expect(ran.stderr).toContain("purser events secret add NAME");
	});
});

describe("schemes of a profile", () => {
	const files = {
		stripe: `
methods: [{ algorithm: hmac-sha256, key: { encoding: text }, label: v1 }]
headers: [{ signature: stripe-signature }]
shape: { kind: pairs, time: t }
encoding: hex
signed: [timestamp, body]
tolerance: 300
`,
		github: `
methods: [{ algorithm: hmac-sha256, key: { encoding: text }, label: sha256 }]
headers: [{ signature: x-hub-signature-256 }]
shape: { kind: one }
encoding: hex
signed: [body]
`,
	};
	const key = "a secret that is only text";

	async function withScheme(name: keyof typeof files): Promise<World> {
		const world = await makeWorld();
		world.files.set("body.json", new TextEncoder().encode(body));
		world.files.set("scheme.yaml", new TextEncoder().encode(files[name]));
		expect(await world.purser(["events", "scheme", "add", name, "--description", "scheme.yaml"])).toMatchObject({ exit: 0 });
		expect(await world.purser(["events", "secret", "add", "own", "--scheme", name], { input: key })).toMatchObject({ exit: 0 });
		return world;
	}

	test("stripe's form: t=…,v1=…", async () => {
		const world = await withScheme("stripe");
		const time = world.clock.now().getTime() / 1_000;
		const signature = createHmac("sha256", key).update(`${time}.${body}`).digest("hex");
		const verify = (header: string) => world.purser(["events", "verify", "body.json", "--header", `Stripe-Signature: ${header}`, "--json"]);
		expect((await verify(`t=${time},v1=${signature},v0=00`)).json()).toMatchObject({ genuine: true, scheme: "stripe", id: null });
		expect((await verify(`t=${time + 1},v1=${signature}`)).exit).toBe(3);
		expect((await verify(`t=${time - 301},v1=${signature}`)).exit).toBe(3);
	});

	test("github's form: sha256=…", async () => {
		const world = await withScheme("github");
		const signature = createHmac("sha256", key).update(body).digest("hex");
		const verify = (header: string) =>
			world.purser(["events", "verify", "body.json", "--header", `X-Hub-Signature-256: ${header}`, "--json"]);
		expect((await verify(`sha256=${signature}`)).json()).toMatchObject({ genuine: true, scheme: "github", signedAt: null });
		expect((await verify(`sha1=${signature}`)).exit).toBe(3);
	});

	test("are listed, kept from being replaced, and removed", async () => {
		const world = await withScheme("github");
		const listed = (await world.purser(["events", "scheme", "list", "--json"])).json() as { name: string; builtIn: boolean }[];
		expect(listed.map(({ name, builtIn }) => [name, builtIn])).toEqual([
			["svix", true],
			["standard", true],
			["github", false],
		]);
		for (const name of ["github", "standard"])
			expect((await world.purser(["events", "scheme", "add", name, "--description", "scheme.yaml"])).exit).toBe(2);
		expect((await world.purser(["events", "scheme", "remove", "github", "--yes"])).exit).toBe(0);
		expect(world.profiles.get("sandbox")?.eventSchemes).toBeUndefined();
	});

	test.each([
		["signs no body", files.github.replace("[body]", "[]")],
		["has a tolerance of nothing", files.stripe.replace("300", "0")],
		["has none", files.stripe.replace("tolerance: 300", "")],
		["takes an id that is not signed", files.github.replace("}]\nshape", ", id: x-id }]\nshape")],
		["is no scheme", "hello: 1"],
	])("one that %s is refused, also where it was written into the profile by hand", async (_what, text) => {
		const world = await withScheme("github");
		world.files.set("wrong.yaml", new TextEncoder().encode(text));
		const ran = await world.purser(["events", "scheme", "add", "wrong", "--description", "wrong.yaml"]);
		expect([ran.exit, ran.stdout]).toEqual([3, ""]);
		const profile = world.profiles.get("sandbox") as { eventSchemes?: object };
		const { parse } = await import("yaml");
		profile.eventSchemes = { github: parse(text) };
		const signature = createHmac("sha256", key).update(body).digest("hex");
		const verify = await world.purser(["events", "verify", "body.json", "--header", `X-Hub-Signature-256: sha256=${signature}`]);
		expect([verify.exit, verify.stdout]).toEqual([2, ""]);
	});
});

describe("events list and show", () => {
	test("nothing heard is an empty list, and makes no inbox", async () => {
		const world = await makeWorld();
		expect((await world.purser(["events", "list", "--json"])).json()).toEqual([]);
		expect((await world.purser(["events", "show", "evt_00000000"])).exit).toBe(2);
	});

	test("an event is on two lines where one is too short, and its body is written byte for byte", async () => {
		const world = await makeWorld();
		const delivery = { scheme: "standard", id: "msg_1", headers: { "webhook-id": "msg_1", host: "127.0.0.1" }, body: Buffer.from(body) };
		const inbox = await world.inbox();
		const { event } = await inbox.receive({ source: "webhook", said: saidIn(delivery.body), delivery });
		await inbox.confirm(event.id, { status: "APPROVED", at: "2026-03-01T10:00:01.000Z" });
		const listed = await world.purser(["events", "list", "--utc"], { columns: 80 });
		const lines = listed.stdout.split("\n").slice(0, 2);
		expect(lines).toEqual([
			"2026-03-01 10:00 UTC  transaction.approved  APPROVED",
			`  ${transaction}  confirmed APPROVED  ${event.id.slice(0, 12)}`,
		]);
		expect((await world.purser(["events", "list", "--json"])).json()).toMatchObject([{ id: event.id, raw: JSON.parse(body) }]);
		expect((await world.purser(["events", "show", event.id.slice(0, 12), "--body"])).stdout).toBe(body);
		const shown = (await world.purser(["events", "show", event.id])).stdout;
		expect(shown).toContain("webhook-id");
		expect(shown).not.toContain("127.0.0.1");
	});
});
