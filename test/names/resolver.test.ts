/**
 * Which record a text means: every form of naming one, for every kind, and what the lists must have shown for it.
 */
import { describe, expect, test } from "vitest";
import type { Received } from "../../src/api/answer.js";
import { PurserError } from "../../src/errors.js";
import { makeResolver } from "../../src/names/resolver.js";
import type { RecordKind, Scope, SeenName } from "../../src/ports/resolver.js";
import type { Service } from "../../src/ports/service.js";

const company = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const other = "3f1c9a52-aaaa-4b6e-9d2a-5a1b8c7d6e4f";
const person = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const main = "aaaaaaaa-0001-4000-8000-000000000001";
const payee = "bbbbbbbb-0001-4000-8000-000000000001";
const payment = "cccccccc-0001-4000-8000-000000000001";

const records: Record<string, Received[]> = {
	"corporate.list": [
		{ id: company, externalId: "crm-5002", corporateName: "Example Florist", tradeName: "Flowers", kybStatus: "COMPLETING" },
		{ id: other, registeredName: "Example A/S", kybStatus: "VALIDATED" },
	],
	"ledger.list": [{ id: main, friendlyName: "Main account", iban: "XX00 EXAMPLE0 0000 1234", currency: "EUR", availableAmount: "10.00" }],
	"beneficiary.list": [
		{ id: payee, name: "Example Supplies Ltd", friendlyName: "Flour", accountNumber: "XX00EXAMPLE00009876", externalId: "sup-1" },
	],
	"transaction.list": [{ id: payment, amount: "12.50", currency: "EUR", status: "APPROVED" }],
	[`related.list ${company}`]: [
		{ id: person, externalId: "crm-5002/0123456789abcdef", firstName: "Ada", lastName: "Example", email: { address: "ada@example.com" } },
	],
	[`related.list ${other}`]: [{ id: "99999999-0b94-4f7d-9c35-2e6f1a7b4d80", firstName: "Ada", lastName: "Example" }],
};

const neverAsked = (): never => {
	throw new Error("the service was asked");
};

/** What a test does not use. */
const nothing = { service: { list: neverAsked, offer: neverAsked }, batches: async () => [], seen: async () => [], soon: async () => {} };

interface Fake {
	lists?: Record<string, Received[]>;
	whole?: boolean;
	/** Ids of operations that the service does not have. */
	without?: readonly string[];
	/** What answers have told. */
	names?: readonly SeenName[];
}

function world({ lists = records, whole = true, without = [], names = [] }: Fake = {}) {
	const asked: string[] = [];
	const read = (operation: { id: string }, params: unknown): Received[] => {
		const of = (params as { corporateId?: string } | undefined)?.corporateId;
		const key = of === undefined ? operation.id : `${operation.id} ${of}`;
		asked.push(key);
		if (without.includes(operation.id)) throw new PurserError("rejected", { code: "HTTP_404", message: "not here", fix: "", status: 404 });
		return lists[key] ?? [];
	};
	const service: Pick<Service, "list" | "offer"> = {
		offer: async (operation, input) => read(operation, input.params),
		list: async (operation, input, limit) => {
			const found = read(operation, input.params);
			return { records: found.slice(0, limit), complete: whole && found.length <= limit };
		},
	};
	const resolver = makeResolver({ ...nothing, service, seen: async () => names });
	return { asked, find: (kind: RecordKind, text: string, scope: Scope = {}) => resolver.find(kind, text, scope), resolver };
}

