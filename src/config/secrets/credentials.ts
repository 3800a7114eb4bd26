import { advice, purser, quotedPath } from "../../api/advice.js";
import { withoutSecrets } from "../../api/token-variables.js";
import { PurserError } from "../../errors.js";
import type { Files } from "../../ports/machine.js";
import type { Credential, Credentials, Profile, Profiles } from "../../ports/profiles.js";
import { programOf, words } from "./command-line.js";
import { type SecretPlace, SecretStore } from "./store.js";
import { type FoundCredential, fromEnvironment, originOf, readCredential, readHelper } from "./token.js";

/** Milliseconds; some helpers ask a person. */
const timeLimit = 60_000;
/** Milliseconds for the rest of the output to arrive after the program exited. */
const drainTime = 200;
const mostBytes = 64 * 1024;

/**
 * Asks the profile's helper program for the credential: run without a shell, with PURSER_HELPER_PROFILE and
 * PURSER_HELPER_ORIGIN in its environment and no variable of a token; it prints `{"token":…}` or `{"value":…}`.
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

/** What a program printed until it exited. The end of its output is not waited for: an agent that it started may hold it open for days. */
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

/** The lock is held while the service renews a login. Milliseconds. */
const forOneExchange = { patience: 15_000, stale: 40_000 };

export interface CredentialOptions extends SecretPlace {
	/** The profiles as stored, without what flags and variables replace. */
	profiles: Pick<Profiles, "get" | "distrust" | "file">;
	/** Reads the file of a secret. */
	read: Files["read"];
}

/**
 * The credentials, in this order: PURSER_TOKEN, PURSER_TOKEN_FILE, the profile's helper program, the OS keyring, the 0600 file.
 * A stored one is bound to the profile's name and to scheme, host and port; one of a variable to those of the stored profile.
 * @throws PurserError guard from `get`, where the token of a variable is not for this address, or somebody else may have named the helper; auth,
 * where the helper fails; and as {@link SecretStore}
 */
export function createCredentials(options: CredentialOptions): Credentials {
	const { env, profiles, read, platform } = options;
	const warned = new Set<string>();
	const warn = (message: string): void => {
		// Windows has no such modes: there every file looks open.
		if (!warned.has(message) && platform !== "win32") options.warn?.(message);
		warned.add(message);
	};
	const store = new SecretStore<Credential>(options, {
		word: "credentials",
		called: (name) => `the login of profile ${name}`,
		again: (name, place) => advice`log in again:\nrm ${quotedPath(place)}\n${purser`auth login --profile ${name}`}`,
		account: (name, origin) => `${name} ${origin}`,
		read: readCredential,
		write: JSON.stringify,
	});
	return {
		get: async (profile) => {
			const found = (await fromEnvironment(profile, { env, warn, profiles, read })) ?? (await fromHelper(profile, env, profiles));
			if (found !== undefined) return found;
			const stored = await store.get(profile.name, originOf(profile));
			return stored && { credential: stored.secret, from: stored.from };
		},
		set: (profile, credential) => store.set(profile.name, originOf(profile), credential),
		remove: ({ name }) => store.remove(name),
		withLock: ({ name }, act) => store.withLock(name, forOneExchange, act),
	};
}

async function fromHelper(
	profile: Profile,
	env: SecretPlace["env"],
	profiles: CredentialOptions["profiles"],
): Promise<FoundCredential | undefined> {
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
