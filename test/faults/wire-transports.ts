/**
 * Both transports: what one does with the wire the other must do as well.
 */
import { createOnce } from "../../src/client/once.js";
import { createPooled } from "../../src/client/pooled.js";
import type { Transport } from "../../src/ports/wire.js";

export type Create = (options: { env: Record<string, string> }) => Transport;

export const transports: [string, Create][] = [
	["one-shot", createOnce],
	["pooled", createPooled],
];
