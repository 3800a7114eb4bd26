/**
 * A disk that loses power: what may stand on it at any moment of a recording. What was made to last is there; of what was not,
 * anything may be there and anything may be missing: bytes, lengths, and names in folders, in any order, a write also in part.
 */
import { createHash } from "node:crypto";
import type { Random } from "../payments/simulation/random.js";
import type { Call } from "./driver-trace.js";

type Effect = { at: number /** The call that made it last. */; lasting: number } & (
	| { kind: "name"; folder: number; name: string; inode: number | undefined }
	| { kind: "bytes"; inode: number; offset: number; bytes: Buffer }
	| { kind: "length"; inode: number; length: number }
);

/** Files by their path below the folder; a folder has no content. */
export type Image = ReadonlyMap<string, Buffer | undefined>;

/** Bytes that a disk writes whole. */
const sector = 512;

/** The disk over the time of a recording. */
export class Disk {
	readonly #effects: Effect[] = [];
	readonly #names = new Map<string, number>();
	#inodes = 0;

	/** @param folder is there before the first call, empty, and lasting */
	constructor(
		readonly calls: readonly Call[],
		private readonly folder: string,
	) {
		this.#names.set(folder, this.#inodes++);
		for (const [at, call] of calls.entries()) this.#follow(call, at);
	}

	#follow(call: Call, at: number): void {
		if (call.kind === "sent" || call.kind === "exited") return;
		const known = this.#names.get(call.path);
		const fresh = { at, lasting: Number.POSITIVE_INFINITY };
		if (call.kind === "folder" || call.kind === "create") {
			if (known === undefined) this.#name(call.path, this.#inodes++, at);
		} else if (call.kind === "unlink") this.#name(call.path, undefined, at);
		else if (call.kind === "rename") {
			this.#name(call.to, known, at);
			this.#name(call.path, undefined, at);
		} else if (known === undefined) throw new Error(`${call.path} was never made`);
		else if (call.kind === "write") this.#effects.push({ ...fresh, kind: "bytes", inode: known, offset: call.offset, bytes: call.bytes });
		else if (call.kind === "truncate") this.#effects.push({ ...fresh, kind: "length", inode: known, length: call.length });
		else if (call.kind === "sync") this.#last(known, at, call.through);
	}

	#last(inode: number, at: number, through: number): void {
		for (const effect of this.#effects) {
			const concerned = effect.kind === "name" ? effect.folder === inode : effect.inode === inode;
			if (concerned && effect.at < through) effect.lasting = Math.min(effect.lasting, at);
		}
	}

	#name(path: string, inode: number | undefined, at: number): void {
		const cut = path.lastIndexOf("/");
		const folder = this.#names.get(path.slice(0, cut));
		if (inode === undefined) this.#names.delete(path);
		else this.#names.set(path, inode);
		if (folder !== undefined)
			this.#effects.push({ at, lasting: Number.POSITIVE_INFINITY, kind: "name", folder, name: path.slice(cut + 1), inode });
	}

	/** What had happened, but was not lasting, right after call number `at`. */
	#loose(at: number): Effect[] {
		return this.#effects.filter((effect) => effect.at <= at && effect.lasting > at);
	}

	/**
	 * Images as of right after a call: nothing of what was loose, everything, the first so many, and random parts of it.
	 * @param most of the last two kinds each
	 */
	*images(at: number, most: number, random: Random): Generator<Image> {
		const loose = this.#loose(at);
		yield this.#image(at, () => "none");
		if (loose.length === 0) return;
		yield this.#image(at, () => "all");
		const step = Math.max(1, Math.ceil(loose.length / (most + 1)));
		for (let first = step; first < loose.length; first += step) {
			const those = new Set(loose.slice(0, first));
			yield this.#image(at, (effect) => (those.has(effect) ? "all" : "none"));
		}
		for (let count = 0; count < most; count++) {
			const share = random.fraction();
			yield this.#image(at, () => (random.often(share) ? "all" : random.often(0.2) ? random : "none"));
		}
	}

	/** @param part of a loose effect: all, none, or some of its sectors */
	#image(at: number, part: (effect: Effect) => "all" | "none" | Random): Image {
		const contents = new Map<number, Buffer>();
		const entries = new Map<number, Map<string, number>>();
		for (const effect of this.#effects) {
			if (effect.at > at) break;
			const keep = effect.lasting <= at ? "all" : part(effect);
			if (keep === "none") continue;
			if (effect.kind === "name") {
				const names = entries.get(effect.folder) ?? new Map<string, number>();
				entries.set(effect.folder, names);
				if (effect.inode === undefined) names.delete(effect.name);
				else names.set(effect.name, effect.inode);
			} else contents.set(effect.inode, changed(contents.get(effect.inode) ?? Buffer.alloc(0), effect, keep));
		}
		const folders = new Set(this.calls.flatMap((call) => (call.kind === "folder" ? [call.path] : [])));
		const image = new Map<string, Buffer | undefined>();
		const walk = (inode: number, below: string): void => {
			for (const [name, one] of entries.get(inode) ?? []) {
				const path = `${below}${name}`;
				const isFolder = folders.has(`${this.folder}/${path}`);
				image.set(path, isFolder ? undefined : (contents.get(one) ?? Buffer.alloc(0)));
				if (isFolder) walk(one, `${path}/`);
			}
		};
		walk(0, "");
		return image;
	}
}

function changed(before: Buffer, effect: Effect & { kind: "bytes" | "length" }, keep: "all" | Random): Buffer {
	const end = effect.kind === "length" ? effect.length : Math.max(before.length, effect.offset + effect.bytes.length);
	const after = Buffer.alloc(end);
	before.copy(after);
	if (effect.kind === "length") return after;
	// A write in part: some of the disk's sectors, cut where the file's offsets cut them.
	for (let from = 0; from < effect.bytes.length; ) {
		const to = Math.min(effect.bytes.length, from + sector - ((effect.offset + from) % sector));
		if (keep === "all" || keep.often(0.5)) effect.bytes.copy(after, effect.offset + from, from, to);
		from = to;
	}
	return after;
}

/** The same for images that are the same. */
export function digestOf(image: Image): string {
	const hash = createHash("sha1");
	for (const [path, content] of [...image].sort(([one], [other]) => (one < other ? -1 : 1)))
		hash.update(`${path.length}:${path}:${content?.length ?? "folder"}:`).update(content ?? "");
	return hash.digest("hex");
}
