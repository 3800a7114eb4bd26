/**
 * How events are signed, and the secrets that they are checked with. Types only; `events/` reads and checks them.
 */
import type { Profile } from "./profiles.js";

/** How one version of a signature is made, and how its secret is written. */
export interface SignatureMethod {
	algorithm: "hmac-sha256" | "hmac-sha512" | "ed25519";
	/**
	 * The secret's form: `prefix` stands before what is decoded (`whsec_`); `text` takes every character of it as it is. For `ed25519` it is
	 * the sender's public key, 32 bytes.
	 */
	key: { prefix?: string; encoding: "base64" | "hex" | "text" };
	/** Before each signature of this method: the version in `v1,SIG` and `v1=SIG`, the word in `sha256=SIG`. Empty where there is none. */
	label: string;
}

/** Headers of one delivery that belong together; names in lower case. */
export interface SignedHeaders {
	signature: string;
	/** Only where the signature covers it. */
	id?: string;
	timestamp?: string;
}

/** How a sender of events signs them. Data: a profile may bring its own. */
export interface EventScheme {
	methods: readonly SignatureMethod[];
	/** Families of headers, any of which a delivery may carry; one whole family must hold. */
	headers: readonly SignedHeaders[];
	/**
	 * How signatures stand in the header: `list` is `v1,SIG v1,SIG`; `pairs` is `t=TIME,v1=SIG,v1=SIG`, with the time under `time`; `one` is
	 * `LABEL=SIG`, or the signature alone.
	 */
	shape: { kind: "list" } | { kind: "pairs"; time: string } | { kind: "one" };
	encoding: "base64" | "hex";
	/** What is signed, in this order, with a full stop between the parts. */
	signed: readonly ("id" | "timestamp" | "body")[];
	/** Seconds that the signed time may be away from this machine's clock, in both directions; at least 1. Only where a time is signed. */
	tolerance?: number;
}

/** What a check of one delivery found. */
export type Verdict =
	| {
			isGenuine: true;
			/** The sender's id of the delivery, where the signature covers one. */
			id?: string;
			/** The time that was signed, in milliseconds since 1970. */
			at?: number;
	  }
	| { isGenuine: false; why: Refusal };

/** Why a delivery is not taken. */
export type Refusal = "no-signature" | "bad-headers" | "wrong-signature" | "too-old" | "too-new" | "no-secret";

/** A secret that deliveries are checked with. */
export interface EventSecret {
	name: string;
	scheme: string;
	/** RFC 3339 UTC. */
	addedAt: string;
	/** The first 8 hex digits of the SHA-256 of the secret. */
	fingerprint: string;
	secret: string;
	/** Of a polling endpoint's key: the only address that it is sent to. No delivery is checked with it. */
	endpoint?: string;
}

/** The secrets of one profile, bound to its scheme, host and port. */
export interface EventSecrets {
	/** @throws PurserError auth, where they were added for another address of the profile, or the keyring lost them; usage, where a file cannot be read */
	list(profile: Pick<Profile, "name" | "baseUrl">): Promise<readonly EventSecret[]>;
	/** Another text after each change of the list, by whatever process; cheap to read. */
	stampOf(profile: Pick<Profile, "name">): string;
	/** @throws PurserError usage, where the name is taken; as `list` */
	add(profile: Pick<Profile, "name" | "baseUrl">, secret: Omit<EventSecret, "fingerprint">): Promise<{ where: string; warning?: string }>;
	/** @returns whether there was one of that name */
	remove(profile: Pick<Profile, "name" | "baseUrl">, name: string): Promise<boolean>;
	/** Removes all of the profile's, whatever address they are for. */
	clear(profile: Pick<Profile, "name" | "baseUrl">): Promise<void>;
}
