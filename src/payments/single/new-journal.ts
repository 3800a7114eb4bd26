import { flag } from "../../api/fields.js";

/**
 * The flag of every command that sends money, single or batch. The frame evaluates it before anything is sent (`shell/input/effects.ts`).
 */
export const newJournalField = () =>
	flag("Begin a new journal: in a script on a live profile, says that no payment was made before from another one");