describe("one record, in every form", () => {
	test.each<[RecordKind, string, string, string[]]>([
		["corporate", "3f1c9a52-7", company, ["prefix"]],
		["corporate", "crm-5002", company, ["externalId"]],
		["corporate", " example  florist ", company, ["name"]],
		["corporate", "Example A/S", other, ["name"]],
		["ledger", "MAIN ACCOUNT", main, ["name"]],
		["beneficiary", "Example Supplies Ltd", payee, ["name"]],
		["transaction", "cccccccc", payment, ["prefix"]],
		["related", "Example Florist/Ada Example", person, ["name"]],
		["related", "crm-5002/ADA@example.com", person, ["email"]],
		["related", "3f1c9a52-7f0e/8a2d6c1e", person, ["prefix"]],
		["related", `${company}/${person}`, person, ["id"]],
		["related", "crm-5002/0123456789abcdef", person, ["externalId"]],
		["related", `${company}/crm-5002/0123456789abcdef`, person, ["externalId"]],
		["related", "Example A/S/Ada Example", "99999999-0b94-4f7d-9c35-2e6f1a7b4d80", ["name"]],
	])("%s %s", async (kind, text, id, by) => {
		const { candidates, whole } = await world().find(kind, text);
		expect(candidates).toMatchObject([{ kind, id, by }]);
		expect([candidates.length, whole]).toEqual([1, true]);
	});

	test.each<[RecordKind, string]>([
		["corporate", "3f1c9a5"],
		["corporate", "CRM-5002"],
		["corporate", "Example"],
		["ledger", "0000 1234"],
		["transaction", "12.50"],
		["related", "Example Florist/Grace Example"],
		["related", "Nobody/Ada Example"],
	])("%s %s is nobody: too short, another case, or a part of a name", async (kind, text) => {
		expect((await world().find(kind, text)).candidates).toEqual([]);
	});

	test("what nearly fits is told", async () => {
		expect((await world().find("corporate", "florist")).similar).toEqual(["Example Florist"]);
		expect((await world().find("related", "Example Florist/Ada")).similar).toEqual(["Example Florist/Ada Example"]);
	});
});

describe("several records", () => {
	test("the ways of matching are not ranked: one's externalId and another's name, an id's beginning and a name", async () => {
		const lists = {
			"corporate.list": [
				{ id: company, externalId: "Flowers", corporateName: "Example Florist" },
				{ id: other, corporateName: "flowers" },
			],
			"ledger.list": [
				{ id: main, friendlyName: "Main" },
				{ id: "cccccccc-0001-4000-8000-000000000009", friendlyName: "aaaaaaaa" },
			],
		};
		const { find } = world({ lists });
		expect((await find("corporate", "Flowers")).candidates).toMatchObject([
			{ id: company, by: ["externalId"] },
			{ id: other, by: ["name"] },
		]);
		expect((await find("ledger", "aaaaaaaa")).candidates.map(({ by }) => by)).toEqual([["prefix"], ["name"]]);
	});
});

describe("what the lists say", () => {
	test("a list that was not seen to its end says so, and so does one of a person's two", async () => {
		const { find } = world({ whole: false });
		expect(await find("ledger", "Main account")).toMatchObject({ whole: false, candidates: [{ id: main }] });
		expect((await find("related", `${company}/Ada Example`)).whole).toBe(false);
	});

	test("without a list nothing is found, and the kind and status are told", async () => {
		expect(await world({ without: ["ledger.list"] }).find("ledger", "Main account")).toMatchObject({
			candidates: [],
			unlisted: { kind: "ledger", by: "HTTP 404" },
		});
		const { find } = world({ without: ["corporate.list"] });
		expect(await find("related", "Example Florist/Ada Example")).toMatchObject({ unlisted: { kind: "corporate" } });
		expect((await find("related", `${company}/Ada Example`)).candidates).toMatchObject([{ id: person }]);
		expect(await world({ without: ["related.list"] }).find("related", "crm-5002/Ada Example")).toMatchObject({
			unlisted: { kind: "related", by: "HTTP 404" },
		});
	});
});

