/**
 * Each row of a batch is sent as a single payment is: a binding may say in the address, in the query or in a header who pays, whom, and how
 * much.
 */
import { expect, test } from "vitest";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { openLane } from "../../src/client/lane.js";
import type { OperationBinding, RequestField } from "../../src/ports/binding.js";
import { answered, smallContext } from "../support/context.js";

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

const bindings: [string, OperationBinding, string[]][] = [
	[
		"a body (control)",
		{ path: "/pay", request: { fields: inBody } },
		[`/pay {"from":"${a}","to":"${b}","sum":1.50,"text":"one"}`, `/pay {"from":"${b}","to":"${a}","sum":20}`],
	],
	[
		"a path",
		{ path: "/of/{payer}", request: { fields: { ...inBody, ledgerFromId: at("path", "payer") } } },
		[`/of/${a} {"to":"${b}","sum":1.50,"text":"one"}`, `/of/${b} {"to":"${a}","sum":20}`],
	],
	[
		"a query",
		{ path: "/pay", request: { fields: { ...inBody, ledgerToId: at("query", "to"), currency: at("query", "in") } } },
		[`/pay?to=${b}&in=EUR {"from":"${a}","sum":1.50,"text":"one"}`, `/pay?to=${a}&in=JPY {"from":"${b}","sum":20}`],
	],
	[
		"a header",
		{ path: "/pay", request: { fields: { ...inBody, amount: at("header", "X-Sum", { codec: "minor-units" }) } } },
		[`/pay X-Sum: 150 {"from":"${a}","to":"${b}","text":"one"}`, `/pay X-Sum: 20 {"from":"${b}","to":"${a}"}`],
	],
];

test.each(bindings)("with a value in %s, each row leaves with its own", async (_name, binding, expected) => {
	const small = smallContext({
		profile: { overrides: { "transaction.interLedger": binding } },
		answers: [answered(201, { id: "99999999-9999-4999-8999-999999999999" })],
	});
	const context = { ...small.context, sandboxIdentity: async () => "purser" };
	const lane = await openLane(context, rows[0] as Transfer);
	for (const row of rows) expect((await lane(row)).outcome.state).toBe("accepted");
	const sent = small.requests
		.filter(({ method }) => method === "POST")
		.map(({ url, headers, body }) => {
			const sum = headers["x-sum"] === undefined ? "" : ` X-Sum: ${headers["x-sum"]}`;
			return `${url.replace("https://api.example.com", "")}${sum} ${new TextDecoder().decode(body)}`;
		});
	expect(sent).toEqual(expected);
});
