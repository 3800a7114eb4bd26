import { RolldownMagicString } from "rolldown";

// libsql, which Nodes without SQLite of their own use, asks for a whole diagnostic report and loads what can start other programs,
// only to know which of its native libraries fits: 8 ms and 3 MB of every payment. This plugin makes its JavaScript part of the program
// and reads the C library from the map of the process. The native library is found from where libsql is installed.
const call = "require";
const requireThere = 'require("node:module").createRequire(require.resolve("libsql"))';

const target = `
const { readFileSync } = require("node:fs");
const { platform, arch, report } = process;
function isMusl() {
	try {
		return readFileSync("/proc/self/maps", "latin1").includes("/ld-musl-");
	} catch {
		return report.getReport().header.glibcVersionRuntime === undefined;
	}
}
const kinds = { win32: "-msvc", linux: arch === "arm" ? "-gnueabihf" : "-gnu" };
const musl = platform === "linux" && isMusl();
exports.MUSL = "musl";
exports.GLIBC = "glibc";
exports.familySync = () => (platform !== "linux" ? null : musl ? "musl" : "glibc");
exports.currentTarget = () => platform + "-" + arch + (musl && arch !== "arm" ? "-musl" : (kinds[platform] ?? ""));
`;

/** The one module of a library that the build adapts, as long as Node 20 is supported. @param id of the module that stands in for its loader */
export function leanLibsql(id) {
	return {
		name: "lean-libsql",
		resolveId: (source) => (source === "@neon-rs/load" || source === "detect-libc" ? id : null),
		load: (path) => (path === id ? { code: target, moduleType: "js" } : null),
		transform(code, path) {
			if (!/[\\/]libsql[\\/]index\.js$/.test(path)) return null;
			const at = code.search(/require\(`@libsql\//);
			if (at < 0) this.error("libsql finds its native library in another way than .config/libsql.js knows");
			return { code: new RolldownMagicString(code).update(at, at + call.length, requireThere) };
		},
	};
}
