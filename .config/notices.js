// What is inside a bundle and whose it is: the licences that ask to be passed on, and a list of the packages for programs (CycloneDX).
// Both are made from the modules that the bundler really took, and say the same at every build of the same packages.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);

/** The files of a package that are its licence, those of parts that it took from elsewhere included. */
const licenceFile = /^(licen[cs]e|copying|notice)/i;

/** The MIT licence of whoever holds the rights. */
const mit = (holder) => `The MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.`;

/** The licence that a package names and does not bring the text of, as its authors publish it. */
const published = {
	standardwebhooks: mit("2023 Svix (https://www.svix.com)"),
	"pg-types": mit("2014 Brian M. Carlson"),
	pgpass: mit("2013-2016 Hannes H\u00f6rl"),
};

/** The bundler's own module, which is in every bundle. */
const runtime = "\0rolldown/";

/** Packages whose code stands inside the file of another, where the bundler does not see it. */
const inside = { "@dagrejs/dagre": ["@dagrejs/graphlib"] };

/** @returns the packages that modules are of, in the order of their names. @throws Error where one does not say its licence */
export function packagesOf(modules) {
	const seen = new Set([...modules].map(folderOf).filter((folder) => folder !== undefined));
	const folders = new Set([...seen].flatMap((folder) => [folder, ...insideOf(folder)]));
	return [...folders].map(packageIn).sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The folder of a module's package; undefined for our own modules. */
function folderOf(module) {
	if (module.startsWith(runtime)) return dirname(require.resolve("rolldown/package.json"));
	const parts = module.split(sep);
	const at = parts.lastIndexOf("node_modules");
	return at < 0 ? undefined : parts.slice(0, at + (parts[at + 1].startsWith("@") ? 3 : 2)).join(sep);
}

function insideOf(folder) {
	const outer = Object.keys(inside).find((name) => folder.endsWith(join("node_modules", ...name.split("/"))));
	return outer === undefined ? [] : inside[outer].map((name) => dirname(require.resolve(`${name}/package.json`)));
}

function packageIn(folder) {
	const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	const files = readdirSync(folder, { recursive: true }).filter((file) => {
		const parts = file.split(sep);
		return !parts.includes("node_modules") && licenceFile.test(parts.at(-1));
	});
	const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
	if (texts.length === 0 && Object.hasOwn(published, name)) texts.push(published[name]);
	if (typeof license !== "string" || texts.length === 0)
		throw new Error(`${name} ${version} is in the bundle and does not say its licence`);
	return { id: `${name}@${version}`, name, version, license, texts };
}

/** The licences as a page; packages with the same text stand above it together. */
export function noticesOf(packages) {
	const alike = new Map();
	for (const { name, version, license, texts } of packages) {
		const text = texts.join("\n\n");
		alike.set(text, [...(alike.get(text) ?? []), `- ${name} ${version} (${license})\n`]);
	}
	const parts = [...alike].map(([text, names]) => `${names.join("")}\n\`\`\`\n${text}\n\`\`\`\n`);
	return `# Licences of the packages inside purser\n\n${parts.join("\n")}`;
}

/** The packages as a bill of materials, CycloneDX 1.6. */
export function billOf(packages) {
	const { name, version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	const own = component({ id: `${name}@${version}`, name, version, license });
	const components = packages.map((one) => component(one));
	const bill = {
		bomFormat: "CycloneDX",
		specVersion: "1.6",
		version: 1,
		metadata: { lifecycles: [{ phase: "build" }], component: { ...own, type: "application" } },
		components,
		dependencies: [
			{ ref: own["bom-ref"], dependsOn: components.map((one) => one["bom-ref"]) },
			...components.map((one) => ({ ref: one["bom-ref"] })),
		],
	};
	return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** @param purl of what is no package of npm */
function component({ id, name, version, license, purl = `pkg:npm/${id.replace(/^@/, "%40")}` }) {
	const [group, short] = name.startsWith("@") ? name.split("/") : [undefined, name];
	const licenses = [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }];
	return { type: "library", "bom-ref": purl, group, name: short, version, licenses, purl };
}
