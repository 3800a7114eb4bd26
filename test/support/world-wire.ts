/**
 * The wire of a world: every request is noted, and answered by the sandbox or by the test.
 */
import type { Transport, WireOutcome, WireRequest } from "../../src/ports/wire.js";
import type { Response } from "../../src/sandbox/message.js";
import type { World } from "./world.js";

export { answered } from "./context.js";

/** What the sandbox of a world answers to a request. */
export function sandboxAnswer({ sandbox }: Pick<World, "sandbox">, { method, url, headers, body }: WireRequest): Promise<Response> {
	const { pathname, search } = new URL(url);
	const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
	return sandbox.handle({ method, target: pathname + search, headers: lower, body: body ?? new Uint8Array() });
}

/** No answer came: the request may have been carried out, or not. */
export const lostAnswer: WireOutcome = { kind: "sent", reason: "the connection was closed before an answer came" };

/** @param world answered by its `wire` where it has one, else by its sandbox */
export function transportOf(world: World): Transport {
	return {
		send: async (request, { bytes, total }) => {
			world.limits.push({ url: request.url, bytes });
			const url = new URL(request.url);
			const body = request.body ? new TextDecoder().decode(request.body) : "";
			world.requests.push({
				line: `${request.method} ${url.pathname}${url.search}`,
				method: request.method,
				url: request.url,
				headers: request.headers,
				body,
			});
			if (world.wire) return world.wire(request);
			const answer = await sandboxAnswer(world, request);
			const delay = answer.delivery?.delay ?? 0;
			if (delay > 0) await world.clock.sleep(Math.min(delay, total));
			return delay < total ? delivered(answer) : { kind: "sent", reason: "no whole answer in time" };
		},
		close: async () => {},
	};
}

/** The error for an answer that a fault drops or cuts, as a real transport reports it. */
export function delivered({ status, headers, body, delivery }: Response): WireOutcome {
	if (delivery?.drop || (delivery?.cut !== undefined && body.length === 0)) return lostAnswer;
	if (delivery?.cut !== undefined) return { kind: "sent", reason: "the answer was cut short (ECONNRESET)", status };
	return { kind: "answer", status, headers, body };
}
