/**
 * Batches to beneficiaries. Their accounts may be in another currency than the ledger: what is told, and what limits hold it against. A
 * payment carries both of its switches on the wire, whatever the file says of them or leaves out: a deployment's own default for a missing
 * one never counts.
 */
import { afterEach, describe, expect, test } from "vitest";
import { answered } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
afterEach(() => world.end());

const payee = (at: number): string => `dddddddd-0000-4000-8000-${String(at).padStart(12, "0")}`;
const [pounds, euros, gone] = [payee(1), payee(2), payee(3)];
/** The bodies of the payments that left, as they were written. */
let bodies: string[];

/** A service that knows the ledger and all beneficiaries but one, all in EUR but one. */
async function given(settings: Record<string, string>, ...file: readonly string[]): Promise<void> {
	world = await batchWorld(settings);
	bodies = [];
	world.wire = async ({ method, url, body }) => {
		const id = new URL(url).pathname.split("/").at(-1);
		if (method === "POST") {
			bodies.push(new TextDecoder().decode(body));
			return answered(201, JSON.stringify({ id: `eeeeeeee-0000-4000-8000-${String(bodies.length).padStart(12, "0")}` }));
		}
		if (id === gone) return answered(404, '{"error":"NOT_FOUND"}');
		const availableAmount = id === world.from ? 5000 : undefined;
		return answered(200, JSON.stringify({ id, currency: id === pounds ? "GBP" : "EUR", availableAmount }));
	};
	world.put("pay.csv", file.join("\n"));
}
const plan = (more = "") => world.purser(`pay batch plan pay.csv --ledger-from-id ${world.from} ${more}`, { columns: 200 });

describe("currencies", () => {
	const head = "beneficiaryId,amount,reference,currency";

	test("each total is in its account's currency, and a limit in another one is not held against it", async () => {
		await given({ "cap-per-transfer": "100 EUR" }, head, `${euros},5,a,`, `${pounds},99,b,`);
		const { plan: made, dry } = (await plan("--json")).json();
		expect(made.totals).toEqual([
			{ ledgerFromId: world.from, currency: "EUR", rows: 1, amount: "5" },
			{ ledgerFromId: world.from, currency: "GBP", rows: 1, amount: "99" },
		]);
		expect(dry).toEqual([]);
		const ran = await world.send();
		expect([ran.exit, ran.error().code]).toEqual([10, "CAP_CURRENCY"]);
	});

	test("where it is not known, totals and notes say so, it counts as above the limit, and the file can say it", async () => {
		await given({ "cap-per-transfer": "100 EUR" }, head, `${euros},5,a,`, `${gone},7,b,`);
		const { stdout } = await plan();
		expect(stdout).toContain("1 of 2 rows is unknown, so they count against every limit, and as above one that names a currency");
		const expected = await world.send("--expect-total", "EUR=12");
		expect(expected.error().why).toContain("?: 7.00 planned, but missing from --expect-total");
		expect((await world.send()).error().code).toBe("CAP_CURRENCY");
		const said = await plan("--currency EUR --json");
		expect(said.json().plan.totals).toEqual([{ ledgerFromId: world.from, currency: "EUR", rows: 2, amount: "12" }]);
		world.put("pay.csv", `beneficiaryId,amount,currency\n${pounds},5,EUR\n`);
		expect((await plan("--json")).error().details).toEqual([
			{ row: 2, field: "currency", message: "is EUR, but the beneficiary's account is in GBP" },
		]);
	});
});

// The one way writes bodies by their parts, the other, which --debug takes, by the whole description.
test.each([[[]], [["--debug"]]])("of a CSV file, every word of both switches (%j)", async (flags: string[]) => {
	/** What a cell says, and what goes to the service for it. */
	const cells = Object.entries({ "": true, true: true, TRUE: true, yes: true, 1: true, false: false, False: false, no: false, 0: false });
	const both = cells.flatMap(([fast, fastSent]) => cells.map(([inter, interSent]) => ({ fast, inter, fastSent, interSent })));
	const lines = both.map(({ fast, inter }, at) => `${euros},1.50,Row ${at},${fast},${inter}`);
	await given({}, "beneficiaryId,amount,reference,allowFastPayment,allowInterLedger", ...lines);
	expect([(await plan()).exit, (await world.send("--jobs", "1", ...flags)).exit]).toEqual([0, 0]);
	const parties = `"ledgerFromId":"${world.from}","beneficiaryId":"${euros}"`;
	expect(bodies).toEqual(
		both.map(
			({ fastSent, interSent }, at) =>
				`{${parties},"amount":1.50,"reference":"Row ${at}","allowFastPayment":${fastSent},"allowInterLedger":${interSent}}`,
		),
	);
	expect(bodies).toHaveLength(81);
});
