import { chmodSync, lstatSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { advice, purser, quotedPath } from "../../api/advice.js";
import { diskFull } from "../../api/text/trouble.js";
import { type Advice, PurserError } from "../../errors.js";
import { readBoundedSync } from "../../system/disk/bounded.js";
import { makeFolder, syncFolder } from "../../system/disk/private-folder.js";
import { addFile, replaceFile } from "../../system/disk/replace-file.js";

const shape = z.discriminatedUnion("in", [
	z.object({ in: z.literal("keyring"), origin: z.string() }),
	z.object({ in: z.literal("file"), origin: z.string(), secret: z.string() }),
]);

/** Bytes of a file: a secret has at most 64 KB. */
const largest = 1024 * 1024;

/** Where a profile's secret is stored, for which scheme, host and port; the secret itself where that is the file. */
export type VaultEntry = z.output<typeof shape>;

/**
 * `secrets/credentials-PROFILE.json` below the configuration, or of another kind: a 0600 file in a 0700 folder, one a profile, so that two
 * processes at once never overwrite each other's login. For a secret in the keyring it has an entry without the secret, which shows when the
 * keyring forgot it.
 */
export class Vault {
	readonly #folder: string;

	/** @param kind the first word of the files' names; @param again what to type where one is broken */
	constructor(
		directory: string,
		private readonly kind = "credentials",
		private readonly again = (profile: string, file: string): Advice =>
			advice`log in again:\nrm ${quotedPath(file)}\n${purser`auth login --profile ${profile}`}`,
	) {
		this.#folder = join(directory, "secrets");
	}

	fileOf(profile: string): string {
		return join(this.#folder, `${this.kind}-${profile}.json`);
	}

	/** Whether others on this machine can read, or change, what the file holds. */
	isOpen(profile: string): boolean {
		return ((statSync(this.fileOf(profile), { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
	}

	/** Another text after each change of the entry, cheap to read: a file is always replaced whole. */
	stampOf(profile: string): string {
		const found = statSync(this.fileOf(profile), { bigint: true, throwIfNoEntry: false });
		return found === undefined ? "" : `${found.ino} ${found.mtimeNs} ${found.size}`;
	}

	/** @throws PurserError usage, where the file is there but cannot be read or makes no sense; guard, where a link stands in its place or the folder's */
	async read(profile: string): Promise<VaultEntry | undefined> {
		const file = this.fileOf(profile);
		this.#refuseLinks(profile);
		let text: string;
		try {
			text = readBoundedSync(file, largest).toString("utf8");
		} catch (cause) {
			if ((cause as { code?: unknown }).code === "ENOENT") return undefined;
			throw cause instanceof RangeError ? this.#broken(profile, file, cause.message) : inaccessible(file, "read", cause);
		}
		try {
			return shape.parse(JSON.parse(text));
		} catch {
			// Without the cause, which would quote the content.
			throw this.#broken(profile, file);
		}
	}

	#broken(profile: string, file: string, why?: string): PurserError {
		return new PurserError("usage", {
			code: "CREDENTIALS_BROKEN",
			message: `The credentials in ${file} are broken`,
			why,
			fix: advice`Move the file away and ${this.again(profile, file)}`,
		});
	}

	/**
	 * Replaces the file whole; there is no moment when it is half written or readable by others.
	 * @throws PurserError usage, where it cannot be written; guard, for a link as with {@link read}
	 */
	async write(profile: string, entry: VaultEntry): Promise<void> {
		this.#put(profile, entry, replaceFile);
	}

	/** The same, but a file that is there stays as it is, also where another process makes it at the same time. */
	async add(profile: string, entry: VaultEntry): Promise<void> {
		this.#put(profile, entry, addFile);
	}

	#put(profile: string, entry: VaultEntry, put: (file: string, content: string, mode: number) => void): void {
		const file = this.fileOf(profile);
		this.#refuseLinks(profile);
		try {
			makeFolder(this.#folder);
			chmodSync(this.#folder, 0o700);
			put(file, `${JSON.stringify(entry)}\n`, 0o600);
			// After a power cut a key must be there as long as what was signed with it.
			syncFolder(dirname(this.#folder));
		} catch (cause) {
			throw inaccessible(file, "written", cause);
		}
	}

	async remove(profile: string): Promise<void> {
		const file = this.fileOf(profile);
		this.#refuseLinks(profile);
		try {
			rmSync(file, { force: true });
		} catch (cause) {
			throw inaccessible(file, "removed", cause);
		}
	}

	/** Purser makes no links here: one was put there by somebody else, and would lead our secrets to their place, or theirs to us. */
	#refuseLinks(profile: string): void {
		for (const place of [this.#folder, this.fileOf(profile)]) {
			if (!isLink(place)) continue;
			throw new PurserError("guard", {
				code: "SECRETS_LINKED",
				message: `${place} is a link, and secrets are neither read nor written through one; nothing was sent`,
				fix: advice`Check where it leads. Then remove it and ${this.again(profile, place)}`,
			});
		}
	}
}

function isLink(place: string): boolean {
	try {
		return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
	} catch {
		// Whoever reads or writes there next says what is wrong.
		return false;
	}
}

function inaccessible(file: string, what: "read" | "written" | "removed", cause: unknown): PurserError {
	const code = (cause as { code?: unknown }).code;
	const otherwise = new PurserError("usage", {
		code: "CREDENTIALS_INACCESSIBLE",
		message: `The credentials ${file} cannot be ${what}${typeof code === "string" ? ` (${code})` : ""}`,
		fix: "Give yourself permission to read and write the file and its folder, or set another folder in PURSER_CONFIG_DIR",
		cause,
	});
	return diskFull(`The credentials ${file}`, cause) ?? otherwise;
}
