import { expect, it } from "vitest";
import { Decimal, parseJson } from "../../src/api/json.js";
import { outcomeLine, requestLine, shownAddress, shownBody, withoutSecrets } from "../../src/client/redact.js";
import { answered } from "../support/context.js";

const id = "11111111-1111-4111-8111-111111111111";

it("a request: ids, amounts and references; names of everything; values of nothing else", () => {
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
		`> POST /api/partner/x/${id}?iban=***&page=0&status=PENDING [authorization: ***, x-api-key: ***, accept: application/json, x-own: ***] ` +
			`{"ledgerFromId":"${id}","amount":10.10,"reference":"Invoice 2041","externalId":"***",` +
			`"accountOwnerInfo":{"firstName":"***","phone":{"number":"***"},"isDirector":true},` +
			`"legalType":{"austriaValue":"***"},"metadata":{"secret":"***"},"list":[{"name":"***"},{"id":"${id}"}]}`,
	);
});

it("an answer: status, time, listed headers, the shape of the body", () => {
	const outcome = answered(200, "", {
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

it("no whole answer: what is known", () => {
	expect(outcomeLine({ kind: "sent", reason: "the connection was closed" }, undefined, 5)).toBe(
		"< sent after 5 ms: the connection was closed",
	);
});

it("a value on the list that does not look like one is hidden all the same", () => {
	expect(shownBody({ status: "<script>", id: "ada@example.com", reference: "x".repeat(41), currency: "EUR" })).toEqual({
		status: "***",
		id: "***",
		reference: "***",
		currency: "EUR",
	});
});

it("depth and width have a limit", () => {
	let deep: unknown = "x";
	for (let level = 0; level < 10_000; level++) deep = { deep };
	expect(JSON.stringify(shownBody(deep)).length).toBeLessThan(200);
	const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, "v"]));
	expect(Object.keys(shownBody(wide) as object)).toHaveLength(40);
});

it("an address that is none is hidden", () => {
	expect(shownAddress("/relative?token=x")).toBe("***");
});

it("a dry run shows what was typed, but for secrets", () => {
	const body = { username: "operator", password: "p", nested: [{ code: "123456", token: "t", refreshToken: "r", firstName: "Ada" }] };
	expect(withoutSecrets(body)).toEqual({
		username: "operator",
		password: "***",
		nested: [{ code: "***", token: "***", refreshToken: "***", firstName: "Ada" }],
	});
});

it("an id in a deployment's own form is shown where our fields have one of its kind, and nowhere else", () => {
	const ids = { ledger: "[0-9]{8}" };
	const body = { id: "10023841", ledgerFromId: "10023842", beneficiaryId: "10023843", taxId: "10023844", name: "10023845" };
	expect(shownBody(body, ids)).toEqual({ id: "10023841", ledgerFromId: "10023842", beneficiaryId: "***", taxId: "***", name: "***" });
	expect(shownBody(body)).toEqual({ id: "***", ledgerFromId: "***", beneficiaryId: "***", taxId: "***", name: "***" });
});
