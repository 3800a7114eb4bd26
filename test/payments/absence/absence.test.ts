/**
 * A list is evidence of absence and never by itself proof. In each line of the table a transfer that was made is not to be found, or not to
 * be recognised, in what a service or a bank shows: where a person decides, nothing is ever concluded without one; where the profile says that
 * its list is complete, nothing is where the rules can see the fault, and what they cannot see is named in the table.
 */
import { expect, test } from "vitest";
import type { Tools } from "../../../src/payments/settlement/settle.js";
import type { IntentRecord } from "../../../src/ports/intent.js";
import { lists, statements } from "./table.js";
import { type Case, csv, ledgerA, ledgerB, looksAt, sent, type Variant } from "./world.js";

const table = [...lists.map((one) => ["list", one] as const), ...statements.map((one) => ["statement", one] as const)];
const rows = table.map(([kind, variant]) => [`${kind}: ${variant.name}`, variant] as const);

/** The states that the looks ended in, without repetition. */
async function states(variant: Variant, how: Case): Promise<string[]> {
	return [...new Set((await looksAt(variant, how)).map(({ state }) => state))];
}

test("the table holds at least forty variants", () => {
	expect(rows.length).toBeGreaterThanOrEqual(40);
	expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
});

test.each(rows)("%s: where a person decides, nothing is not created by itself", async (_, variant) => {
	for (const known of [true, false]) expect(await states(variant, { known, absence: "person" })).not.toContain("not-created");
});

test.each(rows)("%s: where the list is known to be complete", async (_, variant) => {
	expect(await states(variant, { known: false, absence: "list" }), "without a known payment nothing is proven").not.toContain(
		"not-created",
	);
	const found = await states(variant, { known: true, absence: "list" });
	expect(found.includes("not-created"), `by the looks: ${found}`).toBe(variant.unseen === true);
});

const right: Variant = { name: "as it is" };
const statement: Variant = { name: "as it is", statement: (lines) => ({ text: csv(lines) }) };

test.each([
	["list", right, 1],
	// Its first two looks are of one last day, and so of one moment.
	["statement", statement, undefined],
])(
	"control: by a right %s a transfer that was made is found, and one that was not is proven so, by known payments alone",
	async (_, variant, agrees) => {
		expect(await states(variant, { known: true, absence: "list" })).toEqual(["accepted"]);
		expect(await states(variant, { known: false, absence: "person" })).toEqual(["accepted"]);
		expect(await states(variant, { known: true, absence: "list", never: true })).toEqual(["in-doubt", "not-created"]);
		expect(await states(variant, { known: false, absence: "list", never: true })).toEqual(["in-doubt"]);
		const asked = await looksAt(variant, { known: true, absence: "person", never: true });
		expect(asked.map((one) => one.state === "in-doubt" && [one.look?.number, one.look?.agrees, one.look?.lacks])).toEqual([
			[1, undefined, undefined],
			[2, agrees, undefined],
			[3, 1, undefined],
		]);
	},
);

/** Nothing is held against a list but a payment that stands in every one, as it was sent. */
function uncalibrated(tools: Tools): Tools {
	const transfer = { kind: "ledger", ledgerFromId: ledgerA, counterpartyId: ledgerB, amount: "1.00", reference: "Planted" } as const;
	const id = "99999999-0000-4000-8000-000000000001";
	const begun = new Date(sent - 3_600_000).toISOString();
	const origin = "https://api.example.com";
	const planted = { intent: "1", state: "accepted", begun, id, skew: 0, transfer, origin, service: origin } as unknown as IntentRecord;
	return {
		...tools,
		journal: { ...tools.journal, list: async (filter) => (filter.since === undefined ? tools.journal.list(filter) : [planted]) },
		service: {
			...tools.service,
			page: async (operation, query, page) => {
				const read = await tools.service.page(operation, query, page);
				const one = { id, creationDate: begun, amount: "1.00", information: { reference: "Planted" } };
				return page === 0 ? { ...read, found: [...read.found, one] } : read;
			},
		},
	};
}

test("control: where the list is not held against what is known, the table shows it", async () => {
	const wrong: string[] = [];
	for (const variant of lists.filter(({ unseen }) => !unseen)) {
		const found = await states(variant, { known: true, absence: "list", plant: uncalibrated });
		if (found.includes("not-created")) wrong.push(variant.name);
	}
	expect(wrong).toEqual(
		expect.arrayContaining([
			"nothing is listed",
			"one known payment is missing",
			"every known payment but one is missing",
			"other ids of senders",
			"other ids of receivers",
			"senders and receivers are swapped",
			"references of the service's own, and amounts in cents",
			"all times are thirty hours early",
			"all are listed twice, but this one not at all",
			"another ledger's list",
			"the newest are cut off",
			"it is given two days late",
			"statuses that are under way are hidden",
			"ids of the service's own in the list",
		]),
	);
});
