/**
 * What a run makes at most once, at the first need of it.
 */
import type { Profile } from "../ports/profiles.js";

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
