#!/usr/bin/env node
// What Node compiled is kept for the next start, in a folder that is one's own: who can write there decides what is run.
// Node's own choice would be below the folder for temporary files, where somebody else may be first.
const { existsSync, mkdirSync, readdirSync, rmSync, statSync } = require("node:fs");
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

/** Made here, a level at a time: where a home cannot hold anything, Node's own way of making folders may never end. */
function stands(place) {
	if (existsSync(place)) return true;
	try {
		mkdirSync(place, { mode: 0o700 });
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

function made() {
	if (existsSync(folder)) return true;
	if (![caches, `${caches}/purser`, compiled, folder].every(stands)) return false;
	makeRoom();
	return true;
}

if (enableCompileCache && caches && made()) enableCompileCache(folder);
require("../dist/main.cjs");
