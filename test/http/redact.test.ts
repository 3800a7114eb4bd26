import { expect, it } from "vitest";
import { Decimal, parseJson } from "../../src/api/json.js";
import { login } from "../../src/api/operations/auth.js";
import { createCorporate, getCorporate } from "../../src/api/operations/corporate.js";
import { PurserError } from "../../src/errors.js";
import { call } from "../../src/http/call.js";
import { outcomeLine, requestLine, shownBody, withoutSecrets } from "../../src/http/redact.js";
import type { Auth, Credential } from "../../src/ports/profiles.js";
import { answered, type SmallContext, smallContext } from "../support/context.js";

const id = "11111111-1111-4111-8111-111111111111";

it("a request: ids and the names of everything; values of nothing else", () => {
	const content = {
		ledgerFromId: id,
		amount: new Decimal("10.10"),
		reference: "Invoice 2041",
		externalId: "ada@example.com",
		accountOwnerInfo: { firstName: "Ada", phone: { number: "639980001" }, isDirector: true },
		legalType: { austriaValue: "AT_X" },
		metadata: { secret: "s" },
		list: [{ name: "Ada" }, { id }],
	};
	const headers = { authorization: "Bearer secret", "x-api-key": "secret", accept: "application/json", "x-own": "secret" };
	expect(
		requestLine({ method: "POST", url: `https://api.example.com/api/partner/x/${id}?iban=FR76&page=0&status=PENDING`, headers }, content),
	).toBe(
		`> POST /api/partner/x/${id}?iban=***&page=***&status=*** [authorization: ***, x-api-key: ***, accept: application/json, x-own: ***] ` +
			`{"ledgerFromId":"${id}","amount":"***","reference":"***","externalId":"***",` +
			`"accountOwnerInfo":{"firstName":"***","phone":{"number":"***"},"isDirector":"***"},` +
			`"legalType":{"austriaValue":"***"},"metadata":{"secret":"***"},"list":[{"name":"***"},{"id":"${id}"}]}`,
	);
});

it("an answer: status, time, listed headers, the shape of the body", () => {
	const outcome = answered(200, "{}", {
		"set-cookie": "session=secret",
		"x-request-id": "abc-1",
		location: "https://x.example/secret/y?token=secret",
	});
	const body = parseJson(
		`{"token":"eyJ.secret","refreshToken":"secret","endUserId":"${id}","message":"Ada Example is refused","code":"123456"}`,
	);
	expect(outcomeLine(outcome, body, 131.6)).toBe(
		"< 200 after 132 ms [content-type: application/json, set-cookie: ***, x-request-id: abc-1, location: https://x.example/***] " +
			`{"token":"***","refreshToken":"***","endUserId":"${id}","message":"***","code":"***"}`,
	);
});

it("depth and width have a limit", () => {
	let deep: unknown = "x";
	for (let level = 0; level < 10_000; level++) deep = { deep };
	expect(JSON.stringify(shownBody(deep)).length).toBeLessThan(200);
	const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, "v"]));
	expect(Object.keys(shownBody(wide) as object)).toHaveLength(40);
});

it("a dry run shows what was typed, but for secrets", () => {
	const body = { username: "operator", password: "p", nested: [{ code: "123456", token: "t", refreshToken: "r", firstName: "Ada" }] };
	expect(withoutSecrets(body)).toEqual({
		username: "operator",
		password: "***",
		nested: [{ code: "***", token: "***", refreshToken: "***", firstName: "Ada" }],
	});
});

/** Everything that a failed call shows: its error, what is on standard error with --debug, and the journal. */
async function shownOf(small: SmallContext, asked: Promise<unknown>): Promise<string> {
	const error = await asked.then(
		() => new Error("it succeeded"),
		(failed: unknown) => failed,
	);
	if (!(error instanceof PurserError)) throw error;
	const { message, why, fix, details, apiCode, answer } = error.failure;
	return JSON.stringify([message, why, fix, details, apiCode, answer, small.said, small.journal]);
}

const long = `eyJ0eXAi.${"abcDEF0123".repeat(90)}.end`;
const kinds: [string, Auth, Credential, string][] = [
	["a token", { kind: "login" }, { kind: "tokens", token: "plain-token" }, "plain-token"],
	["a long token", { kind: "login" }, { kind: "tokens", token: long }, long],
	["a key", { kind: "header", header: "X-Api-Key" }, { kind: "header", value: "key_live_1" }, "key_live_1"],
	["a password", { kind: "header", header: "Authorization" }, { kind: "header", value: `Basic ${btoa('op:p"a ss/1')}` }, 'p"a ss/1'],
	["an encoded password", { kind: "header", header: "Authorization" }, { kind: "header", value: "Basic b3A6cGFzcy8x" }, "b3A6cGFzcy8x"],
];
/** A service's answers that repeat what it was sent. */
const echoes: [string, (secret: string) => ReturnType<typeof answered>][] = [
	["the message", (secret) => answered(400, { status: 400, message: `${"x".repeat(250)} ${secret} is not valid here` })],
	["a code", (secret) => answered(400, { errorCode: secret })],
	["a detail", (secret) => answered(422, { details: [{ field: secret, message: `not ${secret}` }] })],
	["the name of a field", (secret) => answered(400, { [secret]: "x", status: 400 })],
	["a listed field", (secret) => answered(400, { reference: secret, status: 400 })],
	["a page", (secret) => answered(403, `<p>No ${secret}</p>`, { "content-type": "text/html" })],
	["headers", (secret) => answered(400, {}, { "x-request-id": secret, server: `${"y".repeat(100)}${secret}`, "content-type": secret })],
	["an address", (secret) => answered(400, { message: `/login?key=${encodeURIComponent(secret)}` })],
];

it.each(kinds.flatMap(([kind, ...one]) => echoes.map(([place, echo]) => [kind, place, ...one, echo] as const)))(
	"%s that the service repeats in %s is shown nowhere",
	async (_kind, _place, auth, credential, secret, echo) => {
		const small = smallContext({ profile: { auth }, credential, debug: true, answers: [echo(secret)] });
		const read = await shownOf(small, call(small.context, getCorporate, { params: { corporateId: id } }));
		const change = await shownOf(small, call(small.context, createCorporate, { body: {} as never }));
		for (const shown of [read, change])
			for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), secret.slice(0, 40)])
				expect(shown).not.toContain(JSON.stringify(form).slice(1, -1));
		expect(change).toMatch(/"state":"(refused|in-doubt)"/);
	},
);

it("nor is one in an unreadable answer, or the password of a login", async () => {
	const small = smallContext({ debug: true, answers: [answered(200, ["the-token", { seen: "Bearer the-token" }])] });
	expect(await shownOf(small, call(small.context, getCorporate, { params: { corporateId: id } }))).toContain(
		'["***",{"seen":"Bearer ***"}]',
	);
	const refused = smallContext({ debug: true, answers: [answered(401, { message: "no user op with pass-word" })] });
	const shown = await shownOf(refused, call(refused.context, login, { body: { username: "op", password: "pass-word" } }));
	expect(shown).toContain("no user op with ***");
	expect(shown).not.toContain("pass-word");
});

it("what was not sent is shown (control)", async () => {
	const small = smallContext({ debug: true, answers: [answered(400, { errorCode: "NO", message: "another-token is not valid" })] });
	expect(await shownOf(small, call(small.context, getCorporate, { params: { corporateId: id } }))).toContain("another-token is not valid");
});
