// Builds dist/: first the commands as plain data (their help, flags and examples), then the program with that data inside,
// so that neither help nor completion loads a command.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const input = { cwd: root, platform: "node", external: ["libsql", "@napi-rs/keyring", /^node:/], transform: { target: "node20" } };

const describing = `
import about from "./package.json";
import { commands } from "./src/commands/index.js";
import { withBuiltins } from "./src/shell/builtin.js";
import { contractOf } from "./src/shell/sheet.js";
export default await contractOf(withBuiltins(commands), about.version);
`;

/** A module that is only written here. */
const virtual = (id, code) => ({
	name: id,
	resolveId: (source) => (source === id ? join(root, id) : null),
	load: (path) => (path === join(root, id) ? { code, moduleType: "js" } : null),
});

/** The commands as data, read from the source. */
async function contract() {
	const folder = await mkdtemp(join(tmpdir(), "purser-build-"));
	try {
		const bundle = await rolldown({ ...input, input: "describing.js", plugins: [virtual("describing.js", describing)] });
		await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
		return (await import(pathToFileURL(join(folder, "describing.mjs")))).default;
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** Puts the data in the place of src/shell/built.ts. */
async function withContract() {
	const code = `export const built = JSON.parse(${JSON.stringify(JSON.stringify(await contract()))});`;
	const file = join(root, "src", "shell", "built.ts");
	return { name: "contract", load: (path) => (path === file ? { code, moduleType: "js" } : null) };
}

// CommonJS starts faster: its functions are compiled when they are first called, not when the file is read.
const output = {
	format: "cjs",
	dynamicImportInCjs: false,
	sourcemap: true,
	minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
};

/** Builds the program into a folder; says which modules each of its files holds. */
export async function build(dir) {
	const bundle = await rolldown({ ...input, input: { main: "src/main.ts" }, plugins: [await withContract()] });
	return bundle.write({ ...output, dir, cleanDir: true, entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs" });
}

/** Builds the program into one file that needs no other. */
export async function buildSingle(file) {
	const bundle = await rolldown({ ...input, input: "src/main.ts", plugins: [await withContract()] });
	await bundle.write({ ...output, file, sourcemap: false, codeSplitting: false });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(join(root, "dist"));
