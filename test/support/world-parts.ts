/**
 * What a world has in the place of what is outside: its journal, profiles and key in memory, its files, the inbox and the secrets of its
 * events in a folder that is made where a test needs it, and the person at its prompts.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEventSecrets } from "../../src/config/secrets/event-secrets.js";
import { teamAddress } from "../../src/config/team.js";
import type { Runtime } from "../../src/context.js";
import { PurserError } from "../../src/errors.js";
import { hasInbox, openInbox } from "../../src/inbox/inbox.js";
import { teamsOf } from "../../src/journal/teams.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Clock, Files, Random } from "../../src/ports/machine.js";
import type { Profile, Profiles, Signing } from "../../src/ports/profiles.js";
import type { Teams } from "../../src/ports/team.js";
import type { Prompts } from "../../src/ports/terminal.js";
import { tooLarge } from "../../src/system/disk/bounded.js";
import { oncePerProfile } from "../../src/system/machine.js";
import type { Asked, RunOptions, World } from "./world.js";

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
export const noTeams = (world: World): Teams =>
	teamsOf({ machine: "laptop", profiles: profilesOf(world), address: teamAddress } as Parameters<typeof teamsOf>[0]);

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

export function filesOf({ files, links }: World): Files {
	const read: Files["read"] = async (path, limit) => {
		const content = files.get(path);
		if (!content) throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: "ENOENT" });
		if (content.length > limit) throw tooLarge(limit, content.length);
		return content;
	};
	return {
		read,
		stream: async function* (path) {
			yield await read(path, Number.POSITIVE_INFINITY);
		},
		writer: async (path) => {
			let text = "";
			return {
				write: async (part) => {
					text += part;
				},
				finish: async () => void files.set(path, new TextEncoder().encode(text)),
				discard: async () => {},
			};
		},
		write: async (path, content) => {
			files.set(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
		},
		folder: async () => {},
		list: async (folder) =>
			[...files.keys()].flatMap((path) => {
				const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : "";
				return name === "" || name.includes("/") ? [] : [name];
			}),
		remove: async (path) => void files.delete(path),
		isLink: async (path) => links.has(path),
		isSpecial: async () => false,
		temporary: async () => ({ path: "/tmp/purser-test", remove: async () => {} }),
	};
}

interface Events {
	journal: Pick<Runtime["journal"], "inbox" | "hasInbox">;
	config: Pick<Runtime["config"], "eventSecrets">;
}

const folders: string[] = [];

function removeFolders(): void {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

export function eventsOf(clock: Clock, random: Random): Events {
	let directory: string | undefined;
	const inboxes = oncePerProfile((profile) => openInbox({ directory: place(), profile, clock, random }));
	const place = (): string => {
		if (directory === undefined) {
			const folder = mkdtempSync(join(tmpdir(), "purser-events-"));
			if (folders.push(folder) === 1) process.on("exit", removeFolders);
			directory = folder;
		}
		return directory;
	};
	return {
		journal: { inbox: inboxes.get, hasInbox: async (profile) => hasInbox({ directory: place(), profile }) },
		config: {
			eventSecrets: async (warn) => createEventSecrets({ directory: place(), env: { PURSER_NO_KEYRING: "1" }, platform: "linux", warn }),
		},
	};
}

/** Where answers come from: one by one, or from somebody who is asked. `^C` stops as at a terminal. */
interface Source {
	answers: NonNullable<RunOptions["answers"]>[number][];
	person: RunOptions["person"];
}

/** @param tell receives why a check refused an answer */
export function promptsOf(world: World, { answers, person }: Source, tell: (line: string) => void): Prompts {
	const next = (asked: Asked): string | boolean | (() => Promise<boolean>) => {
		world.asked.push(asked);
		const answer = person === undefined ? answers.shift() : person(asked);
		if (answer === undefined) throw new Error(`no answer left for: ${asked.message}`);
		if (answer === "^C")
			throw new PurserError("interrupted", { code: "INTERRUPTED", message: "Stopped", fix: "Run the same command to continue." });
		return answer;
	};
	const checked = async (kind: "text" | "secret", message: string, check?: (answer: string) => string | undefined): Promise<string> => {
		for (;;) {
			const answer = String(next({ kind, message }));
			const fault = check?.(answer);
			if (fault === undefined) return answer;
			tell(`${fault}\n`);
		}
	};
	return {
		text: ({ message, check }) => checked("text", message, check),
		secret: ({ message, check }) => checked("secret", message, check),
		confirm: async ({ message }) => {
			const answer = next({ kind: "confirm", message });
			return (typeof answer === "function" ? await answer() : answer) === true;
		},
		choose: async ({ message, choices, above, fallback }) => String(next({ kind: "choose", message, choices, above, fallback })),
	};
}
