import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CredentialOptions, createCredentials } from "../../src/config/secrets/credentials.js";
import { openKeyring } from "../../src/config/secrets/keyring.js";
import type { Credential, Profile } from "../../src/ports/profiles.js";
import { stoppedWaiting } from "../../src/system/clock.js";
import { createFiles } from "../../src/system/files.js";
import { advised } from "../support/advice.js";
import { ringOf } from "./ring.js";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-secrets-"));
});
afterEach(() => rm(folder, { recursive: true }));

const profile = (more: Partial<Profile> = {}): Profile => ({
	name: "bank",
	baseUrl: "https://api.example.com/base",
	environment: "live",
	auth: { kind: "login" },
	settings: {},
	...more,
});
const login: Credential = { kind: "tokens", token: "the-token", refreshToken: "the-refresh" };
const other: Credential = { kind: "tokens", token: "other" };
const noRing = async () => undefined;
/** Profile `bank` alone is stored. */
const storedAt = (baseUrl: string): CredentialOptions["profiles"] => ({
	get: async (name) => (name === "bank" ? profile({ baseUrl }) : undefined),
});
const profiles = storedAt("https://api.example.com/base");
const made = (more: Partial<CredentialOptions> = {}) =>
	createCredentials({
		directory: folder,
		env: {},
		platform: process.platform,
		keyring: noRing,
		profiles,
		read: createFiles(new AbortController().signal).read,
		...more,
	});

/** Why there is no credential. */
const refusal = (with_: Partial<CredentialOptions>, of: Partial<Profile> = {}) =>
	made(with_)
		.get(profile(of))
		.then(
			() => undefined as never,
			(error) => error,
		);

describe("the file", () => {
	const file = () => join(folder, "secrets", "credentials-bank.json");
	const noSecret = '{"in":"file","origin":"https://api.example.com","secret":"{}"}';

	it("is 0600 in a 0700 folder, and the warning names it", async () => {
		expect(await made().set(profile(), login)).toEqual({ where: file(), warning: expect.stringContaining(file()) });
		expect([(await stat(file())).mode & 0o777, (await stat(join(folder, "secrets"))).mode & 0o777]).toEqual([0o600, 0o700]);
		expect(await made().get(profile())).toEqual({ credential: login, from: file() });
	});

	it("a file that others can read since is told, once, with what to type; on Windows it is not", async () => {
		await made().set(profile(), login);
		const told: string[] = [];
		const credentials = made({ platform: "linux", warn: (message) => told.push(message) });
		await credentials.get(profile());
		expect(told).toEqual([]);
		await chmod(file(), 0o640);
		await credentials.get(profile());
		expect((await credentials.get(profile()))?.credential).toEqual(login);
		expect(told).toEqual([expect.stringContaining(`chmod 600 ${file()}`)]);
		await made({ platform: "win32", warn: (message) => told.push(message) }).get(profile());
		expect(told).toHaveLength(1);
	});

	it.each(["https://api.example.com:8443", "https://api2.example.com", "http://api.example.com"])(
		"is not given to %s, and that is explained",
		async (baseUrl) => {
			await made().set(profile(), login);
			expect(await refusal({}, { baseUrl })).toMatchObject({
				kind: "auth",
				failure: {
					code: "SECRET_OTHER_ADDRESS",
					message: expect.stringContaining("is for https://api.example.com, not for"),
					fix: advised(expect.stringContaining(`purser profile add NAME --base-url ${baseUrl}`)),
				},
			});
			await made().set(profile({ baseUrl }), other);
			expect((await made().get(profile({ baseUrl })))?.credential).toEqual(other);
		},
	);

	it("is given to the same scheme, host and port", async () => {
		await made().set(profile(), login);
		for (const baseUrl of ["https://api.example.com", "https://api.example.com:443/v2", "https://API.example.com/"])
			expect([baseUrl, (await made().get(profile({ baseUrl })))?.credential]).toEqual([baseUrl, login]);
	});

	it.each(["", "{", "[]", '{"in":"file","origin":"https://api.example.com"}', '{"in":"elsewhere"}', noSecret])(
		"broken (%j): an error that names it and quotes nothing",
		async (text) => {
			await mkdir(join(folder, "secrets"));
			await writeFile(file(), text);
			const error = await refusal({});
			expect([error.kind, error.failure.code, error.failure.cause]).toEqual(["usage", "SECRET_BROKEN", undefined]);
			expect(error.message).toContain(file());
		},
	);
});

