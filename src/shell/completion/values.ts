import type { Model } from "./model.js";

/** A list of values that stands once in a script, however many flags take it. */
export interface Shared {
	name: string;
	values: readonly string[];
}

/** Gives each distinct list of values a name. */
export function sharedValues({ commands, global }: Model): { lists: Shared[]; nameOf(values: readonly string[]): string } {
	const names = new Map<string, Shared>();
	const every = [...global, ...commands.flatMap((command) => command.flags)].flatMap((flag) => (flag.values ? [flag.values] : []));
	for (const values of [...every, ...commands.flatMap((command) => (command.values ? [command.values] : []))]) {
		const key = values.join(" ");
		if (!names.has(key)) names.set(key, { name: `v${names.size + 1}`, values });
	}
	return { lists: [...names.values()], nameOf: (values) => (names.get(values.join(" ")) as Shared).name };
}
