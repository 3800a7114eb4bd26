/**
 * A batch to beneficiaries whose accounts are in another currency than the ledger: what is told, and what limits hold it against.
 */
import { afterEach, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
afterEach(() => world.end());

const [pounds, euros, gone] = [1, 2, 3].map((last) => `dddddddd-0000-4000-8000-00000000000${last}`) as [string, string, string];
const failure = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;
const json = (data: unknown, status = 200) => ({
	kind: "answer" as const,
	status,
	headers: { "content-type": "application/json" },
	body: new TextEncoder().encode(JSON.stringify(data)),
});

/** A service that knows the ledger (EUR), two beneficiaries, and not a third. */
async function given(settings: Record<string, string>, rows: readonly string[]): Promise<void> {
	world = await batchWorld(settings);
	world.wire = async ({ url }) => {
		const id = new URL(url).pathname.split("/").at(-1);
		if (id === world.from) return json({ id, currency: "EUR", availableAmount: 1000 });
		if (id === pounds) return json({ id, currency: "GBP" });
		return id === euros ? json({ id, currency: "EUR" }) : json({ error: "NOT_FOUND" }, 404);
	};
	world.files.set("pay.csv", new TextEncoder().encode(["beneficiaryId,amount,reference,currency", ...rows].join("\n")));
}
const plan = (...more: string[]) =>
	world.purser(["pay", "batch", "plan", "pay.csv", "--ledger-from-id", world.from, ...more], { columns: 200 });
const send = (...more: string[]) => world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes", "--json", ...more]);

test("each total is in its account's currency, and a limit in another one is not held against it", async () => {
	await given({ "cap-per-transfer": "100 EUR" }, [`${euros},5,a,`, `${pounds},99,b,`]);
	const { plan: made, dry } = (await plan("--json")).json();
	expect(made.totals).toEqual([
		{ ledgerFromId: world.from, currency: "EUR", rows: 1, amount: "5" },
		{ ledgerFromId: world.from, currency: "GBP", rows: 1, amount: "99" },
	]);
	expect(dry).toEqual([]);
	const ran = await send();
	expect([ran.exit, failure(ran.stderr).code]).toEqual([10, "CAP_CURRENCY"]);
});

test("where it is not known, totals and notes say so, it counts as above the limit, and the file can say it", async () => {
	await given({ "cap-per-transfer": "100 EUR" }, [`${euros},5,a,`, `${gone},7,b,`]);
	const text = await plan();
	expect(text.stdout).toContain(
		"The currency of 1 of 2 rows is unknown, so they count against every limit, and as above one that names a currency",
	);
	expect(text.stderr).toContain("a beneficiary could not be looked up");
	expect(failure((await send("--expect-total", "EUR=12")).stderr).why).toContain("?: 7.00 planned, but missing from --expect-total");
	expect(failure((await send()).stderr).code).toBe("CAP_CURRENCY");
	const said = await plan("--currency", "EUR", "--json");
	expect(said.json().plan.totals).toEqual([{ ledgerFromId: world.from, currency: "EUR", rows: 2, amount: "12" }]);
	// What the file says of an account that the service knows otherwise is a fault of its row.
	world.files.set("pay.csv", new TextEncoder().encode(`beneficiaryId,amount,currency\n${pounds},5,EUR\n`));
	expect(failure((await plan("--json")).stderr).details).toEqual([
		{ row: 1, field: "currency", message: "is EUR, but the beneficiary's account is in GBP" },
	]);
});

test("2,000 rows of 1.00 to as many payees are above a cap of 1500 a day, and all in the payees' own currency", async () => {
	world = await batchWorld({ "cap-per-day": "1500" });
	const payee = (at: number): string => `dddddddd-0000-4000-8000-${String(at).padStart(12, "0")}`;
	world.wire = async ({ url }) => json({ id: new URL(url).pathname.split("/").at(-1), currency: "EUR", availableAmount: 5000 });
	const rows = Array.from({ length: 2_000 }, (_, at) => `${payee(at)},1.00,Row ${at}`);
	world.files.set("pay.csv", new TextEncoder().encode(["beneficiaryId,amount,reference", ...rows].join("\n")));
	await plan();
	expect(JSON.parse(world.text("pay.csv.plan.json")).plan.totals).toEqual([
		{ ledgerFromId: world.from, currency: "EUR", rows: 2_000, amount: "2000.00" },
	]);
	const posts = () => world.requests.filter(({ method, line }) => method === "POST" && line.includes("/transactions/")).length;
	const ran = await send();
	expect([ran.exit, failure(ran.stderr).code, posts()]).toEqual([10, "CAP_PER_DAY", 0]);
});
