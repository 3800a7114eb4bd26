import { describe, expect, it } from "vitest";
import { adviceText } from "../../src/api/advice.js";
import { formatJson } from "../../src/api/json.js";
import { login } from "../../src/api/operations/auth.js";
import { createCorporate, getCorporate, updateCorporate } from "../../src/api/operations/corporate.js";
import { getLedger } from "../../src/api/operations/ledger.js";
import { createRelated } from "../../src/api/operations/related.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { PurserError } from "../../src/errors.js";
import { call } from "../../src/http/call.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { advised } from "../support/advice.js";
import { answered, changed, smallContext } from "../support/context.js";

const a = "11111111-1111-4111-8111-111111111111";
const b = "22222222-2222-4222-8222-222222222222";
const made = "33333333-3333-4333-8333-333333333333";
const transfer = { body: { ledgerFromId: a, ledgerToId: b, amount: "10.10", reference: "Invoice 2041" } };
const read = { params: { corporateId: a } };
const write = { params: { corporateId: a }, body: { tradeName: "Example" } };

async function failure(work: Promise<unknown>): Promise<PurserError> {
	const error: unknown = await work.then(
		() => new Error("it did not fail"),
		(cause) => cause,
	);
	if (error instanceof PurserError) return error;
	throw error;
}

const bodyOf = (request: { body?: Uint8Array } | undefined) => new TextDecoder().decode(request?.body);

describe("an answer", () => {
	it("keeps number literals and unknown fields, and tells what it is", async () => {
		const small = smallContext({ answers: [answered(200, '{"id":"x","totalAmount":10.100,"big":12345678901234567890,"new":{"a":[1]}}')] });
		const reply = await call(small.context, getLedger, { params: { ledgerId: a } });
		expect(formatJson(reply.data)).toBe('{"id":"x","totalAmount":10.100,"big":12345678901234567890,"new":{"a":[1]}}');
		expect(reply).toMatchObject({ status: 200, contentType: "application/json", waiting: false });
		expect(small.requests[0]?.headers.authorization).toBe("Bearer the-token");
	});
});

