/**
 * The configuration: can it be read and trusted, does it make sense, and is anybody logged in.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { advice, purser, quotedPath } from "../api/advice.js";
import { catalog } from "../api/operations/catalog.js";
import { isLoopback } from "../api/service-address.js";
import { unconfirmedAmong } from "../binding/confirmation.js";
import { bindingFaults, serviceFaults } from "../binding/faults.js";
import { expiryOf } from "../client/auth.js";
import { openKeyring } from "../config/secrets/keyring.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Profile } from "../ports/profiles.js";
import { type Check, fault, faultOf, ok, warning } from "./check.js";

/** @param profile the profile in use, or the error by which there is none */
export async function checkConfiguration(context: Context, profile: Profile | PurserError): Promise<Check> {
	const check = "configuration";
	const profiles = await context.profiles();
	const count = (await profiles.list()).length;
	const distrust = await profiles.distrust();
	if (distrust !== undefined)
		return fault(
			check,
			`${distrust.why}: whoever can write it decides who is paid and how much`,
			`Check what is in it, then: ${distrust.fix}`,
		);
	if (profile instanceof PurserError)
		return profile.failure.code === "NO_PROFILE" ? warning(check, profile.failure.message, profile.failure.fix) : faultOf(check, profile);
	const { config } = await context.directories();
	const open = context.platform === "win32" ? undefined : openSecret(join(config, "secrets"));
	if (open !== undefined) return warning(check, `Others on this machine can read ${open.path}, which holds secrets`, open.mend);
	return ok(check, `${profiles.file}: ${count} ${count === 1 ? "profile" : "profiles"}; only you can change it`);
}

/** The first secret that is not private. */
function openSecret(folder: string): { path: string; mend: string } | undefined {
	const isOpen = (path: string): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
	if (isOpen(folder)) return { path: folder, mend: `chmod 700 ${quotedPath(folder)}` };
	const names =
		statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith(".json"));
	const found = names.map((name) => join(folder, name)).find(isOpen);
	return found === undefined ? undefined : { path: found, mend: `chmod 600 ${quotedPath(found)}` };
}

/** What the profile replaces of the description, and the idempotency keys that a document named. */
export async function checkBindings(profile: Profile): Promise<Check> {
	const { name, overrides, service, baseUrl } = profile;
	const check = "bindings";
	const bound = Object.keys(overrides);
	const faults = [
		...(service === undefined ? [] : serviceFaults(service).map((one) => `${one.field} ${one.message}`)),
		...catalog.flatMap((operation) => {
			const binding = overrides[operation.id];
			return binding === undefined
				? []
				: bindingFaults(operation, binding, baseUrl).map(
						(one) => `${operation.id}: ${one.field === "request" ? "" : `${one.field} `}${one.message}`,
					);
		}),
	];
	if (faults.length > 0) {
		const more = faults.length > 3 ? `; and ${faults.length - 3} more` : "";
		return fault(check, `${faults.slice(0, 3).join("; ")}${more}`, advice`See what is bound, and bind it again: ${purser`api list`}`);
	}
	const unknown = bound.filter((id) => !catalog.some((operation) => operation.id === id));
	if (unknown.length > 0)
		return warning(
			check,
			`${unknown.join(", ")}: no such ${unknown.length === 1 ? "operation" : "operations"}; an older or newer purser bound it`,
			advice`Look at the profile: ${purser`profile show ${name}`}`,
		);
	const keys = bound.flatMap((id) => (overrides[id]?.source?.idempotency ? [`${id} (${overrides[id]?.source?.idempotency})`] : []));
	const told = keys.length === 0 ? "" : `. The document names an idempotency key, which is not sent: ${keys.join(", ")}`;
	const [unconfirmed, ...more] = unconfirmedIn(profile);
	if (unconfirmed !== undefined)
		return warning(
			check,
			`Nobody has confirmed ${[unconfirmed, ...more].join(" and ")} as bound now, so nothing is sent through ${more.length === 0 ? "it" : "them"}${told}`,
			advice`Look at the exact request and confirm it: ${purser`api confirm ${unconfirmed}`}`,
		);
	if (bound.length === 0)
		return ok(check, `None: every operation is as described${service === undefined ? "" : ", but for pages, errors or ids"}${told}`);
	return ok(check, `${bound.length} ${bound.length === 1 ? "operation" : "operations"} of ${catalog.length} bound${told}`);
}

/**
 * The operations whose bindings are known to need somebody's word. One that an earlier version stored may count as confirmed by what was paid
 * through it, and a sandbox of this machine needs none.
 */
function unconfirmedIn(profile: Profile): string[] {
	const { confirmations = {}, environment, baseUrl } = profile;
	if (environment === "sandbox" && isLoopback(baseUrl)) return [];
	return unconfirmedAmong(catalog, profile)
		.map(({ id }) => id)
		.filter((id) => Object.hasOwn(confirmations, id));
}

/** Whether there is a login that can still work. The service is not asked. */
export async function checkLogin(context: Context, profile: Profile): Promise<Check> {
	const check = "login";
	if (profile.auth.kind === "none") return ok(check, "None needed: the profile is used without one");
	const login = advice`Log in: ${purser`auth login --profile ${profile.name}`}`;
	const found = await (await context.credentials()).get(profile);
	if (found === undefined) return fault(check, `Nobody is logged in to the profile ${profile.name}`, login);
	const { credential, from } = found;
	const expiry = credential.kind === "tokens" ? expiryOf(credential.token) : undefined;
	const isExpired = expiry !== undefined && expiry <= context.clock.now().getTime();
	const renewable = credential.kind === "tokens" && credential.refreshToken !== undefined;
	if (isExpired && !renewable) return fault(check, `The login (${from}) has expired and cannot be renewed`, login);
	return ok(check, isExpired ? `Logged in (${from}); the token has expired and is renewed with the next request` : `Logged in (${from})`);
}

export async function checkKeyring({ env, platform }: Pick<Context, "env" | "platform">): Promise<Check> {
	const check = "keyring";
	const file = "secrets are kept in a file that only you can read";
	if (env.PURSER_NO_KEYRING) return ok(check, `Not used (PURSER_NO_KEYRING): ${file}`);
	const keyring = await openKeyring(env, platform);
	if (keyring === undefined)
		return warning(
			check,
			`No system keyring found: ${file}`,
			"Run purser in a desktop session with a keyring, or set PURSER_NO_KEYRING=1 if a file is meant.",
		);
	try {
		await keyring.get("doctor");
		return ok(check, "The system keyring answers");
	} catch {
		return warning(check, "The system keyring does not answer; it may be locked", "Unlock it, then run this again.");
	}
}
