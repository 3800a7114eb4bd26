// Mutations on the road that money takes: each is planted by itself in a copy of the sources, and the tests that are named for it must fail.
// Usage: npm run mutate [-- TEXT …]; with texts, only those mutations whose file or description holds one of them.
// Exits with 1 where a mutation survives, where its text is no longer found exactly once, or where the tests fail without any mutation.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { mutations } from "./list.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const parts = ["src", "test", "bin", "completions", ".config", "package.json", "tsconfig.json", "README.md"];
/** Milliseconds after which a run is taken for one that hangs, on a busy machine too. */
const longest = 1_800_000;
const tell = (text) => process.stdout.write(`${text}\n`);

/** A copy of the sources that may be changed. */
function copyOfSources() {
	const folder = mkdtempSync(join(tmpdir(), "purser-mutations-"));
	for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
	return folder;
}

/** @returns how many tests failed and the first of them; undefined where no test was run at all */
async function testsIn(folder, files) {
	const report = join(folder, "report.json");
	rmSync(report, { force: true });
	const words = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "--config", ".config/vitest.js", "--maxWorkers=1", "--bail=1"];
	const options = { cwd: folder, stdio: "ignore", reject: false, timeout: longest, killSignal: "SIGKILL" };
	await execa(process.execPath, [...words, "--reporter=json", `--outputFile=${report}`, ...files], options);
	try {
		const { numTotalTests, numFailedTests, success, testResults } = JSON.parse(readFileSync(report, "utf8"));
		const [first] = testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === "failed"));
		return numTotalTests === 0 || (numFailedTests === 0 && !success) ? undefined : { failed: numFailedTests, first: first?.fullName };
	} catch {
		return undefined;
	}
}

/** Plants it, runs its tests, and takes it out again. @returns in a word what came of it */
async function tried(folder, { file, find, replace, tests }) {
	const path = join(folder, file);
	const source = readFileSync(path, "utf8");
	const planted = source.replace(find, () => replace);
	writeFileSync(path, planted);
	const ran = await testsIn(folder, tests);
	writeFileSync(path, source);
	if (ran === undefined) return { caught: false, by: "no test could be run with it: it must be a program all the same" };
	return ran.failed > 0 ? { caught: true, by: ran.first } : { caught: false, by: "SURVIVED" };
}

const wanted = process.argv.slice(2);
const chosen = mutations.filter(
	({ file, what }) => wanted.length === 0 || wanted.some((text) => file.includes(text) || what.includes(text)),
);
const lost = chosen.filter(({ file, find }) => readFileSync(join(root, file), "utf8").split(find).length !== 2);
for (const { file, find } of lost) tell(`${file} does not hold this exactly once: ${find}`);
if (lost.length > 0) process.exit(1);

const folders = Array.from({ length: Math.min(availableParallelism(), chosen.length) }, copyOfSources);
try {
	const unchanged = await testsIn(folders[0], [...new Set(chosen.flatMap(({ tests }) => tests))]);
	if (unchanged?.failed !== 0) throw new Error(`the tests fail without a mutation: ${unchanged?.first ?? "none could be run"}`);
	const left = [...chosen];
	let survived = 0;
	const lane = async (folder) => {
		for (let one = left.shift(); one !== undefined; one = left.shift()) {
			const { caught, by } = await tried(folder, one);
			if (!caught) survived += 1;
			tell(`${caught ? "caught  " : "NOT     "} ${one.file.padEnd(48)} ${one.what}\n${" ".repeat(9)} ${by}`);
		}
	};
	await Promise.all(folders.map(lane));
	tell(`${chosen.length - survived} of ${chosen.length} mutations caught`);
	process.exitCode = survived === 0 ? 0 : 1;
} finally {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