describe("a change and its journal", () => {
	it("a transfer: begun before it leaves, ended with the id", async () => {
		const order: string[] = [];
		const answer = (request: WireRequest) => {
			order.push(`sent ${bodyOf(request)}`);
			return answered(201, { id: made });
		};
		const small = smallContext({
			answers: [answer],
			journal: {
				begin: async (intent) => {
					order.push(`begin ${JSON.stringify(intent)}`);
					return "7";
				},
				end: async (intent, outcome) => void order.push(`end ${intent} ${JSON.stringify(outcome)}`),
			},
		});
		expect(await call(small.context, createInterLedger, transfer, { currency: "EUR" })).toMatchObject({
			id: made,
			intent: "7",
			waiting: false,
		});
		expect(order).toEqual([
			`begin {"operation":"transaction.interLedger","effect":"money","profile":"test","origin":"https://api.example.com","service":"https://api.example.com","method":"POST",` +
				`"path":"/api/partner/transactions/inter-ledger","digest":"2df083bbb5fd740c5274c1c3026c1c9b124716dc936ccfe7a29b5b048cf23fe1",` +
				`"transfer":{"kind":"ledger","ledgerFromId":"${a}","counterpartyId":"${b}","amount":"10.10","currency":"EUR","reference":"Invoice 2041"}}`,
			`sent {"ledgerFromId":"${a}","ledgerToId":"${b}","amount":10.10,"reference":"Invoice 2041"}`,
			`end 7 {"state":"accepted","id":"${made}","status":201}`,
		]);
	});

	it("a creation keeps the externalId and nothing personal", async () => {
		const small = smallContext({ answers: [answered(201, { corporateId: made })] });
		const body = { externalId: "crm-1", corporateName: "Example", accountOwnerInfo: { firstName: "Ada", emailAddress: "ada@example.com" } };
		expect((await call(small.context, createCorporate, { body: body as never })).id).toBe(made);
		const text = JSON.stringify(small.journal);
		expect(text).toContain('"externalId":"crm-1"');
		expect(text).not.toMatch(/Ada|ada@|"Example"/);
	});

	it("that cannot be begun does not leave", async () => {
		for (const cause of [new Error("ENOSPC"), new PurserError("guard", { code: "DOUBT_OPEN", message: "m", fix: "f" })]) {
			const small = smallContext({ answers: [answered(201, { id: made })], journal: { begin: () => Promise.reject(cause) } });
			const error = await failure(call(small.context, createInterLedger, transfer));
			expect(error.kind).toBe(cause instanceof PurserError ? "guard" : "usage");
			expect(small.requests).toHaveLength(0);
		}
	});

	const broken = { end: () => Promise.reject(Object.assign(new Error("write failed"), { code: "ENOSPC" })) };
	const kept = new PurserError("unavailable", { code: "OUTCOME_KEPT", message: "kept here", fix: "Run anything." });
	it.each([
		["cannot be written", broken.end, { moneyMayHaveMoved: true, message: expect.stringContaining(made) }],
		["stands in this machine's log alone", () => Promise.reject(kept), { why: "kept here", fix: "Run anything." }],
	])("accepted, but the end %s: exit 7", async (_, end, told) => {
		const small = smallContext({ answers: [answered(201, { id: made })], journal: { end } });
		const error = await failure(call(small.context, createInterLedger, transfer));
		expect([error.exit, error.failure]).toMatchObject([7, { code: "ACCEPTED_BUT_NOT_RECORDED", ...told }]);
	});

	it("refused, and the end cannot be written: refused, and told", async () => {
		const small = smallContext({ answers: [answered(400)], journal: broken });
		expect((await failure(call(small.context, createInterLedger, transfer))).kind).toBe("rejected");
		expect(small.said.join()).toContain("The disk is full");
	});

	it("a transport that throws leaves it in doubt; one that cannot be had sent nothing", async () => {
		const thrown = smallContext({
			answers: [() => Promise.reject(new Error("bug"))],
		});
		expect((await failure(call(thrown.context, createInterLedger, transfer))).kind).toBe("unknown");
		const none = smallContext();
		const context = changed(none.context, { system: { transport: () => Promise.reject(new Error("cannot load")) } });
		expect((await failure(call(context, createInterLedger, transfer))).kind).toBe("unavailable");
		expect(none.journal.at(-1)).toMatchObject({ end: { state: "not-sent" } });
	});

	it("the profile's refusing statuses replace the table, for 4xx only", async () => {
		const settings = { "refusing-statuses": "409, 500" };
		const kind = async (status: number) =>
			(await failure(call(smallContext({ profile: { settings }, answers: [answered(status)] }).context, createInterLedger, transfer))).kind;
		expect([await kind(409), await kind(400), await kind(500)]).toEqual(["rejected", "unknown", "unknown"]);
	});

	it("in doubt: says so, and where to look", async () => {
		const small = smallContext({ answers: [answered(409, { errorCode: "SCA_REQUIRED" })] });
		const error = await failure(call(small.context, createInterLedger, transfer));
		expect(error.failure).toMatchObject({
			code: "TRANSFER_IN_DOUBT",
			moneyMayHaveMoved: true,
			intent: "intent-1",
			status: 409,
			apiCode: "SCA_REQUIRED",
			fix: advised(`Check first: purser pay settle intent-1, purser pay list --ledger-id ${a}`),
			why: expect.stringContaining("sca-strategy"),
		});
		const failed = smallContext({ answers: [answered(500, { errorCode: "INTERNAL_ERROR", message: "Something went wrong" })] });
		expect((await failure(call(failed.context, createInterLedger, transfer))).failure.why).toBe(
			"purser never repeats a change by itself. The service says: Something went wrong",
		);
		const related = smallContext({ answers: [answered(500)] });
		expect(
			adviceText((await failure(call(related.context, createRelated, { params: { corporateId: a }, body: {} as never }))).failure.fix),
		).toContain(`purser related list ${a}`);
	});
});

