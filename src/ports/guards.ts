/**
 * Changes of the settings that guard money, as the journal records them. Types only.
 */

/** A changed setting; `old` or `new` is absent if it was or is not set. */
export interface SettingChange {
	key: string;
	old?: string;
	new?: string;
}

/** The content of a `settings` event; public keys are recorded without names. */
export interface SettingsRecord {
	/**
	 * `first`: in force when recording began; `command`: changed by a command; `outside`: found changed without a command when money was
	 * about to move.
	 */
	how: "first" | "command" | "outside";
	/** Who changed it; for `outside`, who asked for the payment that found it. Absent if not known. */
	operator?: string;
	changes: readonly SettingChange[];
	/** All settings in force after it. */
	settings: Readonly<Record<string, string>>;
}
