/**
 * Small programs of the tests' own, for what only a real process can show: bundled from the sources, run by this very Node.
 */
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Bundles a TypeScript entry and gives the script. It lies below `node_modules`, so that native packages are found.
 * @param entry the TypeScript file
 * @param plant what stands in the place of what in a source file whose path ends so
 */
export async function programOf(
	entry: URL,
	plant?: { file: string; part: string; instead: string },
): Promise<{ script: string; remove(): Promise<void> }> {
	const bundle = await rolldown({
		input: { program: fileURLToPath(entry) },
		platform: "node",
		external: ["libsql", /^node:/],
		logLevel: "silent",
		plugins: plant && [
			{
				name: "plant",
				transform(code, id) {
					if (!id.endsWith(plant.file)) return;
					if (!code.includes(plant.part)) throw new Error(`${plant.file} has no ${plant.part}`);
					return code.replace(plant.part, plant.instead);
				},
			},
		],
	});
	const name = entry.pathname.split("/").at(-1)?.replace(/\W+/g, "-");
	const dir = `${root}node_modules/.purser-test/${name}-${process.pid}${plant ? "-planted" : ""}`;
	await bundle.write({ dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
	await bundle.close();
	return { script: `${dir}/program.mjs`, remove: () => rm(dir, { recursive: true, force: true }) };
}
