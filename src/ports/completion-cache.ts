/**
 * Ids and names that earlier answers showed, for completion. Types only.
 */
import type { Profile } from "./profiles.js";

export type SeenKind = "corporate" | "related" | "ledger" | "beneficiary" | "batch";

export interface SeenRecord {
	kind: SeenKind;
	/** As typed: an identifier of the service, or the number of a batch. */
	id: string;
	/** What tells it apart: never personal data, since it is kept on disk. */
	name?: string;
}

/** Ids and names that answers showed: for completion only, nothing is ever decided by them. */
export interface Seen {
	note(profile: Profile, records: readonly SeenRecord[]): void;
	/** What was noted of these kinds in this run is all there is: it takes the place of what was kept. */
	whole(profile: Profile, kinds: readonly SeenKind[]): void;
	of(profile: Profile, kind: SeenKind): Promise<SeenRecord[]>;
	/**
	 * Whether the lists should be read again: they are old or were never read. Says yes to one asker at a time, and not again
	 * before that one has had its time.
	 */
	due(profile: Profile): Promise<boolean>;
}
