#!/usr/bin/env node
// What Node compiled is kept for the next start, in a folder that is one's own: who can write there decides what is run.
// Node's own choice would be below the folder for temporary files, where somebody else may be first.
const { env, platform } = process;
const home = env.HOME || env.USERPROFILE;
const caches = env.XDG_CACHE_HOME?.startsWith("/")
	? env.XDG_CACHE_HOME
	: home && `${home}/${platform === "darwin" ? "Library/Caches" : ".cache"}`;
if (caches) require("node:module").enableCompileCache?.(`${caches}/purser`);
require("../dist/main.cjs");
