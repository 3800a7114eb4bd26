import { describe, type Field } from "../api/schema.js";
import type { Context, Documents, Flags, Runtime } from "../context.js";
import { PurserError } from "../errors.js";
import type { Mapping } from "../ports/mapping.js";
import type { Service } from "../ports/service.js";
import { createChanges } from "./ask/ask.js";
import type { Frame } from "./frame.js";

type Resolved = Awaited<ReturnType<Runtime["settings"]["resolve"]>>;

/** @param makeService makes the client, for a command that names operations */
export function makeContext(flags: Flags, runtime: Runtime, frame: Frame, makeService?: (context: Context) => Service): Context {
	const { global, errors, reporter } = frame;
	let resolved: Promise<Resolved> | undefined;
	const resolve = (): Promise<Resolved> => {
		resolved ??= runtime.settings.resolve(flags).then((found) => {
			frame.useIds(found.settings.profile.mapping?.ids ?? {});
			return found;
		});
		return resolved;
	};
	const mapping = async (): Promise<Mapping | undefined> => {
		try {
			return (await resolve()).settings.profile.mapping;
		} catch (error) {
			// Where the profile is needed, it says what is wrong.
			if (error instanceof PurserError) return undefined;
			throw error;
		}
	};
	let credentials: ReturnType<Runtime["config"]["credentials"]> | undefined;
	let service: Service | undefined;
	let resolver: ReturnType<Runtime["names"]["resolver"]> | undefined;
	const context: Context = {
		...runtime,
		settings: {
			flags,
			read: async () => (await resolve()).settings,
			ids: async () => (await mapping())?.ids ?? {},
			unplaced: async (operations) => {
				const found = await mapping();
				return found === undefined ? new Set() : unplacedIn(found, operations);
			},
			explained: async () => (await resolve()).explained,
		},
		names: {
			...runtime.names,
			known: frame.known,
			resolver: () => {
				resolver ??= runtime.names.resolver(context);
				return resolver;
			},
			of: async (wanted = []) => {
				const { people, separator } = global.format;
				const mayRead = makeService !== undefined && people && separator === undefined;
				const nameOf = await (await context.names.resolver()).names(mayRead ? wanted : []);
				frame.useNames(nameOf);
				return nameOf;
			},
		},
		get service() {
			if (makeService === undefined) throw new Error("a command that calls the service names the operations");
			service ??= makeService(context);
			return service;
		},
		ask: {
			...runtime.ask,
			...createChanges(() => ({ context, style: errors, prompted: frame.prompted, line: global.format.people ? reporter.line : () => {} })),
		},
		report: reporter,
		files: { ...runtime.files, documents: documents(runtime) },
		config: {
			...runtime.config,
			credentials: () => {
				credentials ??= runtime.config.credentials(reporter.warn);
				return credentials;
			},
		},
	};
	return context;
}

/** Loaded late, since few commands use them. */
function documents(runtime: Runtime): Documents {
	return {
		readWithLines: async (source) => (await import("./input/document.js")).readWithLines(source, runtime),
		readDescription: async (source) => (await import("./input/document.js")).readDescription(source, runtime),
		read: async (source, shape) => (await import("./input/document.js")).readDocument(source, runtime, shape),
		yaml: async (value, comment) => (await import("./input/yaml.js")).yamlText(value, comment),
		choices: async (field) => (await import("./input/choices.js")).knownChoices(field),
	};
}

/**
 * The required fields of these operations' bodies that the mapping has no place for, dotted; of an object with no placed part its own name.
 * @param ids of operations
 */
export async function unplacedIn(mapping: Mapping, ids: readonly string[]): Promise<ReadonlySet<string>> {
	const { catalog } = await import("../api/operations/catalog.js");
	const missing = catalog.flatMap(({ id, body }) => {
		const entry = ids.includes(id) ? mapping.operations[id] : undefined;
		if (body === undefined || entry === undefined || entry === "none" || entry.fields === undefined) return [];
		const placed = Object.entries(entry.fields).flatMap(([name, field]) => (field === "none" ? [] : [name]));
		const isPlaced = (name: string): boolean =>
			placed.some((one) => one === name || one.startsWith(`${name}.`) || name.startsWith(`${one}.`));
		const missingIn = ({ name, required, fields: parts = [] }: Field, before: string): string[] => {
			if (!required) return [];
			return isPlaced(before + name) ? parts.flatMap((part) => missingIn(part, `${before}${name}.`)) : [before + name];
		};
		return (describe(body).fields ?? []).flatMap((field) => missingIn(field, ""));
	});
	return new Set(missing);
}
