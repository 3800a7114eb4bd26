/**
 * One delivery over the wire.
 */
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";

/** Milliseconds that a receiver has for its answer, as at the provider. */
const patience = 15_000;

/**
 * Posts a body; a redirection is not followed, and what the answer says beside its status is not read.
 * @throws the system's error, or an AbortError after 15 seconds or once `signal` is aborted
 */
export function post(to: URL, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<number | undefined> {
	const bytes = Buffer.from(body, "utf8");
	const request = to.protocol === "https:" ? requestSecure : requestPlain;
	return new Promise((resolve, reject) => {
		// A connection for each: one that was kept open and closed by the receiver would count as a failed try.
		const options = {
			method: "POST",
			agent: false,
			headers: { ...headers, "content-length": bytes.length },
			signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
		};
		const sent = request(to, options, (answer) => {
			resolve(answer.statusCode);
			answer.on("error", () => {});
			answer.resume();
		});
		sent.on("error", reject);
		sent.end(bytes);
	});
}
