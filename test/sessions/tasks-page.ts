/**
 * The page of tasks as data: commands and the keys for their questions, as they stand there.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A question, as it begins, and what is typed at it. */
export interface Answer {
	question: string;
	typed: string;
	/** What the list shows before Enter. */
	shown: string | undefined;
	key: "Enter" | "Ctrl-C";
}

export interface Task {
	title: string;
	commands: { line: string; answers: Answer[] }[];
}

const path = fileURLToPath(new URL("../../src/cli/TASKS.md", import.meta.url));

export const readTasks = (): Task[] => tasksOf(readFileSync(path, "utf8").replaceAll("\r\n", "\n"));

/** @throws Error where a line of a block is neither a command nor a question */
export function tasksOf(text: string): Task[] {
	return text
		.split(/^## \d+\. /m)
		.slice(1)
		.map((section) => {
			const title = section.split("\n")[0] as string;
			const block = /^```\n(.*?)^```$/ms.exec(section)?.[1];
			if (block === undefined) throw new Error(`${title}: no commands`);
			const commands: Task["commands"] = [];
			for (const line of block.trim().split("\n")) {
				if (line.startsWith("$ ")) commands.push({ line: line.slice(2), answers: [] });
				else commands.at(-1)?.answers.push(answerOf(line));
			}
			return { title, commands };
		});
}

function answerOf(line: string): Answer {
	const [, question = "", typed = "", shown, key] = /^\? (.+?) {2,}(.*?) ?(?:\((.+)\) )?(Enter|Ctrl-C)$/.exec(line) ?? [];
	if (key !== "Enter" && key !== "Ctrl-C") throw new Error(`neither a command nor a question: ${line}`);
	return { question, typed, shown, key };
}
