/**
 * Small programs of the tests' own, for what only a real process can show: bundled from the sources, run by this very Node.
 */
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Bundles a TypeScript entry and gives the script's path. It lies below `node_modules`, so that native packages are found.
 * @param entry path below `test/`
 */
export async function programOf(entry: string): Promise<string> {
	const bundle = await rolldown({
		input: { program: `${root}test/${entry}` },
		platform: "node",
		external: ["libsql", /^node:/],
		logLevel: "silent",
	});
	const dir = `${root}node_modules/.purser-test/${entry.replace(/\W+/g, "-")}-${process.pid}`;
	await bundle.write({ dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
	await bundle.close();
	return `${dir}/program.mjs`;
}
