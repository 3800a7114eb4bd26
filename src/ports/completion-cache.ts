/**
 * The completion cache. Types only.
 */
import type { Profile } from "./profiles.js";

export type CachedKind = "corporate" | "related" | "ledger" | "beneficiary" | "batch";

export interface CachedRecord {
	kind: CachedKind;
	/** As typed: an identifier of the service, or the number of a batch. */
	id: string;
	/** A name to recognise it by; never personal data, because it is stored on disk. */
	name?: string;
}

/** Ids and names from earlier answers. Only completion reads them; no decision depends on them. */
export interface CompletionCache {
	note(profile: Profile, records: readonly CachedRecord[]): void;
	/** Declares the records noted in this run to be complete for these kinds, so that they replace the stored ones. */
	replace(profile: Profile, kinds: readonly CachedKind[]): void;
	read(profile: Profile, kind: CachedKind): Promise<CachedRecord[]>;
	/**
	 * Whether the lists are due for a refresh because they are old or were never read. Answers true to one caller at a time, and to the
	 * next
	 * only after that one has had time to refresh them.
	 */
	due(profile: Profile): Promise<boolean>;
}
