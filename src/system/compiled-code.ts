/**
 * What Node compiled is kept for the next start, in a folder that is one's own: who can write there decides what is run. Node's own choice
 * would be below the folder for temporary files, where somebody else may be first.
 */
import { lstatSync, mkdirSync, rmSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Keeps it in `purser/compiled/VERSION` below the folder for caches, where Node can (from 22 on) and nobody else can write. A new version
 * removes what older ones left.
 * @param user undefined on Windows, where files have no such owners
 */
export function keepCompiledCode(env: Env, platform: string, version: string, user: number | undefined): void {
	const home = whole(env.HOME || env.USERPROFILE);
	const caches = whole(env.XDG_CACHE_HOME) ?? (home && `${home}/${platform === "darwin" ? "Library/Caches" : ".cache"}`);
	const { enableCompileCache } = process.getBuiltinModule("node:module") as { enableCompileCache?: (folder: string) => unknown };
	if (caches === undefined || enableCompileCache === undefined || env.NODE_DISABLE_COMPILE_CACHE) return;
	const compiled = `${caches}/purser/compiled`;
	const folder = `${compiled}/${version}`;
	try {
		// Only the folder for everybody's caches may be a link: people have it on another disk.
		if (!isOwn(caches, statSync, user) || !isOwn(`${caches}/purser`, lstatSync, user) || !isOwn(compiled, lstatSync, user)) return;
		if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) rmSync(compiled, { recursive: true });
		if (isOwn(compiled, lstatSync, user) && isOwn(folder, lstatSync, user)) enableCompileCache(folder);
	} catch {
		// Without it a start is a little slower.
	}
}

/** A folder that is no whole path would be another one in each folder that one works in. */
const whole = (place: string | undefined): string | undefined => (place && isAbsolute(place) ? place : undefined);

/**
 * Whether a folder is the user's and closed to others; made where it is not there, a level at a time: where a home cannot hold anything,
 * Node's way of making several may never end.
 */
function isOwn(place: string, stat: typeof lstatSync, user: number | undefined): boolean {
	const stats = stat(place, { throwIfNoEntry: false });
	if (stats === undefined) {
		mkdirSync(place, { mode: 0o700 });
		return true;
	}
	return stats.isDirectory() && (user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0));
}