describe("the keyring", () => {
	it("holds the secret; the disk does not", async () => {
		const { held, keyring } = ringOf();
		expect(await made({ keyring }).set(profile(), login)).toEqual({ where: "keyring" });
		expect(await made({ keyring }).get(profile())).toEqual({ credential: login, from: "keyring" });
		expect(await readFile(join(folder, "secrets", "credentials-bank.json"), "utf8")).not.toContain("the-token");
		expect([...held.keys()]).toEqual(["bank https://api.example.com"]);
		expect(await made({ keyring }).remove(profile())).toBe(true);
		expect(held.size).toBe(0);
	});

	it.each(["refuses", "forgets at once", "throws on get"] as const)("that %s loses no login: the file takes it", async (fault) => {
		const { keyring } = ringOf(fault);
		expect((await made({ keyring }).set(profile(), login)).warning).toBeDefined();
		expect((await made({ keyring }).get(profile()))?.credential).toEqual(login);
	});

	it("that forgets, is locked or gone later is an error, not a silence", async () => {
		const { held, keyring } = ringOf();
		await made({ keyring }).set(profile(), login);
		held.clear();
		for (const later of [keyring, ringOf("throws on get").keyring, noRing])
			expect(await refusal({ keyring: later })).toMatchObject({ kind: "auth", failure: { code: "KEYRING_FAILED" } });
		await expect(made().remove(profile())).rejects.toMatchObject({ failure: { code: "KEYRING_FAILED" } });
	});

	it("is not asked for with PURSER_NO_KEYRING, nor on a Linux without a session", async () => {
		const bus = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };
		for (const env of [{ PURSER_NO_KEYRING: "1", ...bus }, {}, bus])
			expect((await openKeyring(env, "linux")) && "a keyring", JSON.stringify(env)).toBeUndefined();
	});
});

describe("the environment", () => {
	it("PURSER_TOKEN wins, fits the profile's kind of auth, and has nothing to renew it with", async () => {
		await made().set(profile(), login);
		const env = { PURSER_TOKEN: " t0ken\n", PURSER_TOKEN_FILE: "/nowhere" };
		expect(await made({ env }).get(profile())).toEqual({ credential: { kind: "tokens", token: "t0ken" }, from: "PURSER_TOKEN" });
		const header = profile({ auth: { kind: "header", header: "X" } });
		expect((await made({ env }).get(header))?.credential).toEqual({ kind: "header", value: "t0ken" });
	});

	it("PURSER_TOKEN_FILE is read anew, trimmed; a file that others can read is told", async () => {
		const file = join(folder, "token");
		await writeFile(file, "first\n", { mode: 0o600 });
		const warned: string[] = [];
		const credentials = made({ env: { PURSER_TOKEN_FILE: file }, warn: (message) => void warned.push(message) });
		const given = (token: string) => ({ credential: { kind: "tokens", token }, from: `PURSER_TOKEN_FILE (${file})` });
		expect(await credentials.get(profile())).toEqual(given("first"));
		await writeFile(file, "second");
		expect(await credentials.get(profile())).toEqual(given("second"));
		expect(warned).toEqual([]);
		await chmod(file, 0o644);
		await credentials.get(profile());
		await credentials.get(profile());
		expect(warned).toEqual([`others on this machine can read ${file} (PURSER_TOKEN_FILE); close it with: chmod 600 ${file}`]);
	});

	it("a token file that is not there, or empty, is an error: it is not skipped", async () => {
		const of = (file: string, more: Partial<CredentialOptions> = {}) => refusal({ env: { PURSER_TOKEN_FILE: file }, ...more });
		expect(await of(join(folder, "none"))).toMatchObject({ failure: { code: "TOKEN_FILE_UNREADABLE" } });
		await writeFile(join(folder, "empty"), "\n");
		expect(await of(join(folder, "empty"))).toMatchObject({ kind: "auth" });
		expect(await of("pipe", { read: () => Promise.reject(stoppedWaiting()) })).toMatchObject({ kind: "interrupted" });
	});
});

