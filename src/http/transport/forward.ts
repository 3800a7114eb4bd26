import type { Context } from "../../context.js";

/** Most bytes of an answer that are read; only its status counts. */
const mostAnswer = 65_536;

/** Milliseconds for a connection, and for the whole. */
const limits = { connect: 5_000, total: 10_000 };

/** One delivery to hand on. */
export interface Forwarded {
	url: string;
	headers: Readonly<Record<string, string>>;
	body: Uint8Array;
}

/**
 * Hands a delivery on to an address. No redirect is followed: the bytes go where they were meant to go, or nowhere.
 * @returns undefined where it was acknowledged by a status from 200 to 299, else what became of it, as a sentence without a full stop
 */
export async function forward(context: Context, { url, headers, body }: Forwarded, signal: AbortSignal): Promise<string | undefined> {
	const transport = await context.system.transport();
	const outcome = await transport.send({ method: "POST", url, headers, body }, { ...limits, bytes: mostAnswer, signal });
	const status = outcome.kind === "not-sent" ? undefined : outcome.status;
	if (status === undefined) return outcome.kind === "answer" ? undefined : outcome.reason;
	if (status >= 200 && status <= 299) return undefined;
	return status >= 300 && status <= 399 ? `it answered ${status}, and redirects are not followed` : `it answered ${status}`;
}
