/**
 * The clipboard: by the platform's own program, else by the terminal (OSC 52).
 */
import { spawn } from "node:child_process";
import type { Output } from "../ports/terminal.js";

/** Milliseconds. */
const timeLimit = 3_000;
/** Base64 characters in one sequence; xterm takes 100,000 bytes with the frame. */
const longest = 74_000;

export interface ClipboardDependencies {
	env: Readonly<Record<string, string | undefined>>;
	platform: string;
	terminal: Output;
}

/**
 * Copies the text.
 * @returns the program's name or `OSC 52`; undefined where there is neither
 */
export async function copyToClipboard(text: string, { env, platform, terminal }: ClipboardDependencies): Promise<string | undefined> {
	for (const [program, ...argv] of programs(env, platform)) if (await pipe(program as string, argv, text, env)) return program;
	if (!terminal.isTerminal || env.TERM === "dumb") return undefined;
	const encoded = Buffer.from(text, "utf8").toString("base64");
	if (encoded.length > longest) return undefined;
	await terminal.write(`\u001b]52;c;${encoded}\u0007`);
	return "OSC 52";
}

function programs(env: ClipboardDependencies["env"], platform: string): readonly (readonly string[])[] {
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

/** Whether the program succeeded. Some leave a process behind that holds the text, so their streams are not waited for. */
function pipe(program: string, argv: readonly string[], text: string, env: ClipboardDependencies["env"]): Promise<boolean> {
	return new Promise((resolve) => {
		const child = spawn(program, argv, { env, stdio: ["pipe", "ignore", "ignore"], windowsHide: true });
		const timer = setTimeout(() => {
			child.kill();
			resolve(false);
		}, timeLimit);
		const end = (succeeded: boolean): void => {
			clearTimeout(timer);
			resolve(succeeded);
		};
		child.once("error", () => end(false));
		child.once("exit", (code) => end(code === 0));
		child.stdin.on("error", () => {});
		// clip.exe reads UTF-16; the others read bytes as they are.
		child.stdin.end(program === "clip" ? Buffer.from(text, "utf16le") : text);
	});
}
