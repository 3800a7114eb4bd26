#!/usr/bin/env node
// What Node compiled is kept for the next start, in a folder that is one's own: who can write there decides what is run.
// Node's own choice would be below the folder for temporary files, where somebody else may be first.
const { existsSync, mkdirSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { env, platform } = process;

const home = env.HOME || env.USERPROFILE;
const standard = home && `${home}/${platform === "darwin" ? "Library/Caches" : ".cache"}`;
const caches = env.XDG_CACHE_HOME?.startsWith("/") ? env.XDG_CACHE_HOME : standard;

/** Made here, a level at a time: where a home cannot hold anything, Node's own way of making folders may never end. */
function stands(folder) {
	if (existsSync(folder)) return true;
	try {
		mkdirSync(folder, { mode: 0o700 });
		return true;
	} catch {
		return false;
	}
}

if (enableCompileCache && caches && stands(caches) && stands(`${caches}/purser`)) enableCompileCache(`${caches}/purser`);
require("../dist/main.cjs");
