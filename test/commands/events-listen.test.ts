/**
 * Events that are listened for: what is told, when, what is answered, and how it ends.
 */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { verdictOn } from "../../src/events/verdict.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { answered } from "../support/context.js";
import { deliver, listening, ownSecret, place, receiving, transaction } from "../support/listening.js";
import { until } from "../support/time.js";

const payment = "3f1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11";
const other = "7d0f6a10-1111-4b0e-9d58-0f4f6f3c2a22";

/** A service in which the payment is approved, and nothing else is. */
const service = ({ url }: WireRequest): WireOutcome =>
	url.endsWith(`/transactions/${payment}`) ? answered(200, { id: payment, status: "APPROVED" }) : answered(404, {});

describe("a delivery", () => {
	test("is stored, told and handed on once, and answered; repeats at once, whatever is in them, are answered alone", async () => {
		const at = await place();
		let handed = 0;
		const run = await listening(
			at,
			{ exec: "./on-event" },
			{
				program: async () => {
					handed += 1;
					return undefined;
				},
			},
		);
		const bodies = [...Array(8).fill(transaction(payment, "APPROVED")), transaction(payment, "DECLINED")];
		expect(await deliver(run.url, { id: "msg_1", body: bodies[0] })).toBe(200);
		expect(await Promise.all(bodies.map((body) => deliver(run.url, { id: "msg_1", body })))).toEqual(bodies.map(() => 200));
		expect(await run.toldMany(1)).toHaveLength(1);
		expect(run.told[0]).toMatchObject({
			...{ type: "transaction.updated", subject: { kind: "transaction", id: payment }, from: null, to: "APPROVED" },
			...{ source: "webhook", verified: true, confirmed: null },
		});
		expect(Object.keys(run.told[0] ?? {}).join(" ")).toBe("id type at subject from to source verified confirmed raw");
		expect((await at.inbox.list({})).map(({ id }) => id)).toEqual([run.told[0]?.id]);
		run.interrupt();
		expect(await run.ended).toMatchObject({ end: "stopped", received: 1, refused: {}, hooks: { done: 1, failed: 0, waiting: 0 } });
		expect(handed).toBe(1);
	});

	test("with a wrong signature, none, or too late is answered with 401, counted, told calmly and stored nowhere", async () => {
		const at = await place();
		const run = await listening(at);
		const body = transaction(payment, "APPROVED");
		const wrong = Array.from({ length: 21 }, () => ({ body, key: 9 }));
		const late = { body, at: Math.floor(Date.now() / 1000) - 3_600 };
		for (const sent of [...wrong, { body, headers: { "svix-signature": "" } }, late]) expect(await deliver(run.url, sent)).toBe(401);
		expect([run.told, await at.inbox.list({})]).toEqual([[], []]);
		run.interrupt();
		expect(await run.ended).toMatchObject({ refused: { "wrong-signature": 22, "too-old": 1 }, received: 0 });
		expect(run.said.filter((line) => line.startsWith("announce: Not taken"))).toEqual([
			"announce: Not taken: 1 with a signature that none of your secrets made",
			"announce: Not taken: 1 signed too long ago (check this machine's clock)",
		]);
		expect(run.said.join("\n")).not.toContain(ownSecret);
	});

	test("of another type is stored and not told", async () => {
		const at = await place();
		const run = await listening(at, { type: ["transaction.*"] });
		expect(await deliver(run.url, { id: "a", body: JSON.stringify({ type: "corporate.kyb.validated", corporateId: payment }) })).toBe(200);
		expect(await deliver(run.url, { id: "c", body: transaction(payment, "APPROVED") })).toBe(200);
		expect((await run.toldMany(1)).map(({ subject, type }) => [subject?.id, type])).toEqual([[payment, "transaction.updated"]]);
		expect(await at.inbox.list({})).toHaveLength(2);
	});
});

describe("what the service says", () => {
	test("comes with the line, and is asked once for events of one record that wait together", async () => {
		let asked = 0;
		const at = await place();
		const noting = (request: WireRequest): WireOutcome => {
			asked += 1;
			return service(request);
		};
		const run = await listening(at, {}, { answers: [noting] });
		for (const [id, of, status] of [
			["a", payment, "PENDING"],
			["b", payment, "APPROVED"],
			["c", other, "APPROVED"],
		] as const)
			expect(await deliver(run.url, { id, body: transaction(of, status) })).toBe(200);
		await run.toldMany(3);
		expect(run.told.map(({ to, confirmed }) => `${to} ${confirmed?.status}`)).toEqual([
			...["PENDING APPROVED", "APPROVED APPROVED", "APPROVED undefined"],
		]);
		expect((await at.inbox.show(run.told[0]?.id ?? ""))?.event.confirmed?.status).toBe("APPROVED");
		expect(run.said.filter((line) => line.startsWith("warn:"))).toHaveLength(1);
		expect(asked).toBeLessThanOrEqual(3);
	});

	test("is not waited for by the sender; at Ctrl-C what is stored is told without it, in order", async () => {
		const run = await listening(await place(), {}, { transport: { send: () => new Promise(() => {}), close: async () => {} } });
		for (let at = 0; at < 20; at += 1) expect(await deliver(run.url, { id: `m${at}`, body: transaction(payment, `S${at}`) })).toBe(200);
		run.interrupt();
		expect(await run.ended).toMatchObject({ end: "stopped", received: 20 });
		expect(run.told.map(({ to, confirmed }) => [to, confirmed])).toEqual(Array.from({ length: 20 }, (_, at) => [`S${at}`, null]));
	});
});

