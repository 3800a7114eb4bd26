import type { Credential, Profile } from "../context.js";
import { PurserError } from "../errors.js";
import { readHelper } from "./secret.js";

/** Milliseconds a helper may take: some ask a person. */
const patience = 60_000;
const mostBytes = 64 * 1024;

/**
 * Asks the profile's helper program for the credential: run without a shell, with PURSER_HELPER_PROFILE and
 * PURSER_HELPER_ORIGIN in its environment; it prints `{"token":…}`, `{"value":…}` or `{"username":…,"password":…}`.
 * @throws PurserError auth, where it fails or prints anything else; what it printed is never quoted
 */
export async function askHelper(
	command: string,
	profile: Profile,
	origin: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<Credential> {
	const [program, ...args] = words(command);
	if (program === undefined) throw failed(command, profile, "the setting is empty or has a quote without its partner");
	const { execFile } = await import("node:child_process");
	const output = await new Promise<string>((resolve, reject) => {
		const options = {
			env: { ...env, PURSER_HELPER_PROFILE: profile.name, PURSER_HELPER_ORIGIN: origin },
			timeout: patience,
			maxBuffer: mostBytes,
			windowsHide: true,
		};
		const child = execFile(program, args, options, (error, stdout) => {
			if (error) reject(failed(command, profile, why(error)));
			else resolve(stdout);
		});
		child.stdin?.end();
	});
	const credential = readHelper(output);
	if (credential === undefined) throw failed(command, profile, "it did not print a credential as JSON");
	return credential;
}

function why(error: Error & { code?: unknown; killed?: boolean }): string {
	if (error.killed) return `it did not end within ${patience / 1_000} s or printed too much`;
	return typeof error.code === "number"
		? `it ended with exit code ${error.code}`
		: `it could not be run (${String(error.code ?? error.name)})`;
}

function failed(command: string, profile: Profile, reason: string): PurserError {
	return new PurserError("auth", {
		code: "CREDENTIAL_HELPER_FAILED",
		message: `The credential helper of profile ${profile.name}, ${JSON.stringify(words(command)[0] ?? command)}, failed: ${reason}`,
		fix: "Run it by hand to see why, or take the setting credential-helper out and log in: purser auth login",
	});
}

/** The words of a command line: split at spaces, quotes keep them together. Nothing else is special; no words where a quote is left open. */
export function words(command: string): string[] {
	const found: string[] = [];
	const pattern = /\s*((?:"[^"]*"|'[^']*'|[^\s"'])+)\s*/y;
	while (pattern.lastIndex < command.length) {
		const match = pattern.exec(command);
		if (match === null) return [];
		found.push((match[1] as string).replace(/"([^"]*)"|'([^']*)'/g, (_whole, double?: string, single?: string) => double ?? single ?? ""));
	}
	return found;
}
