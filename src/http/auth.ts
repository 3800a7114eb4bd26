import { advice, purser } from "../api/advice.js";
import { countAt, textAt } from "../api/answer.js";
import { parseJson } from "../api/json.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { refresh } from "../api/operations/auth.js";
import type { Context } from "../context.js";
import { type Advice, PurserError } from "../errors.js";
import type { Auth, Credential, Profile } from "../ports/profiles.js";
import { isShownHeader } from "./redact.js";
import { baseOf } from "./request/address.js";
import { timeAt } from "./service-clock.js";

/** Calls an operation without a credential; resolves to the parsed answer if it succeeded. Never throws. */
export type Ask = (operation: AnyOperation, input: Input) => Promise<unknown>;

const renewBefore = 30_000;

interface StoredCredential {
	credential: Credential;
	/** Where it came from. */
	from: string;
}

export interface Authorization extends Partial<StoredCredential> {
	/** Header names in lower case. */
	headers: Record<string, string>;
}

/** A run's cache of credentials, by profile and origin; concurrent renewals are shared. */
interface Memory {
	held: Map<string, StoredCredential>;
	renewing: Map<string, Promise<StoredCredential | undefined>>;
}
const sessions = new WeakMap<Context, Memory>();

function memoryOf(context: Context): Memory {
	const memory = sessions.get(context) ?? { held: new Map(), renewing: new Map() };
	sessions.set(context, memory);
	return memory;
}

const keyOf = (profile: Profile) => `${profile.name} ${baseOf(profile).origin}`;

/**
 * The authentication header, by the profile's kind of auth and the operation's need. A token about to expire is renewed first.
 * @throws PurserError auth, if a credential is needed and there is none; usage, if it cannot be put into a header
 */
export async function authorise(
	context: Context,
	profile: Profile,
	operation: Pick<AnyOperation, "auth">,
	anonymous: boolean,
	ask?: Ask,
): Promise<Authorization> {
	if (profile.auth.kind === "none" || operation.auth === "none" || anonymous) return { headers: {} };
	const memory = memoryOf(context);
	const held: StoredCredential | undefined = memory.held.get(keyOf(profile)) ?? (await (await context.config.credentials()).get(profile));
	// An operation with optional auth does something else without a credential (specification 5), so that form must be requested
	// explicitly.
	if (held === undefined) throw missing(profile, operation.auth === "optional");
	memory.held.set(keyOf(profile), held);
	const late = isEnding(context, profile, held.credential);
	const current = late && ask !== undefined ? ((await renew(context, profile, held.credential, ask)) ?? held) : held;
	return { headers: headerFor(profile.auth, current.credential, current.from), ...current };
}

/** Whether a token ends soon, or has ended, by the service's time; by this machine's where the service told none in this run. */
function isEnding(context: Context, profile: Profile, credential: Credential): boolean {
	const expiry = credential.kind === "tokens" ? expiryOf(credential.token) : undefined;
	return expiry !== undefined && expiry - timeAt({ context, profile }).getTime() < renewBefore;
}

/** @param optional the operation also works without a credential */
function missing(profile: Profile, optional: boolean): PurserError {
	return new PurserError("auth", {
		code: "NO_CREDENTIAL",
		message: `There is no credential for profile ${profile.name} at ${baseOf(profile).origin}`,
		fix: advice`Log in: ${purser`auth login --profile ${profile.name}`}${optional ? "; or send it as the end-user, without one: --anonymous --partner-name NAME" : ""}`,
	});
}

/**
 * How to get another credential: a login has an effect only if no other source takes precedence. Pure.
 * @param from where the rejected credential came from @param profile its name, where it is known
 */
export function loginHint(from = "", profile?: string): Advice {
	const login = purser`auth login ${profile !== undefined && ["--profile", profile]}`;
	if (from.startsWith("PURSER_TOKEN")) return advice`Put a valid one in ${from}, or unset the variable and log in: ${login}`;
	return advice`Log in again: ${login}`;
}

/**
 * The header for a credential. Pure.
 * @throws PurserError auth, if the kinds do not match or the secret cannot be put into a header; usage, if the profile's header cannot
 * carry it
 */
