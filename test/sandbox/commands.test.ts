import { describe, expect, test } from "vitest";
import { makeWorld } from "../support/purser.js";
import { ids } from "./service.js";

/** Runs `sandbox serve` until it has said where it is, looks around, and stops it as Ctrl-C does. */
async function served(argv: readonly string[] = []) {
	const world = await makeWorld();
	const stop = new AbortController();
	const running = world.purser(["sandbox", "serve", "--port", "0", ...argv], { signal: stop.signal });
	await new Promise((resolve) => setTimeout(resolve, 150));
	stop.abort("SIGINT");
	return { world, ran: await running };
}

/** A world whose profile has become a live one. */
async function liveWorld() {
	const world = await makeWorld();
	const profile = world.profiles.get("sandbox");
	if (!profile) throw new Error("no profile");
	world.profiles.set("sandbox", { ...profile, baseUrl: "https://api.example.com", environment: "live" });
	return world;
}

describe("sandbox serve", () => {
	test("says where it is and how to go on, and Ctrl-C is how it ends", async () => {
		const { ran } = await served();
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toMatch(/^Sandbox at http:\/\/127\.0\.0\.1:\d+\n/);
		expect(ran.stdout).toMatch(
			/purser profile add sandbox --base-url http:\/\/127\.0\.0\.1:\d+ --username operator --partner-name example-partner\nThen: purser auth login --profile sandbox\n/,
		);
		expect(ran.stdout).toContain("Then: purser ledger list\nThen: purser pay ledger\nCtrl-C stops it.\n");
	});

	test("--events-to delivers to this machine alone", async () => {
		const { ran } = await served(["--events-to", "http://127.0.0.1:9/hook"]);
		expect(ran.stdout).toContain(
			"Events go to http://127.0.0.1:9/hook, signed. The secret: purser sandbox webhook-secret | purser events secret add sandbox\n",
		);
		for (const to of ["http://192.0.2.1/hook", "hook", "http://me:secret@127.0.0.1/"]) {
			const refused = await served(["--events-to", to]);
			expect([to, refused.ran.exit]).toEqual([to, 3]);
			expect(refused.ran.stderr).toContain("must be an http address of this machine");
		}
	});

	test("its secret is printed alone, so that it can be piped, and only a sandbox's", async () => {
		const world = await makeWorld();
		const ran = await world.purser(["sandbox", "webhook-secret"]);
		expect(ran.stdout).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
		expect((await world.purser(["sandbox", "webhook-secret", "--json"])).json()).toEqual({ secret: ran.stdout.trim() });
		const live = await liveWorld();
		expect((await live.purser(["sandbox", "webhook-secret"])).exit).toBe(10);
	});

	test("--save-profile makes a profile for it and leaves one that is live alone", async () => {
		const { ran, world } = await served(["--save-profile", "local"]);
		expect(ran.stdout).toContain("Profile local is logged in and in use.");
		expect(world.profiles.get("local")).toMatchObject({ environment: "sandbox", auth: { kind: "login", username: "operator" } });
		// Its list is the program's own, and known to be complete.
		expect(world.profiles.get("local")?.settings).toEqual({});
		const live = await liveWorld();
		const refused = await live.purser(["sandbox", "serve", "--port", "0", "--save-profile", "sandbox"]);
		expect(refused.exit).toBe(10);
		expect(refused.stderr).toContain("is kept as it is");
		expect(live.profiles.get("sandbox")?.environment).toBe("live");
	});

	test("--state is written at once and read again", async () => {
		const { world } = await served(["--state", "state.json"]);
		expect(new TextDecoder().decode(world.files.get("state.json"))).toMatch(/^\{"version":1,/);
		world.files.set("bad.json", new TextEncoder().encode("{}"));
		const ran = await world.purser(["sandbox", "serve", "--port", "0", "--state", "bad.json"]);
		expect(ran.exit).toBe(2);
		expect(ran.stderr).toContain("bad.json cannot be read as the state of a sandbox");
	});
});

describe("sandbox simulate", () => {
	test("money, faults, time and terms", async () => {
		const world = await makeWorld();
		const said = async (...argv: string[]): Promise<string> => {
			const ran = await world.purser(["sandbox", "simulate", ...argv]);
			return `${ran.exit} ${ran.stdout.trim()}`;
		};
		expect(await said("fund", ids.savings, "--amount", "5.50")).toBe(`0 Done: 5.50 EUR on ${ids.savings}`);
		expect(await said("fund", ids.savings, "--amount", "5.505")).toBe("5 ");
		expect(await said("fault", "terms.get=500:x2")).toBe("0 Simulated faults:\n  terms.get=500:x2");
		expect(await said("fault", "--clear")).toBe("0 All simulated faults cleared");
		expect(await said("fault", "nope=500")).toBe("5 ");
		expect(await said("clock", "--seconds", "3600")).toBe("0 Done: the sandbox's clock is at 2026-03-01T11:00:00.000Z");
		// The token's hour is over on the sandbox's clock; the next call refreshes it.
		expect((await world.purser(["ledger", "list"])).exit).toBe(0);
		expect(await said("terms")).toBe("0 Done: terms 2.0 published");
		expect(await said("transaction", ids.nobody)).toBe("5 ");
	});

	test("only on a sandbox", async () => {
		const world = await liveWorld();
		const before = world.requests.length;
		const ran = await world.purser(["sandbox", "simulate", "terms"]);
		expect(ran.exit).toBe(10);
		expect(ran.stderr).toContain("is not a sandbox; nothing was sent");
		expect(world.requests.length).toBe(before);
	});
});
