/**
 * The anchors of the journals: one 0600 file each in `anchors` below the configuration, and a copy in the keyring where there is one.
 * The signature guards against a change by hand, not against whoever owns the machine: the key lies beside it, in a file, because the keyring
 * would have to be asked with every payment.
 */

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { basename, join } from "node:path";
import { advice, purser, quotedPath } from "../../api/advice.js";
import { serviceAddress } from "../../api/service-address.js";
import { isDiskFull } from "../../api/text/trouble.js";
import { PurserError } from "../../errors.js";
import type { Anchor, AnchorPlace, StoredAnchor } from "../../ports/anchor.js";
import type { Profile } from "../../ports/profiles.js";
import { readBoundedSync } from "../../system/disk/bounded.js";
import { makeFolder, profileFile, syncFolder } from "../../system/disk/private-folder.js";
import { replaceFile } from "../../system/disk/replace-file.js";
import type { Keyring } from "./keyring.js";
import { ending, largestAnchor, namesIn } from "./live-at.js";
import { SecretStore } from "./store.js";

interface AnchorOptions {
	/** The folder of the configuration. */
	directory: string;
	profile: Pick<Profile, "name" | "environment" | "baseUrl">;
	/** Read once. The journal worker has none, because the thread that started it reads the keyring. */
	keyring(): Promise<Keyring | undefined>;
}

/** Milliseconds for the keyring's copy: a locked keyring must not delay a payment. */
const keyringLimit = 2_000;

/**
 * Opens the place of a profile's anchor. The keyring is read once, here, and written once, by `keep` at the end of a run: between them the
 * file alone is written, so that a payment waits for the disk and not for the keyring.
 * @throws PurserError usage, where the key of the signatures cannot be read or made
 */
export async function openAnchorPlace(options: AnchorOptions): Promise<AnchorPlace> {
	const { directory, profile, keyring } = options;
	const folder = join(directory, "anchors");
	// As the journal's own file is named.
	const file = profileFile(folder, profile, ending);
	const name = basename(file);
	const key = await keyOf(directory);
	const account = `anchor ${file}`;
	const ring = await within(keyring());
	const copy = ring && (await within(ring.get(account)));
	let remembered = copy === undefined ? undefined : anchorIn(copy, key, profile);
	const read = (): StoredAnchor => newer(readAnchor(file, key, profile), remembered);
	return {
		service: serviceAddress(profile.baseUrl),
		file,
		read,
		write: (anchor) => {
			writeAnchor(folder, file, signed(anchor, key));
			// What is written takes the copy into account, so from now on the file is the newer one.
			remembered = undefined;
		},
		others: () => namesIn(folder).flatMap((other) => (other === name ? [] : anchorOf(join(folder, other), key))),
		keep: async () => {
			const now = read();
			if (ring === undefined || now === undefined || now === "broken") return;
			const text = signed(now, key);
			if (text !== copy) await within(ring.set(account, text));
		},
	};
}

/** Undefined where the keyring fails, or does not answer in time. */
async function within<T>(asked: Promise<T>): Promise<T | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<undefined>((resolve) => {
		timer = setTimeout(resolve, keyringLimit, undefined);
	});
	return Promise.race([asked.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

/** The key of this installation's signatures, made where there is none; always a file, which every payment reads. */
async function keyOf(directory: string): Promise<Buffer> {
	const store = new SecretStore<Buffer>(
		{ directory, env: {}, platform: "", keyring: async () => undefined },
		{
			word: "anchor",
			called: () => "the key that signs the anchors of journals",
			again: (_, file) => advice`confirm the journal:\nrm ${quotedPath(file)}\n${purser`history adopt --reason TEXT`}`,
			account: () => "",
			read: (text) => Buffer.from(text, "base64"),
			write: (key) => key.toString("base64"),
		},
	);
	const [name, origin] = ["key", "anchor"];
	if ((await store.get(name, origin)) === undefined) store.add(name, origin, randomBytes(32));
	// Read back: another process may have been first.
	return (await store.get(name, origin))?.secret ?? Buffer.alloc(0);
}

/** @returns the file's text: the anchor, with a signature over everything else in it */
function signed(anchor: Anchor, key: Buffer): string {
	const content = JSON.stringify(anchor);
	return `${JSON.stringify({ anchor: content, signature: createHmac("sha256", key).update(content).digest("base64url") })}\n`;
}

function anchorIn(text: string, key: Buffer, whose: { name: string; environment: string } | undefined): Anchor | "broken" {
	try {
		const { anchor: content, signature } = JSON.parse(text) as { anchor: string; signature: string };
		const [own, given] = [createHmac("sha256", key).update(content).digest(), Buffer.from(signature, "base64url")];
		const anchor = JSON.parse(content) as Anchor;
		const fits = whose === undefined || (anchor.profile === whose.name && anchor.environment === whose.environment);
		return fits && own.length === given.length && timingSafeEqual(own, given) ? anchor : "broken";
	} catch {
		return "broken";
	}
}

function readAnchor(file: string, key: Buffer, profile?: AnchorOptions["profile"]): StoredAnchor {
	try {
		return anchorIn(readBoundedSync(file, largestAnchor).toString("utf8"), key, profile);
	} catch (cause) {
		if ((cause as { code?: unknown }).code === "ENOENT") return undefined;
		if (cause instanceof RangeError) return "broken";
		throw inaccessible(file, "read", cause);
	}
}

/** The anchor of another journal. Whether it is broken is reported where that journal is used. */
function anchorOf(file: string, key: Buffer): Anchor[] {
	try {
		const found = readAnchor(file, key);
		return found === undefined || found === "broken" ? [] : [found];
	} catch {
		return [];
	}
}

/** A file that was changed by hand counts as broken, whatever the keyring says; a broken copy counts only where there is no file. */
function newer(file: StoredAnchor, copy: StoredAnchor): StoredAnchor {
	if (file === "broken" || copy === undefined || (copy === "broken" && file !== undefined)) return file;
	if (file === undefined || copy === "broken") return copy;
	const order = copy.adopted - file.adopted || (copy.installation === file.installation ? copy.seq - file.seq : Number(copy.at > file.at));
	return order > 0 ? copy : file;
}

/** The draft always has the same name, so that killed processes leave one at most. The journal is locked, so nobody else writes here. */
function writeAnchor(folder: string, file: string, text: string): void {
	try {
		if (makeFolder(folder) !== undefined) syncFolder(join(folder, ".."));
		replaceFile(file, text, 0o600, `${file}.tmp`);
	} catch (cause) {
		throw inaccessible(file, "written", cause);
	}
}

function inaccessible(file: string, what: "read" | "written", cause: unknown): PurserError {
	const code = (cause as { code?: unknown }).code;
	const isFull = isDiskFull(cause);
	return new PurserError(isFull ? "unavailable" : "usage", {
		code: what === "read" ? "ANCHOR_UNREADABLE" : "ANCHOR_UNWRITABLE",
		message: `The journal's anchor cannot be ${what}${typeof code === "string" ? ` (${code})` : ""}; nothing was sent`,
		why: `${file} says which journal is the right one: without it nobody would notice an empty or older one in its place`,
		fix: isFull
			? "Make room on that disk, then run this again."
			: `Give yourself permission to read and write ${file} and its folder, then run this again.`,
		cause,
	});
}
