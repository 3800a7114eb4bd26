/**
 * Signatures of deliveries as Standard Webhooks describes them. Written here on its own: what checks them (`events/`) shares nothing with it.
 */
import { createHmac } from "node:crypto";

const prefix = "whsec_";

/** A secret from 24 to 64 bytes of randomness. */
export const formatSecret = (bytes: Uint8Array): string => `${prefix}${Buffer.from(bytes).toString("base64")}`;

/**
 * One signature: HMAC-SHA256 over `id.timestamp.body`.
 * @param seconds since 1970
 */
function signature(secret: string, id: string, seconds: number, body: string): string {
	const key = Buffer.from(secret.slice(prefix.length), "base64");
	return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`, "utf8").digest("base64")}`;
}

/** The headers of a delivery, with a signature of each secret. The provider's names: the open form calls them `webhook-…`. */
export function signedHeaders(secrets: readonly string[], id: string, seconds: number, body: string): Record<string, string> {
	return {
		"content-type": "application/json",
		"svix-id": id,
		"svix-timestamp": String(seconds),
		"svix-signature": secrets.map((secret) => signature(secret, id, seconds, body)).join(" "),
	};
}
