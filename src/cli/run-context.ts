/**
 * The context of a run, made from the ports, the flags and the frame.
 */
import type { Context, Flags, Outside } from "../context.js";
import { PurserError } from "../errors.js";
import type { Profile } from "../ports/profiles.js";
import type { Frame } from "./frame.js";
import { createChanges } from "./output/changes.js";
import { askingOf } from "./output/leave.js";

export type Resolved = Awaited<ReturnType<Outside["settings"]["resolve"]>>;

/** A context, and what waits for its answer. */
export interface RunContext extends Context {
	waiting: ((written: boolean) => Promise<void>)[];
}

/** @param known the settings as resolved before it was known whether a person can be asked */
export function makeContext(flags: Flags, outside: Outside, frame: Frame, known?: Resolved): RunContext {
	const { reporter, shown } = frame;
	let resolved = known && Promise.resolve({ ...known, settings: { ...known.settings, interactive: flags.interactive } });
	const resolve = (): Promise<Resolved> => {
		resolved ??= outside.settings.resolve(flags);
		return resolved;
	};
	const profile = async (): Promise<Profile | undefined> => {
		try {
			return (await resolve()).settings.profile;
		} catch (error) {
			// Where the profile is needed, it says what is wrong.
			if (error instanceof PurserError) return undefined;
			throw error;
		}
	};
	let credentials: ReturnType<Outside["config"]["credentials"]> | undefined;
	let resolver: ReturnType<Outside["names"]["resolver"]> | undefined;
	const waiting: RunContext["waiting"] = [];
	const context: RunContext = {
		...outside,
		flags,
		waiting,
		handover: { after: (act) => void waiting.push(act) },
		reporter,
		shown,
		documents: documents(outside, () => context.settings.lists()),
		changes: createChanges(() => askingOf(context, frame)),
		credentials: () => {
			credentials ??= outside.config.credentials(reporter.warn);
			return credentials;
		},
		resolver: () => {
			resolver ??= outside.names.resolver(context);
			return resolver;
		},
		settings: async () => (await resolve()).settings,
		lists: async () => (await profile())?.values ?? {},
		ids: async () => (await profile())?.mapping?.ids ?? {},
		unplaced: async (operations) => {
			const mapping = (await profile())?.mapping;
			return mapping === undefined ? new Set() : (await import("./input/unplaced.js")).unplacedIn(mapping, operations);
		},
		explained: async () => (await resolve()).explained,
	};
	return context;
}

/** Loaded late, since few commands use them. */
function documents({ files, system }: Outside, lists: Context["settings"]["lists"]): Context["files"]["documents"] {
	return {
		read: async (source, template) => (await import("./input/document.js")).readDocument(source, files, system.terminal.stdin, template),
		readWithLines: async (source) => (await import("./input/document.js")).readWithLines(source, files, system.terminal.stdin),
		readDescription: async (source) => (await import("./input/document.js")).readDescription(source, files, system.terminal.stdin),
		readAll: async (source) => (await import("./input/document.js")).readDocuments(source, files, system.terminal.stdin),
		yaml: async (value, comment) => (await import("./output/yaml-text.js")).yamlText(value, comment),
		yamlWith: async (text, value, json) => (await import("./output/yaml-text.js")).yamlWith(text, value, json),
		choices: async (field) => (await import("./input/choices.js")).knownChoices(field, await lists()),
	};
}
