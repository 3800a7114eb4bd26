/**
 * To whom the credential goes when a document is fetched: to the profile's own scheme, host and port, and to nobody else.
 */
import { describe, expect, it } from "vitest";
import { fetchDocument } from "../../src/http/document.js";
import type { WireOutcome } from "../../src/ports/wire.js";
import { answered, smallContext } from "../support/context.js";

const page = answered(200, "<p>x</p>", { "content-type": "text/html" });
const moved = (location: string): WireOutcome => ({ kind: "answer", status: 307, headers: { location }, body: new Uint8Array() });

/** Each request as its address and the credential it carried. */
async function asked(answers: WireOutcome[], address: string, baseUrl = "https://api.example.com/base"): Promise<unknown[]> {
	const small = smallContext({ profile: { baseUrl, environment: "sandbox" }, answers });
	const refused = await fetchDocument(small.context, address).then(
		() => [],
		(error) => [error.failure.code],
	);
	return [...small.requests.map(({ url, headers }) => `${url} ${headers.authorization ?? "-"}`), ...refused];
}

describe("the credential of a document", () => {
	it.each([
		["https://api.example.com/t", ["https://api.example.com/t Bearer the-token"]],
		["https://API.EXAMPLE.com:443/t", ["https://api.example.com/t Bearer the-token"]],
		["https://api.example.com:8443/t", ["OTHER_HOST"]],
		["https://api.example.com./t", ["OTHER_HOST"]],
		["https://api.example.com.example.net/t", ["OTHER_HOST"]],
		["https://[2001:db8::1]/t", ["OTHER_HOST"]],
		["https://api.exаmple.com/t", ["OTHER_HOST"]],
		["http://api.example.com/t", ["OTHER_HOST"]],
		["https://user:pass@api.example.com/t", ["UNSAFE_ADDRESS"]],
		["https://api.example.com@example.net/t", ["UNSAFE_ADDRESS"]],
		["file:///etc/hostname", ["UNSAFE_ADDRESS"]],
	])("%s", async (address, expected) => {
		expect(await asked([page], address)).toEqual(expected);
	});

	it("is sent once: no redirect is followed", async () => {
		expect(await asked([moved("/a"), page], "https://api.example.com/t")).toEqual([
			"https://api.example.com/t Bearer the-token",
			"NOT_A_DOCUMENT",
		]);
	});

	it("of a sandbox without TLS goes to its own port only", async () => {
		const own = "http://127.0.0.1:4010";
		expect(await asked([page], `${own}/t`, own)).toEqual([`${own}/t Bearer the-token`]);
		expect(await asked([page], "http://127.0.0.1:4011/t", own)).toEqual(["OTHER_HOST"]);
	});
});
