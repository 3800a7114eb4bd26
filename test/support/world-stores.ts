/**
 * The stores of a world, in memory: its journal, profiles, logins and key.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { teamAddress } from "../../src/config/team.js";
import { teamsOf } from "../../src/journal/teams.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Credential, Credentials, Profile, Profiles, Signing } from "../../src/ports/profiles.js";
import type { Teams } from "../../src/ports/team.js";
import type { World } from "./world.js";

/** Notes changes in `world.journal`, and lists them. */
export function journalOf(world: World): Journal {
	const begun: string[] = [];
	return {
		list: async ({ effect, states, limit }) =>
			world.journal
				.map(({ intent, outcome }, at) => {
					const state = outcome?.state ?? "sending";
					const validUntil = outcome?.state === "accepted" ? outcome.validUntil : undefined;
					const times = { begun: begun[at] as string, changed: begun[at] as string, validUntil };
					return { ...intent, intent: String(at + 1), state, attempt: 1, ...times };
				})
				.filter((record) => effect === undefined || record.effect === effect)
				.filter((record) => states === undefined || states.some((state) => state === record.state))
				.reverse()
				.slice(0, limit),
		begin: async (intent) => {
			world.journal.push({ intent });
			begun.push(world.clock.now().toISOString());
			return String(world.journal.length);
		},
		end: async (intent, outcome) => {
			const entry = world.journal[Number(intent) - 1];
			if (entry) entry.outcome = outcome;
		},
		changeSettings: async () => {},
		guard: async () => "unguarded",
		standing: async () => undefined,
		verify: async () => ({
			events: world.journal.length,
			intents: world.journal.length,
			head: { seq: world.journal.length, hash: "0".repeat(64) },
			installation: "in-memory",
			faults: [],
		}),
		close: async () => {},
	} as Partial<Journal> as Journal;
}

/** The profiles of `world.profiles`; the first that is saved is the one in use. */
export function profilesOf({ profiles }: World): Profiles {
	let [current] = [...profiles.keys()];
	return {
		file: "/config/purser.json",
		distrust: async () => undefined,
		liveAt: async () => undefined,
		list: async () => [...profiles.values()],
		get: async (name = current) => (name === undefined ? undefined : profiles.get(name)),
		save: async (saved) => {
			profiles.set(saved.name, saved);
			current ??= saved.name;
		},
		change: async (name, next) => void profiles.set(name, next(profiles.get(name) as Profile)),
		remove: async (name) => {
			profiles.delete(name);
			if (current === name) current = undefined;
		},
		current: async () => current,
		use: async (name) => {
			current = name;
		},
	};
}

/** Nobody has a team, and there is no database. */
export const noTeams = (world: World): Teams => {
	const never = async (): Promise<never> => {
		throw new Error("no database in these tests");
	};
	const rest = { local: never, team: never, keep: never, forget: never };
	return teamsOf({ machine: "laptop", profiles: profilesOf(world), address: teamAddress, ...rest });
};

/** Logins by profile and origin, as in the real store. */
export function makeCredentials(): Credentials {
	const credentials = new Map<string, Credential>();
	const keyOf = ({ name, baseUrl }: Profile) => `${name} ${new URL(baseUrl).origin}`;
	return {
		// As without a folder to take turns in.
		withLock: (_, act) => act(true),
		get: async (of) => {
			const credential = credentials.get(keyOf(of));
			return credential && { credential, from: "the test" };
		},
		set: async (of, credential) => {
			credentials.set(keyOf(of), credential);
			return { where: "the test" };
		},
		remove: async (of) => credentials.delete(keyOf(of)),
	};
}

/** The key of `world.person`. */
export function signingOf({ person }: World): Signing {
	const own = async () => person.key && { key: createPublicKey(person.key).export({ format: "jwk" }).x as string, where: "the test" };
	return {
		own,
		make: async () => {
			person.key ??= generateKeyPairSync("ed25519").privateKey;
			return (await own()) as { key: string; where: string };
		},
		sign: async (message) => sign(null, message, person.key as KeyObject).toString("base64url"),
	};
}
