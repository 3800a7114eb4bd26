/**
 * The one way to keep a secret of this machine: in the keyring of the operating system, else in a 0600 file.
 */
import { chmodSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { advice, purser, quotedPath } from "../../api/advice.js";
import { inaccessible } from "../../api/text/trouble.js";
import { type Advice, type Kind, PurserError } from "../../errors.js";
import { readBoundedSync } from "../../system/disk/bounded.js";
import { type LockTimes, withLock } from "../../system/disk/lock.js";
import { makeFolder, syncFolder } from "../../system/disk/private-folder.js";
import { addFile, replaceFile } from "../../system/disk/replace-file.js";
import { type Keyring, openKeyring } from "./keyring.js";

export interface SecretPlace {
	/** The folder of the configuration. */
	directory: string;
	env: Readonly<Record<string, string | undefined>>;
	/** As Node names it. */
	platform: string;
	/** In place of the operating system's, for tests. */
	keyring?: () => Promise<Keyring | undefined>;
	/** Called for each risk that is no error. */
	warn?: (message: string) => void;
}

/** Secrets of one kind, each with a name of its own, such as that of its profile. */
export interface SecretKind<T> {
	/** The first word of the files' names. */
	word: string;
	/** As a message names one: `the login of profile bank`. */
	called(name: string): string;
	/** How to get another one, as an order without an end. @param place what has to go first */
	again(name: string, place: string): Advice;
	/** Its entry in the keyring. */
	account(name: string, origin: string): string;
	/** Undefined for a text that is none. */
	read(text: string): T | undefined;
	write(secret: T): string;
}

const shape = z.discriminatedUnion("in", [
	z.object({ in: z.literal("keyring"), origin: z.string() }),
	z.object({ in: z.literal("file"), origin: z.string(), secret: z.string() }),
]);

/** Bytes of a file: a secret has at most 64 KB. */
const largest = 1024 * 1024;

/**
 * `secrets/WORD-NAME.json` below the configuration: a 0600 file in a 0700 folder, one a name, so that two processes at once never overwrite each
 * other's secret. For one in the keyring the file says so, which shows when the keyring forgot it. Each is bound to an origin.
 * @throws PurserError from all methods: usage, where a file cannot be read or written or makes no sense
 */
export class SecretStore<T> {
	readonly #folder: string;
	#ring: Promise<Keyring | undefined> | undefined;
	readonly #warned = new Set<string>();

	constructor(
		private readonly place: SecretPlace,
		private readonly kind: SecretKind<T>,
	) {
		this.#folder = join(place.directory, "secrets");
	}

	/** @throws PurserError auth, where it is for another origin, or the keyring lost it or cannot be asked */
	async get(name: string, origin: string): Promise<{ secret: T; from: string } | undefined> {
		const entry = this.#entry(name);
		if (entry === undefined) return undefined;
		if (entry.origin !== origin) throw this.#otherAddress(name, entry.origin, origin);
		const text = entry.in === "file" ? this.#fromFile(name, entry.secret) : await this.#fromKeyring(name, origin);
		const from = entry.in === "file" ? this.#fileOf(name) : "keyring";
		const secret = this.kind.read(text);
		// Without a cause, which would quote the content.
		if (secret === undefined) throw this.#broken(name, from, "What it holds for it was changed from outside");
		return { secret, from };
	}

	/**
	 * Stores a secret in the keyring; in the file where there is none, or where it cannot be read back: a keyring that only pretends must not
	 * cost a login.
	 * @returns `warning`: of the file, unless a person chose it
	 */
	async set(name: string, origin: string, secret: T): Promise<{ where: string; warning?: string }> {
		const text = this.kind.write(secret);
		const ring = await this.#keyring();
		if (ring !== undefined && (await isRemembered(ring, this.kind.account(name, origin), text))) {
			this.#put(name, { in: "keyring", origin }, replaceFile);
			return { where: "keyring" };
		}
		this.#put(name, { in: "file", origin, secret: text }, replaceFile);
		const where = this.#fileOf(name);
		if (this.place.env.PURSER_NO_KEYRING) return { where };
		return {
			where,
			warning: `No system keyring found, so ${this.kind.called(name)} is stored in ${where}, which only you can read (0600)`,
		};
	}

	/** Stores a secret in its file, unless there is one, also where another process makes it at the same time. */
	add(name: string, origin: string, secret: T): void {
		this.#put(name, { in: "file", origin, secret: this.kind.write(secret) }, addFile);
	}

	/** @returns whether there was one @throws PurserError auth, where it is in a keyring that cannot be asked */
	async remove(name: string): Promise<boolean> {
		const entry = this.#entry(name);
		if (entry === undefined) return false;
		if (entry.in === "keyring")
			await (await this.#requiredKeyring(name))
				.remove(this.kind.account(name, entry.origin))
				.catch(() => this.#lost(name, "It may be locked"));
		const file = this.#fileOf(name);
		try {
			rmSync(file, { force: true });
		} catch (cause) {
			throw unusable(file, "removed", cause);
		}
		return true;
	}

	/** Another text after each change of the entry, cheap to read: a file is always replaced whole. */
	stampOf(name: string): string {
		const found = statSync(this.#fileOf(name), { bigint: true, throwIfNoEntry: false });
		return found === undefined ? "" : `${found.ino} ${found.mtimeNs} ${found.size}`;
	}

	/** Runs `act` while no other process does, if that can be had in time. @param act receives whether it can */
	withLock<R>(name: string, times: LockTimes, act: (held: boolean) => R | Promise<R>): Promise<R> {
		try {
			// The lock needs the folder, also for the first secret.
			makeFolder(this.#folder);
		} catch {
			// What is stored there next says what is wrong.
		}
		return withLock(`${this.#fileOf(name)}.lock`, times, act);
	}

	#fileOf(name: string): string {
		return join(this.#folder, `${this.kind.word}-${name}.json`);
	}

	#keyring(): Promise<Keyring | undefined> {
		const { keyring, env, platform } = this.place;
		this.#ring ??= keyring?.() ?? openKeyring(env, platform);
		return this.#ring;
	}

	#entry(name: string): z.output<typeof shape> | undefined {
		const file = this.#fileOf(name);
		let text: string;
		try {
			text = readBoundedSync(file, largest).toString("utf8");
		} catch (cause) {
			if ((cause as { code?: unknown }).code === "ENOENT") return undefined;
			throw cause instanceof RangeError ? this.#broken(name, file, cause.message) : unusable(file, "read", cause);
		}
		try {
			return shape.parse(JSON.parse(text));
		} catch {
			throw this.#broken(name, file);
		}
	}

	#fromFile(name: string, secret: string): string {
		const file = this.#fileOf(name);
		// Windows has no such modes: there every file looks open.
		const isOpen = this.place.platform !== "win32" && ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
		if (isOpen && !this.#warned.has(name))
			this.place.warn?.(
				`others on this machine can read ${file}, which holds ${this.kind.called(name)}; close it with: chmod 600 ${quotedPath(file)}`,
			);
		if (isOpen) this.#warned.add(name);
		return secret;
	}

	async #fromKeyring(name: string, origin: string): Promise<string> {
		const ring = await this.#requiredKeyring(name);
		const secret = await ring.get(this.kind.account(name, origin)).catch(() => this.#lost(name, "It may be locked"));
		return secret ?? this.#lost(name, "It was removed there, or the keyring was reset");
	}

	async #requiredKeyring(name: string): Promise<Keyring> {
		return (await this.#keyring()) ?? this.#lost(name, "There is no desktop session, or PURSER_NO_KEYRING is set");
	}

	#lost(name: string, why: string): never {
		throw this.#error("auth", "KEYRING_FAILED", name, { message: `The system keyring does not give ${this.kind.called(name)}`, why });
	}

	/** Replaces the file whole; there is no moment when it is half written or readable by others. */
	#put(name: string, entry: z.output<typeof shape>, put: (file: string, content: string, mode: number) => void): void {
		const file = this.#fileOf(name);
		try {
			makeFolder(this.#folder);
			chmodSync(this.#folder, 0o700);
			put(file, `${JSON.stringify(entry)}\n`, 0o600);
			// After a power cut a key must be there as long as what was signed with it.
			syncFolder(dirname(this.#folder));
		} catch (cause) {
			throw unusable(file, "written", cause);
		}
	}

	#broken(name: string, place: string, why?: string): PurserError {
		return this.#error("usage", "SECRET_BROKEN", name, {
			message: `${place} does not hold ${this.kind.called(name)}: it is broken`,
			why,
			fix: advice`Move it away and ${this.kind.again(name, this.#fileOf(name))}`,
		});
	}

	/** A login never moves a profile, so another one helps only where the profile itself has the new address. */
	#otherAddress(name: string, stored: string, asked: string): PurserError {
		return this.#error("auth", "SECRET_OTHER_ADDRESS", name, {
			message: `What is stored as ${this.kind.called(name)} is for ${stored}, not for ${asked}`,
			why: "A secret is bound to the scheme, host and port it was given for",
			fix: advice`If the address comes from --base-url or PURSER_BASE_URL, leave that out, or give it a profile of its own: ${purser`profile add NAME --base-url ${asked}`}. If the profile has this address now, ${this.kind.again(name, this.#fileOf(name))}`,
		});
	}

	#error(kind: Kind, code: string, name: string, failure: { message: string; why?: string; fix?: Advice }): PurserError {
		return new PurserError(kind, {
			code,
			fix: advice`Unlock it and try again, or ${this.kind.again(name, this.#fileOf(name))}`,
			...failure,
		});
	}
}

async function isRemembered(ring: Keyring, account: string, secret: string): Promise<boolean> {
	try {
		await ring.set(account, secret);
		return (await ring.get(account)) === secret;
	} catch {
		return false;
	}
}

const unusable = (file: string, did: "read" | "written" | "removed", cause: unknown): PurserError =>
	inaccessible("SECRET_INACCESSIBLE", `The secret in ${file}`, did, cause);
