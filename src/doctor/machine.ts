/**
 * This machine: versions, the way to the service, Tab.
 */
import { basename, join } from "node:path";
import { advice, purser } from "../api/advice.js";
import { proxyFor } from "../client/transport/proxy.js";
import type { Context } from "../context.js";
import type { Profile } from "../ports/profiles.js";
import { type Check, fault, ok, warning } from "./check.js";

/** The oldest Node that purser runs on; `engines` in package.json. */
const oldestNode = [20, 19] as const;

export async function checkVersions({ version, node, platform }: Pick<Context, "version" | "node" | "platform">): Promise<Check> {
	const found = `purser ${version}, Node ${node}, ${platform}`;
	const [major = 0, minor = 0] = node.split(".").map(Number);
	const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
	return isOld ? fault("versions", found, `Install Node ${oldestNode.join(".")} or later.`) : ok("versions", found);
}

/** The proxy and the certificates by which the service is reached. */
export async function checkProxy({ env, files }: Pick<Context, "env" | "files">, profile: Profile | undefined): Promise<Check> {
	const check = "proxy";
	const certificates = env.NODE_EXTRA_CA_CERTS;
	if (certificates && (await textOf({ files }, certificates)) === undefined)
		return fault(
			check,
			`NODE_EXTRA_CA_CERTS names ${certificates}, which cannot be read, so its authorities are not trusted`,
			"Correct the variable, or unset it.",
		);
	const more = certificates ? `, with the authorities of ${certificates}` : "";
	const target = new URL(profile?.baseUrl ?? "https://service.invalid");
	try {
		const proxy = proxyFor(target, env);
		// Without user and password.
		return ok(
			check,
			proxy === undefined
				? `None: ${profile === undefined ? "services are" : `${target.host} is`} reached directly${more}`
				: `${proxy.protocol}//${proxy.host}${more}`,
		);
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		return fault(check, `The proxy cannot be used: ${error.message}`, "Correct the variable, or unset it.");
	}
}

/** Where the script of each shell is found by itself, below the home directory or from the root, and the files that may load it. */
const places: Readonly<Record<string, { scripts: readonly string[]; loaders: readonly string[] }>> = {
	bash: {
		scripts: [
			".local/share/bash-completion/completions/purser",
			"/usr/share/bash-completion/completions/purser",
			"/usr/local/share/bash-completion/completions/purser",
			"/etc/bash_completion.d/purser",
		],
		loaders: [".bashrc", ".bash_profile", ".profile", ".bash_completion"],
	},
	zsh: {
		scripts: [".zfunc/_purser", "/usr/share/zsh/site-functions/_purser", "/usr/local/share/zsh/site-functions/_purser"],
		loaders: [".zshrc", ".zprofile"],
	},
	fish: {
		scripts: [".config/fish/completions/purser.fish", "/usr/share/fish/vendor_completions.d/purser.fish"],
		loaders: [".config/fish/config.fish"],
	},
};

/** Whether Tab is set up for the shell in use, as far as its files say. */
export async function checkCompletion(context: Pick<Context, "env" | "files">): Promise<Check> {
	const check = "completion";
	const home = context.env.HOME || context.env.USERPROFILE || "";
	const shell = basename(context.env.SHELL ?? "");
	const known = Object.hasOwn(places, shell) ? places[shell] : undefined;
	const how = advice`See how to load it: ${purser`completion --help`}`;
	if (known === undefined || home === "")
		return warning(check, `Cannot be told for ${shell === "" ? "this shell" : shell}: purser knows where bash, zsh and fish look`, how);
	const at = (place: string): string => (place.startsWith("/") ? place : join(home, place));
	for (const place of known.scripts) {
		const script = await textOf(context, at(place));
		if (script === undefined) continue;
		if (script.includes("purser complete --")) return ok(check, `Set up for ${shell}: ${at(place)}`);
		return warning(
			check,
			`${at(place)} is of an earlier purser, so Tab offers nothing`,
			advice`Write it anew: ${purser`completion --help`}`,
		);
	}
	for (const place of known.loaders) {
		const text = await textOf(context, at(place));
		if (text !== undefined && /^[^#\n]*\bpurser completion\b/m.test(text)) return ok(check, `Set up for ${shell}: ${at(place)}`);
	}
	return warning(check, `Not set up for ${shell}: Tab does not complete purser's commands`, how);
}

/** At most 1 MB of a file; undefined where it cannot be read. */
async function textOf({ files }: Pick<Context, "files">, path: string): Promise<string | undefined> {
	try {
		return new TextDecoder().decode(await files.read(path, 1024 * 1024));
	} catch {
		return undefined;
	}
}
