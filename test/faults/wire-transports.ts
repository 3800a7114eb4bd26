/**
 * Both transports: what one does with the wire the other must do as well.
 */
import { onTestFinished } from "vitest";
import { createOnce } from "../../src/http/transport/http.js";
import { createPooled } from "../../src/http/transport/pooled.js";
import type { Transport } from "../../src/ports/wire.js";

export type Create = (options: { env: Record<string, string> }) => Transport;

export const transports: [string, Create][] = [
	["one-shot", createOnce],
	["pooled", createPooled],
];

/** One for one test. */
export function transportFor(create: Create, env: Record<string, string> = {}): Transport {
	const transport = create({ env });
	onTestFinished(() => transport.close());
	return transport;
}
