/**
 * `doctor` without --probe: what it says of this machine, and that nothing is sent.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { createProfiles } from "../../src/config/profiles.js";
import { checkConfiguration } from "../../src/doctor/configuration.js";
import { checkCompletion, checkProxy, checkVersions } from "../../src/doctor/machine.js";
import { PurserError } from "../../src/errors.js";
import { confirmable } from "../../src/mapping/confirmation.js";
import type { Anchor } from "../../src/ports/anchor.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Mapping } from "../../src/ports/mapping.js";
import type { Profile } from "../../src/ports/profiles.js";
import { anchorOfAnother, testPlace } from "../journal/anchors.js";
import { change, newFolder, open, removeFolders } from "../journal/journals.js";
import { makeWorld, type World } from "../support/purser.js";

interface Line {
	check: string;
	state: string;
	found: string;
	mend?: string;
}

let opened: Journal | undefined;
const folders: string[] = [];
afterEach(async () => {
	await opened?.close();
	opened = undefined;
	removeFolders();
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const wire = async (): Promise<never> => {
	throw new Error("nothing is sent");
};

/** What `doctor --json` says, by check. */
async function linesOf(world: World, options: Parameters<World["purser"]>[1] = {}) {
	const ran = await world.purser(["doctor", "--json"], options);
	const told = ran.json();
	const line = (name: string): Line | undefined => told.checks.find(({ check }: Line) => check === name);
	return { ran, told, line };
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("this machine", () => {
	test("says each thing once, in order, and sends nothing", async () => {
		const world = await makeWorld({ wire });
		const { ran, told } = await linesOf(world);
		expect([ran.exit, told.state]).toEqual([0, "warning"]);
		expect(told.profile).toEqual({ name: "sandbox", environment: "sandbox", baseUrl: "http://127.0.0.1:4010" });
		expect(told.checks.map(({ check, state }: Line) => `${check} ${state}`)).toEqual([
			"versions ok",
			"configuration ok",
			"mapping ok",
			"login ok",
			"journal ok",
			"anchor ok",
			"clock ok",
			"keyring warning",
			"proxy ok",
			"completion warning",
		]);
		expect("probe" in told).toBe(false);
		expect(world.requests).toEqual([]);
	});

	test("without a profile it says how to begin, and a probe has nobody to ask", async () => {
		const world = await makeWorld({ loggedIn: false });
		const { ran, told, line } = await linesOf(world);
		expect([ran.exit, told.profile]).toEqual([0, null]);
		expect(line("configuration")).toMatchObject({ state: "warning", mend: expect.stringContaining("purser sandbox serve") });
		const probe = await world.purser(["doctor", "--probe", "--json"]);
		expect([probe.exit, JSON.parse(probe.stderr).error.code]).toEqual([2, "NO_PROFILE"]);
	});

	test("nobody logged in is a fault, and then a probe sends nothing", async () => {
		const world = await makeWorld({ wire });
		await world.purser(["auth", "logout"]);
		const ran = await world.purser(["doctor", "--probe", "--json"]);
		expect(ran.exit).toBe(9);
		const lines: Line[] = ran.json().checks;
		expect(lines.find(({ check }) => check === "login")).toEqual({
			check: "login",
			state: "fault",
			found: "Nobody is logged in to the profile sandbox",
			mend: "Log in: purser auth login --profile sandbox",
		});
		expect(lines.find(({ check }) => check === "service")?.found).toBe("Not tried: without a login nothing could be told");
		expect(world.requests).toEqual([]);
	});

	test("for people each line has its mend below it, and a sum at the end", async () => {
		const world = await makeWorld({ wire });
		await world.purser(["auth", "logout"]);
		const ran = await world.purser(["doctor"], { columns: 80, terminal: true });
		const lines = ran.stdout.trimEnd().split("\n");
		expect(lines).toContain("fault    login          Nobody is logged in to the profile sandbox");
		expect(lines).toContain("                        Log in: purser auth login --profile sandbox");
		expect(lines.at(-1)).toBe("1 fault, 2 warnings.");
		expect(Math.max(...lines.filter((line) => !line.includes("purser ")).map(({ length }) => length))).toBeLessThanOrEqual(80);
	});

	test("how much is mapped is told, and a mapping that cannot be applied is a fault", async () => {
		const mapped = async (operations: Mapping["operations"]) => linesOf(await makeWorld({ wire, profile: { mapping: { operations } } }));
		const payment = { method: "POST", path: "/api/partner/transactions/inter-ledger" } as const;
		expect((await mapped({ "transaction.interLedger": payment, "kyb.request": "none" })).line("mapping")).toMatchObject({
			state: "ok",
			found: "1 of 26 operations mapped, 1 that this service does not have",
		});
		const bad = await mapped({ "ledger.get": { method: "GET", path: "/ledgers" } });
		expect([bad.ran.exit, bad.line("mapping")]).toEqual([
			9,
			{
				check: "mapping",
				state: "fault",
				found: "operations.ledger.get.send must contain {ledgerId} exactly once",
				mend: "Correct the file, and store it again: purser api use FILE",
			},
		]);
	});

	test("a payment that nobody has confirmed is told, with the command; once confirmed it is not", async () => {
		const mapping: Mapping = { operations: { "transaction.interLedger": { method: "POST", path: "/v2/transfers" } } };
		const baseUrl = "https://api.example.com";
		const mapped = (confirmations?: Profile["confirmations"]) =>
			makeWorld({ wire, profile: { mapping, confirmations, baseUrl, auth: { kind: "none" } } });
		expect((await linesOf(await mapped())).line("mapping")).toEqual({
			check: "mapping",
			state: "warning",
			found: "Nobody has confirmed transaction.interLedger as mapped now, so nothing is sent through it",
			mend: "Look at the exact request and confirm it: purser api confirm transaction.interLedger",
		});
		const digest = confirmable(createInterLedger, { baseUrl, mapping })?.digest as string;
		const given = { digest, service: baseUrl, at: "2026-01-01T00:00:00.000Z" };
		expect((await linesOf(await mapped({ "transaction.interLedger": given }))).line("mapping")?.state).toBe("ok");
	});

	test("a setting that makes no sense is a fault of the configuration", async () => {
		const { ran, line } = await linesOf(await makeWorld({ wire, profile: { settings: { "duplicate-days": "many" } } }));
		expect([ran.exit, line("configuration")?.state]).toEqual([9, "fault"]);
		expect(line("configuration")?.found).toContain("duplicate-days");
	});
});

describe("the configuration", () => {
	const profile: Profile = {
		name: "box",
		baseUrl: "https://api.example.com",
		environment: "sandbox",
		auth: { kind: "none" },
		settings: {},
	};
	const contextOf = (folder: string) =>
		({
			platform: process.platform,
			directories: async () => ({ config: folder, state: folder }),
			profiles: async () => createProfiles({ directory: folder, uid: process.geteuid?.() }),
		}) as never;

	function configured(): string {
		const folder = mkdtempSync(join(tmpdir(), "purser-doctor-"));
		folders.push(folder);
		mkdirSync(join(folder, "secrets"), { mode: 0o700 });
		writeFileSync(join(folder, "profiles.json"), "{}", { mode: 0o600 });
		writeFileSync(join(folder, "secrets", "credentials-box.json"), "{}", { mode: 0o600 });
		return folder;
	}

	test.skipIf(process.platform === "win32")("who can change it, and who can read the secrets", async () => {
		const folder = configured();
		expect(await checkConfiguration(contextOf(folder), profile)).toMatchObject({ state: "ok" });
		const secret = join(folder, "secrets", "credentials-box.json");
		chmodSync(secret, 0o644);
		expect(await checkConfiguration(contextOf(folder), profile)).toMatchObject({ state: "warning", mend: `chmod 600 ${secret}` });
		chmodSync(join(folder, "profiles.json"), 0o666);
		const open = await checkConfiguration(contextOf(folder), profile);
		expect([open.state, open.mend]).toEqual(["fault", `Check what is in it, then: chmod go-w ${join(folder, "profiles.json")}`]);
	});

	test("one that is broken is told with its own words", async () => {
		const folder = configured();
		writeFileSync(join(folder, "profiles.json"), "{");
		await expect(checkConfiguration(contextOf(folder), profile)).rejects.toBeInstanceOf(PurserError);
		const world = await makeWorld({ wire });
		world.profiles.get = () => {
			throw new PurserError("usage", { code: "CONFIG_BROKEN", message: "The configuration is broken", fix: "Correct it" });
		};
		const { ran, line } = await linesOf(world);
		expect([ran.exit, line("configuration")?.state, line("configuration")?.mend]).toEqual([9, "fault", "Correct it"]);
	});
});

describe("the journal", () => {
	async function withJournal(environment: "live" | "sandbox", kept?: Anchor) {
		const place = testPlace();
		place.kept = kept;
		const world = await makeWorld({
			wire,
			profile: { environment, baseUrl: "https://api.example.com", auth: { kind: "none" } },
			openJournal: async (clock, profile) => {
				opened ??= await open(newFolder(), {
					clock: clock as never,
					profile,
					...(environment === "live" && { anchor: async () => place }),
				});
				return opened;
			},
		});
		return world;
	}

	test("is checked as a whole; a sandbox's has no anchor", async () => {
		const world = await withJournal("sandbox");
		const { line } = await linesOf(world);
		expect([line("journal")?.state, line("anchor")?.found]).toEqual(["ok", "Not needed: a sandbox's journal has none"]);
		expect(line("journal")?.found).toMatch(/events?, 0 changes, not altered$/);
	});

	test("of a live profile is held against its anchor", async () => {
		const fresh = await linesOf(await withJournal("live"));
		expect(fresh.line("anchor")).toEqual({ check: "anchor", state: "ok", found: "None yet: it is made with the first payment" });
		await opened?.close();
		opened = undefined;
		const other = await linesOf(await withJournal("live", anchorOfAnother()));
		expect([other.ran.exit, other.line("journal")?.state]).toEqual([9, "fault"]);
		expect(other.line("anchor")).toMatchObject({ state: "fault", mend: expect.stringContaining("purser history adopt --reason TEXT") });
	});

	test("from the future says that this machine's clock is wrong", async () => {
		const world = await withJournal("sandbox");
		await linesOf(world);
		await opened?.end(await (opened as Journal).begin(change()), { state: "accepted" } as never);
		expect((await linesOf(world)).line("clock")?.state).toBe("ok");
		world.clock.advance(-3_600_000);
		expect((await linesOf(world)).line("clock")).toMatchObject({
			state: "fault",
			found: "It is 2026-03-01T09:00:00.000Z, before the newest entry of the journal (2026-03-01T10:00:00.000Z)",
		});
	});
});

describe("the way to the service, and Tab", () => {
	const profile = { baseUrl: "https://api.example.com" } as Profile;
	const withFiles = (present: Record<string, string> = {}) => ({
		read: async (path: string) => {
			const text = present[path];
			if (text === undefined) throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
			return encoded(text);
		},
	});
	const proxied = (env: Record<string, string>, present = {}) => checkProxy({ env, files: withFiles(present) as never }, profile);

	test("the proxy is named without its password, and one that is none is a fault", async () => {
		expect((await proxied({})).found).toBe("None: api.example.com is reached directly");
		expect((await proxied({ HTTPS_PROXY: "http://anna:secret@proxy.example.com:3128" })).found).toBe("http://proxy.example.com:3128");
		const bad = await proxied({ HTTPS_PROXY: "http://anna:sec%ret@proxy" });
		expect([bad.state, JSON.stringify(bad).includes("sec%ret")]).toEqual(["fault", false]);
		expect((await proxied({ NODE_EXTRA_CA_CERTS: "/ca.pem" })).state).toBe("fault");
		expect((await proxied({ NODE_EXTRA_CA_CERTS: "/ca.pem" }, { "/ca.pem": "x" })).state).toBe("ok");
	});

	test.each([
		["bash", "/home/anna/.local/share/bash-completion/completions/purser", 'purser complete -- "$@"', "ok"],
		["bash", "/home/anna/.bashrc", "source <(purser completion bash)\n", "ok"],
		["bash", "/home/anna/.bashrc", "# source <(purser completion bash)\n", "warning"],
		["zsh", "/home/anna/.zfunc/_purser", "purser complete -- x", "ok"],
		["fish", "/home/anna/.config/fish/completions/purser.fish", "purser complete x", "warning"],
		["tcsh", "/home/anna/.tcshrc", "purser completion", "warning"],
	])("%s with %s is looked at as that shell does", async (shell, file, text, state) => {
		const files = withFiles({ [file]: text }) as never;
		expect((await checkCompletion({ env: { HOME: "/home/anna", SHELL: `/bin/${shell}` }, files })).state).toBe(state);
	});

	test("an old Node is a fault", async () => {
		expect((await checkVersions({ version: "0.1.0", node: "20.18.3", platform: "linux" })).state).toBe("fault");
		expect((await checkVersions({ version: "0.1.0", node: "20.19.0", platform: "linux" })).state).toBe("ok");
		expect((await checkVersions({ version: "0.1.0", node: "24.1.0", platform: "linux" })).state).toBe("ok");
	});
});
