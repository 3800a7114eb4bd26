/**
 * Whether a delivery is the sender's: its signature over the raw bytes, its time. Pure.
 */
import { createHmac, timingSafeEqual, verify } from "node:crypto";
import type { EventScheme, SignatureMethod, SignedHeaders, Verdict } from "../ports/event-schemes.js";
import { type CheckingKey, checkingKey, decoded } from "./secret-key.js";

/** A delivery as it came. */
export interface Delivery {
	/** Names in lower case. A header that came twice has both values, and is not read. */
	headers: Readonly<Record<string, string | readonly string[] | undefined>>;
	/** The bytes of the body, before anything decodes them. */
	body: Buffer;
}

/** Most signatures that are looked at in one header: a sender that changes its secret sends two or three. */
const mostSignatures = 20;
const mostHeader = 4_096;

/** A signature under its label, and the time where the header itself has it. */
interface Signatures {
	labelled: readonly { label: string; text: string }[];
	time?: string;
}

/**
 * @param secrets as the sender's site shows them; any one of them may hold, so that a secret can be changed without a gap
 * @param now milliseconds since 1970, of this machine
 */
export function verdictOn(delivery: Delivery, scheme: EventScheme, secrets: readonly string[], now: number): Verdict {
	const keys = scheme.methods.map((method) => ({
		method,
		keys: secrets.flatMap((secret) => checkingKey(secret, method) ?? []),
	}));
	if (keys.every((one) => one.keys.length === 0)) return { isGenuine: false, why: "no-secret" };
	let verdict: Verdict = { isGenuine: false, why: "no-signature" };
	for (const family of scheme.headers) {
		if (delivery.headers[family.signature] === undefined) continue;
		verdict = verdictOnFamily(delivery, scheme, family, keys, now);
		if (verdict.isGenuine) return verdict;
	}
	return verdict;
}

function verdictOnFamily(
	{ headers, body }: Delivery,
	scheme: EventScheme,
	family: SignedHeaders,
	keys: readonly { method: SignatureMethod; keys: readonly CheckingKey[] }[],
	now: number,
): Verdict {
	const header = single(headers[family.signature]);
	const found = header === undefined ? undefined : signaturesIn(header, scheme);
	const id = family.id === undefined ? undefined : single(headers[family.id]);
	const time = scheme.signed.includes("timestamp") ? (found?.time ?? single(headers[family.timestamp ?? ""])) : undefined;
	const isIdWhole = !scheme.signed.includes("id") || (id !== undefined && /^[\x21-\x2d\x2f-\x7e]{1,256}$/.test(id));
	const isTimeWhole = !scheme.signed.includes("timestamp") || (time !== undefined && /^[1-9]\d{0,11}$/.test(time));
	// The parts are joined by full stops. An id with one could be read as an id and a time.
	if (found === undefined || !isIdWhole || !isTimeWhole) return { isGenuine: false, why: "bad-headers" };
	const signed = signedBytes(scheme, { id, timestamp: time, body });
	const isSigned = keys.some(({ method, keys: ofMethod }) =>
		found.labelled.some(({ label, text }) => label === method.label && ofMethod.some((key) => holds(text, signed, method, key, scheme))),
	);
	if (!isSigned) return { isGenuine: false, why: "wrong-signature" };
	if (time === undefined) return { isGenuine: true, id };
	const at = Number(time) * 1_000;
	const most = (scheme.tolerance ?? 0) * 1_000;
	if (now - at > most) return { isGenuine: false, why: "too-old" };
	if (at - now > most) return { isGenuine: false, why: "too-new" };
	return { isGenuine: true, id, at };
}

const single = (value: string | readonly string[] | undefined): string | undefined => (typeof value === "string" ? value : undefined);

function signaturesIn(header: string, { shape, methods }: EventScheme): Signatures | undefined {
	if (header.length > mostHeader) return undefined;
	if (shape.kind === "one") return oneSignature(header, methods);
	const parts = header.split(shape.kind === "list" ? " " : ",").map((part) => part.trim());
	if (parts.length > mostSignatures) return undefined;
	const labelled: { label: string; text: string }[] = [];
	let time: string | undefined;
	for (const part of parts) {
		const [, label = "", text = ""] = (shape.kind === "list" ? /^([^,]+),(.+)$/ : /^([^=]+)=(.+)$/).exec(part) ?? [];
		if (shape.kind === "pairs" && label === shape.time) {
			// Two times: nobody could say which of them was signed.
			if (time !== undefined) return undefined;
			time = text;
		} else labelled.push({ label, text });
	}
	return { labelled, time };
}

function oneSignature(header: string, methods: readonly SignatureMethod[]): Signatures {
	const labelled = methods.flatMap(({ label }) => {
		const before = label === "" ? "" : `${label}=`;
		return header.startsWith(before) ? [{ label, text: header.slice(before.length) }] : [];
	});
	return { labelled };
}

function signedBytes({ signed }: EventScheme, parts: { id?: string; timestamp?: string; body: Buffer }): Buffer {
	return Buffer.concat(
		signed.flatMap((name, at) => {
			const part = parts[name] ?? "";
			return [Buffer.from(at === 0 ? "" : "."), typeof part === "string" ? Buffer.from(part, "utf8") : part];
		}),
	);
}

/** Compares in a time that says nothing about the secret. */
function holds(text: string, signed: Buffer, { algorithm }: SignatureMethod, key: CheckingKey, { encoding }: EventScheme): boolean {
	const given = decoded(text, encoding);
	if (given === undefined) return false;
	if (key.kind === "public") return given.length === 64 && verify(null, signed, key.key, given);
	const own = createHmac(algorithm.slice("hmac-".length), key.bytes).update(signed).digest();
	return own.length === given.length && timingSafeEqual(own, given);
}
