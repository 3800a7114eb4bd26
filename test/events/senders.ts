/**
 * A sender that signs as Standard Webhooks says. Written on its own: what checks the signatures shares nothing with it.
 */
import { createHmac } from "node:crypto";

/** What a delivery is made of before it is signed. `time`: seconds since 1970. */
export interface Unsigned {
	id: string;
	time: string;
	body: Buffer;
}

export interface Sender {
	family: "webhook" | "svix";
	/** As it is stored, for checking. */
	secret: string;
	headers(delivery: Unsigned): Record<string, string>;
	/** Another sender of the same kind, with another secret. */
	other(): Sender;
}

export function standardSender(family: Sender["family"], key = 7): Sender {
	const bytes = Buffer.alloc(24, key);
	return {
		family,
		secret: `whsec_${bytes.toString("base64")}`,
		headers: ({ id, time, body }) => ({
			[`${family}-id`]: id,
			[`${family}-timestamp`]: time,
			[`${family}-signature`]: `v1,${createHmac("sha256", bytes).update(`${id}.${time}.`).update(body).digest("base64")}`,
		}),
		other: () => standardSender(family, key + 1),
	};
}
