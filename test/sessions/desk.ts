/**
 * A person at a terminal of a certain width, who works in a folder of their own: each command line is typed, and what the screen shows at
 * its end is kept.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment, programTerminal } from "../support/built.js";
import type { Session } from "../support/terminal.js";

/** A terminal: its columns, and what the person has set. */
export interface Setting {
	columns: number;
	plain?: true;
	accessible?: true;
}

/** One command line and everything that was written after it. */
export interface Shot {
	line: string;
	raw: string;
	/** Absent while it still runs. */
	exit?: number;
}

/** What a person does at one question. */
export type Act = (at: Session, setting: Setting) => Promise<void>;

export interface Desk {
	readonly setting: Setting;
	readonly folder: string;
	readonly env: Record<string, string>;
	readonly shots: Shot[];
	/** Types a line beginning with `purser`, which may end with `> FILE`, does the acts in turn, and waits for the end. */
	types(line: string, acts?: readonly Act[], env?: Record<string, string>): Promise<Shot>;
	/** Starts what runs until the end of the session; resolves when the text has appeared. */
	starts(line: string, text: string): Promise<string>;
	leave(): Promise<void>;
}

const variables = ({ plain, accessible }: Setting): Record<string, string> => ({
	LC_ALL: "C.UTF-8",
	...(plain ? { NO_COLOR: "1" } : {}),
	...(accessible ? { ACCESSIBLE: "1" } : {}),
});

/** The words of a line of a shell with double quotes only. */
export const wordsOf = (line: string): string[] =>
	[...line.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([whole, quoted]) => quoted ?? whole).slice(1);

/** @param more variables beside those of the setting */
export async function newDesk(setting: Setting): Promise<Desk> {
	const folder = await mkdtemp(join(tmpdir(), "purser-desk-"));
	const env = { ...environment(folder), ...variables(setting) };
	const shots: Shot[] = [];
	const serving: Session[] = [];
	const begin = (line: string, more: Record<string, string> = {}): Session => {
		const [typed = "", file] = line.split(" > ");
		const before = `cd '${folder}'${file === undefined ? "" : `; exec > ${file}`}`;
		return programTerminal(wordsOf(typed), { ...env, ...more }, setting.columns, before);
	};
	return {
		setting,
		folder,
		env,
		shots,
		types: async (line, acts = [], more) => {
			const at = begin(line, more);
			for (const act of acts) await act(at, setting);
			const exit = await at.ends();
			const shot = { line, raw: at.raw, exit };
			shots.push(shot);
			return shot;
		},
		starts: async (line, text) => {
			const at = begin(line);
			serving.push(at);
			await at.sees(text);
			shots.push({ line, raw: at.raw });
			return at.screen;
		},
		leave: async () => {
			for (const at of serving) at.kill("SIGTERM");
			await Promise.all(serving.map((at) => at.ends()));
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** A text that may be wrapped anywhere between its words. */
const wrapped = (text: string, before = ""): RegExp =>
	new RegExp(
		before +
			text
				.trim()
				.split(/\s+/)
				.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
				.join("\\s+"),
	);

/** Waits for a question and answers it. */
export const answers =
	(question: string, answer: string): Act =>
	async (at) => {
		await at.sees(wrapped(question));
		at.answer(answer);
	};

/** Waits for a text and types keys. */
export const keys =
	(text: string, typed: string): Act =>
	async (at) => {
		await at.sees(wrapped(text));
		at.type(typed);
	};

/**
 * Chooses from a list: with the arrow on it where the list can be searched, by its name where it has numbers.
 * @param part what is typed to find it, where another entry stands first; nothing where it is chosen already
 */
export const picks =
	(question: string, part: string, label: string): Act =>
	async (at, { accessible }) => {
		await at.sees(wrapped(question));
		if (accessible) return at.answer(label);
		at.type(part);
		await at.sees(wrapped(label, "[❯>] +"));
		at.type("\r");
	};

export const interrupt = "\u0003";
export const clear = "\u0015";
