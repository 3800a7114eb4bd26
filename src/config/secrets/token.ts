/**
 * A credential from PURSER_TOKEN or PURSER_TOKEN_FILE, and the one address that it is for. A stored login is bound to its address; a variable is
 * not, so without this check a flag or variable with another address would send the secret there.
 */

import { promises } from "node:fs";
import * as z from "zod/mini";
import { advice, purser, quoted, quotedPath } from "../../api/advice.js";
import { isLoopback } from "../../api/service-address.js";
import { isUrl } from "../../api/text/url.js";
import { type Advice, PurserError } from "../../errors.js";
import type { Files } from "../../ports/machine.js";
import type { Credential, Credentials, Profile, Profiles } from "../../ports/profiles.js";

const shape = z.union([
	z.object({ kind: z.literal("tokens"), token: z.string().check(z.minLength(1)), refreshToken: z.optional(z.string()) }),
	z.object({ kind: z.literal("header"), value: z.string().check(z.minLength(1)) }),
]);

/** A credential as stored, or undefined where the text is none. */
export function readCredential(text: string): Credential | undefined {
	try {
		return shape.parse(JSON.parse(text));
	} catch {
		return undefined;
	}
}

/** Bytes of a secret. */
const largest = 64 * 1024;

type Env = Readonly<Record<string, string | undefined>>;

/** A credential, and where it came from. */
type Found = NonNullable<Awaited<ReturnType<Credentials["get"]>>>;

interface Sources {
	env: Env;
	/** Called where others can read the file. */
	warn(message: string): void;
	profiles: Pick<Profiles, "get">;
	read: Files["read"];
}

/** Scheme, host and port of a profile's address; the address itself where it is none. */
export const originOf = ({ baseUrl }: Pick<Profile, "baseUrl">): string => (isUrl(baseUrl) ? new URL(baseUrl).origin : baseUrl);

/**
 * The credential of PURSER_TOKEN, else of the file that PURSER_TOKEN_FILE names; undefined where neither is set.
 * @throws PurserError guard, where it is not for the profile's address; usage, where the file cannot be read; interrupted; auth, where it holds no credential
 */
export async function fromEnvironment(profile: Profile, { env, warn, profiles, read }: Sources): Promise<Found | undefined> {
	const { PURSER_TOKEN: token, PURSER_TOKEN_FILE: file } = env;
	if (!token && !file) return undefined;
	// Checked before the file is read: a secret for another address is not needed.
	await requireItsAddress(profile, token ? "PURSER_TOKEN" : "PURSER_TOKEN_FILE", env, profiles);
	return token ? bare(profile, token, "PURSER_TOKEN") : fromFile(profile, file as string, { warn, read });
}

/** @throws PurserError guard */
async function requireItsAddress(profile: Profile, variable: string, env: Env, profiles: Sources["profiles"]): Promise<void> {
	const origin = originOf(profile);
	const here = isLoopback(profile.baseUrl);
	const named = env.PURSER_TOKEN_ORIGIN;
	if (here && profile.environment === "sandbox" && !named) return;
	if (!here && !origin.startsWith("https://"))
		throw withheld(origin, variable, {
			code: "TOKEN_OVER_HTTP",
			why: "Without https, anybody on the network path can read it",
			fix: `Use the address of the service that starts with https://. For a local test service, an address of this machine (127.0.0.1, localhost) is allowed.`,
		});
	const stored = named ? undefined : await profiles.get(profile.name);
	const itsOwn = originOf({ baseUrl: named || (stored?.baseUrl ?? "") });
	if (itsOwn === origin) return;
	const source = named ? "PURSER_TOKEN_ORIGIN says" : `profile ${profile.name} is for`;
	throw withheld(origin, variable, {
		code: "TOKEN_OTHER_ADDRESS",
		why: itsOwn === "" ? "No stored profile has this address, so purser cannot tell that the secret is for it" : `${source} ${itsOwn}`,
		fix: advice`If it is for this address, confirm it: PURSER_TOKEN_ORIGIN=${quoted(origin)}. Otherwise leave out what gives the address (--base-url, PURSER_BASE_URL), or store a profile for it: ${purser`profile add NAME --base-url ${origin}`}`,
	});
}

function withheld(origin: string, variable: string, failure: { code: string; why: string; fix: Advice }): PurserError {
	return new PurserError("guard", { message: `The secret of ${variable} does not go to ${origin}; nothing was sent`, ...failure });
}

async function fromFile(profile: Profile, file: string, { warn, read }: Pick<Sources, "warn" | "read">): Promise<Found> {
	let text: string;
	let mode: number;
	try {
		text = new TextDecoder().decode(await read(file, largest));
		mode = (await promises.stat(file)).mode;
	} catch (cause) {
		if (cause instanceof PurserError) throw cause;
		throw new PurserError("usage", {
			code: "TOKEN_FILE_UNREADABLE",
			message: `The file of PURSER_TOKEN_FILE, ${file}, cannot be read${cause instanceof RangeError ? "" : ` (${String((cause as { code?: unknown }).code ?? "unknown")})`}`,
			why: cause instanceof RangeError ? cause.message : undefined,
			fix: advice`Give a file that you can read, or unset the variable and log in: ${purser`auth login`}`,
		});
	}
	if ((mode & 0o077) !== 0)
		warn(`others on this machine can read ${file} (PURSER_TOKEN_FILE); close it with: chmod 600 ${quotedPath(file)}`);
	return bare(profile, text, `PURSER_TOKEN_FILE (${file})`);
}

/** A bare secret from a variable or a file, by the profile's kind of auth. */
function bare(profile: Profile, text: string, from: string): Found {
	const secret = text.trim();
	if (secret !== "")
		return { credential: profile.auth.kind === "header" ? { kind: "header", value: secret } : { kind: "tokens", token: secret }, from };
	throw new PurserError("auth", {
		code: "CREDENTIAL_UNUSABLE",
		message: `What ${from} holds is not a credential for profile ${profile.name}`,
		why: "It is empty",
		fix: advice`Put the secret itself there, or unset the variable and log in: ${purser`auth login`}`,
	});
}
