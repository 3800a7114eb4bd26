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
/** Folders of caches: a version of this tool, or of Node, which earlier ones left beside. */
const ofCache = /^v?\d+\.\d+\.\d+/;

const whole = (place) => (place && isAbsolute(place) ? place : undefined);
const home = whole(env.HOME || env.USERPROFILE);
const standard = home && `${home}/${platform === "darwin" ? "Library/Caches" : ".cache"}`;
const caches = whole(env.XDG_CACHE_HOME) ?? standard;
const folder = `${caches}/purser/${version}`;

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

/**
 * Once a version, when its folder is made: Node removes nothing of what older ones left there. Whoever has one folder for everything
 * (`XDG_STATE_HOME`, `XDG_CONFIG_HOME`) has the journal and the logins in the same place: of those nothing may go.
 */
function makeRoom() {
	try {
		const places = readdirSync(`${caches}/purser`)
			.filter((name) => ofCache.test(name) && name !== version)
			.map((name) => `${caches}/purser/${name}`);
		const aged = places.map((place) => ({ place, time: statSync(place).mtimeMs })).sort((one, other) => other.time - one.time);
		for (const { place } of aged.slice(others)) rmSync(place, { recursive: true, force: true });
	} catch {
		// What stays is only in the way of the disk.
	}
}

function made() {
	if (existsSync(folder)) return true;
	if (!stands(caches) || !stands(`${caches}/purser`) || !stands(folder)) return false;
	makeRoom();
	return true;
}

if (enableCompileCache && caches && made()) enableCompileCache(folder);
require("../dist/main.cjs");
