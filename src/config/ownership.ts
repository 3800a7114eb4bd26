/**
 * Who may write the configuration. It names the credential helper, the caps and the approvers: whoever may write it decides about money.
 */

import { type Stats, statSync } from "node:fs";
import { quotedPath } from "../api/advice.js";

/** What is wrong with the owner or the mode of a path, and how to correct it. */
export interface Distrust {
	/** Like "/home/a/.config/purser is writable by others (mode 0777)". */
	why: string;
	/** What to type. */
	fix: string;
}

const readable = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, "0");

/**
 * The first fault of the folder and of the file, in this order; undefined where both belong to the user or root and nobody else may write
 * there. The folders above are not checked: whoever can replace this folder would own the new one, which this check notices.
 * @param stats of the file when it was read; undefined where there is none
 * @param uid the user; undefined on a system without such owners (Windows), where nothing is checked
 */
export function distrustOf(folder: string, file: string, stats: Stats | undefined, uid: number | undefined): Distrust | undefined {
	if (uid === undefined) return undefined;
	return faultOf(folder, statSync(folder, { throwIfNoEntry: false }), uid) ?? faultOf(file, stats, uid);
}

function faultOf(path: string, stats: Stats | undefined, uid: number): Distrust | undefined {
	if (stats === undefined) return undefined;
	const shown = quotedPath(path);
	if (stats.uid !== uid && stats.uid !== 0)
		return { why: `${path} belongs to another user (${stats.uid})`, fix: `sudo chown ${uid} ${shown}` };
	if ((stats.mode & 0o022) === 0) return undefined;
	const who = (stats.mode & 0o002) === 0 ? "its group" : "others";
	return { why: `${path} can be changed by ${who} (mode ${readable(stats.mode)})`, fix: `chmod go-w ${shown}` };
}