describe("the address that a token of the environment is for", () => {
	let tokenFile: string;
	beforeEach(async () => {
		tokenFile = join(folder, "token");
		await writeFile(tokenFile, "t0ken", { mode: 0o600 });
	});
	const elsewhere = { baseUrl: "https://api.example.net" };
	const sandbox = { environment: "sandbox" } as const;

	/** What comes of it, alike for both variables: the token, or the code of the error. */
	async function got(of: Partial<Profile>, env: Record<string, string> = {}): Promise<string> {
		const both = [];
		for (const variable of [{ PURSER_TOKEN: "t0ken" }, { PURSER_TOKEN_FILE: tokenFile }]) {
			const found = await made({ env: { ...variable, ...env } })
				.get(profile(of))
				.catch((error) => error);
			both.push(found.credential?.token ?? `${found.kind} ${found.failure.code}`);
			expect(JSON.stringify(found.failure ?? {})).not.toContain("t0ken");
		}
		expect(both[1]).toBe(both[0]);
		return both[0];
	}

	const [taken, refused, clear] = ["t0ken", "guard TOKEN_OTHER_ADDRESS", "guard TOKEN_OVER_HTTP"];
	const [here, looksHere] = ["http://localhost:4010", "http://127.0.0.1.example.net"];
	it.each<[string, Partial<Profile>, string | undefined, string]>([
		["the profile's own", {}, undefined, taken],
		["the profile's own with another path", { baseUrl: "https://API.example.com:443/v9" }, undefined, taken],
		["another host", elsewhere, undefined, refused],
		["another port", { baseUrl: "https://api.example.com:8443" }, undefined, refused],
		["another host that is named", elsewhere, "https://api.example.net", taken],
		["another port than is named", { baseUrl: "https://api.example.net:444" }, "https://api.example.net", refused],
		["another host, and nonsense is named", elsewhere, "api.example.net", refused],
		["the profile's own, and another is named", {}, "https://api.example.net", refused],
		["a sandbox on this machine instead of the profile's own", { ...sandbox, baseUrl: "http://[::1]:4010" }, undefined, taken],
		["a sandbox on this machine, and another is named", { ...sandbox, baseUrl: here }, "https://api.example.net", refused],
		["a sandbox on this machine that is named", { ...sandbox, baseUrl: here }, here, taken],
		["live money on this machine instead of the profile's own", { baseUrl: "https://127.0.0.1:4010" }, undefined, refused],
		["http beyond this machine, though named", { ...sandbox, baseUrl: "http://api.example.net" }, "http://api.example.net", clear],
		["http that only looks like this machine", { ...sandbox, baseUrl: looksHere }, looksHere, clear],
	])("%s", async (_, of, named, expected) => {
		expect(await got(of, named === undefined ? {} : { PURSER_TOKEN_ORIGIN: named })).toBe(expected);
	});

	it("what is refused says for what the token is, and what to type", async () => {
		const failureOf = async (env: Record<string, string>) => (await refusal({ env: { PURSER_TOKEN: "t0ken", ...env } }, elsewhere)).failure;
		const fix =
			"If it is for this address, confirm it: PURSER_TOKEN_ORIGIN=https://api.example.net. Otherwise leave out what gives the address (--base-url, PURSER_BASE_URL), or store a profile for it: purser profile add NAME --base-url https://api.example.net";
		const message = "The secret of PURSER_TOKEN does not go to https://api.example.net; nothing was sent";
		expect(await failureOf({})).toMatchObject({ message, why: "profile bank is for https://api.example.com", fix: advised(fix) });
		expect(await failureOf({ PURSER_TOKEN_ORIGIN: "https://other.example" })).toMatchObject({
			message,
			why: "PURSER_TOKEN_ORIGIN says https://other.example",
		});
	});
});
