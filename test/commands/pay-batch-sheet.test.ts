/**
 * The page of a plan, through the commands: from the one that is written beside the plan to the payments that are sent.
 */
import { createHash } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld, failure } from "./batch-world.js";

let world: BatchWorld;
afterEach(() => world.end());

const [plan, page] = ["pay.csv.plan.json", "pay.csv.plan.html"];
const rows = [
	["10.50", "Invoice 1"],
	["7", "Invoice 2"],
] as const;
const payments = () => world.requests.filter(({ method, url }) => method === "POST" && url.includes("/transactions/"));
const put = (path: string, content: string): string => world.put(path, content);
const linked = (path: string): string => {
	world.links.add(path);
	return path;
};
const planned = (...more: string[]) => world.plan("--page", ...more);
const approve = (...more: string[]) => world.purser(["pay", "batch", "approve", plan, "--yes", "--json", ...more]);

/** A world in which every batch needs an approval, with two people who have a key each. */
async function twoPeople(): Promise<{ be(who: "planner" | "approver"): void }> {
	world = await batchWorld({ approval: "always" });
	const make = async () => (await world.purser(["pay", "batch", "key", "--json"])).json().key as string;
	const planner = await make();
	const planning = world.person.key;
	world.person.key = undefined;
	const approver = await make();
	const approving = world.person.key;
	await world.purser(["profile", "set", "sandbox", "--set", `approvers=ben=${approver}`, "--set", `planners=ci=${planner}`, "--yes"]);
	const be = (who: "planner" | "approver"): void => {
		world.person.key = who === "planner" ? planning : approving;
	};
	be("planner");
	return { be };
}

describe("a plan with a sheet", () => {
	test("names it, is approved with it, is sent, and shows it on the way", async () => {
		const { be } = await twoPeople();
		world.file(rows);
		const made = await planned();
		expect(made.exit).toBe(0);
		const sheet = world.files.get(page) as Uint8Array;
		const sha256 = createHash("sha256").update(sheet).digest("hex");
		expect(made.json().html).toEqual({ path: page, bytes: sheet.length, sha256 });
		expect(made.json().plan).toMatchObject({ version: 1, sheet: { sha256 } });
		expect(JSON.parse(world.text(plan))).toEqual({ plan: made.json().plan, approvals: [] });
		const text = world.text(page);
		for (const word of [
			made.json().plan.digest.rows,
			made.json().plan.digest.sequence,
			"17.50 EUR",
			"Main account",
			"Personal data is masked",
		])
			expect(text).toContain(word);
		expect(text).toContain("Invoice");
		expect((await world.send()).exit).toBe(10);
		be("approver");
		const person = await world.purser(["pay", "batch", "approve", plan], { answers: [true], columns: 200 });
		expect([person.exit, person.stderr]).toEqual([0, expect.stringContaining(`${page} is the one that was written with this plan`)]);
		be("planner");
		const asked = await world.purser(["pay", "batch", "send", plan], { answers: [false], columns: 200 });
		expect([asked.exit, asked.stderr.includes(sha256)]).toEqual([10, false]);
		const sent = await world.send();
		expect([sent.exit, payments().length]).toEqual([0, 2]);
		const report = await world.purser(["pay", "batch", "report", "1", "--json"]);
		expect(report.json().approvals).toMatchObject([{ approver: "ben" }]);
		const { faults } = await (await world.history()).verify();
		expect(faults).toEqual([]);
	});

	test("is another's where one byte of it changed or it belongs to another plan; then nothing is signed", async () => {
		const { be } = await twoPeople();
		world.file(rows);
		await planned();
		const [own, ownPlan] = [world.text(page), world.text(plan)];
		await planned();
		const other = world.text(page);
		put(plan, ownPlan);
		be("approver");
		for (const wrong of [own.replace("17.50 EUR", "17.51 EUR"), `${own}\n`, "", other]) {
			put(page, wrong);
			const ran = await approve();
			expect([ran.exit, failure(ran.stderr).code, JSON.parse(world.text(plan)).approvals]).toEqual([10, "PAGE_DIFFERENT", []]);
			const asked = await world.purser(["pay", "batch", "approve", plan], { answers: [] });
			expect([asked.exit, world.asked]).toEqual([10, []]);
		}
		put(page, own);
		// The control.
		expect([(await approve()).exit, JSON.parse(world.text(plan)).approvals.length]).toEqual([0, 1]);
	});

	test("is missed where it is not beside the plan, and the plan is signed all the same", async () => {
		const { be } = await twoPeople();
		world.file(rows);
		await planned();
		world.files.delete(page);
		be("approver");
		const signed = await approve();
		expect([signed.exit, signed.stderr]).toEqual([0, expect.stringContaining("This plan was written with a page")]);
		await world.purser(["pay", "batch", "plan", "pay.csv"]);
		expect((await approve("--dry-run")).stderr).not.toContain("page");
	});
});

describe("a page that cannot be written", () => {
	const kept = async () => ({
		batches: (await world.purser(["pay", "batch", "list", "--json"])).json(),
		files: [...world.files.keys()].sort(),
	});

	test.each<[string, string, number, () => string[]]>([
		["the source", "INVALID_INPUT", 3, () => [put("pay.html", "a"), "--page", "--to", "./pay.json"]],
		["a file of somebody else", "FILE_EXISTS", 10, () => ["pay.csv", "--page", "--to", put("notes.html", "mine").replace("html", "json")]],
		["a link", "FILE_EXISTS", 10, () => ["pay.csv", "--page", "--to", linked("link.html").replace("html", "json")]],
		["unmasked without one", "INVALID_INPUT", 3, () => ["pay.csv", "--unmasked"]],
	])("because its place is %s leaves nothing", async (_, code, exit, argv) => {
		world = await batchWorld();
		world.file(rows);
		const more = argv();
		const before = [...world.files.keys()].sort();
		const ran = await world.purser(["pay", "batch", "plan", "--json", ...more]);
		expect([ran.exit, failure(ran.stderr).code]).toEqual([exit, code]);
		expect(await kept()).toEqual({ batches: [], files: before });
		// The control.
		expect((await planned()).exit).toBe(0);
	});

	test.each([page, plan])("or its plan (%s: no space) leaves no batch, and of an earlier plan what was there", async (path) => {
		world = await batchWorld();
		world.file(rows);
		const set = world.files.set.bind(world.files);
		const fill = (isFull: boolean) => {
			world.files.set = (name, content) => {
				if (isFull && name === path) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
				return set(name, content);
			};
		};
		fill(true);
		const ran = await planned();
		expect([ran.exit, failure(ran.stderr).code]).toEqual([6, "DISK_FULL"]);
		expect(await kept()).toEqual({ batches: [], files: ["pay.csv"] });
		fill(false);
		await planned();
		const [earlier, earlierPage] = [world.text(plan), world.text(page)];
		fill(true);
		expect((await planned()).exit).toBe(6);
		if (path === plan) expect([world.text(plan), world.text(page)]).toEqual([earlier, earlierPage]);
	});
});
