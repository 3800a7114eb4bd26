/**
 * A deployment whose ids are no UUIDs: its form holds for what is typed, in files, in answers and for suggestions.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answered } from "../support/world-wire.js";
import { type OwnIds, ownForms, withOwnIds } from "./own-ids.js";

const uuid = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const like = "must be the id of a ledger, like id_[A-Za-z]{5}";

let world: World;
let own: OwnIds;
let from: string;
let to: string;

beforeEach(async () => {
	world = await makeWorld({ profile: { mapping: { operations: {}, ids: ownForms } } });
	own = withOwnIds(world);
	const ledgers = (await world.json("ledger list")) as { id: string; friendlyName: string }[];
	[from, to] = ["Main account", "Savings"].map((name) => ledgers.find(({ friendlyName }) => friendlyName === name)?.id) as [string, string];
	world.requests.length = 0;
});

const pay = (...more: string[]) => world.purser(["pay", "ledger", "--from", from, "--to", to, "--amount", "1.50", "--yes", ...more]);

describe("what is typed", () => {
	test("an id of the form is sent as it is, without reading a list, and the new payment is known by its own id", async () => {
		const { exit, stdout } = await pay("--json");
		expect(exit).toBe(0);
		expect(JSON.parse(stdout).id).toMatch(/^id_[A-Za-z]{5}$/);
		const sent = world.requests.filter(({ method }) => method === "POST");
		expect(sent.map(({ body }) => JSON.parse(body).ledgerFromId)).toEqual([from]);
		expect(world.requests.some(({ line }) => /^GET \S+\/ledgers\?/.test(line))).toBe(false);
	});

	test.each([
		["a UUID", uuid],
		["an id that is cut", "id_bcde"],
		["an id with a blank", "id_bcdef "],
	])("%s is no id of this deployment, and nothing is sent", async (_, typed) => {
		const { exit, stderr } = await world.purser(["ledger", "show", typed, "--json"]);
		expect(exit).toBe(3);
		expect(JSON.parse(stderr).error.message).toContain("No ledger fits");
		expect(world.requests.filter(({ method }) => method === "POST")).toEqual([]);
	});

	test("where there is no list, the error says what an id is like", async () => {
		world.wire = async () => answered(404);
		const { stderr } = await world.purser(`ledger show ${uuid} --json`);
		expect(JSON.parse(stderr).error.details).toEqual([{ field: "ledgerId", message: like }]);
	});

	test("two ids that differ in capitals alone are two ledgers", async () => {
		expect(from.toLowerCase()).toBe(to.toLowerCase());
		expect((await pay("--json")).exit).toBe(0);
		to = from;
		expect((await pay("--json")).exit).toBe(3);
	});

	test("a default profile takes UUIDs alone", async () => {
		const plain = await makeWorld();
		plain.wire = async () => answered(404);
		const { stderr } = await plain.purser("ledger show id_bcdef --json");
		expect(JSON.parse(stderr).error.details).toEqual([
			{ field: "ledgerId", message: "must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f" },
		]);
	});
});

describe("what is answered", () => {
	const answering = (id: unknown) => {
		world.wire = async (request) => (request.method === "POST" ? answered(201, JSON.stringify({ id })) : own.pass(request));
	};

	test.each([
		["a UUID", uuid],
		["one character too many", "id_bcdefg"],
		["zeros", "0000"],
		["nothing", null],
		["a ledger of the request", "FROM"],
	])("a payment answered with %s is in doubt", async (_, id) => {
		answering(id === "FROM" ? from : id);
		expect((await pay("--json")).exit).toBe(7);
	});

	test("with an id of the form it is accepted", async () => {
		answering("id_zZzZz");
		expect((await pay("--json")).exit).toBe(0);
	});
});

describe("who is meant", () => {
	test("the beginning of an id counts each letter", async () => {
		const found = await world.purser(`ledger show ${from.slice(0, 7)} --json`);
		expect(found.exit).toBe(3);
	});

	test("what to do next names it by its id", async () => {
		const paid = await pay();
		expect(paid.stderr).toMatch(/purser pay show id_[A-Za-z]{5} --wait/);
		const [company] = (await world.json("corporate list")) as { id: string }[];
		expect((await world.purser(`corporate show ${company?.id}`)).stderr).not.toContain("CORPORATE");
	});

	test("a name is still a name", async () => {
		const { exit, stdout } = await world.purser('ledger show "Main account" --json');
		expect([exit, JSON.parse(stdout).id]).toEqual([0, JSON.parse(stdout).resolved[0].id]);
	});
});
