import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { profileNameFault } from "../../src/config/profile-file.js";
import { createProfiles } from "../../src/config/profiles.js";
import type { Profile } from "../../src/ports/profiles.js";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-profiles-"));
});
afterEach(async () => {
	await chmod(folder, 0o700);
	await rm(folder, { recursive: true });
});

const profile = (name: string, more: Partial<Profile> = {}): Profile => ({
	name,
	baseUrl: "https://api.example.com",
	environment: "live",
	auth: { kind: "login", username: "operator" },
	mapping: {
		operations: { "phone.sendCode": "none" },
		ids: { ledger: "acc_[0-9]{8}" },
		idempotency: { place: "header", at: "Key", hours: 24 },
	},
	confirmations: { "kyb.request": { digest: "d", service: "https://api.example.com", at: "2026-01-01T00:00:00.000Z", by: "anna" } },
	settings: { timeout: "20" },
	...more,
});
const open = () => createProfiles({ directory: join(folder, "config") });
const file = () => join(folder, "config", "profiles.json");

describe("profiles", () => {
	it("a change is made of what is stored at that moment", async () => {
		const confirmation = { digest: "d".repeat(64), service: "https://api.example.com", at: "2026-01-01T00:00:00.000Z" };
		await open().save(profile("bank", { confirmations: {} }));
		const [one, other] = [open(), open()];
		for (const process of [one, other]) await process.get("bank");
		await one.change("bank", (stored) => ({ ...stored, settings: { ...stored.settings, "cap-per-transfer": "5 EUR" } }));
		await other.change("bank", (stored) => ({ ...stored, confirmations: { "kyb.request": confirmation } }));
		const settings = { timeout: "20", "cap-per-transfer": "5 EUR" };
		expect(await open().get("bank")).toEqual(profile("bank", { settings, confirmations: { "kyb.request": confirmation } }));
		await expect(one.change("nope", (stored) => stored)).rejects.toMatchObject({ failure: { code: "PROFILE_UNKNOWN" } });
	});

	it("are kept, replaced, chosen and removed", async () => {
		expect([await open().list(), await open().current(), await open().get("bank")]).toEqual([[], undefined, undefined]);
		await open().save(profile("bank"));
		await open().save(profile("box", { environment: "sandbox", auth: { kind: "header", header: "X-Api-Key" } }));
		expect(await open().current()).toBe("bank");
		expect(await open().get("bank")).toEqual(profile("bank"));
		await open().save(profile("bank", { baseUrl: "https://other.example.com", settings: {} }));
		expect(await open().get("bank")).toEqual(profile("bank", { baseUrl: "https://other.example.com", settings: {} }));
		await open().use("box");
		expect(await open().current()).toBe("box");
		expect((await open().list()).map(({ name }) => name)).toEqual(["bank", "box"]);
		await open().remove("box");
		expect([await open().current(), await open().get("box")]).toEqual([undefined, undefined]);
		await open().save(profile("third"));
		expect(await open().current()).toBe("third");
	});

	it("live in a 0600 file in a 0700 folder; reading makes neither", async () => {
		await open().list();
		expect(await readdir(folder)).toEqual([]);
		await open().save(profile("bank"));
		expect([(await stat(file())).mode & 0o777, (await stat(join(folder, "config"))).mode & 0o777]).toEqual([0o600, 0o700]);
		expect(open().file).toBe(file());
	});

	it.each(["", "-a", "A", "a b", "../x", "a/b", "ä", "a\n", "x".repeat(65), "__proto__", "(none)"])(
		"the name %j is refused",
		async (name) => {
			expect(profileNameFault(name)).toBeDefined();
			await expect(open().save(profile(name))).rejects.toMatchObject({ kind: "usage", failure: { code: "PROFILE_NAME_INVALID" } });
		},
	);

	it.each(["../../elsewhere", "a/b", "Bank", "..", "", "a\n"])("a file with a profile called %j is told, not used", async (name) => {
		await mkdir(join(folder, "config"));
		await writeFile(file(), JSON.stringify({ profiles: { [name]: { ...profile("x"), name: undefined } } }));
		await expect(open().get(name)).rejects.toMatchObject({ kind: "usage", failure: { code: "CONFIG_BROKEN" } });
	});
});

const mapped = (mapping: string): string =>
	`{"profiles":{"a":{"baseUrl":"https://x.example","environment":"live","auth":{"kind":"none"},"mapping":${mapping}}}}`;

describe("a file that makes no sense", () => {
	it.each([
		["cut", '{"profiles":{'],
		["empty", ""],
		["a list", "[]"],
		["no record", '{"profiles":"x"}'],
		["an unknown auth", '{"profiles":{"a":{"baseUrl":"https://x.example","environment":"live","auth":{"kind":"magic"}}}}'],
		["an unknown environment", '{"profiles":{"a":{"baseUrl":"https://x.example","environment":"test","auth":{"kind":"none"}}}}'],
		["a mapping without operations", mapped('{"ids":{}}')],
	])("%s: an error that names the file, and the file stays as it is", async (_name, text) => {
		await mkdir(join(folder, "config"));
		await writeFile(file(), text);
		for (const act of [() => open().list(), () => open().get("a"), () => open().save(profile("b")), () => open().remove("a")])
			await expect(act()).rejects.toMatchObject({
				kind: "usage",
				failure: { code: "CONFIG_BROKEN", message: expect.stringContaining(file()) },
			});
		expect(await readFile(file(), "utf8")).toBe(text);
	});

	it("one that makes sense is read (control)", async () => {
		await mkdir(join(folder, "config"));
		await writeFile(file(), mapped('{"operations":{"kyb.request":"none"}}'));
		expect((await open().get("a"))?.name).toBe("a");
	});

	it("a folder in its place", async () => {
		await mkdir(file(), { recursive: true });
		await expect(open().list()).rejects.toMatchObject({ kind: "usage", failure: { code: "CONFIG_INACCESSIBLE" } });
	});
});

it("eight programs that write at once never leave a broken file", async () => {
	const bundle = await rolldown({ input: new URL("../../src/config/profiles.ts", import.meta.url).pathname, platform: "node" });
	await bundle.write({ dir: join(folder, "built"), format: "esm", entryFileNames: "profiles.mjs" });
	const script = `
		import { createProfiles } from "./built/profiles.mjs";
		const profiles = createProfiles({ directory: ${JSON.stringify(join(folder, "config"))} });
		for (let count = 0; count < 15; count++) {
			await profiles.save({ name: process.argv[2] + count, baseUrl: "https://api.example.com/" + "x".repeat(2000), environment: "live", auth: { kind: "none" }, settings: {} });
			await profiles.list();
		}`;
	await writeFile(join(folder, "write.mjs"), script);
	const runs = Array.from({ length: 8 }, (_, index) => promisify(execFile)(process.execPath, [join(folder, "write.mjs"), `p${index}-`]));
	await Promise.all(runs);
	expect((await open().list()).length).toBeGreaterThanOrEqual(15);
	expect(await readdir(join(folder, "config"))).toEqual(["profiles.json"]);
});
