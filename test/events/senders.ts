/**
 * Senders that sign as each scheme says. Written on its own: what checks the signatures shares nothing with it.
 */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { schemesOf } from "../../src/events/schemes.js";
import type { EventScheme } from "../../src/ports/event-schemes.js";

/** What a delivery is made of before it is signed. `time`: seconds since 1970. */
export interface Unsigned {
	id: string;
	time: string;
	body: Buffer;
}

export interface Sender {
	name: string;
	scheme: EventScheme;
	/** As it is stored, for checking. */
	secret: string;
	headers(delivery: Unsigned): Record<string, string>;
	/** Another sender of the same kind, with another secret. */
	other(): Sender;
}

const standard = schemesOf({}).standard as EventScheme;

/** Stripe's form, as its documentation describes it. */
export const stripe: EventScheme = {
	methods: [{ algorithm: "hmac-sha256", key: { encoding: "text" }, label: "v1" }],
	headers: [{ signature: "stripe-signature" }],
	shape: { kind: "pairs", time: "t" },
	encoding: "hex",
	signed: ["timestamp", "body"],
	tolerance: 300,
};

/** GitHub's form, as its documentation describes it. */
export const github: EventScheme = {
	methods: [{ algorithm: "hmac-sha256", key: { encoding: "text" }, label: "sha256" }],
	headers: [{ signature: "x-hub-signature-256" }],
	shape: { kind: "one" },
	encoding: "hex",
	signed: ["body"],
};

const hmac = (algorithm: string, key: string | Buffer, ...parts: (string | Buffer)[]): Buffer =>
	parts.reduce((made, part) => made.update(part), createHmac(algorithm, key)).digest();

export function standardSender(family: "webhook" | "svix", key = 7): Sender {
	const bytes = Buffer.alloc(24, key);
	return {
		name: family,
		scheme: standard,
		secret: `whsec_${bytes.toString("base64")}`,
		headers: ({ id, time, body }) => ({
			[`${family}-id`]: id,
			[`${family}-timestamp`]: time,
			[`${family}-signature`]: `v1,${hmac("sha256", bytes, `${id}.${time}.`, body).toString("base64")}`,
		}),
		other: () => standardSender(family, key + 1),
	};
}

/** A private key from 32 equal bytes, in the envelope of RFC 8410. */
const privateKey = (byte: number): KeyObject =>
	createPrivateKey({
		key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, byte)]),
		format: "der",
		type: "pkcs8",
	});

export function ed25519Sender(key = 7): Sender {
	let other: Sender | undefined;
	const own = privateKey(key);
	const open = Buffer.from((createPublicKey(own).export({ format: "jwk" }) as { x: string }).x, "base64url");
	return {
		name: "ed25519",
		scheme: standard,
		secret: `whpk_${open.toString("base64")}`,
		headers: ({ id, time, body }) => ({
			"webhook-id": id,
			"webhook-timestamp": time,
			"webhook-signature": `v1a,${sign(null, Buffer.concat([Buffer.from(`${id}.${time}.`), body]), own).toString("base64")}`,
		}),
		// Made once: a key takes longer than a signature.
		other: () => {
			other ??= ed25519Sender(key + 1);
			return other;
		},
	};
}

export function stripeSender(secret = "a secret of stripe's form"): Sender {
	return {
		name: "stripe",
		scheme: stripe,
		secret,
		headers: ({ time, body }) => ({ "stripe-signature": `t=${time},v1=${hmac("sha256", secret, `${time}.`, body).toString("hex")}` }),
		other: () => stripeSender(`${secret}, another`),
	};
}

export function githubSender(secret = "a secret of github's form"): Sender {
	return {
		name: "github",
		scheme: github,
		secret,
		headers: ({ body }) => ({ "x-hub-signature-256": `sha256=${hmac("sha256", secret, body).toString("hex")}` }),
		other: () => githubSender(`${secret}, another`),
	};
}

/** HMAC-SHA512 alone in its header, with a key in hexadecimal digits. */
export function sha512Sender(key = 7): Sender {
	const bytes = Buffer.alloc(32, key);
	return {
		name: "sha512",
		scheme: {
			methods: [{ algorithm: "hmac-sha512", key: { encoding: "hex" }, label: "" }],
			headers: [{ signature: "x-signature", timestamp: "x-time" }],
			shape: { kind: "one" },
			encoding: "base64",
			signed: ["timestamp", "body"],
			tolerance: 60,
		},
		secret: bytes.toString("hex"),
		headers: ({ time, body }) => ({ "x-time": time, "x-signature": hmac("sha512", bytes, `${time}.`, body).toString("base64") }),
		other: () => sha512Sender(key + 1),
	};
}
