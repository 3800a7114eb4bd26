import { posix, win32 } from "node:path";
import { PurserError } from "../errors.js";

type Env = Readonly<Record<string, string | undefined>>;

export interface Directories {
	/** Profiles and, where there is no keyring, credentials. */
	config: string;
	/** Journal and drafts. */
	state: string;
}

/**
 * Where files are stored: PURSER_CONFIG_DIR and PURSER_STATE_DIR win; else the platform's own places (XDG on Linux). Pure.
 * A relative XDG variable is ignored, as its specification asks.
 * @param platform as Node names it
 * @throws PurserError usage, where the state directory is relative: PURSER_STATE_DIR is, or the home directory (HOME empty)
 * @param home the home directory
 */
export function directories(env: Env, platform: string, home: string): Directories {
	const { isAbsolute, join } = platform === "win32" ? win32 : posix;
	const places: Readonly<Record<string, Directories>> = {
		win32: {
			config: join(env.APPDATA || join(home, "AppData", "Roaming"), "purser", "Config"),
			state: join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "purser", "State"),
		},
		darwin: { config: join(home, "Library", "Preferences", "purser"), state: join(home, "Library", "Application Support", "purser") },
	};
	const standard = places[platform] ?? xdg(env, home);
	const state = env.PURSER_STATE_DIR || standard.state;
	if (!isAbsolute(state)) throw relative(env.PURSER_STATE_DIR, home);
	return { config: env.PURSER_CONFIG_DIR || standard.config, state };
}

/** Refuses a relative folder: every working folder would have a journal of its own, which does not know what was paid from the others. */
function relative(given: string | undefined, home: string): PurserError {
	return new PurserError("usage", {
		code: "STATE_FOLDER_RELATIVE",
		message: `${given ? `PURSER_STATE_DIR is ${given}` : `The home directory is ${JSON.stringify(home)}`}, which means a different folder in each working directory; nothing was sent`,
		why: "Every payment must use the same journal, or one could be sent twice",
		fix: "Write the whole path of the journal's folder in PURSER_STATE_DIR, then run this again.",
	});
}

function xdg(env: Env, home: string): Directories {
	const place = (given: string | undefined, ...standard: string[]) =>
		posix.join(given?.startsWith("/") ? given : posix.join(home, ...standard), "purser");
	return { config: place(env.XDG_CONFIG_HOME, ".config"), state: place(env.XDG_STATE_HOME, ".local", "state") };
}
