// Builds dist/: first what can be written down beforehand (the commands' help, flags and examples; the JSON Schema of a case),
// then the program with that data inside, so that neither help nor completion loads a command.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { leanLibsql } from "./libsql.js";
import { groupedByRoad } from "./roads.js";

const root = fileURLToPath(new URL("..", import.meta.url));
// What two libraries load at once and never use here: no command is a program of its own, the process is there without a module, and the level
// of colour is given.
const unneeded = [
	{ of: "node:child_process", by: /[\\/]commander[\\/]/, id: join(root, "no-child-process.js"), code: "export default {};" },
	{ of: "node:process", by: /[\\/]commander[\\/]/, id: join(root, "process.js"), code: "export default process;" },
	{ of: "#supports-color", by: /[\\/]chalk[\\/]/, id: join(root, "no-supports-color.js"), code: "export default {};" },
];

function isUnneeded(id, importer = "") {
	return unneeded.some(({ of, by }) => of === id && by.test(importer));
}

const input = {
	cwd: root,
	platform: "node",
	external: (id, importer) => /^(node:|libsql$|@napi-rs\/keyring$)/.test(id) && !isUnneeded(id, importer),
	transform: { target: "node20" },
	// Roads, not imports, say which modules share a file (roads.js): what is said of single imports is as it should be.
	checks: { ineffectiveDynamicImport: false },
};

const describing = `
import about from "./package.json";
import { commands } from "./src/commands/index.js";
import { withBuiltins } from "./src/shell/help/builtin.js";
import { contractOf } from "./src/shell/help/command-spec.js";
import { caseJsonSchema } from "./src/onboarding/case/json-schema.js";
export const contract = await contractOf(withBuiltins(commands), about.version);
export const caseSchema = caseJsonSchema();
`;

/** A module that is only written here. */
const virtual = (id, code) => ({
	name: id,
	resolveId: (source) => (source === id ? join(root, id) : null),
	load: (path) => (path === join(root, id) ? { code, moduleType: "js" } : null),
});

/** What the source says of itself, read from it as it stands. */
async function described() {
	const folder = await mkdtemp(join(tmpdir(), "purser-build-"));
	try {
		const bundle = await rolldown({ ...input, input: "describing.js", plugins: [virtual("describing.js", describing)] });
		await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
		return await import(pathToFileURL(join(folder, "describing.mjs")));
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** The data in the place of the files that would gather it. */
function prepared({ contract, caseSchema }) {
	const literal = (value) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
	const codes = new Map([
		[join(root, "src", "shell", "help", "built.ts"), `export const built = ${literal(contract)};`],
		[join(root, "src", "onboarding", "case", "json-schema.ts"), `export const caseJsonSchema = () => ${literal(caseSchema)};`],
	]);
	for (const { id, code } of unneeded) codes.set(id, code);
	return {
		name: "prepared",
		resolveId: (source, importer = "") => (isUnneeded(source, importer) ? unneeded.find(({ of }) => of === source).id : null),
		load: (path) => (codes.has(path) ? { code: codes.get(path), moduleType: "js" } : null),
	};
}

// CommonJS starts faster: its functions are compiled when they are first called, not when the file is read.
const output = {
	format: "cjs",
	// As the source is, being modules: what throws in the tests throws in the program.
	strict: true,
	dynamicImportInCjs: false,
	// With one sign beyond it, a file takes twice the memory and longer to read.
	charset: "ascii",
	sourcemap: true,
	minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
};

/** Builds the program into a folder; says which modules each of its files holds. */
export async function build(dir) {
	const data = await described();
	const written = await bundled(dir, data);
	await buildWorker(dir, data);
	// For editors: a case file's first line leads to it.
	await writeFile(join(dir, "case.schema.json"), `${JSON.stringify(data.caseSchema, undefined, 2)}\n`);
	return written;
}

async function bundled(dir, data) {
	const { plugin, codeSplitting } = groupedByRoad(join(root, "src"));
	const bundle = await rolldown({
		...input,
		external: (id, importer) => id !== "libsql" && input.external(id, importer),
		preserveEntrySignatures: "allow-extension",
		input: { main: "src/main.ts" },
		plugins: [prepared(data), leanLibsql(join(root, "libsql-target.js")), plugin],
	});
	const names = { entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs" };
	return bundle.write({ ...output, codeSplitting, dir, cleanDir: true, ...names });
}

/** Builds the thread that keeps the journal of a batch, beside the program. */
async function buildWorker(dir, data) {
	const bundle = await rolldown({ ...input, input: "src/machine/journal-worker.ts", plugins: [prepared(data)] });
	await bundle.write({ ...output, file: join(dir, "journal-worker.cjs"), codeSplitting: false });
}

/** Builds the program into one file that needs no other. */
export async function buildSingle(file) {
	const bundle = await rolldown({ ...input, input: "src/main.ts", plugins: [prepared(await described())] });
	await bundle.write({ ...output, file, sourcemap: false, codeSplitting: false });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(join(root, "dist"));