export function headerFor(auth: Auth, credential: Credential, from: string): Record<string, string> {
	if (credential.kind === "header" && auth.kind !== "header")
		throw unusable("it is a fixed header's value, but the profile logs in another way", from);
	const secret = credential.kind === "header" ? credential.value : credential.token;
	const name = auth.kind === "header" ? secretHeader(auth.header) : "authorization";
	if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(secret))
		throw unusable("it is empty or holds characters that a header cannot carry, such as a line break", from);
	return { [name]: auth.kind === "header" ? secret : `Bearer ${secret}` };
}

/** Headers that determine how a request is framed or where it is sent. */
const framing = /^(host|te|trailer|upgrade|expect|cookie|proxy-.*)$/;

/** The name of a fixed header, in lower case: one that is not shown with --debug, and in whose place the tool sets nothing itself. */
function secretHeader(header: string): string {
	const name = header.toLowerCase();
	if (!isShownHeader(name) && !framing.test(name)) return name;
	throw new PurserError("usage", {
		code: "AUTH_HEADER_UNUSABLE",
		message: `The header ${header} cannot carry the credential: the tool sets it itself, or shows it`,
		fix: advice`Name the header that your service asks for: ${purser`profile set NAME --auth header --auth-header X-Api-Key`}`,
	});
}

function unusable(why: string, from: string): PurserError {
	return new PurserError("auth", {
		code: "CREDENTIAL_UNUSABLE",
		message: `The credential from ${from} cannot be used: ${why}`,
		fix: advice`${loginHint(from)} (${purser`auth status`} says which credential is in use)`,
	});
}

/** The expiry in a JWT, in milliseconds since 1970; undefined if it is no JWT or has none. Not verified, so never trusted. */
export function expiryOf(token: string): number | undefined {
	try {
		const seconds = countAt(parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")), "exp");
		return seconds === undefined ? undefined : seconds * 1_000;
	} catch {
		return undefined;
	}
}

/**
 * Another credential after one was refused or is about to expire: one stored by another process meanwhile, else a renewal with the refresh
 * token, shared by all concurrent calls. Undefined if there is none; never throws.
 */
export async function renew(context: Context, profile: Profile, used: Credential, ask: Ask): Promise<StoredCredential | undefined> {
	if (used.kind !== "tokens") return undefined;
	const memory = memoryOf(context);
	const key = keyOf(profile);
	const held = memory.held.get(key);
	if (held?.credential.kind === "tokens" && held.credential.token !== used.token) return held;
	const running = memory.renewing.get(key) ?? renewal(context, profile, used, ask);
	memory.renewing.set(key, running);
	try {
		const renewed = await running;
		if (renewed !== undefined) memory.held.set(key, renewed);
		return renewed;
	} finally {
		memory.renewing.delete(key);
	}
}

async function renewal(
	context: Context,
	profile: Profile,
	used: Credential & { kind: "tokens" },
	ask: Ask,
): Promise<StoredCredential | undefined> {
	try {
		const credentials = await context.config.credentials();
		// A refresh token works once, and some services treat a second use as theft and end every login, so only one process may use it.
		return await credentials.withLock(profile, async (held) => {
			const stored = await credentials.get(profile);
			if (stored?.credential.kind === "tokens" && stored.credential.token !== used.token) return stored;
			if (!held || used.refreshToken === undefined) return undefined;
			const answer = await ask(refresh, { body: { refreshToken: used.refreshToken } });
			const token = textAt(answer, "token");
			if (token === undefined) return undefined;
			const credential: Credential = { kind: "tokens", token, refreshToken: textAt(answer, "refreshToken") ?? used.refreshToken };
			return { credential, from: await store(context, profile, credential) };
		});
	} catch (error) {
		context.report.debug(`the token was not renewed: ${error instanceof Error ? error.message : "unknown"}`);
		return undefined;
	}
}

async function store(context: Context, profile: Profile, credential: Credential): Promise<string> {
	try {
		return (await (await context.config.credentials()).set(profile, credential)).where;
	} catch (error) {
		const why = error instanceof PurserError ? error.message : "it cannot be written there";
		context.report.warn(
			advice`the renewed token is used for this run but could not be stored (${why}); the next run needs: ${purser`auth login`}`,
		);
		return "this run";
	}
}
