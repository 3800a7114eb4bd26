/**
 * The secrets that deliveries of events are checked with: several a profile, so that one can be changed without a gap. They are stored like a
 * credential, together: in the keyring of the operating system, else in a 0600 file.
 */
import { dirname } from "node:path";
import * as z from "zod/mini";
import { advice, purser, quotedPath } from "../../api/advice.js";
import { sha256 } from "../../api/digest.js";
import { type Advice, PurserError } from "../../errors.js";
import type { EventSecret, EventSecrets } from "../../ports/events.js";
import type { Profile } from "../../ports/profiles.js";
import { withLock } from "../../system/disk/lock.js";
import { makeFolder } from "../../system/disk/private-folder.js";
import { storeSecret } from "./credentials.js";
import { type Keyring, openKeyring } from "./keyring.js";
import { originOf } from "./token.js";
import { Vault } from "./vault.js";

export interface EventSecretOptions {
	/** The folder of the configuration. */
	directory: string;
	env: Readonly<Record<string, string | undefined>>;
	/** As Node names it. */
	platform: string;
	/** In place of the operating system's, for tests. */
	keyring?: () => Promise<Keyring | undefined>;
	/** Called where others can read the file. */
	warn?: (message: string) => void;
}

/** Most secrets of a profile: two while one is changed, for a few senders. */
const most = 20;

/** A change waits for another one, which reads the keyring and writes to it. */
const forOneChange = { patience: 15_000, stale: 60_000 };

type Whose = Pick<Profile, "name" | "baseUrl">;
type Kept = Omit<EventSecret, "fingerprint">;

const shape = z.array(z.strictObject({ name: z.string(), addedAt: z.string(), secret: z.string() }));

/** The first 8 hex digits of the SHA-256, which tell two secrets apart and say nothing about them. */
const withFingerprint = (kept: Kept): EventSecret => ({ ...kept, fingerprint: sha256(kept.secret).slice(0, 8) });

export function createEventSecrets({ directory, env, platform, keyring, warn }: EventSecretOptions): EventSecrets {
	const vault = new Vault(
		directory,
		"events",
		(profile, file) => advice`add the secrets again:\nrm ${quotedPath(file)}\n${again(profile)}`,
	);
	const open = keyring ?? (() => openKeyring(env, platform));
	const accountOf = (name: string, origin: string): string => `events ${name} ${origin}`;

	const read = async (profile: Whose): Promise<Kept[]> => {
		const entry = await vault.read(profile.name);
		if (entry === undefined) return [];
		const origin = originOf(profile);
		const file = vault.fileOf(profile.name);
		if (entry.origin !== origin) throw otherAddress(profile, entry.origin, origin);
		if (entry.in === "file") {
			if (vault.isOpen(profile.name) && platform !== "win32")
				warn?.(`others on this machine can read ${file}, which holds secrets of events; close it with: chmod 600 ${quotedPath(file)}`);
			return kept(profile, entry.secret, file);
		}
		const text = await (await open())?.get(accountOf(profile.name, origin)).catch(() => undefined);
		if (text === undefined) throw lost(profile, file);
		return kept(profile, text, "the keyring");
	};

	const write = async (profile: Whose, secrets: readonly Kept[]): Promise<{ where: string; warning?: string }> => {
		const { name } = profile;
		const origin = originOf(profile);
		const account = accountOf(name, origin);
		return storeSecret(vault, { what: "secret", name, origin, account, secret: JSON.stringify(secrets) }, await open(), env);
	};

	/** Removes all of them. */
	const clear = async (profile: Whose): Promise<void> => {
		const entry = await vault.read(profile.name);
		if (entry?.in === "keyring") await (await open())?.remove(accountOf(profile.name, entry.origin)).catch(() => {});
		await vault.remove(profile.name);
	};

	const alone = async <T>(profile: Whose, act: () => Promise<T>): Promise<T> => {
		const file = vault.fileOf(profile.name);
		// The lock needs the folder, also for the first secret.
		makeFolder(dirname(file));
		return withLock(`${file}.lock`, forOneChange, act);
	};
	return {
		stampOf: ({ name }) => vault.stampOf(name),
		list: async (profile) => (await read(profile)).map(withFingerprint),
		add: (profile, secret) =>
			alone(profile, async () => {
				const before = await read(profile);
				if (before.some(({ name }) => name === secret.name)) throw taken(secret.name);
				if (before.some((one) => one.secret === secret.secret)) throw known(secret.name);
				if (before.length >= most) throw tooMany();
				return write(profile, [...before, secret]);
			}),
		remove: (profile, name) =>
			alone(profile, async () => {
				const before = await read(profile);
				const left = before.filter((one) => one.name !== name);
				if (left.length === before.length) return false;
				if (left.length === 0) await clear(profile);
				else await write(profile, left);
				return true;
			}),
		clear: async (profile) => {
			if ((await vault.read(profile.name)) !== undefined) await alone(profile, () => clear(profile));
		},
	};
}

const again = (profile: string): Advice => advice`${purser`events secret add NAME --profile ${profile}`}`;

function kept(profile: Whose, text: string, where: string): Kept[] {
	try {
		return shape.parse(JSON.parse(text));
	} catch {
		// Without the cause, which would quote the content.
		throw new PurserError("usage", {
			code: "EVENT_SECRETS_BROKEN",
			message: `What ${where} holds for profile ${profile.name} is not a list of secrets of events`,
			fix: advice`Move it away, then add the secrets again: ${again(profile.name)}`,
		});
	}
}

function otherAddress({ name }: Whose, stored: string, asked: string): PurserError {
	return new PurserError("auth", {
		code: "EVENT_SECRETS_OTHER_ADDRESS",
		message: `The secrets of events of profile ${name} are for ${stored}, not for ${asked}`,
		why: "A secret is bound to the scheme, host and port of the service it was added for",
		fix: advice`If the address comes from --base-url or PURSER_BASE_URL, leave that out. If the profile has this address now, remove the secrets with the profile, or give the address a profile of its own: ${purser`profile add NAME --base-url ${asked}`}`,
	});
}

function lost({ name }: Whose, file: string): PurserError {
	return new PurserError("auth", {
		code: "EVENT_SECRETS_LOST",
		message: `The secrets of events of profile ${name} are in the keyring, and the keyring does not give them`,
		why: "It is locked, there is no desktop session, or they were removed there",
		fix: advice`Unlock it and try again. To add them again: rm ${quotedPath(file)}, then ${again(name)}`,
	});
}

function taken(name: string): PurserError {
	return new PurserError("usage", {
		code: "EVENT_SECRET_TAKEN",
		message: `There is a secret named ${name} already; it is unchanged`,
		fix: advice`Choose another name, so that both are tried while the sender changes over; then remove the old one: ${purser`events secret remove ${name}`}`,
	});
}

function known(name: string): PurserError {
	return new PurserError("usage", {
		code: "EVENT_SECRET_KNOWN",
		message: `This secret is stored already, under another name; nothing was added as ${name}`,
		fix: advice`See which: ${purser`events secret list`}`,
	});
}

function tooMany(): PurserError {
	return new PurserError("usage", {
		code: "EVENT_SECRETS_TOO_MANY",
		message: `The profile has ${most} secrets of events, and at most ${most} are tried`,
		fix: advice`Remove those that no sender uses any more: ${purser`events secret list`}`,
	});
}