test("--for over is no failure", async () => {
	const run = await listening(await place(), { for: "1s" });
	expect([await run.ended, await run.exit]).toMatchObject([{ end: "time" }, undefined]);
});

describe("hooks", () => {
	const realTransport = async () => (await import("../../src/http/transport/http.js")).createTransport({ env: {} });

	test("an address is sent the bytes and the headers, so that the program there verifies with the production secret", async () => {
		const { got, url } = await receiving();
		const run = await listening(await place(), { forwardTo: [url] }, { transport: await realTransport() });
		// Bytes that are not what a JSON library would write again.
		const body = '{ "type":"transaction.updated",  "data":{"id":"x","status":"APPROVED","amount":10.10,"é":"\\u00e9"}}\n';
		expect(await deliver(run.url, { id: "msg_1", body, headers: { "x-hop": "1" } })).toBe(200);
		await until(() => got.length === 1);
		run.interrupt();
		expect(await run.ended).toMatchObject({ hooks: { done: 1, failed: 0, waiting: 0 } });
		const [one] = got as [(typeof got)[number]];
		expect([String(one.body), one.url, one.headers["content-type"], one.headers["x-hop"]]).toEqual([
			...[body, "/webhooks?key=very-secret", "application/json", undefined],
		]);
		expect(verdictOn(one, [ownSecret], Date.now())).toMatchObject({ isGenuine: true, id: "msg_1" });
		expect(run.said.join("\n")).not.toContain("very-secret");
	});

	test("a redirect is not followed; a hook that fails is named, once, and what it failed for is found", async () => {
		const { got, url } = await receiving((at) => [307, 500][at] ?? 200);
		const at = await place();
		const run = await listening(at, { forwardTo: [url] }, { transport: await realTransport() });
		const whys = ["it answered 307, and redirects are not followed", "it answered 500"];
		for (const [number, why] of whys.entries()) {
			await deliver(run.url, { id: `msg_${number}`, body: transaction(payment, "APPROVED") });
			await until(() => run.said.some((line) => line.endsWith(`: ${why}`)));
			const [event] = await at.inbox.list({ failed: true });
			expect((await at.inbox.show(event?.id ?? ""))?.hooks).toMatchObject([{ state: "failed", why }]);
		}
		run.interrupt();
		expect(await run.ended).toMatchObject({ hooks: { done: 0, failed: 2, waiting: 0 } });
		expect(got.map(({ url: path }) => path)).toEqual(Array(2).fill("/webhooks?key=very-secret"));
		expect(run.said.join("\n")).not.toContain("very-secret");
	});

	test("a program is given the event with what the service says, one after the other, and its arguments are never the event's", async () => {
		const given: { words: readonly string[]; input: string }[] = [];
		let [running, most] = [0, 0];
		const run = await listening(
			await place(),
			{ exec: "./on-payment.sh", arguments: ["--ledger", "main"] },
			{
				answers: [service],
				program: async (words, { input }) => {
					running += 1;
					most = Math.max(most, running);
					given.push({ words, input });
					await pause(2);
					running -= 1;
					return undefined;
				},
			},
		);
		await Promise.all(Array.from({ length: 10 }, (_, at) => deliver(run.url, { id: `m${at}`, body: transaction(payment, `S${at}`) })));
		await until(() => given.length === 10);
		run.interrupt();
		expect(await run.ended).toMatchObject({ received: 10, hooks: { done: 10, failed: 0, waiting: 0 } });
		expect([most, new Set(given.map(({ words }) => words.join(" ")))]).toEqual([1, new Set(["./on-payment.sh --ledger main"])]);
		const events = given.map(({ input }) => JSON.parse(input));
		expect(new Set(events.map(({ to, confirmed }) => `${to} ${confirmed.status}`)).size).toBe(10);
		expect(events.every(({ confirmed }) => confirmed.status === "APPROVED")).toBe(true);
	});
});

const taken = async () => ({ port: new URL((await listening(await place())).url).port });
test.each<[string, () => object | Promise<object>, "live" | "sandbox", object]>([
	["a port that is taken", taken, "sandbox", { kind: "usage", failure: { code: "PORT_UNAVAILABLE" } }],
	["arguments without a program", () => ({ arguments: ["x"] }), "sandbox", { failure: { code: "ARGUMENTS_WITHOUT_PROGRAM" } }],
	["a live profile's events in the clear", () => ({ forwardTo: ["http://example.com/hook"] }), "live", { kind: "guard" }],
])("it does not begin with %s", async (_, input, environment, error) => {
	await expect(listening(await place(), await input(), { profile: { environment } })).rejects.toMatchObject(error);
});
