import { Agent, type Dispatcher } from "undici";
import type { Transport } from "../../ports/wire.js";
import { createConnector } from "./connect.js";
import { Exchange } from "./exchange.js";

/**
 * The transport for many calls: HTTP/1.1 over undici's dispatch on kept connections, one request on the wire a call.
 * No redirect, no retry, no HTTP/2, no pipelining, no decoding. Extra CAs are Node's own NODE_EXTRA_CA_CERTS.
 * @param options `env` for the proxy variables
 */
export function createPooled(options: { env: Readonly<Record<string, string | undefined>> }): Transport {
	const connector = createConnector(options.env);
	const agent = new Agent({
		connect: connector.connect,
		allowH2: false,
		pipelining: 1,
		connections: 64,
		// An idle connection is dropped early: the shorter it lives, the rarer a request meets one the server just closed.
		keepAliveTimeout: 2_000,
		keepAliveMaxTimeout: 4_000,
		headersTimeout: 0,
		bodyTimeout: 0,
	});
	// The rows of a batch all go to one address: it is taken apart once.
	let last: { url: string; origin: string; path: string } | undefined;
	const placeOf = (url: string): { origin: string; path: string } => {
		if (last?.url === url) return last;
		const { origin, pathname, search } = new URL(url);
		last = { url, origin, path: pathname + search };
		return last;
	};
	return {
		send: (request, limits) => new Promise((resolve) => dispatch(agent, new Exchange(request, limits, resolve), placeOf(request.url))),
		async close() {
			connector.abandon();
			await agent.destroy();
		},
	};
}

function dispatch(agent: Agent, exchange: Exchange, { origin, path }: { origin: string; path: string }): void {
	if (!exchange.start()) return;
	const { method, headers, body = null } = exchange.request;
	try {
		agent.dispatch({ origin, path, method, headers, body, idempotent: false }, handlerFor(exchange));
	} catch (error) {
		exchange.fail(error as Error);
	}
}

/**
 * undici calls `onRequestStart` in the same turn as, and before, its first write, and an abort inside that call keeps the
 * write from happening (client-h1.js, writeH1).
 */
function handlerFor(exchange: Exchange): Dispatcher.DispatchHandler {
	return {
		onRequestStart(controller) {
			if (exchange.begin()) exchange.cut = (error) => controller.abort(error);
			else controller.abort(new Error("this exchange is over"));
		},
		onResponseStart(_controller, status, headers) {
			if (status >= 200) exchange.head(status, headers);
		},
		onResponseData: (_controller, chunk) => exchange.data(chunk),
		onResponseEnd: () => exchange.end(),
		onResponseError: (_controller, error) => exchange.fail(error),
	};
}
