/**
 * Holds the paths and the fields that a profile names against an operation's description. Pure.
 */
import type { Field } from "../api/schema.js";

/**
 * What is wrong with a path template, in words that follow "the path".
 * @param wanted the parameters that it has to contain
 * @param unknown says what is wrong with a parameter that is not wanted
 */
export function pathFaults(path: string, wanted: readonly string[], unknown: (name: string) => string): string[] {
	const faults: string[] = [];
	if (!/^\/[A-Za-z0-9._~!$&'()*+,;=:@/{}-]*$/.test(path))
		faults.push("must start with / and hold only characters of a path (no ?, # or space)");
	if (path.startsWith("//") || path.split("/").some((part) => part === "." || part === ".."))
		faults.push("must stay below the base address: no //, /./ or /../");
	if (/[{}]/.test(path.replace(/\{[^{}]*\}/g, ""))) faults.push("has an unmatched brace");
	const named = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] as string);
	for (const name of wanted) if (named.filter((one) => one === name).length !== 1) faults.push(`must contain {${name}} exactly once`);
	for (const name of new Set(named)) if (!wanted.includes(name)) faults.push(unknown(name));
	return faults;
}

/**
 * Whether a description has a field of that name. Below a field that it leaves open (a page's content, a nested record) any plain name is one.
 * @param parts of the name; `*` stands for each of a list
 */
export function hasField(shape: Field, [name, ...below]: readonly string[]): boolean {
	const part = name === "*" ? shape.element : shape.fields?.find((one) => one.name === name);
	if (part === undefined) return false;
	if (below.length === 0 || hasField(part, below)) return true;
	return part.kind === "json" && below.every((one) => one === "*" || (/^[A-Za-z_$][A-Za-z0-9_$-]*$/.test(one) && one !== "__proto__"));
}

/** The field of that name in one of some descriptions; undefined where it is none, or where the description leaves it open. */
export function fieldNamed(shapes: readonly Field[], name: string): Field | undefined {
	for (const shape of shapes) {
		let at: Field | undefined = shape;
		for (const part of name.split(".")) at = part === "*" ? at?.element : at?.fields?.find((one) => one.name === part);
		if (at !== undefined) return at;
	}
	return undefined;
}
