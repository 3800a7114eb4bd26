/**
 * Checks deliveries with the secrets of a profile.
 */
import { advice, purser } from "../../api/advice.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { schemeIn } from "../../events/scheme-file.js";
import { schemesOf } from "../../events/schemes.js";
import { type Delivery, verdictOn } from "../../events/verdict.js";
import type { EventScheme, EventSecret, Refusal } from "../../ports/event-schemes.js";
import type { Profile } from "../../ports/profiles.js";

type Checked = { isGenuine: true; scheme: string; id?: string; at?: number } | { isGenuine: false; why: Refusal };

export interface Verifying {
	/** @throws PurserError as reading the secrets does, where they were changed */
	check(delivery: Delivery): Promise<Checked>;
}

interface Way {
	name: string;
	scheme: EventScheme;
	secrets: readonly string[];
}

/**
 * @param named the scheme; every one that there is a secret for where it is not given
 * @param now the time that signatures are compared with
 * @throws PurserError usage, where there is no such scheme, or no secret; as reading the secrets does
 */
export async function openVerifying(
	context: Context,
	profile: Profile,
	named: string | undefined,
	now: () => Date = () => context.clock.now(),
): Promise<Verifying> {
	const known = schemesOf(profile);
	for (const [name, scheme] of Object.entries(profile.eventSchemes ?? {})) checkScheme(name, scheme);
	if (named !== undefined) schemeNamed(known, named);
	const vault = await context.eventSecrets((message) => context.reporter.warn(message));
	const read = async (): Promise<Way[]> => waysOf(await vault.list(profile), known, named);
	let stamp = vault.stampOf(profile);
	let ways = await read();
	if (ways.length === 0)
		throw new PurserError("usage", {
			code: "NO_EVENT_SECRET",
			message: `Profile ${profile.name} has no secret to check events with${named === undefined ? "" : ` (scheme ${named})`}`,
			why: "Without one, nobody could tell the service's events from anybody else's",
			fix: advice`Copy the signing secret from where the service shows its webhooks, then type ${purser`events secret add NAME ${named === undefined ? false : ["--scheme", named]}`}`,
		});
	const verdict = (delivery: Delivery): Checked => {
		let refusal: Checked = { isGenuine: false, why: ways.length === 0 ? "no-secret" : "no-signature" };
		for (const { name, scheme, secrets } of ways) {
			const found = verdictOn(delivery, scheme, secrets, now().getTime());
			if (found.isGenuine) return { ...found, scheme: name };
			if (refusal.isGenuine === false && refusal.why === "no-signature") refusal = found;
		}
		return refusal;
	};
	return {
		check: async (delivery) => {
			// One that was added counts at once, and one that was removed counts no more.
			const now = vault.stampOf(profile);
			if (now !== stamp) {
				ways = await read();
				stamp = now;
			}
			return verdict(delivery);
		},
	};
}

/** What somebody wrote into the profile by hand may sign nothing. */
function checkScheme(name: string, scheme: EventScheme): void {
	const read = schemeIn(scheme);
	if (!("faults" in read)) return;
	throw new PurserError("usage", {
		code: "EVENT_SCHEME_INVALID",
		message: `The scheme ${name} of the profile cannot be used, so no event is checked`,
		why: `It ${read.faults.join("; it ")}`,
		fix: advice`Remove it, then add it again: ${purser`events scheme remove ${name}`}`,
	});
}

/** @throws PurserError usage, where there is no such scheme */
export function schemeNamed(known: Readonly<Record<string, EventScheme>>, name: string): EventScheme {
	const found = Object.hasOwn(known, name) ? known[name] : undefined;
	if (found !== undefined) return found;
	throw new PurserError("usage", {
		code: "SCHEME_UNKNOWN",
		message: `There is no scheme ${JSON.stringify(name)} to check events with`,
		fix: advice`Choose one of: ${Object.keys(known).join(", ")}. For another sender: ${purser`events scheme add NAME --description FILE`}`,
	});
}

/** Schemes of one form are one sender's, whatever their secrets were added under. */
function waysOf(secrets: readonly EventSecret[], known: Readonly<Record<string, EventScheme>>, named: string | undefined): Way[] {
	const names = named === undefined ? [...new Set(secrets.map(({ scheme }) => scheme))] : [named];
	const taken = new Set<EventScheme>();
	return names.flatMap((name) => {
		const scheme = known[name];
		if (scheme === undefined || taken.has(scheme)) return [];
		taken.add(scheme);
		const own = secrets.filter((one) => known[one.scheme] === scheme).map(({ secret }) => secret);
		return own.length === 0 ? [] : [{ name, scheme, secrets: own }];
	});
}
