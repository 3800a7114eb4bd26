import { createPublicKey, verify } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSigning } from "../../src/config/secrets/signing.js";
import type { SecretPlace } from "../../src/config/secrets/store.js";
import { advised } from "../support/advice.js";
import { ringOf } from "./ring.js";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-signing-"));
});
afterEach(() => rm(folder, { recursive: true }));

const made = (keyring: SecretPlace["keyring"] = async () => undefined) =>
	createSigning({ directory: folder, env: {}, platform: "linux", keyring });
const file = () => join(folder, "secrets", "approval-key.json");
const message = new TextEncoder().encode("what is signed");

function isBy(key: string, signature: string): boolean {
	const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: key }, format: "jwk" });
	return verify(null, message, publicKey, Buffer.from(signature, "base64url"));
}

test("a key in a file: 0600 in 0700, made once, and what it signs can be checked", async () => {
	expect(await made().own()).toBeUndefined();
	const first = await made().make();
	expect(first).toEqual({ key: expect.stringMatching(/^[\w-]{43}$/), where: file(), warning: expect.stringContaining(file()) });
	expect([(await stat(file())).mode & 0o777, (await stat(join(folder, "secrets"))).mode & 0o777]).toEqual([0o600, 0o700]);
	expect(await made().make()).toEqual({ key: first.key, where: file() });
	const signature = await made().sign(message);
	expect(isBy(first.key, signature)).toBe(true);
	expect(isBy(first.key, `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`)).toBe(false);
	expect(await readdir(join(folder, "secrets"))).toEqual(["approval-key.json"]);
});

/** How secrets are kept is tested in credentials.test.ts. */
test("a key in the keyring leaves no secret in the file", async () => {
	const { keyring } = ringOf();
	const { key, where, warning } = await made(keyring).make();
	expect([where, warning]).toEqual(["keyring", undefined]);
	expect(JSON.parse(await readFile(file(), "utf8"))).toEqual({ in: "keyring", origin: "approval" });
	expect(isBy(key, await made(keyring).sign(message))).toBe(true);
});

test("nothing is signed without a key, and nothing of a broken one is quoted", async () => {
	await expect(made().sign(message)).rejects.toMatchObject({ kind: "usage", failure: { code: "APPROVAL_KEY_MISSING" } });
	await made().make();
	await writeFile(file(), JSON.stringify({ in: "file", origin: "approval", secret: "c2VjcmV0LXRleHQ=" }));
	const error = await made()
		.own()
		.catch((cause: unknown) => cause);
	const fix = advised(expect.stringContaining(`rm ${file()}\npurser pay batch key`));
	expect(error).toMatchObject({ kind: "usage", failure: { code: "SECRET_BROKEN", fix } });
	expect(JSON.stringify(error)).not.toContain("c2VjcmV0");
});
