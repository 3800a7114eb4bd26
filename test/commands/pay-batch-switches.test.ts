/**
 * A payment to a beneficiary carries both of its switches on the wire, whatever the file says of them or leaves out: a deployment's own
 * default for a missing one never counts.
 */
import { afterEach, describe, expect, test } from "vitest";
import { createBeneficiaryTransaction } from "../../src/api/operations/transaction.js";
import { transferBody } from "../../src/api/operations/transfer.js";
import { draftRequest } from "../../src/http/request/request.js";
import { checkRow } from "../../src/payments/batch/plan/rows.js";
import type { Profile } from "../../src/ports/profiles.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const payee = "dddddddd-0000-4000-8000-000000000001";
const json = (data: unknown, status = 200) => ({
	kind: "answer" as const,
	status,
	headers: { "content-type": "application/json" },
	body: new TextEncoder().encode(JSON.stringify(data)),
});

/** What a cell says, and what goes to the service for it. */
const cells = [
	["", true],
	["true", true],
	["TRUE", true],
	["yes", true],
	["1", true],
	["false", false],
	["False", false],
	["no", false],
	["0", false],
] as const;

describe("on the wire of a batch", () => {
	let world: BatchWorld;
	afterEach(() => world.end());

	/** Plans and sends a file. @returns the bodies that left, as they were written, by their references */
	async function sentOf(name: string, content: string, ...more: string[]): Promise<Map<string, string>> {
		world = await batchWorld();
		const bodies = new Map<string, string>();
		let made = 0;
		world.wire = async ({ method, url, body }) => {
			const id = new URL(url).pathname.split("/").at(-1);
			if (method !== "POST") return json({ id, currency: "EUR", availableAmount: 1000 });
			const text = new TextDecoder().decode(body);
			bodies.set((JSON.parse(text) as { reference: string }).reference, text);
			made += 1;
			return json({ id: `eeeeeeee-0000-4000-8000-${String(made).padStart(12, "0")}` }, 201);
		};
		world.files.set(name, new TextEncoder().encode(content));
		const planned = await world.purser(["pay", "batch", "plan", name, "--ledger-from-id", world.from]);
		expect(planned.exit, planned.stderr).toBe(0);
		const sent = await world.purser(["pay", "batch", "send", `${name}.plan.json`, "--yes", "--json", ...more]);
		expect(sent.exit, sent.stderr).toBe(0);
		return bodies;
	}
	const bodyWith = (reference: string, fast: boolean, inter: boolean): string =>
		`{"ledgerFromId":"${world.from}","beneficiaryId":"${payee}","amount":1.50,"reference":"${reference}","allowFastPayment":${fast},"allowInterLedger":${inter}}`;

	// The one way writes bodies by their parts, the other, which --debug takes, by the whole description.
	test.each([[[]], [["--debug"]]])("of a CSV file, every word of both switches (%j)", async (flags: string[]) => {
		const rows = cells.flatMap(([fast, fastSent], one) =>
			cells.map(([inter, interSent], other) => ({ reference: `Row ${one} ${other}`, fast, inter, fastSent, interSent })),
		);
		const lines = rows.map(({ reference, fast, inter }) => `${payee},1.50,${reference},${fast},${inter}`);
		const sent = await sentOf(
			"pay.csv",
			["beneficiaryId,amount,reference,allowFastPayment,allowInterLedger", ...lines].join("\n"),
			...flags,
		);
		expect(sent.size).toBe(81);
		for (const { reference, fastSent, interSent } of rows) expect(sent.get(reference)).toBe(bodyWith(reference, fastSent, interSent));
	});

	test("of a CSV file without columns for them, and with one of them", async () => {
		const without = await sentOf("pay.csv", `beneficiaryId,amount,reference\n${payee},1.50,A`);
		expect([...without.values()]).toEqual([bodyWith("A", true, true)]);
		await world.end();
		const one = await sentOf("pay.csv", `beneficiaryId,amount,reference,allowInterLedger\n${payee},1.50,A,false\n${payee},1.50,B,`);
		expect([...one.values()]).toEqual([bodyWith("A", true, false), bodyWith("B", true, true)]);
	});
});

describe("both ways of writing a body", () => {
	const from = "dddddddd-0000-4000-8000-000000000002";
	const own = { ledgerFromId: "ledgerFromId", beneficiaryId: "beneficiaryId", amount: "amount" };
	const placed = (names: Record<string, string>) =>
		Object.fromEntries(Object.entries(names).map(([name, at]) => [name, { place: "body", at: `/${at}` } as const]));
	const profile = (switches?: { allowFastPayment: string; allowInterLedger: string }): Profile => ({
		name: "example",
		baseUrl: "https://api.example.com",
		environment: "sandbox",
		auth: { kind: "none" },
		...(switches && {
			mapping: {
				operations: { [createBeneficiaryTransaction.id]: { method: "POST", path: "/p", fields: placed({ ...own, ...switches }) } },
			},
		}),
		settings: {},
	});

	test.each([
		["as described", undefined, ["allowFastPayment", "allowInterLedger"]],
		["under names of the profile", { allowFastPayment: "instant", allowInterLedger: "internal" }, ["instant", "internal"]],
	] as const)("name both switches, %s", (_, fields, [fast, inter]) => {
		for (const [fastCell, fastSent] of cells)
			for (const [interCell, interSent] of cells) {
				const switches = { ...(fastCell && { allowFastPayment: fastCell }), ...(interCell && { allowInterLedger: interCell }) };
				const row = { cells: [], values: { ledgerFromId: from, beneficiaryId: payee, amount: "2.00", ...switches } };
				const { transfer } = checkRow(row, { ledger: new Map(), beneficiary: new Map() });
				const body = transferBody(transfer as NonNullable<typeof transfer>);
				const expected = `{"ledgerFromId":"${from}","beneficiaryId":"${payee}","amount":2.00,"${fast}":${fastSent},"${inter}":${interSent}}`;
				const whole = draftRequest(profile(fields), createBeneficiaryTransaction, { body }, "0");
				expect(new TextDecoder().decode(whole.body)).toBe(expected);
			}
	});

	test("a payment to a ledger has neither", () => {
		const row = { cells: [], values: { ledgerFromId: from, ledgerToId: payee, amount: "2.00" } };
		const { transfer } = checkRow(row, { ledger: new Map(), beneficiary: new Map() });
		expect(transferBody(transfer as NonNullable<typeof transfer>)).toEqual({
			ledgerFromId: from,
			ledgerToId: payee,
			amount: "2.00",
			reference: undefined,
		});
	});
});
