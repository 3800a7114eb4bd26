/**
 * What the package holds, and what it says about whose code is inside. `npm test` has built dist/.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "purser-package-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const config = (name: string): Promise<unknown> => import(new URL(`../../.config/${name}`, import.meta.url).href);
const dist = (name: string): string => readFileSync(join(root, "dist", name), "utf8");

function pack(...argv: string[]): { size: number; unpackedSize: number; integrity: string; files: { path: string }[] } {
	const words = ["pack", "--json", "--ignore-scripts", ...argv];
	return JSON.parse(execFileSync("npm", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))[0];
}

describe("the archive", () => {
	let packed: ReturnType<typeof pack>;
	beforeAll(() => {
		packed = pack("--dry-run");
	});

	test("has the program, its pages and its licences, no map and no hidden file", () => {
		const paths = packed.files.map(({ path }) => path);
		for (const path of ["LICENSE", "README.md", "bin/purser.js", "dist/main.cjs", "dist/THIRD-PARTY-NOTICES", "dist/sbom.cdx.json"])
			expect(paths).toContain(path);
		expect(paths.filter((path) => path.endsWith(".map") || path.includes("/."))).toEqual([]);
		expect(paths.filter((path) => !/^(?:LICENSE|README\.md|package\.json|(?:bin|completions|dist|src)\/.*)$/.test(path))).toEqual([]);
		expect(paths.filter((path) => path.startsWith("src/") && !path.endsWith(".md"))).toEqual([]);
	});

	test("takes at most 2 MB to load and 8 MB on the disk", () => {
		expect(packed.size).toBeLessThan(2_000_000);
		expect(packed.unpackedSize).toBeLessThan(8_000_000);
	});
});

interface Bill {
	bomFormat: string;
	specVersion: string;
	version: number;
	metadata: { component: Component };
	components: Component[];
	dependencies: { ref: string; dependsOn?: string[] }[];
}
type Component = Record<"type" | "bom-ref" | "name" | "version" | "purl", string> & {
	group?: string;
	licenses: [{ license: { id: string } }];
};

/** Packages that are not named in both files, with their licences. */
function unnamed(bundled: ReadonlyMap<string, string>, notices: string, { components }: Pick<Bill, "components">): string[] {
	const listed = new Set(components.map(({ group, name, version }) => `${group === undefined ? "" : `${group}/`}${name} ${version}`));
	return [...bundled].flatMap(([name, licence]) => {
		const told = notices.includes(`\n- ${name} (`) && notices.includes(`\n\`\`\`\n${licence}\n`);
		return told && listed.has(name) ? [] : [name];
	});
}

/** They bring no text of their licence; all of them are under the same one. */
const unwritten: Readonly<Record<string, string>> = {
	standardwebhooks: "2023 Svix (https://www.svix.com)",
	"pg-types": "2014 Brian M. Carlson",
	pgpass: "2013-2016 Hannes Hörl",
};

