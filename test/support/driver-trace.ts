/**
 * What processes wrote to the disk and when they used the network, from a recording of their system calls.
 */
import { readFile } from "node:fs/promises";

/** One call that changed files below the folder, made files last, sent something, or ended a process. Paths are absolute. */
export type Call =
	| { kind: "folder" | "create" | "unlink"; path: string }
	| { kind: "write"; path: string; offset: number; bytes: Buffer }
	| { kind: "truncate"; path: string; length: number }
	| { kind: "rename"; path: string; to: string }
	/** Covers what was written before call number `through`. */
	| { kind: "sync"; path: string; through: number }
	| { kind: "sent"; process: string; bytes: Buffer }
	| { kind: "exited"; process: string; code: number };

/** Words to put before a command, so that its calls and those of all its children are recorded. */
export function recording(file: string): string[] {
	const files = "openat,open,creat,mkdir,mkdirat,unlink,unlinkat,rename,renameat,renameat2";
	const content = "write,writev,pwrite64,pwritev,sendto,sendmsg,ftruncate,truncate,fallocate,fsync,fdatasync,sync_file_range";
	return ["strace", "-f", "-y", "-xx", "-s", "4000000", "-o", file, "-e", `trace=${files},${content}`, "-e", "signal=none"];
}

/** Reads a recording. @throws Error at a call that writes below the folder in a way not known here */
export async function callsBelow(folder: string, file: string): Promise<Call[]> {
	const calls: Call[] = [];
	const unfinished = new Map<string, { text: string; through: number }>();
	for (const line of (await readFile(file, "latin1")).split("\n")) {
		const [, process = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
		const begun = /^(.*) <unfinished \.\.\.>$/.exec(rest)?.[1];
		const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
		const before = resumed === undefined ? undefined : unfinished.get(process);
		const text = before === undefined ? (begun ?? rest) : before.text + resumed;
		const exited = /^\+\+\+ exited with (\d+)/.exec(rest)?.[1];
		if (exited !== undefined) calls.push({ kind: "exited", process, code: Number(exited) });
		// What is sent may arrive as soon as the call begins; everything else counts when it has returned.
		if (before === undefined) calls.push(...sentBy(process, text));
		if (begun !== undefined) unfinished.set(process, { text: begun, through: calls.length });
		else {
			unfinished.delete(process);
			calls.push(...changeOf(text, folder, before?.through ?? calls.length));
		}
	}
	return calls;
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll("\\x", ""), "hex");
const strings = (text: string): string[] => [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, one = ""]) => one);

function sentBy(process: string, text: string): Call[] {
	if (!/^(write|writev|sendto|sendmsg)\(\d+<(socket|TCP|\\x73\\x6f\\x63\\x6b\\x65\\x74)/.test(text)) return [];
	return [{ kind: "sent", process, bytes: Buffer.concat(strings(text).map(hex)) }];
}

/** A call that succeeded, in parts. */
interface Parts {
	name: string;
	words: string;
	result: number;
	/** The paths among its words. */
	path: string;
	to: string;
	/** Of the open file that it concerns. */
	open: string;
	through: number;
}

const readers: Readonly<Record<string, (parts: Parts) => Call[]>> = {
	mkdir: ({ path }) => [{ kind: "folder", path }],
	open: ({ name, words, path }) => [
		...(/O_CREAT/.test(words) || name === "creat" ? [{ kind: "create" as const, path }] : []),
		...(/O_TRUNC/.test(words) || name === "creat" ? [{ kind: "truncate" as const, path, length: 0 }] : []),
	],
	unlink: ({ path }) => [{ kind: "unlink", path }],
	rename: ({ path, to }) => [{ kind: "rename", path, to }],
	pwrite64: ({ words, open, result }) => {
		const offset = Number(/, \d+, (\d+)$/.exec(words)?.[1]);
		return [{ kind: "write", path: open, offset, bytes: hex(strings(words)[0] ?? "").subarray(0, result) }];
	},
	ftruncate: ({ words, open }) => [{ kind: "truncate", path: open, length: Number(/, (\d+)$/.exec(words)?.[1]) }],
	fsync: ({ open, through }) => [{ kind: "sync", path: open, through }],
};

function changeOf(text: string, folder: string, through: number): Call[] {
	const [, name = "", words = "", result = ""] = /^(\w+)\((.*)\) += (-?\d+)/s.exec(text) ?? [];
	if (name === "" || result.startsWith("-")) return [];
	const [path = "", to = ""] = strings(words).map((one) => hex(one).toString());
	const open = hex(/^\d+<((?:\\x[0-9a-f]{2})*)>/.exec(words)?.[1] ?? "").toString();
	const concerned = open === "" ? [path, to] : [open];
	if (!concerned.some((one) => one === folder || one.startsWith(`${folder}/`))) return [];
	const read = readers[{ creat: "open", fdatasync: "fsync" }[name] ?? name.replace(/at2?$/, "")];
	if (read) return read({ name, words, result: Number(result), path, to, open, through });
	// The journal writes at an offset; other files, like that of the names seen, are not asked about.
	if (name === "write" && !open.includes("/journal/")) return [];
	throw new Error(`a call of a kind that is not followed: ${text.slice(0, 60)} … ${open}`);
}
