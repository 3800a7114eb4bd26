/**
 * The key with which this person approves batches, stored like a credential: in the keyring of the operating system, else in a 0600 file.
 */

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { advice, purser, quotedPath } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { Signing } from "../../ports/profiles.js";
import { type SecretPlace, SecretStore } from "./store.js";

/** The file is `approval-key.json`; the keyring's entry is bound to the folder, so that two configurations have two keys. */
const [name, origin] = ["key", "approval"];

/** The signing key of a configuration. @throws PurserError as {@link SecretStore} */
export function createSigning(place: SecretPlace): Signing {
	const store = new SecretStore<KeyObject>(place, {
		word: "approval",
		called: () => "your approval key",
		again: (_, file) =>
			advice`make a new key:\nrm ${quotedPath(file)}\n${purser`pay batch key`}\nand have it entered in place of the old one: ${purser`profile set NAME --set approvers=PERSON=KEY`}`,
		account: () => `approval ${place.directory}`,
		read: keyOf,
		write: (key) => key.export({ format: "der", type: "pkcs8" }).toString("base64"),
	});
	const own = async (): Promise<{ key: string; where: string } | undefined> => {
		const found = await store.get(name, origin);
		return found && { key: createPublicKey(found.secret).export({ format: "jwk" }).x as string, where: found.from };
	};
	return {
		own,
		make: async () => {
			const existing = await own();
			if (existing) return existing;
			const { warning } = await store.set(name, origin, generateKeyPairSync("ed25519").privateKey);
			// Read back: what is shown is what will sign, also when another process made one at the same time.
			const made = (await own()) as { key: string; where: string };
			return warning === undefined ? made : { ...made, warning };
		},
		sign: async (message) => {
			const found = await store.get(name, origin);
			if (found === undefined) throw noKey();
			return sign(null, message, found.secret).toString("base64url");
		},
	};
}

/** Nobody could check what a key of another kind signs. */
function keyOf(secret: string): KeyObject | undefined {
	try {
		const key = createPrivateKey({ key: Buffer.from(secret, "base64"), format: "der", type: "pkcs8" });
		return key.asymmetricKeyType === "ed25519" ? key : undefined;
	} catch {
		return undefined;
	}
}

export function noKey(): PurserError {
	return new PurserError("usage", {
		code: "APPROVAL_KEY_MISSING",
		message: "You have no approval key here; nothing was changed",
		fix: advice`Make one, and have it entered where batches are sent: ${purser`pay batch key`}`,
	});
}
