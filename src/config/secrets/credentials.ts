import { advice, purser, quotedPath } from "../../api/advice.js";
import type { Files } from "../../ports/machine.js";
import type { Credential, Credentials, Profiles } from "../../ports/profiles.js";
import { type SecretPlace, SecretStore } from "./store.js";
import { fromEnvironment, originOf, readCredential } from "./token.js";

/** The lock is held while the service renews a login. Milliseconds. */
const forOneExchange = { patience: 15_000, stale: 40_000 };

export interface CredentialOptions extends SecretPlace {
	/** The profiles as stored, without what flags and variables replace. */
	profiles: Pick<Profiles, "get">;
	/** Reads the file of a secret. */
	read: Files["read"];
}

/**
 * The credentials, in this order: PURSER_TOKEN, PURSER_TOKEN_FILE, the OS keyring, the 0600 file.
 * A stored one is bound to the profile's name and to scheme, host and port; one of a variable to those of the stored profile.
 * @throws PurserError guard from `get`, where the token of a variable is not for this address; and as {@link SecretStore}
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
			const found = await fromEnvironment(profile, { env, warn, profiles, read });
			if (found !== undefined) return found;
			const stored = await store.get(profile.name, originOf(profile));
			return stored && { credential: stored.secret, from: stored.from };
		},
		set: (profile, credential) => store.set(profile.name, originOf(profile), credential),
		remove: ({ name }) => store.remove(name),
		withLock: ({ name }, act) => store.withLock(name, forOneExchange, act),
	};
}
