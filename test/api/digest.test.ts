import { expect, test } from "vitest";
import { sha256, sha256OfParts } from "../../src/api/digest.js";

test("digests are those of FIPS 180-4's examples, of bytes and of texts", () => {
	expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	expect(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
	);
	expect(sha256(new Uint8Array([0x61, 0x62, 0x63]))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("a part more, or a character in the next part, is another digest", () => {
	const digests = [["a", "b"], ["ab"], ["ab", ""], ["", "ab"], ["a\n1:b"], ["a\nb"]].map(sha256OfParts);
	expect(new Set(digests).size).toBe(6);
});
