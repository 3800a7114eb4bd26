import { advice, purser, quotedPath } from "../../api/advice.js";
import { withoutSecrets } from "../../api/token-variables.js";
import { type Advice, PurserError } from "../../errors.js";
import type { Files } from "../../ports/machine.js";
import type { Credential, Credentials, Profile, Profiles } from "../../ports/profiles.js";
import { type LockTimes, withLock } from "../../system/disk/lock.js";
import { programOf, words } from "./command-line.js";
import { type Keyring, openKeyring } from "./keyring.js";
import { type FoundCredential, fromEnvironment, originOf, readCredential, readHelper } from "./token.js";
import { Vault } from "./vault.js";

/** Milliseconds; some helpers ask a person. */
const timeLimit = 60_000;
/** Milliseconds for the rest of the output to arrive after the program exited. */
const drainTime = 200;
const mostBytes = 64 * 1024;

/**
 * Asks the profile's helper program for the credential: run without a shell, with PURSER_HELPER_PROFILE and
 * PURSER_HELPER_ORIGIN in its environment and no variable of a token; it prints `{"token":…}`, `{"value":…}` or `{"username":…,"password":…}`.
 * @param limit milliseconds until it is given up
 * @throws PurserError auth, where it fails or prints anything else; what it printed is never quoted
 */
export async function askHelper(
	command: string,
	profile: Profile,
	origin: string,
	env: Readonly<Record<string, string | undefined>>,
	limit = timeLimit,
): Promise<Credential> {
	const [program, ...args] = words(command);
	if (program === undefined) throw helperFailed(command, profile, "the setting is empty or has an unmatched quote");
	const own = { ...withoutSecrets(env), PURSER_HELPER_PROFILE: profile.name, PURSER_HELPER_ORIGIN: origin };
	const { output, fault } = await outputOf(program, args, own, limit);
	const credential = fault === undefined ? readHelper(output) : undefined;
	if (credential === undefined) throw helperFailed(command, profile, fault ?? "it did not print a credential as JSON");
	return credential;
}

/**
 * What a program printed until it exited. The end of its output is not waited for: an agent that it started may hold it open for days.
 */
async function outputOf(
	program: string,
	args: readonly string[],
	env: Record<string, string | undefined>,
	limit: number,
): Promise<{ output: string; fault?: string }> {
	const { spawn } = await import("node:child_process");
	return new Promise((resolve) => {
		const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"], windowsHide: true });
		let output = "";
		const end = (fault?: string): void => {
			clearTimeout(late);
			child.kill();
			child.stdout.destroy();
			resolve({ output, fault });
		};
		const late = setTimeout(() => end(`it did not end within ${limit / 1_000} s`), limit);
		child.stdout.setEncoding("utf8").on("data", (part: string) => {
			output += part;
			if (output.length > mostBytes) end("it printed too much");
		});
		child.once("error", (error: Error & { code?: unknown }) => end(`it could not be run (${String(error.code ?? error.name)})`));
		child.once("exit", (code, signal) => {
			const fault = code === 0 ? undefined : code === null ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
			child.once("close", () => end(fault));
			setTimeout(() => end(fault), drainTime);
		});
	});
}

function helperFailed(command: string, profile: Profile, reason: string): PurserError {
	return new PurserError("auth", {
		code: "CREDENTIAL_HELPER_FAILED",
		message: `The credential helper of profile ${profile.name}, ${JSON.stringify(programOf(command))}, failed: ${reason}`,
		fix: advice`Run it by hand to see why, or take the setting credential-helper out and log in: ${purser`auth login`}`,
	});
}

type Env = Readonly<Record<string, string | undefined>>;

/** The lock is held while the service renews a login. */
const forOneExchange: LockTimes = { patience: 15_000, stale: 40_000 };

export interface CredentialOptions {
	/** The folder of the configuration. */
	directory: string;
	env: Env;
	/** As Node names it; only Linux differs. */
	platform: string;
	/** The profiles as stored, without what flags and variables replace. */
	profiles: Pick<Profiles, "get" | "distrust" | "file">;
	/** Reads the file of a secret. */
	read: Files["read"];
	/** In place of the operating system's, for tests. */
	keyring?: () => Promise<Keyring | undefined>;
	/** Called once for each risk that is no error. */
	warn?: (message: string) => void;
}

/**
 * The credentials, in this order: PURSER_TOKEN, PURSER_TOKEN_FILE, the profile's helper program, the OS keyring, the 0600 file.
 * A stored one is bound to the profile's name and to scheme, host and port; one of a variable to those of the stored profile.
 * @throws PurserError guard from `get`, where the token of a variable is not for this address, or somebody else may have named the helper; auth,
 * where a credential is stored for another address of the profile, the keyring lost it or cannot be asked, or the helper fails; usage, where a
 * file cannot be read or written
 */
export function createCredentials(options: CredentialOptions): Credentials {
	const { directory, env, platform, profiles } = options;
	const warned = new Set<string>();
	const warn = (message: string) => {
		// Windows has no such modes: there every file looks open.
		if (!warned.has(message) && platform !== "win32") options.warn?.(message);
		warned.add(message);
	};
	const vault = new Vault(directory);
	let opening: Promise<Keyring | undefined> | undefined;
	const keyring = () => {
		opening ??= options.keyring?.() ?? openKeyring(env, platform);
		return opening;
	};
	return {
		get: async (profile) =>
			(await fromEnvironment(profile, { env, warn, profiles, read: options.read })) ??
			(await fromHelper(profile, env, profiles)) ??
			stored(profile, vault, keyring, warn),
		set: async (profile, credential) => {
			const origin = originOf(profile);
			const account = accountOf(profile, origin);
			return storeSecret(
				vault,
				{ what: "credential", name: profile.name, origin, account, secret: JSON.stringify(credential) },
				await keyring(),
				env,
			);
		},
		remove: (profile) => remove(profile, vault, keyring),
		withLock: (profile, act) => withLock(`${vault.fileOf(profile.name)}.lock`, forOneExchange, act),
	};
}

