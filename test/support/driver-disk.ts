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
	readonly #folders = new Set<number>();
	#inodes = 0;

	/** @param folder is there before the first call, empty, and lasting */
	constructor(calls: readonly Call[], folder: string) {
		this.#names.set(folder, this.#inodes++);
		for (const [at, call] of calls.entries()) this.#follow(call, at);
	}

	#follow(call: Call, at: number): void {
		if (call.kind === "sent" || call.kind === "exited") return;
		const known = this.#names.get(call.path);
		const fresh = { at, lasting: Number.POSITIVE_INFINITY };
		if (call.kind === "folder" || call.kind === "create") {
			if (known !== undefined) return;
			if (call.kind === "folder") this.#folders.add(this.#inodes);
			this.#name(call.path, this.#inodes++, at);
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

	/** What had happened, but was not yet durable, right after call number `at`. */
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
		const contents = new Map<number, Content>();
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
			} else {
				const content = contents.get(effect.inode) ?? new Content();
				contents.set(effect.inode, content);
				if (effect.kind === "length") content.resize(effect.length);
				else content.write(effect, keep);
			}
		}
		const image = new Map<string, Buffer | undefined>();
		const walk = (inode: number, below: string): void => {
			for (const [name, one] of entries.get(inode) ?? []) {
				const isFolder = this.#folders.has(one);
				image.set(below + name, isFolder ? undefined : (contents.get(one)?.bytes ?? Buffer.alloc(0)));
				if (isFolder) walk(one, `${below}${name}/`);
			}
		};
		walk(0, "");
		return image;
	}
}

/** A file's content while it is put together. */
class Content {
	#room = Buffer.alloc(65_536);
	#length = 0;

	get bytes(): Buffer {
		return this.#room.subarray(0, this.#length);
	}

	resize(length: number): void {
		if (length < this.#length) this.#room.fill(0, length, this.#length);
		if (length > this.#room.length) {
			const larger = Buffer.alloc(2 * length);
			this.bytes.copy(larger);
			this.#room = larger;
		}
		this.#length = length;
	}

	/** A write in part is some of the disk's sectors, cut where the file's offsets cut them. */
	write({ offset, bytes }: { offset: number; bytes: Buffer }, keep: "all" | Random): void {
		this.resize(Math.max(this.#length, offset + bytes.length));
		if (keep === "all") bytes.copy(this.#room, offset);
		else
			for (let from = 0; from < bytes.length; ) {
				const to = Math.min(bytes.length, from + sector - ((offset + from) % sector));
				if (keep.often(0.5)) bytes.copy(this.#room, offset + from, from, to);
				from = to;
			}
	}
}

/** The same for images that are the same. */
export function digestOf(image: Image): string {
	const hash = createHash("sha1");
	for (const [path, content] of [...image].sort(([one], [other]) => (one < other ? -1 : 1)))
		hash.update(`${path.length}:${path}:${content?.length ?? "folder"}:`).update(content ?? "");
	return hash.digest("hex");
}
