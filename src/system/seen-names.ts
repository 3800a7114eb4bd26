import { statSync } from "node:fs";
import type { Files } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import type { SeenName, SeenNames } from "../ports/resolver.js";
import { readBoundedSync } from "../system/disk/bounded.js";

/** Maximum number of names of each kind on disk; the newest are kept. */
const maxNames = 500;
/** Maximum number of names of each kind in one run. */
const maxNoted = 10_000;
/** A larger file is not read. */
const maxBytes = 1024 * 1024;

type Stored = Readonly<Partial<Record<string, readonly SeenName[]>>>;

/**
 * Names that earlier answers showed, in a private file for each profile and origin below the state directory. No decision depends on them,
 * so a fault here never fails a command.
 */
export function createSeenNames(
	files: Pick<Files, "folder" | "write">,
	state: () => Promise<string>,
): SeenNames & { save(): Promise<void> } {
	/** By profile, kind and id, the newest last. */
	const noted = new Map<string, Map<string, Map<string, SeenName>>>();
	const notedOf = (key: string): SeenName[] => [...(noted.get(key)?.values() ?? [])].flatMap((names) => [...names.values()]);
	const fileOf = async (key: string): Promise<string> => `${await state()}/seen/${key}.json`;
	const read = async (key: string): Promise<Stored> => {
		try {
			const path = await fileOf(key);
			// A pipe in its place would be waited for.
			return statSync(path).isFile() ? storedIn(JSON.parse(readBoundedSync(path, maxBytes).toString("utf8"))) : {};
		} catch {
			return {};
		}
	};
	return {
		note(profile, names) {
			if (names.length === 0) return;
			const key = keyOf(profile);
			const kinds = noted.get(key) ?? new Map<string, Map<string, SeenName>>();
			noted.set(key, kinds);
			for (const one of names) {
				const known = kinds.get(one.kind) ?? new Map<string, SeenName>();
				kinds.set(one.kind, known);
				// What an earlier answer told of whose it is stays known.
				const before = known.get(one.id);
				known.delete(one.id);
				known.set(one.id, { ...before, ...one, name: one.name || (before?.name ?? "") });
				const [oldest = ""] = known.keys();
				if (known.size > maxNoted) known.delete(oldest);
			}
		},
		async read(profile) {
			const key = keyOf(profile);
			return [...Object.values(await read(key)).flatMap((list) => list ?? []), ...notedOf(key)];
		},
		async save() {
			for (const key of noted.keys()) {
				const before = await read(key);
				const after = JSON.stringify(merged(before, notedOf(key).flatMap(storable)));
				if (after === JSON.stringify(before)) continue;
				try {
					await files.folder(`${await state()}/seen`);
					await files.write(await fileOf(key), after, 0o600);
				} catch {
					// The only consequence is that an id stands where a name could.
				}
			}
		},
	};
}

/** Letters and digits of the profile's name and origin; two that differ never share a file. */
function keyOf({ name, baseUrl }: Profile): string {
	const { origin } = new URL(baseUrl);
	return encodeURIComponent(`${name} ${origin}`).replace(/[*.]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** Of a natural person only to which company they belong. */
function storable({ personal, ...one }: SeenName): SeenName[] {
	if (personal === undefined) return [one];
	return one.of === undefined ? [] : [{ ...one, name: "" }];
}

/** The valid part of a file; anything else is dropped. */
function storedIn(found: object | null): Stored {
	const isName = (one?: Partial<SeenName>): boolean =>
		typeof one?.id === "string" && typeof one.name === "string" && ["string", "undefined"].includes(typeof one.of);
	return Object.fromEntries(
		Object.entries(found ?? {}).flatMap(([kind, list]) => (Array.isArray(list) ? [[kind, list.filter(isName)]] : [])),
	);
}

/** Known names stay where they are, so that the file is written only when something is new. */
function merged(before: Stored, names: readonly SeenName[]): Stored {
	const after: Record<string, readonly SeenName[]> = { ...before } as never;
	for (const one of names) {
		const list = after[one.kind] ?? [];
		const at = list.findIndex(({ id }) => id === one.id);
		after[one.kind] = at >= 0 ? list.with(at, one) : [one, ...list].slice(0, maxNames);
	}
	return after;
}
