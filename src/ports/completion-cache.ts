/**
 * Ids and names that earlier answers showed, for completion. Types only.
 */
import type { Profile } from "./profiles.js";

export type CachedKind = "corporate" | "related" | "ledger" | "beneficiary" | "batch";

export interface CachedRecord {
	kind: CachedKind;
	/** As typed: an identifier of the service, or the number of a batch. */
	id: string;
	/** What tells it apart: never personal data, since it is kept on disk. */
	name?: string;
}

/** Ids and names that earlier answers showed. Completion alone reads them; no decision rests on them. */
export interface CompletionCache {
	note(profile: Profile, records: readonly CachedRecord[]): void;
	/** What this run noted of these kinds is complete, and replaces what was stored. */
	replace(profile: Profile, kinds: readonly CachedKind[]): void;
	read(profile: Profile, kind: CachedKind): Promise<CachedRecord[]>;
	/**
	 * Whether the lists are due for a refresh: they are old or were never read. One caller at a time is told so, and no other
	 * before that one has had time to do it.
	 */
	due(profile: Profile): Promise<boolean>;
}
