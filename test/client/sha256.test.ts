import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../../src/sha256.js";

// The first of the process are hashed without Node's own; what comes later, with it.
test("the first digests of a process are those of FIPS 180-4's examples, of bytes and of texts", () => {
	expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	expect(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
	);
	expect(sha256(new Uint8Array([0x61, 0x62, 0x63]))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	expect(sha256("Société \ud83d\ude00 \ud800")).toBe(createHash("sha256").update("Société \ud83d\ude00 \ud800").digest("hex"));
});

test("each is Node's own, before Node's own is there and after", async () => {
	const check = fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.uint8Array({ maxLength: 300 })), (data) => {
		expect(sha256(data)).toBe(createHash("sha256").update(data).digest("hex"));
	});
	// Without a pause the other one cannot be loaded.
	fc.assert(check, { numRuns: 500 });
	await new Promise((resolve) => setTimeout(resolve, 50));
	fc.assert(check, { numRuns: 500 });
});
