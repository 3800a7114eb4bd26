import { closeSync, fstatSync, openSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { advice, purser, quotedPath } from "../api/advice.js";
import { inaccessible } from "../api/text/trouble.js";
import { PurserError } from "../errors.js";
import type { Profile, Profiles } from "../ports/profiles.js";
import { readOpen } from "../system/disk/bounded.js";
import { type LockTimes, withLock } from "../system/disk/lock.js";
import { makeFolder } from "../system/disk/private-folder.js";
import {
	InvalidFile,
	type ProfilesFile,
	parseProfile,
	parseProfilesFile,
	profileNameFault,
	type StoredProfile,
	unknownProfile,
} from "./profile-file.js";

/**
 * What is wrong with the owner or the mode of a path, and how to correct it; undefined where it belongs to the user or root and nobody else may
 * write there. The folders above are not checked: whoever can replace this folder would own the new one, which this check notices.
 * @param uid the user; undefined on a system without such owners (Windows), where nothing is checked
 */
function distrustOf(path: string, stats: Stats | undefined, uid: number | undefined): { why: string; fix: string } | undefined {
	if (uid === undefined || stats === undefined) return undefined;
	const shown = quotedPath(path);
	if (stats.uid !== uid && stats.uid !== 0)
		return { why: `${path} belongs to another user (${stats.uid})`, fix: `sudo chown ${uid} ${shown}` };
	if ((stats.mode & 0o022) === 0) return undefined;
	const who = (stats.mode & 0o002) === 0 ? "its group" : "others";
	const mode = (stats.mode & 0o7777).toString(8).padStart(4, "0");
	return { why: `${path} can be changed by ${who} (mode ${mode})`, fix: `chmod go-w ${shown}` };
}

/** A change takes milliseconds. */
const forOneChange: LockTimes = { patience: 5_000, stale: 3_000 };

/** Bytes of the file: some thousand profiles. */
const largest = 4 * 1024 * 1024;

/**
 * The profiles in `profiles.json`. Each change reads the file, then replaces it atomically, so that it is never half written. Processes that
 * change it at the same time wait for each other.
 * @param options `directory`: the folder of the configuration, made (0700) with the first change; `uid`: the user, undefined where files have no such owners
 * @throws PurserError usage, from every method, where the file cannot be read or written or makes no sense: names the file
 */
export function createProfiles({ directory, uid }: { directory: string; uid?: number }): Profiles {
	const file = join(directory, "profiles.json");
	let readStats: Stats | undefined;
	const read = (): ProfilesFile => {
		const { content, stats } = attempt(file, "read", () => contentOf(file));
		readStats = stats;
		try {
			return parseProfilesFile(content);
		} catch (cause) {
			throw cause instanceof InvalidFile ? broken(file, cause.message) : cause;
		}
	};
	const change = async (next: (stored: ProfilesFile) => ProfilesFile): Promise<void> => {
		read();
		// Loaded before the lock is acquired: it takes long enough for another program to write in between.
		const { default: Conf } = await import("conf");
		attempt(file, "written", () => makeFolder(directory));
		const act = (): void => {
			const changed = next(read());
			attempt(file, "written", () => {
				new Conf<Record<string, unknown>>({ cwd: directory, configName: "profiles", configFileMode: 0o600 }).store = { ...changed };
			});
		};
		await withLock(join(directory, "profiles.lock"), forOneChange, act).catch((cause: unknown) => {
			throw cause instanceof PurserError ? cause : inaccessible("CONFIG_INACCESSIBLE", `The configuration ${file}`, "written", cause);
		});
	};
	const store = async (name: string, next: (before: StoredProfile | undefined) => Omit<Profile, "name">): Promise<void> => {
		const fault = profileNameFault(name);
		if (fault !== undefined) throw badName(name, fault);
		await change((stored) => {
			const current = stored.current !== undefined && Object.hasOwn(stored.profiles, stored.current) ? stored.current : name;
			const before = Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined;
			return { ...stored, current, profiles: { ...stored.profiles, [name]: parseProfile(next(before), `profiles.${name}`) } };
		});
	};
	return {
		file,
		distrust: async () => {
			// The content that was read is checked, not what the file may hold by now.
			if (readStats === undefined) read();
			return distrustOf(directory, statSync(directory, { throwIfNoEntry: false }), uid) ?? distrustOf(file, readStats, uid);
		},
		liveAt: async (service) => (await import("./secrets/live-at.js")).liveAt(directory, service),
		list: async () => Object.entries(read().profiles).map(([name, profile]) => ({ name, ...profile })),
		get: async (asked) => {
			const { current, profiles } = read();
			const name = asked ?? current;
			const profile = name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined;
			return name === undefined || !profile ? undefined : { name, ...profile };
		},
		save: ({ name, ...rest }) => store(name, () => rest),
		change: (name, next) =>
			store(name, (before) => {
				if (before === undefined) throw unknownProfile(name, []);
				const { name: _, ...rest } = next({ name, ...before });
				return rest;
			}),
		remove: (name) =>
			change(({ current, ...stored }) => {
				const { [name]: _removed, ...profiles } = stored.profiles;
				return { ...stored, ...(current === undefined || current === name ? {} : { current }), profiles };
			}),
		current: async () => {
			const { current, profiles } = read();
			return current !== undefined && Object.hasOwn(profiles, current) ? current : undefined;
		},
		use: (name) =>
			change((stored) => {
				if (!Object.hasOwn(stored.profiles, name)) throw unknownProfile(name, Object.keys(stored.profiles));
				return { ...stored, current: name };
			}),
	};
}

/**
 * Read without conf, whose validators take a tenth of a second to load: every command reads, few write.
 * @returns owner and mode of the very file that was read; undefined where there is none
 */
function contentOf(file: string): { content: unknown; stats?: Stats } {
	let opened: number;
	try {
		opened = openSync(file, "r");
	} catch (cause) {
		if ((cause as { code?: unknown }).code === "ENOENT") return { content: {} };
		throw cause;
	}
	try {
		return { content: JSON.parse(readOpen(opened, largest).toString("utf8")), stats: fstatSync(opened) };
	} finally {
		closeSync(opened);
	}
}

function badName(name: string, fault: string): PurserError {
	return new PurserError("usage", {
		code: "PROFILE_NAME_INVALID",
		message: `The profile name ${JSON.stringify(name)} ${fault}`,
		fix: "Choose another name, like example-sandbox",
		details: [{ field: "name", message: fault }],
	});
}

function attempt<T>(file: string, what: "read" | "written", act: () => T): T {
	try {
		return act();
	} catch (cause) {
		if (cause instanceof SyntaxError) throw broken(file, "it is not JSON", cause);
		if (cause instanceof RangeError) throw broken(file, cause.message, cause);
		throw inaccessible("CONFIG_INACCESSIBLE", `The configuration ${file}`, what, cause);
	}
}

function broken(file: string, why: string, cause?: unknown): PurserError {
	return new PurserError("usage", {
		code: "CONFIG_BROKEN",
		message: `The configuration ${file} is broken: ${why}`,
		why: "It was left as it is, so nothing in it is lost",
		fix: advice`Correct it in an editor, or move it away and add the profile again:\nmv ${quotedPath(file)} ${quotedPath(`${file}.broken`)}\n${purser`profile add NAME --base-url https://…`}`,
		cause,
	});
}