describe("what a prompt offers", () => {
	test("name, status and what matters, by kind", async () => {
		const { resolver } = world();
		const labels = async (kind: RecordKind, scope = {}) => (await resolver.offer(kind, scope)).map(({ label }) => label);
		expect(await labels("corporate")).toEqual(["Example Florist · crm-5002 · COMPLETING", "Example A/S · VALIDATED"]);
		expect(await labels("ledger")).toEqual(["Main account · 10.00 EUR available"]);
		expect(await labels("beneficiary")).toEqual(["Example Supplies Ltd · XX00••••9876"]);
		expect(await labels("transaction")).toEqual(["12.50 EUR · APPROVED"]);
		expect(await labels("related", { corporateId: company })).toEqual(["Ada Example"]);
	});

	test("ledgers that cannot be debited are left out of a payment, and payees that cannot be paid come last", async () => {
		const lists = {
			"ledger.list": [
				{ id: main, friendlyName: "Main", status: "ACTIVE" },
				{ id: payee, friendlyName: "Old", status: "CLOSED" },
			],
			"beneficiary.list": [
				{ id: main, name: "Waiting", status: "PENDING" },
				{ id: payee, name: "Ready", status: "VALID" },
			],
		};
		const { resolver } = world({ lists });
		const values = async (kind: RecordKind, payable?: boolean) =>
			(await resolver.offer(kind, { payable })).map(({ label }) => label.split(" · ")[0]);
		expect([await values("ledger"), await values("ledger", true)]).toEqual([["Main", "Old"], ["Main"]]);
		expect(await values("beneficiary", true)).toEqual(["Ready", "Waiting"]);
	});

	test("without a list there is nothing to choose from, and a missing login ends it", async () => {
		expect(await world({ without: ["ledger.list"] }).resolver.offer("ledger", {})).toEqual([]);
		const offer = () => Promise.reject(new PurserError("auth", { code: "NOT_LOGGED_IN", message: "", fix: "" }));
		const resolver = makeResolver({ ...nothing, service: { ...nothing.service, offer } });
		await expect(resolver.offer("ledger", {})).rejects.toMatchObject({ kind: "auth" });
	});
});

describe("records of several companies", () => {
	const two = [company, other];
	const lists: Record<string, Received[]> = {
		...records,
		"ledger.list": two.map((endUserId, at) => ({ id: `l${at}`, friendlyName: "Main account", endUserId })),
		"beneficiary.list": two.map((endUserId, at) => ({ id: `b${at}`, name: "Example Supplies Ltd", status: "VALID", endUserId })),
	};

	test("a payee's name means the one of the debited ledger's company; without a ledger both may be meant", async () => {
		const { find } = world({ lists });
		const ids = async (scope: Scope) => (await find("beneficiary", "Example Supplies Ltd", scope)).candidates.map(({ id }) => id);
		expect(await ids({ ledgerId: "l1" })).toEqual(["b1"]);
		expect(await ids({ ledgerId: "unknown" })).toEqual(["b0", "b1"]);
		expect(await ids({})).toEqual(["b0", "b1"]);
	});

	test("only the payees of that company are offered, and all where none is its own", async () => {
		const { resolver } = world({ lists });
		const offered = async (ledgerId: string) => (await resolver.offer("beneficiary", { ledgerId })).map(({ value }) => value);
		expect(await offered("l0")).toEqual(["b0"]);
		expect(await offered("unknown")).toEqual(["b0", "b1"]);
	});

	test("ledgers of one name are told apart by their company", async () => {
		const names = two.map((id, at) => ({ kind: "corporate" as const, id, name: `Example ${at}` }));
		const { resolver } = world({ lists, names });
		const { candidates } = await resolver.find("ledger", "Main account", {});
		expect(candidates.map(({ label }) => label)).toEqual([
			"Main account of Example 0 · balance unknown",
			"Main account of Example 1 · balance unknown",
		]);
		const whole = await world({ lists }).find("ledger", "main account of Example A/S");
		expect(whole).toMatchObject({ whole: true, candidates: [{ id: "l1", by: ["name"] }] });
	});
});
