// Preloaded: writes the path of every module that was loaded to standard error at the end, after a marker.
const Module = require("node:module");
const { writeSync } = require("node:fs");
const loaded = new Set();
const load = Module._load;
Module._load = function (request, parent, isMain) {
	const found = load.call(this, request, parent, isMain);
	loaded.add(Module.isBuiltin(request) ? `node:${request.replace(/^node:/, "")}` : Module._resolveFilename(request, parent, isMain));
	return found;
};
process.on("exit", () => writeSync(2, `\nLOADED ${JSON.stringify([...loaded])}\n`));
