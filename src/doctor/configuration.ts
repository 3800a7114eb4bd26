/**
 * The configuration: can it be read and trusted, does it make sense, and is anybody logged in.
 */
import { advice, purser } from "../api/advice.js";
import { catalog } from "../api/operations/catalog.js";
import { isLoopback } from "../api/service-address.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import { expiryOf } from "../http/auth.js";
import { unconfirmedAmong } from "../mapping/confirmation.js";
import { mappingFaults } from "../mapping/faults.js";
import type { Profile } from "../ports/profiles.js";
import { type Check, fault, faultOf, ok, warning } from "./check.js";

/** @param profile the profile in use, or the error by which there is none */
export async function checkConfiguration(context: Context, profile: Profile | PurserError): Promise<Check> {
	const check = "configuration";
	const profiles = await context.config.profiles();
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
	return ok(check, `${profiles.file}: ${count} ${count === 1 ? "profile" : "profiles"}; only you can change it`);
}

/** What is wrong with the mapping, and what of it waits for somebody's word. */
export async function checkMapping(profile: Profile): Promise<Check> {
	const { mapping, environment, baseUrl } = profile;
	const check = "mapping";
	if (mapping === undefined) return ok(check, "None: every operation is as described");
	const faults = mappingFaults(mapping).map(({ path, message }) => `${path.join(".")} ${message}`);
	if (faults.length > 0) {
		const more = faults.length > 3 ? `; and ${faults.length - 3} more` : "";
		return fault(check, `${faults.slice(0, 3).join("; ")}${more}`, advice`Correct the file, and store it again: ${purser`api use FILE`}`);
	}
	// A sandbox of this machine needs nobody's word.
	const isOwn = environment === "sandbox" && isLoopback(baseUrl);
	const [unconfirmed, ...more] = isOwn ? [] : unconfirmedAmong(catalog, profile).map(({ id }) => id);
	if (unconfirmed !== undefined)
		return warning(
			check,
			`Nobody has confirmed ${[unconfirmed, ...more].join(" and ")} as mapped now, so nothing is sent through ${more.length === 0 ? "it" : "them"}`,
			advice`Look at the exact request and confirm it: ${purser`api confirm ${unconfirmed}`}`,
		);
	const entries = Object.values(mapping.operations);
	const absent = entries.filter((one) => one === "none").length;
	return ok(
		check,
		`${entries.length - absent} of ${catalog.length} operations mapped${absent === 0 ? "" : `, ${absent} that this service does not have`}`,
	);
}

/** Whether there is a login that can still work. The service is not asked. */
export async function checkLogin(context: Context, profile: Profile): Promise<Check> {
	const check = "login";
	if (profile.auth.kind === "none") return ok(check, "None needed: the profile is used without one");
	const login = advice`Log in: ${purser`auth login --profile ${profile.name}`}`;
	const found = await (await context.config.credentials()).get(profile);
	if (found === undefined) return fault(check, `Nobody is logged in to the profile ${profile.name}`, login);
	const { credential, from } = found;
	const expiry = credential.kind === "tokens" ? expiryOf(credential.token) : undefined;
	const isExpired = expiry !== undefined && expiry <= context.clock.now().getTime();
	const renewable = credential.kind === "tokens" && credential.refreshToken !== undefined;
	if (isExpired && !renewable) return fault(check, `The login (${from}) has expired and cannot be renewed`, login);
	return ok(check, isExpired ? `Logged in (${from}); the token has expired and is renewed with the next request` : `Logged in (${from})`);
}
