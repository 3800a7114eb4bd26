import { posix, win32 } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

export interface Directories {
	/** Profiles and, where there is no keyring, credentials. */
	config: string;
	/** Journal and drafts. */
	state: string;
}

/**
 * Where things are kept: PURSER_CONFIG_DIR and PURSER_STATE_DIR win; else the platform's own places (XDG on Linux). Pure.
 * A relative XDG variable is ignored, as its specification asks.
 * @param platform as Node names it
 * @param home the home directory
 */
export function directories(env: Env, platform: string, home: string): Directories {
	const standard = platform === "win32" ? windows(env, home) : platform === "darwin" ? mac(home) : xdg(env, home);
	return { config: env.PURSER_CONFIG_DIR || standard.config, state: env.PURSER_STATE_DIR || standard.state };
}

function windows(env: Env, home: string): Directories {
	const roaming = env.APPDATA || win32.join(home, "AppData", "Roaming");
	const local = env.LOCALAPPDATA || win32.join(home, "AppData", "Local");
	return { config: win32.join(roaming, "purser", "Config"), state: win32.join(local, "purser", "State") };
}

function mac(home: string): Directories {
	return {
		config: posix.join(home, "Library", "Preferences", "purser"),
		state: posix.join(home, "Library", "Application Support", "purser"),
	};
}

function xdg(env: Env, home: string): Directories {
	const place = (given: string | undefined, ...standard: string[]) =>
		posix.join(given?.startsWith("/") ? given : posix.join(home, ...standard), "purser");
	return { config: place(env.XDG_CONFIG_HOME, ".config"), state: place(env.XDG_STATE_HOME, ".local", "state") };
}
