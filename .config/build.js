// Builds dist/: the program, what is inside it and whose it is (notices.js), and two files that the program itself writes: its contract, so
// that neither help nor completion loads a command, and the JSON Schema of a case, for editors.
// Usage: npm run build [-- --maps]: with source maps, for a debugger. They would treble the package, and nothing in the program reads them.
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { chunksByStart, entries } from "./chunks.js";
import { leanLibsql } from "./libsql.js";
import { billOf, noticesOf, packagesOf } from "./notices.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const installed = /^(node:|libsql$|@napi-rs\/keyring$)/;

const input = {
	cwd: root,
	platform: "node",
	external: installed,
	transform: { target: "node20" },
	// The kinds of start, not imports, decide which modules share a file (chunks.js).
	checks: { ineffectiveDynamicImport: false },
};

// CommonJS starts faster: its functions are compiled when they are first called, not when the file is read.
const output = {
	format: "cjs",
	// Modules are strict, so the program throws where the tests do.
	strict: true,
	dynamicImportInCjs: false,
	// With one character beyond ASCII, a file takes twice the memory and longer to read.
	charset: "ascii",
	sourcemap: process.argv.includes("--maps"),
};

/** Builds the program into a folder. @returns its files, each with its modules */
export async function build(dir) {
	const written = await bundle(dir);
	const worker = await bundleWorker(dir);
	await writeNotices(dir, packagesOf([...modulesOf(written), ...modulesOf(worker)]));
	// A program that keeps compiled code would keep it in the package.
	const env = { HOME: dir, NODE_DISABLE_COMPILE_CACHE: "1" };
	const answer = (...argv) => JSON.parse(execFileSync(process.execPath, [join(dir, "main.cjs"), ...argv, "--json"], { env }));
	const contract = answer("--help");
	await writeFile(join(dir, "contract.json"), JSON.stringify(contract));
	// Half of it are the schemas of answers, which help for people and Tab do not need.
	const commands = contract.commands.map(({ answer: _, record: __, ...shown }) => shown);
	await writeFile(join(dir, "help.json"), JSON.stringify({ ...contract, commands }));
	return written;
}

const modulesOf = ({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds);

/** Writes the licences of packages, and the list of them. */
export async function writeNotices(dir, packages) {
	await writeFile(join(dir, "THIRD-PARTY-NOTICES"), noticesOf(packages));
	await writeFile(join(dir, "sbom.cdx.json"), billOf(packages));
}

async function bundle(dir) {
	const { plugin, codeSplitting } = chunksByStart(join(root, "src"));
	const program = await rolldown({
		...input,
		external: (id) => id !== "libsql" && installed.test(id),
		preserveEntrySignatures: "allow-extension",
		input: { main: "src/main.ts", ...entries },
		plugins: [leanLibsql(join(root, "libsql-target.js")), plugin],
	});
	const names = { entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs" };
	return program.write({ ...output, exports: "named", codeSplitting, dir, cleanDir: true, ...names });
}

/** Builds the thread that keeps the journal of a batch, beside the program. */
async function bundleWorker(dir) {
	const worker = await rolldown({ ...input, input: "src/system/journal-worker.ts" });
	return worker.write({ ...output, file: join(dir, "journal-worker.cjs"), codeSplitting: false });
}

/** Builds the program into one file that needs no other. @returns the packages inside */
export async function buildSingle(file) {
	const program = await rolldown({ ...input, input: "src/main.ts" });
	return packagesOf(modulesOf(await program.write({ ...output, file, sourcemap: false, codeSplitting: false })));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(join(root, "dist"));
