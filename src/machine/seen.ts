import type { Files, Profile, Seen, SeenRecord } from "../context.js";

/** Most records of one kind that are kept, the newest. */
const most = 500;
/** Bytes of the file that are read. */
const largest = 1024 * 1024;

type Kept = Record<string, SeenRecord[]>;

/**
 * What earlier answers showed, in a private file for each profile and origin below the state directory.
 * It is a by-product: whatever goes wrong with it is nobody's concern.
 */
export function createSeen(files: Files, state: () => Promise<string>): Seen & { keep(): Promise<void> } {
	const noted = new Map<string, SeenRecord[]>();
	const fileOf = async (key: string): Promise<string> => `${await state()}/seen/${key}.json`;
	const read = async (key: string): Promise<Kept> => {
		try {
			const kept: unknown = JSON.parse(new TextDecoder().decode(await files.read(await fileOf(key), largest)));
			return typeof kept === "object" && kept !== null ? (kept as Kept) : {};
		} catch {
			return {};
		}
	};
	return {
		note(profile, records) {
			if (records.length > 0) noted.set(keyOf(profile), [...(noted.get(keyOf(profile)) ?? []), ...records]);
		},
		async of(profile, kind) {
			const list = (await read(keyOf(profile)))[kind];
			return Array.isArray(list) ? list.filter((one) => typeof one?.id === "string") : [];
		},
		async keep() {
			for (const [key, records] of noted) {
				const before = await read(key);
				const after = merged(before, records);
				if (JSON.stringify(after) === JSON.stringify(before)) continue;
				try {
					await files.folder(`${await state()}/seen`);
					await files.write(await fileOf(key), JSON.stringify(after), 0o600);
				} catch {
					// Completion knows less, nothing else.
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

/** Places stay as they are, so that what was known already changes nothing. */
function merged(before: Kept, records: readonly SeenRecord[]): Kept {
	const after: Kept = { ...before };
	for (const record of records) {
		const list = Array.isArray(after[record.kind]) ? (after[record.kind] as SeenRecord[]) : [];
		const at = list.findIndex(({ id }) => id === record.id);
		const known = at >= 0 ? (list[at] as SeenRecord) : undefined;
		const fresh = { kind: record.kind, id: record.id, name: record.name ?? known?.name };
		after[record.kind] = at >= 0 ? list.with(at, fresh) : [fresh, ...list].slice(0, most);
	}
	return after;
}
