// Node for the single executable: the exact version of node.json, and only where what came has the hash that stands there. To take a newer
// one, write its version and what `npm view PACKAGE@VERSION dist.integrity` says.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const windows = process.platform === "win32";
const pins = JSON.parse(readFileSync(new URL("node.json", import.meta.url), "utf8"));

/** The pin of a platform, such as `linux-x64`. @throws Error where there is none */
export function pinOf(platform) {
	if (Object.hasOwn(pins, platform)) return pins[platform];
	throw new Error(`.config/node.json names no Node for ${platform}; give the path of one`);
}

/**
 * Takes the package from the registry, without the install script of the package `node`: the packages it would choose from hold the
 * binaries.
 * @param from what npm packs instead of the pinned version, for tests
 * @returns the path of the binary; the licence stands where Node's own archives have it
 * @throws Error where the hash is another; nothing of the package has been unpacked then
 */
export function fetchNode(folder, { package: name, version, integrity }, from = `${name}@${version}`) {
	const npm = (...argv) =>
		execFileSync(windows ? "npm.cmd" : "npm", argv, {
			cwd: folder,
			encoding: "utf8",
			stdio: ["ignore", "pipe", "inherit"],
			shell: windows,
		});
	const [{ filename }] = JSON.parse(npm("pack", from, "--json", "--ignore-scripts", "--pack-destination", folder));
	const archive = join(folder, filename);
	checkIntegrity(readFileSync(archive), integrity, `${name}@${version}`);
	npm("install", archive, "--prefix", folder, "--ignore-scripts", "--no-save", "--no-audit");
	const place = join(folder, "node_modules", name);
	return join(place, "bin", windows ? "node.exe" : "node");
}

function checkIntegrity(bytes, integrity, what) {
	const found = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
	if (found !== integrity) throw new Error(`${what} is not what .config/node.json pins: it has ${found}, not ${integrity}`);
}
