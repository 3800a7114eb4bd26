import { advice, purser } from "../../api/advice.js";
import { withoutSecrets } from "../../api/token-variables.js";
import { PurserError } from "../../errors.js";
import type { Credential, Profile } from "../../ports/profiles.js";
import { programOf, words } from "./command-line.js";
import { readHelper } from "./secret.js";

/** Milliseconds; some helpers ask a person. */
const timeLimit = 60_000;
/** Milliseconds for the rest of the output to arrive after the program exited. */
const drainTime = 200;
const mostBytes = 64 * 1024;

/**
 * Asks the profile's helper program for the credential: run without a shell, with PURSER_HELPER_PROFILE and
 * PURSER_HELPER_ORIGIN in its environment and no variable of a token; it prints `{"token":…}`, `{"value":…}` or `{"username":…,"password":…}`.
 * @param limit milliseconds until it is given up
 * @throws PurserError auth, where it fails or prints anything else; what it printed is never quoted
 */
export async function askHelper(
	command: string,
	profile: Profile,
	origin: string,
	env: Readonly<Record<string, string | undefined>>,
	limit = timeLimit,
): Promise<Credential> {
	const [program, ...args] = words(command);
	if (program === undefined) throw failed(command, profile, "the setting is empty or has an unmatched quote");
	const own = { ...withoutSecrets(env), PURSER_HELPER_PROFILE: profile.name, PURSER_HELPER_ORIGIN: origin };
	const { output, fault } = await outputOf(program, args, own, limit);
	const credential = fault === undefined ? readHelper(output) : undefined;
	if (credential === undefined) throw failed(command, profile, fault ?? "it did not print a credential as JSON");
	return credential;
}

/**
 * What a program printed until it exited. The end of its output is not waited for: an agent that it started may hold it open for days.
 */
async function outputOf(
	program: string,
	args: readonly string[],
	env: Record<string, string | undefined>,
	limit: number,
): Promise<{ output: string; fault?: string }> {
	const { spawn } = await import("node:child_process");
	return new Promise((resolve) => {
		const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"], windowsHide: true });
		let output = "";
		const end = (fault?: string): void => {
			clearTimeout(late);
			child.kill();
			child.stdout.destroy();
			resolve({ output, fault });
		};
		const late = setTimeout(() => end(`it did not end within ${limit / 1_000} s`), limit);
		child.stdout.setEncoding("utf8").on("data", (part: string) => {
			output += part;
			if (output.length > mostBytes) end("it printed too much");
		});
		child.once("error", (error: Error & { code?: unknown }) => end(`it could not be run (${String(error.code ?? error.name)})`));
		child.once("exit", (code, signal) => {
			const fault = code === 0 ? undefined : code === null ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
			child.once("close", () => end(fault));
			setTimeout(() => end(fault), drainTime);
		});
	});
}

function failed(command: string, profile: Profile, reason: string): PurserError {
	return new PurserError("auth", {
		code: "CREDENTIAL_HELPER_FAILED",
		message: `The credential helper of profile ${profile.name}, ${JSON.stringify(programOf(command))}, failed: ${reason}`,
		fix: advice`Run it by hand to see why, or take the setting credential-helper out and log in: ${purser`auth login`}`,
	});
}
