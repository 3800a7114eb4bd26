/**
 * Each row of a batch is sent as a single payment is: a mapping may say in the address, in the query or in a header who pays, whom, and how
 * much.
 */
import { expect, test } from "vitest";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { attemptKey } from "../../src/http/request/request.js";
import { openSender } from "../../src/http/sender.js";
import { momentOf } from "../../src/http/shelf-life.js";
import type { MappedOperation, Mapping, RequestField } from "../../src/ports/mapping.js";
import { answered, changed, smallContext } from "../support/context.js";

const a = "11111111-1111-4111-8111-111111111111";
const b = "22222222-2222-4222-8222-222222222222";
const rows: Transfer[] = [
	{ kind: "ledger", ledgerFromId: a, counterpartyId: b, amount: "1.50", currency: "EUR", reference: "one" },
	{ kind: "ledger", ledgerFromId: b, counterpartyId: a, amount: "20", currency: "JPY" },
];

const at = (place: RequestField["place"], name: string, more: Partial<RequestField> = {}): RequestField => ({ place, at: name, ...more });
const inBody = {
	ledgerFromId: at("body", "/from"),
	ledgerToId: at("body", "/to"),
	amount: at("body", "/sum"),
	reference: at("body", "/text"),
};

const mapped: [string, string, MappedOperation["fields"], string[]][] = [
	[
		"a path",
		"/of/{payer}",
		{ ...inBody, ledgerFromId: at("path", "payer") },
		[`/of/${a} {"to":"${b}","sum":1.50,"text":"one"}`, `/of/${b} {"to":"${a}","sum":20}`],
	],
	[
		"a query",
		"/pay",
		{ ...inBody, ledgerToId: at("query", "to"), currency: at("query", "in") },
		[`/pay?to=${b}&in=EUR {"from":"${a}","sum":1.50,"text":"one"}`, `/pay?to=${a}&in=JPY {"from":"${b}","sum":20}`],
	],
	[
		"a header",
		"/pay",
		{ ...inBody, amount: at("header", "X-Sum", { form: "minor-units" }) },
		[`/pay X-Sum: 150 {"from":"${a}","to":"${b}","text":"one"}`, `/pay X-Sum: 20 {"from":"${b}","to":"${a}"}`],
	],
];

/** What leaves for the rows, through a mapping. */
async function sentBy(mapping: Mapping) {
	const small = smallContext({
		profile: { mapping },
		answers: [answered(201, { id: "99999999-9999-4999-8999-999999999999" })],
		journal: { installation: async () => "this journal" },
	});
	const sender = await openSender(changed(small.context, { journal: { sandboxIdentity: async () => "purser" } }), rows[0] as Transfer);
	for (const [index, row] of rows.entries())
		expect((await sender(row, { intent: String(index + 7), attempt: 1, recorded: momentOf(small.context.clock) })).outcome.state).toBe(
			"accepted",
		);
	return small.requests.filter(({ method }) => method === "POST");
}

test.each(mapped)("with a value in %s, each row leaves with its own", async (_name, path, fields, expected) => {
	const sent = await sentBy({ operations: { "transaction.interLedger": { method: "POST", path, fields } } });
	const told = sent.map(({ url, headers, body }) => {
		const sum = headers["x-sum"] === undefined ? "" : ` X-Sum: ${headers["x-sum"]}`;
		return `${url.replace("https://api.example.com", "")}${sum} ${new TextDecoder().decode(body)}`;
	});
	expect(told).toEqual(expected);
});

test("each row has the idempotency key of its own attempt, always the same one", async () => {
	const keysOf = async () =>
		(await sentBy({ operations: {}, idempotency: { place: "header", at: "Idempotency-Key" } })).map(
			({ headers }) => headers["idempotency-key"],
		);
	const keys = await keysOf();
	expect(keys).toEqual(
		rows.map((transfer, index) => attemptKey({ installation: "this journal", intent: String(index + 7), attempt: 1, transfer })),
	);
	expect(new Set(keys).size).toBe(2);
	expect(await keysOf()).toEqual(keys);
});
