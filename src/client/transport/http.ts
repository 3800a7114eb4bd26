import type { Transport } from "../../ports/wire.js";
import { createOnce } from "./once.js";

/** Requests of a run from which on connections are worth keeping. */
const few = 4;

/**
 * The real transport. Most runs ask the service a few things, one after the other: each gets a connection of its own. A run
 * that asks more than {@link few}, or asks while another answer is awaited, goes on through a pool of kept connections.
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
