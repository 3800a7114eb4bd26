/**
 * Small programs of the tests' own, for what only a real process can show: bundled from the sources, run by this very Node.
 */
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What stands in the place of what in a source file whose path ends so. */
interface Plant {
	file: string;
	part: string;
	instead: string;
}

/** @throws Error, while it is bundled, where the part does not stand there exactly once */
export const planting = ({ file, part, instead }: Plant): Plugin => ({
	name: "plant",
	transform(code, id) {
		if (!id.endsWith(file)) return;
		if (code.split(part).length !== 2) throw new Error(`${file} does not hold ${JSON.stringify(part)} exactly once`);
		return code.replace(part, () => instead);
	},
});

/**
 * Bundles a TypeScript entry and gives the script. It lies below `node_modules`, so that native packages are found.
 * @param entry the TypeScript file
 */
export async function programOf(entry: URL, plant?: Plant): Promise<{ script: string; remove(): Promise<void> }> {
	const bundle = await rolldown({
		input: { program: fileURLToPath(entry) },
		platform: "node",
		external: ["libsql", /^node:/],
		logLevel: "silent",
		plugins: plant && [planting(plant)],
	});
	const name = entry.pathname.split("/").at(-1)?.replace(/\W+/g, "-");
	const dir = `${root}node_modules/.purser-test/${name}-${process.pid}${plant ? "-planted" : ""}`;
	await bundle.write({ dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
	await bundle.close();
	return { script: `${dir}/program.mjs`, remove: () => rm(dir, { recursive: true, force: true }) };
}