describe("who asks", () => {
	const tokens = (token: string) => answered(200, { token, refreshToken: `${token}-refresh` });
	const jwt = (exp: number) => `e30.${Buffer.from(JSON.stringify({ exp })).toString("base64url")}.x`;
	const sent = (small: ReturnType<typeof smallContext>) =>
		small.requests.map((request) => `${new URL(request.url).pathname.split("/").at(-1)} ${request.headers.authorization ?? "-"}`);

	it.each([
		["PURSER_TOKEN_FILE (x)", "Put a valid one in PURSER_TOKEN_FILE (x), or unset the variable and log in: purser auth login"],
		["keyring", "Log in again: purser auth login --profile"],
	])("a refusal of what came from %s says what gives another one", async (from, fix) => {
		const small = smallContext({ answers: [answered(401)] });
		const credential = { kind: "tokens", token: "old" } as const;
		const credentials = { ...(await small.context.config.credentials()), get: async () => ({ credential, from }) };
		const context = changed(small.context, { config: { credentials: async () => credentials } });
		expect(adviceText((await failure(call(context, getCorporate, read))).failure.fix)).toContain(fix);
	});

	it("a read refused with 401 renews the token and is repeated once", async () => {
		const small = smallContext({ answers: [answered(401), tokens("new"), answered(200, { id: "c" })] });
		await call(small.context, getCorporate, read);
		expect(sent(small)).toEqual([`${a} Bearer the-token`, "refresh -", `${a} Bearer new`]);
		expect(bodyOf(small.requests[1])).toBe('{"refreshToken":"the-refresh-token"}');
		expect(small.stored.get("test")).toEqual({ kind: "tokens", token: "new", refreshToken: "new-refresh" });
	});

	it("a write too, under one intent", async () => {
		const small = smallContext({ answers: [answered(401), tokens("new"), answered(204)] });
		await call(small.context, updateCorporate, write);
		expect(sent(small)).toHaveLength(3);
		expect(small.journal).toMatchObject([{ begin: {} }, { end: { state: "accepted", status: 204 } }]);
	});

	it("a transfer is never sent a second time: the token is renewed for the next run only", async () => {
		const small = smallContext({ answers: [answered(401), tokens("new")] });
		const error = await failure(call(small.context, createInterLedger, transfer));
		expect([error.kind, adviceText(error.failure.fix)]).toEqual(["auth", "Run this again"]);
		expect(sent(small)).toEqual(["inter-ledger Bearer the-token", "refresh -"]);
		expect(small.journal).toMatchObject([{ begin: {} }, { end: { state: "refused", status: 401 } }]);
	});

	it.each([
		["answered 401", answered(401)],
		["answered without a token", answered(200, {})],
		["answered nonsense", answered(200, "<html>")],
		["not reached", { kind: "not-sent", reason: "refused" } as const],
	])("a renewal that is %s leaves the 401", async (_name, outcome) => {
		const small = smallContext({ answers: [answered(401), outcome] });
		expect((await failure(call(small.context, getCorporate, read))).kind).toBe("auth");
	});

	it.each(["User-Agent", "x-request-id", "Host", "Proxy-Authorization", "Location"])(
		"a fixed header called %s, as a profile changed by hand may have it, carries no secret",
		async (header) => {
			const small = smallContext({
				profile: { auth: { kind: "header", header } },
				credential: { kind: "header", value: "s3cret" },
				answers: [answered(200, { id: "c" })],
			});
			expect((await failure(call(small.context, getCorporate, read))).failure.code).toBe("AUTH_HEADER_UNUSABLE");
			expect(small.requests).toEqual([]);
		},
	);

	it("a token about to expire is renewed first, even before a transfer; one that is not is left alone", async () => {
		const now = new Date("2026-03-01T10:00:00Z");
		const seconds = now.getTime() / 1_000;
		const stale = { kind: "tokens" as const, token: jwt(seconds + 20), refreshToken: "r" };
		const small = smallContext({ now, credential: stale, answers: [tokens("new"), answered(201, { id: made })] });
		await call(small.context, createInterLedger, transfer);
		expect(sent(small)).toEqual(["refresh -", "inter-ledger Bearer new"]);
		const fresh = smallContext({ now, credential: { ...stale, token: jwt(seconds + 60) }, answers: [answered(200, { id: "c" })] });
		await call(fresh.context, getCorporate, read);
		expect(fresh.requests).toHaveLength(1);
	});

	it("on a machine whose clock is two hours ahead, a token obtained in this run is not renewed again", async () => {
		const noon = Date.parse("2026-03-01T12:00:00Z");
		const told = (body: unknown) => answered(200, body, { date: new Date(noon).toUTCString() });
		const token = jwt(noon / 1_000 + 3_600);
		const small = smallContext({
			now: new Date(noon + 2 * 3_600_000),
			credential: { kind: "tokens", token, refreshToken: "r" },
			answers: [({ url }) => told(url.endsWith("/refresh") ? { token, refreshToken: "r" } : { id: "c" })],
		});
		for (let reads = 0; reads < 4; reads++) await call(small.context, getCorporate, read);
		expect(small.requests.map(({ url }) => url.endsWith("/refresh"))).toEqual([true, false, false, false, false]);
	});

	it("an expiry is read, never trusted: a token that looks expired is still tried where it cannot be renewed", async () => {
		const small = smallContext({ credential: { kind: "tokens", token: jwt(1) }, answers: [answered(200, { id: "c" })] });
		await call(small.context, getCorporate, read);
		expect(small.requests).toHaveLength(1);
	});

	it("many calls at once share one renewal", async () => {
		const answer = ({ headers }: WireRequest) => (headers.authorization === "Bearer new" ? answered(200, { id: "c" }) : answered(401));
		const small = smallContext({ answers: [(request) => (request.url.endsWith("/refresh") ? tokens("new") : answer(request))] });
		await Promise.all(Array.from({ length: 8 }, () => call(small.context, getCorporate, read)));
		expect(small.requests.filter((request) => request.url.endsWith("/refresh"))).toHaveLength(1);
	});

	it("a renewed token that cannot be stored serves this run, and that is told", async () => {
		const small = smallContext({ answers: [answered(401), tokens("new"), answered(200, { id: "c" })] });
		const credentials = await small.context.config.credentials();
		const context = changed(small.context, {
			config: { credentials: async () => ({ ...credentials, set: () => Promise.reject(new Error("full")) }) },
		});
		await call(context, getCorporate, read);
		await call(context, getCorporate, read);
		expect(sent(small).at(-1)).toBe(`${a} Bearer new`);
		expect(small.said.join()).toContain("could not be stored");
	});

	it.each([
		[{ kind: "header", header: "X-Api-Key" }, { kind: "header", value: "k3y" }, { "x-api-key": "k3y" }],
		[{ kind: "header", header: "Authorization" }, { kind: "header", value: "Basic b3A6cDp3" }, { authorization: "Basic b3A6cDp3" }],
		[{ kind: "login" }, { kind: "tokens", token: "t" }, { authorization: "Bearer t" }],
	] as const)("auth %j", async (auth, credential, headers) => {
		const small = smallContext({ profile: { auth }, credential, answers: [answered(200, { id: "c" })] });
		await call(small.context, getCorporate, read);
		expect(small.requests[0]?.headers).toMatchObject(headers);
	});

	it("no header: auth none, an operation without, the anonymous form", async () => {
		const bodies = { body: { partnerName: "p" } as never };
		const none = smallContext({ profile: { auth: { kind: "none" } }, answers: [answered(200, { id: "c" })] });
		await call(none.context, getCorporate, read);
		const small = smallContext({ answers: [answered(201, { corporateId: made, token: "x" })] });
		await call(small.context, login, { body: { username: "u", password: "p" } });
		await call(small.context, createCorporate, bodies, { anonymous: true });
		for (const request of [...none.requests, ...small.requests]) expect(request.headers).not.toHaveProperty("authorization");
		const usual = smallContext({ answers: [answered(201, { corporateId: made })] });
		await call(usual.context, createCorporate, bodies);
		expect(usual.requests[0]?.headers.authorization).toBe("Bearer the-token");
	});

	it("no credential: says how to log in; nothing is sent or written", async () => {
		const small = smallContext({ credential: null });
		expect((await failure(call(small.context, createInterLedger, transfer))).failure).toMatchObject({
			code: "NO_CREDENTIAL",
			fix: advised("Log in: purser auth login --profile test"),
		});
		expect([small.requests, small.journal]).toEqual([[], []]);
	});

	it.each(["a\r\nx: y", "", " t", "é"])("a token that cannot stand in a header is refused: %j", async (token) => {
		const small = smallContext({ credential: { kind: "tokens", token } });
		const error = await failure(call(small.context, getCorporate, read));
		expect([error.kind, error.failure.code]).toEqual(["auth", "CREDENTIAL_UNUSABLE"]);
	});
});

