/**
 * The secrets that deliveries of events are checked with: several a profile, so that one can be changed without a gap. They are stored like a
 * credential, together: in the keyring of the operating system, else in a 0600 file.
 */
import * as z from "zod/mini";
import { advice, purser, quotedPath } from "../../api/advice.js";
import { sha256 } from "../../api/digest.js";
import { PurserError } from "../../errors.js";
import type { EventSecret, EventSecrets } from "../../ports/events.js";
import type { Profile } from "../../ports/profiles.js";
import { type SecretPlace, SecretStore } from "./store.js";
import { originOf } from "./token.js";

/** Most secrets of a profile: two while one is changed, for a few senders. */
const most = 20;

/** A change waits for another one, which reads the keyring and writes to it. */
const forOneChange = { patience: 15_000, stale: 60_000 };

type Whose = Pick<Profile, "name" | "baseUrl">;
type Stored = Omit<EventSecret, "fingerprint">;

const shape = z.array(z.strictObject({ name: z.string(), addedAt: z.string(), secret: z.string() }));

/** The first 8 hex digits of the SHA-256, which tell two secrets apart and say nothing about them. */
const withFingerprint = (stored: Stored): EventSecret => ({ ...stored, fingerprint: sha256(stored.secret).slice(0, 8) });

export function createEventSecrets(place: SecretPlace): EventSecrets {
	const store = new SecretStore<readonly Stored[]>(place, {
		word: "events",
		called: (name) => `the list of event secrets of profile ${name}`,
		again: (name, file) => advice`add the secrets again:\nrm ${quotedPath(file)}\n${purser`events secret add NAME --profile ${name}`}`,
		account: (name, origin) => `events ${name} ${origin}`,
		read: storedIn,
		write: JSON.stringify,
	});
	const read = async (profile: Whose): Promise<readonly Stored[]> => (await store.get(profile.name, originOf(profile)))?.secret ?? [];
	const write = ({ name, baseUrl }: Whose, secrets: readonly Stored[]) => store.set(name, originOf({ baseUrl }), secrets);
	const alone = <T>({ name }: Whose, act: () => Promise<T>): Promise<T> => store.withLock(name, forOneChange, act);
	return {
		stampOf: ({ name }) => store.stampOf(name),
		list: async (profile) => (await read(profile)).map(withFingerprint),
		add: (profile, secret) =>
			alone(profile, async () => {
				const before = await read(profile);
				if (before.some(({ name }) => name === secret.name))
					throw refused("EVENT_SECRET_TAKEN", `There is a secret named ${secret.name} already`);
				if (before.some((one) => one.secret === secret.secret))
					throw refused("EVENT_SECRET_KNOWN", "This secret is stored already, under another name");
				if (before.length >= most)
					throw refused("EVENT_SECRETS_TOO_MANY", `The profile has ${most} secrets of events, the most that are tried`);
				return write(profile, [...before, secret]);
			}),
		remove: (profile, name) =>
			alone(profile, async () => {
				const before = await read(profile);
				const left = before.filter((one) => one.name !== name);
				if (left.length === before.length) return false;
				if (left.length === 0) await store.remove(profile.name);
				else await write(profile, left);
				return true;
			}),
		clear: async (profile) => {
			if (store.stampOf(profile.name) !== "") await alone(profile, () => store.remove(profile.name));
		},
	};
}

function storedIn(text: string): Stored[] | undefined {
	try {
		return shape.parse(JSON.parse(text));
	} catch {
		return undefined;
	}
}

const refused = (code: string, message: string): PurserError =>
	new PurserError("usage", {
		code,
		message: `${message}; nothing was added`,
		fix: advice`Choose another name, or remove one that no sender uses any more: ${purser`events secret list`}`,
	});
