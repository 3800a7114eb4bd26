#!/usr/bin/env node
// What Node compiled is kept for the next start, in a folder that is one's own: who can write there decides what is run.
// Node's own choice would be below the folder for temporary files, where somebody else may be first.
const { lstatSync, mkdirSync, readdirSync, rmSync, statSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { isAbsolute } = require("node:path");
const { env, platform } = process;

/** That of package.json, which is not read for it. */
const version = "0.1.0";
/** Folders of other versions that stay: somebody may have two of them. */
const others = 2;
/** A version of this tool; what is called otherwise is not its own, and stays. */
const ofCache = /^\d+\.\d+\.\d+/;

const whole = (place) => (place && isAbsolute(place) ? place : undefined);
const home = whole(env.HOME || env.USERPROFILE);
const standard = home && `${home}/${platform === "darwin" ? "Library/Caches" : ".cache"}`;
const caches = whole(env.XDG_CACHE_HOME) ?? standard;
/** Theirs alone: whoever has one folder for everything (`XDG_STATE_HOME`) has the journal and the logins in `purser` itself. */
const compiled = `${caches}/purser/compiled`;
const folder = `${compiled}/${version}`;

/** The user; undefined on Windows, where files have no such owners. */
const user = process.geteuid?.();

/** Whether nobody else can put there what is run: what is not a folder, somebody else's or open to others is not one's own; a link is none either. */
function own(stats) {
	if (!stats.isDirectory()) return false;
	return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0);
}

/** Made here, a level at a time: where a home cannot hold anything, Node's own way of making folders may never end. */
function stands(place) {
	try {
		// Only the folder for everybody's caches may be a link: people have it on another disk.
		const look = place === caches ? statSync : lstatSync;
		const stats = look(place, { throwIfNoEntry: false });
		if (stats) return own(stats);
		mkdirSync(place, { mode: 0o700 });
		if (place === folder) makeRoom();
		return true;
	} catch {
		return false;
	}
}

/** Once a version, when its folder is made: Node removes nothing of what older ones left there. */
function makeRoom() {
	try {
		const places = readdirSync(compiled)
			.filter((name) => ofCache.test(name) && name !== version)
			.map((name) => `${compiled}/${name}`);
		const aged = places.map((place) => ({ place, time: statSync(place).mtimeMs })).sort((one, other) => other.time - one.time);
		for (const { place } of aged.slice(others)) rmSync(place, { recursive: true, force: true });
	} catch {
		// What stays is only in the way of the disk.
	}
}

if (enableCompileCache && caches && [caches, `${caches}/purser`, compiled, folder].every(stands)) enableCompileCache(folder);
require("../dist/main.cjs");
