/**
 * Two deployments in words of their own, as the sandbox's dialects.
 */
import { readFileSync } from "node:fs";
import type { Bindings } from "../../src/binding/file.js";
import { readDialect } from "../../src/sandbox/dialect/file.js";
import { parseInput } from "../../src/shell/input/document.js";

/** The text of a dialect's file. */
export const dialectText = (name: "enveloped" | "rpc"): string => readFileSync(fileOf(name), "utf8");

const fileOf = (name: string): URL => new URL(`dialects/${name}.yaml`, import.meta.url);

export const dialectNamed = (name: "enveloped" | "rpc"): Bindings => dialectIn(fileOf(name));

/** @throws Error, where the file has faults */
export function dialectIn(file: URL): Bindings {
	const { bindings, faults } = readDialect(parseInput(readFileSync(file), file.pathname));
	if (faults.length > 0) throw new Error(faults.map(({ field, message }) => `${field} ${message}`).join("\n"));
	return bindings;
}