it("an empty record is no answer to a read: exit 1, and that is said", async () => {
	const small = smallContext({ answers: [answered(200, {})] });
	await expect(call(small.context, getCorporate, read)).rejects.toMatchObject({
		kind: "bug",
		failure: { code: "ANSWER_UNREADABLE", why: "It is empty, but a record is expected" },
	});
});

describe("interrupted", () => {
	function interruptedBy(outcome: WireOutcome) {
		const answer = () => {
			small.interrupt();
			return outcome;
		};
		const small = smallContext({ answers: [answer] });
		return small;
	}

	it("with nothing sent: 130, and the journal says not sent", async () => {
		const small = interruptedBy({ kind: "not-sent", reason: "cancelled" });
		const error = await failure(call(small.context, createInterLedger, transfer));
		expect([error.kind, error.exit]).toEqual(["interrupted", 130]);
		expect(small.journal.at(-1)).toMatchObject({ end: { state: "not-sent" } });
		expect(small.requests).toHaveLength(1);
	});

	it("with a transfer on its way: 7", async () => {
		const small = interruptedBy({ kind: "sent", reason: "cancelled" });
		expect((await failure(call(small.context, createInterLedger, transfer))).exit).toBe(7);
		expect(small.said).toContain("warn: Stopping: waiting up to three seconds for the answer");
	});

	it("in the pause between two tries: the interruption goes out, after the journal's end", async () => {
		const small = smallContext({ answers: [{ kind: "not-sent", reason: "refused" }] });
		const stop = new PurserError("interrupted", { code: "INTERRUPTED", message: "m", fix: "f" });
		const context = changed(small.context, { clock: { sleep: () => Promise.reject(stop) } });
		expect(await failure(call(context, createInterLedger, transfer))).toBe(stop);
		expect(small.journal.at(-1)).toMatchObject({ end: { state: "not-sent" } });
	});
});