describe("whose code is inside", () => {
	/** Each package in the files of the program, `name version`, with the text of its licence. */
	const bundled = new Map<string, string>();
	const built = join(folder, "dist");

	beforeAll(async () => {
		const { build } = (await config("build.js")) as { build(dir: string): Promise<{ output: { moduleIds?: string[] }[] }> };
		const { output } = await build(built);
		for (const id of output.flatMap(({ moduleIds = [] }) => moduleIds)) {
			const place = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll("\\", "/"))?.[0];
			if (place === undefined) continue;
			const { name, version } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
			const file = readdirSync(place).find((one) => /^licen[cs]e/i.test(one));
			const text = file === undefined ? `The MIT License\n\nCopyright (c) ${unwritten[name]}` : readFileSync(join(place, file), "utf8");
			bundled.set(`${name} ${version}`, text.replaceAll("\r\n", "\n").trim());
		}
	});

	test("every package that the bundler took is told with its licence, in the notices and in the list", () => {
		const bill = JSON.parse(dist("sbom.cdx.json")) as Bill;
		expect(bundled.size).toBeGreaterThan(50);
		for (const name of ["zod", "undici", "libsql", "inquirer", "fast-uri"])
			expect([...bundled.keys()].some((one) => one.startsWith(`${name} `))).toBe(true);
		expect(unnamed(bundled, dist("THIRD-PARTY-NOTICES"), bill)).toEqual([]);
	});

	test("the list is CycloneDX with name, version, licence and purl of each, and names no host and no time", () => {
		const text = dist("sbom.cdx.json");
		const { bomFormat, specVersion, version, metadata, components, dependencies } = JSON.parse(text) as Bill;
		expect({ bomFormat, specVersion, version }).toEqual({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
		expect(metadata.component).toMatchObject({ type: "application", name: "purser", licenses: [{ license: { id: "MIT" } }] });
		for (const { type, group, name, version, licenses, purl, "bom-ref": ref } of components) {
			expect([type, ref]).toEqual(["library", purl]);
			expect(purl).toBe(`pkg:npm/${group === undefined ? "" : `${group.replace("@", "%40")}/`}${name}@${version}`);
			expect(licenses[0].license.id).toMatch(/^(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|Unlicense)$/);
		}
		const refs = components.map(({ purl }) => purl);
		expect(new Set(refs).size).toBe(refs.length);
		expect(dependencies[0]).toEqual({ ref: metadata.component.purl, dependsOn: refs });
		expect(text).not.toMatch(/:\/\/|\d{4}-\d\d-\d\dT|serialNumber|timestamp/);
	});

	test("a package that does not say its licence stops the build", async () => {
		const { packagesOf } = (await config("notices.js")) as { packagesOf(modules: string[]): { id: string }[] };
		const place = join(folder, "node_modules", "@example", "silent");
		mkdirSync(place, { recursive: true });
		const described = { name: "@example/silent", version: "1.0.0", license: "MIT" };
		writeFileSync(join(place, "package.json"), JSON.stringify(described));
		const modules = [join(place, "index.js"), join(root, "src/main.ts")];
		expect(() => packagesOf(modules)).toThrow("@example/silent 1.0.0 is in the bundle and does not say its licence");
		writeFileSync(join(place, "LICENCE.txt"), "Do what you like.\n");
		expect(packagesOf(modules)).toMatchObject([{ id: "@example/silent@1.0.0", texts: ["Do what you like."] }]);
		writeFileSync(join(place, "package.json"), JSON.stringify({ ...described, license: undefined }));
		expect(() => packagesOf(modules)).toThrow("does not say its licence");
	});
});

type Pin = Record<"package" | "version" | "integrity", string>;
const { pinOf, fetchNode } = (await config("node.js")) as {
	pinOf(platform: string): Pin;
	fetchNode(folder: string, pin: Pin, from?: string): string;
};

describe("the Node of the single executable", () => {
	/** A package of the same form as the one that holds Node. */
	const place = join(folder, "small");
	let pin: Pin;
	beforeAll(() => {
		mkdirSync(join(place, "bin"), { recursive: true });
		const described = { name: "node-example-x64", version: "26.0.0" };
		writeFileSync(join(place, "package.json"), JSON.stringify(described));
		writeFileSync(join(place, "bin", "node"), "not really");
		pin = { package: described.name, version: described.version, integrity: pack(place, "--dry-run").integrity };
	});

	const platforms = ["linux", "darwin", "win32"].flatMap((system) => [`${system}-x64`, `${system}-arm64`]);
	test.each(platforms)("%s has one version and the hash of its package", (platform) => {
		const { version, integrity } = pinOf(platform);
		expect(version).toMatch(/^26\.\d+\.\d+$/);
		expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
	});

	test("with the right hash it is unpacked; with another nothing is", () => {
		const [right, wrong] = [join(folder, "right"), join(folder, "wrong")];
		for (const one of [right, wrong]) mkdirSync(one);
		expect(readFileSync(fetchNode(right, pin, place), "utf8")).toBe("not really");
		// One character of the executable is another.
		writeFileSync(join(place, "bin", "node"), "not reallY");
		expect(() => fetchNode(wrong, pin, place)).toThrow("node-example-x64@26.0.0 is not what .config/node.json pins");
		expect(readdirSync(wrong)).toEqual(["node-example-x64-26.0.0.tgz"]);
	});
});
