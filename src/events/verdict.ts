/**
 * Whether a delivery is the sender's: its signature by Standard Webhooks with the secrets of a profile, and its time.
 */
import { isUtf8 } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { advice, purser } from "../api/advice.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Profile } from "../ports/profiles.js";

export interface Delivery {
	/** Names in lower case. A header that came twice has both values, and is not read. */
	headers: Readonly<Record<string, string | readonly string[] | undefined>>;
	/** The bytes of the body, before anything decodes them. */
	body: Buffer;
}

export type Refusal = "no-signature" | "bad-headers" | "wrong-signature" | "too-old" | "too-new" | "no-secret";

/** Each behind "it came". */
export const refusalWords: Readonly<Record<Refusal, string>> = {
	"no-signature": "without a signature",
	"bad-headers": "with a signature header that is missing, there twice or not in its form",
	"wrong-signature": "with a signature that none of your secrets made",
	"too-old": "signed too long ago (check this machine's clock)",
	"too-new": "signed in the future (check this machine's clock)",
	"no-secret": "without a secret to check it with",
};

/** What a check of one delivery found: `id` is the sender's, `at` the signed time in milliseconds since 1970. */
export type Verdict = { isGenuine: true; id: string; at: number } | { isGenuine: false; why: Refusal };

/** The standard's own headers, and those of Svix, through which the service delivers (operations, section 7). */
const families = ["webhook", "svix"] as const;

/** Milliseconds that the signed time may be away from this machine's clock, in both directions, as the standard's libraries have it. */
const tolerance = 300_000;

/** Most signatures that are looked at in one header: a sender that changes its secret sends two or three. */
const mostSignatures = 20;
const mostHeader = 4_096;

/** Fewest bytes of a secret; fewer could be tried one by one. */
const fewestBytes = 16;

/** What a secret looks like, in words. */
export const secretForm = `whsec_ and at least ${fewestBytes} bytes in base64`;

/** Whether signatures can be checked with it. Secrets are also shown without their prefix. */
export function isSecret(secret: string): boolean {
	const bare = secret.replace(/^whsec_/, "");
	const bytes = Buffer.from(bare, "base64");
	return bytes.length >= fewestBytes && bytes.toString("base64") === bare;
}

/**
 * The library makes the signatures that could stand here. Its own check is not used: it takes its time from the system's clock alone, reads
 * `1700000000x` as a time, and takes a body with a broken character for the one with U+FFFD in its place.
 * @param secrets as the sender's site shows them; any one of them may hold, so that a secret can be changed without a gap
 * @param now milliseconds since 1970, of this machine
 */
export function verdictOn(delivery: Delivery, secrets: readonly string[], now: number): Verdict {
	const signers = secrets.filter(isSecret).map((secret) => new Webhook(secret));
	if (signers.length === 0) return { isGenuine: false, why: "no-secret" };
	let verdict: Verdict = { isGenuine: false, why: "no-signature" };
	for (const family of families) {
		if (delivery.headers[`${family}-signature`] === undefined) continue;
		verdict = verdictOnFamily(delivery, family, signers, now);
		if (verdict.isGenuine) return verdict;
	}
	return verdict;
}

function verdictOnFamily({ headers, body }: Delivery, family: string, signers: readonly Webhook[], now: number): Verdict {
	const [signatures, id, time] = ["signature", "id", "timestamp"].map((part) => {
		const value = headers[`${family}-${part}`];
		return typeof value === "string" ? value : undefined;
	});
	const given = signatures === undefined || signatures.length > mostHeader ? [] : signatures.split(" ");
	// What is signed is joined by full stops: an id with one could be read as an id and a time.
	const isIdWhole = id !== undefined && /^[\x21-\x2d\x2f-\x7e]{1,256}$/.test(id);
	const isTimeWhole = time !== undefined && /^[1-9]\d{0,11}$/.test(time);
	if (given.length === 0 || given.length > mostSignatures || !isIdWhole || !isTimeWhole) return { isGenuine: false, why: "bad-headers" };
	const at = Number(time) * 1_000;
	const candidates = given.map((one) => Buffer.from(one));
	// Whole texts are compared, so that a signature has one form, in a time that says nothing about the secret.
	const isSigned = signers.some((signer) => {
		const own = Buffer.from(signer.sign(id, new Date(at), body.toString("utf8")));
		return candidates.some((one) => one.length === own.length && timingSafeEqual(one, own));
	});
	if (!isUtf8(body) || !isSigned) return { isGenuine: false, why: "wrong-signature" };
	// After the signature, so that "too old" never stands for a forged delivery.
	if (now - at > tolerance) return { isGenuine: false, why: "too-old" };
	if (at - now > tolerance) return { isGenuine: false, why: "too-new" };
	return { isGenuine: true, id, at };
}

/**
 * @param now the time that signatures are compared with
 * @returns checks one delivery with the secrets as they are at that moment, and throws as reading them does
 * @throws PurserError usage, where there is no secret; as reading the secrets does
 */
export async function openVerifying(
	context: Context,
	profile: Profile,
	now: () => Date = () => context.clock.now(),
): Promise<(delivery: Delivery) => Promise<Verdict>> {
	const vault = await context.config.eventSecrets((message) => context.report.warn(message));
	let stamp = vault.stampOf(profile);
	const listed = async () => (await vault.list(profile)).map(({ secret }) => secret);
	let secrets = await listed();
	if (secrets.length === 0)
		throw new PurserError("usage", {
			code: "NO_EVENT_SECRET",
			message: `Profile ${profile.name} has no secret to check events with`,
			why: "Without one, nobody could tell the service's events from anybody else's",
			fix: advice`Copy the signing secret from where the service shows its webhooks, then type ${purser`events secret add NAME`}`,
		});
	return async (delivery) => {
		// One that was added counts at once, and one that was removed counts no more.
		const latest = vault.stampOf(profile);
		if (latest !== stamp) {
			secrets = await listed();
			stamp = latest;
		}
		return verdictOn(delivery, secrets, now().getTime());
	};
}
