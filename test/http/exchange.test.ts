/**
 * One exchange is one write, whatever the transport below does.
 */
import { describe, expect, it } from "vitest";
import { Exchange } from "../../src/http/transport/exchange.js";
import type { WireOutcome } from "../../src/ports/wire.js";

function exchange(): { exchange: Exchange; outcome: Promise<WireOutcome> } {
	let made: Exchange | undefined;
	const request = { method: "POST", url: "https://api.example.com/x", headers: {} } as const;
	const outcome = new Promise<WireOutcome>((resolve) => {
		made = new Exchange(request, { connect: 1_000, total: 1_000, bytes: 100 }, resolve);
	});
	return { exchange: made as Exchange, outcome };
}

describe("an exchange", () => {
	it("that is begun a second time writes nothing, and what became of the first is open", async () => {
		const { exchange: one, outcome } = exchange();
		expect([one.start(), one.begin(), one.begin()]).toEqual([true, true, false]);
		expect(await outcome).toMatchObject({ kind: "sent" });
	});

	it("that is over begins nothing", async () => {
		const { exchange: one, outcome } = exchange();
		one.start();
		one.fail(new Error("no connection"));
		expect(one.begin()).toBe(false);
		expect(await outcome).toMatchObject({ kind: "not-sent" });
	});

	it("keeps its first outcome", async () => {
		const { exchange: one, outcome } = exchange();
		one.start();
		one.begin();
		one.fail(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
		one.head(201, {});
		one.end();
		expect(await outcome).toMatchObject({ kind: "sent", reason: "the connection was closed before an answer came" });
	});
});
