/**
 * The settings that guard money, as they go on record. Types only.
 */

/** A setting that is another than it was; absent on the side on which it is not set. */
export interface SettingChange {
	key: string;
	old?: string;
	new?: string;
}

/** The content of a `settings` event: what guards money, in the form in which it goes on record (public keys without names). */
export interface SettingsRecord {
	/** In force when the record began; changed by a command; found changed without one when money was about to move; carried over a purge. */
	how: "first" | "command" | "outside" | "kept";
	/** Who changed it; of what was found, who asked for the money. Absent where that is not known. */
	operator?: string;
	changes: readonly SettingChange[];
	/** All that are set from then on. */
	settings: Readonly<Record<string, string>>;
}
