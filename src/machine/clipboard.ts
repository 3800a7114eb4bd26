/**
 * Puts text on the person's clipboard: through the platform's own program, else through the terminal (OSC 52).
 */
import { spawn } from "node:child_process";
import type { Output } from "../ports/terminal.js";

/** Milliseconds that a program gets. */
const patience = 3_000;
/** Base64 characters that terminals take in one sequence (xterm's limit of 100,000 bytes less its frame, by a margin). */
const longest = 74_000;

/** What the clipboard is reached through. */
export interface ClipboardHands {
	env: Readonly<Record<string, string | undefined>>;
	platform: string;
	/** The terminal that a person sees. */
	terminal: Output;
}

/**
 * Copies the text.
 * @returns the program's name or `OSC 52`; undefined where there is neither
 */
export async function copy(text: string, { env, platform, terminal }: ClipboardHands): Promise<string | undefined> {
	for (const [program, ...argv] of programs(env, platform)) if (await fed(program as string, argv, text, env)) return program;
	if (!terminal.isTerminal || env.TERM === "dumb") return undefined;
	const encoded = Buffer.from(text, "utf8").toString("base64");
	if (encoded.length > longest) return undefined;
	await terminal.write(`\u001b]52;c;${encoded}\u0007`);
	return "OSC 52";
}

function programs(env: ClipboardHands["env"], platform: string): readonly (readonly string[])[] {
	if (platform === "darwin") return [["pbcopy"]];
	if (platform === "win32") return [["clip"]];
	return [
		...(env.WAYLAND_DISPLAY ? [["wl-copy"]] : []),
		...(env.DISPLAY
			? [
					["xclip", "-selection", "clipboard"],
					["xsel", "--clipboard", "--input"],
				]
			: []),
	];
}

/** Whether the program took it. Some stay behind to hold the text, so none of their streams is waited for. */
function fed(program: string, argv: readonly string[], text: string, env: ClipboardHands["env"]): Promise<boolean> {
	return new Promise((resolve) => {
		const child = spawn(program, argv, { env, stdio: ["pipe", "ignore", "ignore"], windowsHide: true });
		const late = setTimeout(() => {
			child.kill();
			resolve(false);
		}, patience);
		const end = (took: boolean): void => {
			clearTimeout(late);
			resolve(took);
		};
		child.once("error", () => end(false));
		child.once("exit", (code) => end(code === 0));
		child.stdin.on("error", () => {});
		// clip.exe reads UTF-16; the others read bytes as they are.
		child.stdin.end(program === "clip" ? Buffer.from(text, "utf16le") : text);
	});
}