async function fromHelper(profile: Profile, env: Env, profiles: CredentialOptions["profiles"]): Promise<FoundCredential | undefined> {
	const command = profile.settings["credential-helper"];
	if (command === undefined || command.trim() === "") return undefined;
	const distrust = await profiles.distrust();
	if (distrust !== undefined)
		throw new PurserError("guard", {
			code: "CONFIG_NOT_OWN",
			message: `The credential helper of profile ${profile.name} was not run: somebody else may have written the configuration that names it; nothing was sent`,
			why: distrust.why,
			fix: `Check whether the program named in ${profiles.file} is yours, then: ${distrust.fix}`,
		});
	return { credential: await askHelper(command, profile, originOf(profile), env), from: "credential-helper" };
}

type OpenKeyring = () => Promise<Keyring | undefined>;

async function stored(
	profile: Profile,
	vault: Vault,
	keyring: OpenKeyring,
	warn: (message: string) => void,
): Promise<FoundCredential | undefined> {
	const entry = await vault.read(profile.name);
	if (entry === undefined) return undefined;
	const origin = originOf(profile);
	if (entry.origin !== origin)
		throw lost(profile, "CREDENTIAL_OTHER_ADDRESS", {
			message: `The login of profile ${profile.name} is for ${entry.origin}, not for ${origin}`,
			why: "A credential is bound to the scheme, host and port it was given for",
			// A login never moves a profile, so logging in again helps only where the profile itself has the new address.
			fix: advice`If the profile has this address now, log in again: ${purser`auth login --profile ${profile.name}`}. If it comes from --base-url or PURSER_BASE_URL, leave that out, or give the address a profile of its own: ${purser`auth login --profile NAME --base-url ${origin}`}`,
		});
	if (entry.in === "file") {
		const file = vault.fileOf(profile.name);
		if (vault.isOpen(profile.name))
			warn(`others on this machine can read ${file}, which holds your login; close it with: chmod 600 ${quotedPath(file)}`);
		return known(profile, entry.secret, file);
	}
	const ring = (await keyring()) ?? missing(profile);
	const secret = await ring.get(accountOf(profile, origin)).catch(() => failed(profile));
	if (secret !== undefined) return known(profile, secret, "keyring");
	throw lost(profile, "KEYRING_FORGOT", {
		message: `The keyring no longer has the login of profile ${profile.name}`,
		why: "It was removed there, or the keyring was reset",
	});
}

function known(profile: Profile, secret: string, from: string): FoundCredential {
	const credential = readCredential(secret);
	if (credential !== undefined) return { credential, from };
	throw lost(profile, "CREDENTIAL_UNUSABLE", {
		message: `What is stored for profile ${profile.name} (${from}) is not a credential`,
		why: "It was changed from outside",
	});
}

function missing(profile: Profile): never {
	throw lost(profile, "KEYRING_MISSING", {
		message: `The login of profile ${profile.name} is in the system keyring, which cannot be found now`,
		why: "There is no desktop session, or PURSER_NO_KEYRING is set",
	});
}

function failed(profile: Profile): never {
	throw lost(profile, "KEYRING_FAILED", { message: `The keyring did not answer for profile ${profile.name}`, why: "It may be locked" });
}

function lost(profile: Profile, code: string, said: { message: string; why: string; fix?: Advice }): PurserError {
	return new PurserError("auth", { code, fix: advice`Log in again: ${purser`auth login --profile ${profile.name}`}`, ...said });
}

/** A secret to store: what it is, in a word, whose, and where. */
interface NewSecret {
	what: string;
	name: string;
	origin: string;
	/** Its entry in the keyring. */
	account: string;
	secret: string;
}

/**
 * Stores a secret in the keyring; in the vault's file where there is none, or where it cannot be read back: a keyring that only pretends must
 * not cost a login.
 * @returns `warning`: of the file, unless a person chose it
 */
export async function storeSecret(
	vault: Vault,
	{ what, name, origin, account, secret }: NewSecret,
	ring: Keyring | undefined,
	env: Env,
): Promise<{ where: string; warning?: string }> {
	if (ring !== undefined && (await isRemembered(ring, account, secret))) {
		await vault.write(name, { in: "keyring", origin });
		return { where: "keyring" };
	}
	await vault.write(name, { in: "file", origin, secret });
	const where = vault.fileOf(name);
	if (env.PURSER_NO_KEYRING) return { where };
	return { where, warning: `No system keyring found, so the ${what} is stored in ${where}, which only you can read (0600)` };
}

async function isRemembered(ring: Keyring, account: string, secret: string): Promise<boolean> {
	try {
		await ring.set(account, secret);
		return (await ring.get(account)) === secret;
	} catch {
		return false;
	}
}

async function remove(profile: Profile, vault: Vault, keyring: OpenKeyring): Promise<boolean> {
	const entry = await vault.read(profile.name);
	if (entry === undefined) return false;
	if (entry.in === "keyring") {
		const ring = (await keyring()) ?? missing(profile);
		await ring.remove(accountOf(profile, entry.origin)).catch(() => failed(profile));
	}
	await vault.remove(profile.name);
	return true;
}

const accountOf = (profile: Profile, origin: string): string => `${profile.name} ${origin}`;
