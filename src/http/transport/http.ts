import { parseJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { isLoopback, isSandboxIdentity, serviceAddress } from "../../api/service-address.js";
import type { Profile } from "../../ports/profiles.js";
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

/** Milliseconds for the connection and for the whole answer, and most bytes of it. */
const limits = { connect: 5_000, total: 10_000, bytes: 4_096 };

/**
 * The identity of the sandbox at a profile's address. One request, which is neither repeated nor reported: without an answer there is none,
 * and the journal then counts everything that was sent to the address. A live profile and other machines are never asked.
 */
export async function askSandboxIdentity(
	{ environment, baseUrl }: Pick<Profile, "environment" | "baseUrl">,
	transport: () => Promise<Pick<Transport, "send">>,
	signal?: AbortSignal,
): Promise<string | undefined> {
	if (environment !== "sandbox" || !isLoopback(baseUrl)) return undefined;
	const url = `${serviceAddress(baseUrl)}/_sandbox/identity`;
	try {
		const request = { method: "GET", url, headers: { accept: "application/json" } } as const;
		const outcome = await (await transport()).send(request, { ...limits, signal });
		if (outcome.kind !== "answer" || outcome.status !== 200) return undefined;
		const answer = parseJson(new TextDecoder().decode(outcome.body));
		return isRecord(answer) && isSandboxIdentity(answer.identity) ? answer.identity : undefined;
	} catch {
		return undefined;
	}
}

/** The same, through a connection that no proxy of the environment can see. */
export async function identityBehind(profile: Profile, signal: AbortSignal): Promise<string | undefined> {
	return askSandboxIdentity(profile, async () => (await import("./once.js")).createOnce({ env: {} }), signal);
}
