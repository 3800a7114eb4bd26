import { RolldownMagicString } from "rolldown";

// libsql, which Nodes without SQLite of their own use, asks for a whole diagnostic report and loads what can start other programs,
// only to know which of its native libraries fits: 8 ms and 3 MB of every payment. Here its JavaScript is part of the program,
// and the map of the process says on which C library it runs. The native library is found from where libsql is installed.
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

/** @param id of a module that is only written here */
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
