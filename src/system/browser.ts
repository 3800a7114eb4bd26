import type { Opened } from "../ports/machine.js";

/** Milliseconds in which the system's own program says whether it opened something; one that goes on may be the browser itself. */
const patience = 5_000;

/**
 * Opens a page on the disk in the person's browser, by the system's own program. What that inherits is this process's environment; its
 * arguments can be read by everybody on this machine.
 * @param file the whole path
 * @param env where a display, or a browser, is looked for
 */
export async function browser(file: string, env: Readonly<Record<string, string | undefined>>, platform: string): Promise<Opened> {
	// Without a display, xdg-open starts a browser for terminals, which shows nothing here, and reports success.
	const display = [env.DISPLAY, env.WAYLAND_DISPLAY, env.BROWSER, env.WSL_DISTRO_NAME].some(Boolean);
	if (!display && !["darwin", "win32", "android"].includes(platform)) return "none";
	try {
		const { default: open } = await import("open");
		const child = await open(file);
		if (child.exitCode !== null) return child.exitCode === 0 ? "opened" : "none";
		return await new Promise((resolve) => {
			const late = setTimeout(resolve, patience, "unknown");
			const end = (opened: Opened): void => {
				clearTimeout(late);
				resolve(opened);
			};
			child.once("error", () => end("none"));
			child.once("exit", (code) => end(code === 0 ? "opened" : "none"));
		});
	} catch {
		return "none";
	}
}
