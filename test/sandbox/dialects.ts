/**
 * Two deployments in words of their own, as the sandbox's dialects.
 */
import { readFileSync } from "node:fs";
import type { Bindings } from "../../src/binding/file.js";
import { readDialect } from "../../src/sandbox/dialect/file.js";
import { parseInput } from "../../src/shell/input/document.js";

/** The text of a dialect's file. */
export const dialectText = (name: "enveloped" | "rpc"): string => readFileSync(new URL(`dialects/${name}.yaml`, import.meta.url), "utf8");

/** @throws Error, where the file has faults */
export function dialectNamed(name: "enveloped" | "rpc"): Bindings {
	const { bindings, faults } = readDialect(parseInput(Buffer.from(dialectText(name)), name));
	if (faults.length > 0) throw new Error(faults.map(({ field, message }) => `${field} ${message}`).join("\n"));
	return bindings;
}
