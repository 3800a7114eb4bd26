// Preloaded: writes the path of every module that was loaded to standard error at the end, after a marker.
const Module = require("node:module");
const { writeSync } = require("node:fs");
const loaded = new Set();
const atStart = new Set(process.moduleLoadList);
const load = Module._load;
Module._load = function (request, parent, isMain) {
	const found = load.call(this, request, parent, isMain);
	loaded.add(Module.isBuiltin(request) ? `node:${request.replace(/^node:/, "")}` : Module._resolveFilename(request, parent, isMain));
	return found;
};
const builtin = process.getBuiltinModule;
process.getBuiltinModule = (name) => {
	loaded.add(`node:${name.replace(/^node:/, "")}`);
	return builtin(name);
};
// `fs.promises` is nobody's `require`, and brings readline with it.
process.on("exit", () => {
	const late = process.moduleLoadList.filter((name) => !atStart.has(name));
	if (late.includes("NativeModule internal/fs/promises")) loaded.add("node:fs/promises");
	writeSync(2, `\nLOADED ${JSON.stringify([...loaded])}\n`);
});
