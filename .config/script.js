// Runs a program of the tests that is written in TypeScript: node .config/script.js FILE [WORD …]
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const [, , input, ...words] = process.argv;
const bundle = await rolldown({
	input,
	platform: "node",
	external: ["libsql", "pg", "pgpass", "execa", /^node:/],
	logLevel: "silent",
});
const file = `${root}/node_modules/.purser-scripts/${basename(input, ".ts")}.mjs`;
await bundle.write({ file, format: "esm", codeSplitting: false });
await bundle.close();
process.argv = [process.argv[0], file, ...words];
await import(pathToFileURL(file));
