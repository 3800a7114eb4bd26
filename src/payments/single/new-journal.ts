import { flag } from "../../api/fields.js";

/**
 * The flag of every command that sends money, single or batch. The frame evaluates it before anything is sent (`shell/input/effects.ts`).
 */
export const newJournalField = () =>
	flag("Start a new journal; in a script on a live profile this confirms that no payment was made from another one before", {
		flagOnly: true,
	});
