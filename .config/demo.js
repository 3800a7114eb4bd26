// npm run demo: the whole job on a sandbox. With `-- --team`: two people with one journal, on the PostgreSQL of the tests.
import { spawnSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const [first] = process.argv.slice(2);
if (first === "--team") {
	const bundle = await rolldown({
		input: `${root}/test/support/demo-team.ts`,
		platform: "node",
		external: ["libsql", "pg", "pgpass", "execa", /^node:/],
		logLevel: "silent",
	});
	const file = `${root}/node_modules/.purser-demo/team.mjs`;
	await bundle.write({ file, format: "esm", codeSplitting: false });
	await bundle.close();
	await import(pathToFileURL(file));
} else {
	const { status } = spawnSync(process.execPath, [`${root}/bin/purser.js`, "demo", ...process.argv.slice(2)], { stdio: "inherit" });
	process.exitCode = status ?? 1;
}
