/**
 * What putting the ports together needs of the machine.
 */
import { existsSync, readFileSync } from "node:fs";
import { getAsset, isSea } from "node:sea";
import type { Profile } from "../ports/profiles.js";

/** The same as `homedir` of `node:os`, which is loaded only where the environment does not say it. */
export function home(env: Readonly<Record<string, string | undefined>>, platform: string): string {
	const fromEnvironment = platform === "win32" ? env.USERPROFILE || undefined : env.HOME;
	return fromEnvironment ?? process.getBuiltinModule("node:os").homedir();
}

export function once<T>(make: () => T): () => T {
	let made: T | undefined;
	return () => {
		made ??= make();
		return made;
	};
}

/** Calls `make` once for each profile. `all` are those made so far. */
export function oncePerProfile<T>(make: (profile: Profile) => Promise<T>) {
	const made = new Map<string, Promise<T>>();
	const get = (profile: Profile): Promise<T> => {
		const key = `${profile.name} ${profile.environment}`;
		const found = made.get(key) ?? make(profile);
		made.set(key, found);
		return found;
	};
	return { get, all: () => [...made.values()] };
}

/**
 * The address of a file that is installed beside the program; undefined where it is not. A single executable has none: what lies in the
 * folder that it was put into is somebody else's.
 */
export function shippedFile(program: string, name: string): string | undefined {
	const file = new URL(name, program);
	return file.protocol === "file:" && !isSea() && existsSync(file) ? file.href : undefined;
}

/** The text of such a file, or of the single executable's asset of that name; undefined where the source itself runs. */
export async function shippedText(program: string, name: string): Promise<string | undefined> {
	const file = shippedFile(program, name);
	if (file !== undefined) return readFileSync(new URL(file), "utf8");
	try {
		return isSea() ? getAsset(name, "utf8") : undefined;
	} catch {
		return undefined;
	}
}
