import type { Transport } from "../../ports/wire.js";
import { createOnce } from "./once.js";

/** Number of requests in a run from which on connections are reused. */
const few = 4;

/**
 * The real transport. Most runs make a few sequential requests, each on a connection of its own. A run with more than {@link few} requests,
 * or with concurrent ones, switches to a pool of persistent connections.
 * @param options `env` for the proxy variables
 */
export function createTransport(options: { env: Readonly<Record<string, string | undefined>> }): Transport {
	const once = createOnce(options);
	let opening: Promise<Transport> | undefined;
	let pool: Transport | undefined;
	let sent = 0;
	let waiting = 0;
	const choose = async (): Promise<Transport> => {
		sent += 1;
		if (sent <= few && waiting <= 1 && opening === undefined) return once;
		opening ??= import("./pooled.js").then(({ createPooled }) => createPooled(options));
		pool = await opening;
		return pool;
	};
	return {
		async send(request, limits) {
			if (pool !== undefined) return pool.send(request, limits);
			waiting += 1;
			try {
				return await (await choose()).send(request, limits);
			} finally {
				waiting -= 1;
			}
		},
		async close() {
			await once.close();
			await (await opening)?.close();
		},
	};
}
