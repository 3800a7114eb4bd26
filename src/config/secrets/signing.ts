/**
 * The key with which this person approves batches, stored like a credential: in the keyring of the operating system, else in a 0600 file.
 */

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { advice, purser, quotedPath } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { Signing } from "../../ports/profiles.js";
import { storeSecret } from "./credentials.js";
import { type Keyring, openKeyring } from "./keyring.js";
import { Vault } from "./vault.js";

export interface SigningOptions {
	/** The folder of the configuration: a key belongs to whoever owns it. */
	directory: string;
	env: Readonly<Record<string, string | undefined>>;
	/** As Node names it. */
	platform: string;
	/** In place of the operating system's, for tests. */
	keyring?: () => Promise<Keyring | undefined>;
}

/** The file is `approval-key.json`; the keyring's entry is bound to the folder, so that two configurations have two keys. */
const name = "key";

/**
 * The signing key of a configuration.
 * @throws PurserError auth, where the keyring lost the key or cannot be asked; usage, where its file cannot be read or written
 */
export function createSigning({ directory, env, platform, keyring = () => openKeyring(env, platform) }: SigningOptions): Signing {
	const vault = new Vault(directory, "approval", (_, file) => advice`make a new key:\nrm ${quotedPath(file)}\n${purser`pay batch key`}`);
	const account = `approval ${directory}`;
	const read = async (): Promise<{ private: KeyObject; where: string } | undefined> => {
		const entry = await vault.read(name);
		if (entry === undefined) return undefined;
		if (entry.in === "file") return { private: keyOf(entry.secret, vault.fileOf(name)), where: vault.fileOf(name) };
		const secret = await (await keyring())?.get(account).catch(() => undefined);
		if (secret === undefined) throw lost(vault.fileOf(name));
		return { private: keyOf(secret, "the keyring"), where: "keyring" };
	};
	const own = async (): Promise<{ key: string; where: string } | undefined> => {
		const found = await read();
		return found && { key: publicHalf(found.private), where: found.where };
	};
	return {
		own,
		make: async () => {
			const existing = await own();
			if (existing) return existing;
			const secret = generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
			const { warning } = await storeSecret(vault, { what: "key", name, origin: "approval", account, secret }, await keyring(), env);
			// Read back: what is shown is what will sign, also when another process made one at the same time.
			const made = (await own()) as { key: string; where: string };
			return warning === undefined ? made : { ...made, warning };
		},
		sign: async (message) => {
			const found = await read();
			if (found === undefined) throw noKey();
			return sign(null, message, found.private).toString("base64url");
		},
	};
}

function publicHalf(key: KeyObject): string {
	return createPublicKey(key).export({ format: "jwk" }).x as string;
}

/** Without the cause, which might quote the key. */
function keyOf(secret: string, where: string): KeyObject {
	try {
		const key = createPrivateKey({ key: Buffer.from(secret, "base64"), format: "der", type: "pkcs8" });
		if (key.asymmetricKeyType === "ed25519") return key;
	} catch {}
	throw new PurserError("usage", {
		code: "APPROVAL_KEY_BROKEN",
		message: `Your approval key in ${where} is broken`,
		fix: advice`Move it away, make a new one (${purser`pay batch key`}), and have it entered in place of the old one: ${purser`profile set NAME --set approvers=PERSON=KEY`}`,
	});
}

function lost(file: string): PurserError {
	return new PurserError("auth", {
		code: "APPROVAL_KEY_LOST",
		message: "Your approval key is in the keyring, and the keyring does not give it",
		why: "It is locked, there is no desktop session, or the key was removed",
		fix: advice`Unlock it and try again. For a new key: rm ${quotedPath(file)}, then ${purser`pay batch key`}, and have it entered in place of the old one`,
	});
}

export function noKey(): PurserError {
	return new PurserError("usage", {
		code: "APPROVAL_KEY_MISSING",
		message: "You have no approval key here; nothing was changed",
		fix: advice`Make one, and have it entered where batches are sent: ${purser`pay batch key`}`,
	});
}
