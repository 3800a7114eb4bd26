import { statSync } from "node:fs";
import type { CachedKind, CachedRecord, CompletionCache } from "../ports/completion-cache.js";
import type { Clock, Files } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import { readBoundedSync } from "../system/disk/bounded.js";
import { acquireLock } from "../system/disk/lock.js";
import { makeFolder } from "../system/disk/private-folder.js";

/** Maximum number of records of each kind; the newest are kept. */
const maxRecords = 500;
/** A larger file is not read. */
const maxBytes = 1024 * 1024;
/** Milliseconds after which the lists are due for a refresh. */
const staleAfter = 10 * 60_000;
/** Milliseconds that a refresh is given before another may begin. */
const refreshTime = 2 * 60_000;

/** The file: when the lists were last refreshed (RFC 3339), and the records by kind. */
interface Stored {
	at?: string;
	records: Record<string, CachedRecord[]>;
}

/**
 * Ids and names that earlier answers showed, in a private file for each profile and origin below the state directory. Only completion
 * reads them, so a fault here never fails a command.
 */
export function createCompletionCache(
	files: Pick<Files, "folder" | "write">,
	clock: Pick<Clock, "now">,
	state: () => Promise<string>,
): CompletionCache & { save(): Promise<void> } {
	/** By profile, kind and id; of each kind as many as are kept. */
	const noted = new Map<string, Map<CachedKind, Map<string, CachedRecord>>>();
	const replaced = new Map<string, readonly CachedKind[]>();
	const fileOf = async (key: string): Promise<string> => `${await state()}/seen/${key}.json`;
	const read = async (key: string): Promise<Stored> => {
		try {
			return storedIn(JSON.parse(textOf(await fileOf(key))));
		} catch {
			return { records: {} };
		}
	};
	return {
		note(profile, records) {
			if (records.length === 0) return;
			const key = keyOf(profile);
			const kinds = noted.get(key) ?? new Map<CachedKind, Map<string, CachedRecord>>();
			noted.set(key, kinds);
			for (const record of records) {
				const kept = kinds.get(record.kind) ?? new Map<string, CachedRecord>();
				kinds.set(record.kind, kept.set(record.id, { ...record, name: record.name ?? kept.get(record.id)?.name }));
				const [oldest] = kept.size > maxRecords ? kept.keys() : [];
				if (oldest !== undefined) kept.delete(oldest);
			}
		},
		replace(profile, kinds) {
			replaced.set(keyOf(profile), kinds);
		},
		async read(profile, kind) {
			return (await read(keyOf(profile))).records[kind] ?? [];
		},
		async due(profile) {
			const { at } = await read(keyOf(profile));
			const now = clock.now().getTime();
			if (now - Date.parse(at ?? "") < staleAfter) return false;
			return acquired(`${await state()}/seen`, `${keyOf(profile)}.lock`, now);
		},
		async save() {
			for (const key of new Set([...noted.keys(), ...replaced.keys()])) {
				const before = await read(key);
				const kinds = replaced.get(key);
				const from = Object.fromEntries(Object.entries(before.records).filter(([kind]) => !kinds?.includes(kind as CachedKind)));
				const records = merged(
					from,
					[...(noted.get(key)?.values() ?? [])].flatMap((kept) => [...kept.values()]),
				);
				const at = kinds === undefined ? before.at : clock.now().toISOString();
				if (at === before.at && JSON.stringify(records) === JSON.stringify(before.records)) continue;
				try {
					await files.folder(`${await state()}/seen`);
					await files.write(await fileOf(key), JSON.stringify({ at, records }), 0o600);
				} catch {
					// The only consequence is that completion offers less.
				}
			}
		},
	};
}

/**
 * Reads the file synchronously: the first use of `fs.promises` takes longer than the rest of a Tab.
 * @throws the system's error, and RangeError where it is not a file, or too large
 */
function textOf(path: string): string {
	// A pipe in its place would make Tab wait.
	if (!statSync(path).isFile()) throw new RangeError(`${path} is not a completion cache`);
	return readBoundedSync(path, maxBytes).toString("utf8");
}

/** Letters and digits of the profile's name and origin; two that differ never share a file. */
function keyOf({ name, baseUrl }: Profile): string {
	const { origin } = new URL(baseUrl);
	return encodeURIComponent(`${name} ${origin}`).replace(/[*.]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** The valid part of a file; anything else is dropped. */
function storedIn(found: { at?: unknown; records?: unknown } | null): Stored {
	const lists = Object.entries(found?.records ?? {}).filter((entry): entry is [string, CachedRecord[]] => Array.isArray(entry[1]));
	return {
		at: typeof found?.at === "string" ? found.at : undefined,
		records: Object.fromEntries(lists.map(([kind, list]) => [kind, list.filter((one) => typeof one?.id === "string")])),
	};
}

/** Known records stay where they are, so that the file is written only when something is new. */
function merged(before: Stored["records"], records: readonly CachedRecord[]): Stored["records"] {
	const after = { ...before };
	for (const record of records) {
		const list = after[record.kind] ?? [];
		const at = list.findIndex(({ id }) => id === record.id);
		const fresh = { kind: record.kind, id: record.id, name: record.name ?? list[at]?.name };
		after[record.kind] = at >= 0 ? list.with(at, fresh) : [fresh, ...list].slice(0, maxRecords);
	}
	return after;
}

/** Acquires the lock for a refresh. It expires after {@link refreshTime} and is not released. */
function acquired(folder: string, name: string, now: number): boolean {
	try {
		makeFolder(folder);
		return acquireLock(`${folder}/${name}`, refreshTime, now) !== undefined;
	} catch {
		return false;
	}
}
