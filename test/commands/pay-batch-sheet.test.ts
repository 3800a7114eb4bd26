/**
 * The page of a plan, through the commands: from the one that is written beside the plan to the payments that are sent.
 */
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld, rowsOf } from "./batch-world.js";

let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld();
	begin();
});
afterEach(() => world.end());

const [plan, page] = ["pay.csv.plan.json", "pay.csv.plan.html"];
const begin = () => world.file(rowsOf("10.50 Invoice 1", "7 Invoice 2"));
const planned = (...more: string[]) => world.plan("--page", ...more);
const approve = (more = "") => world.purser(`pay batch approve ${plan} --yes --json ${more}`);
const approvals = () => JSON.parse(world.text(plan)).approvals;

describe("a plan with a sheet", () => {
	let be: Awaited<ReturnType<BatchWorld["twoPeople"]>>["be"];
	beforeEach(async () => {
		await world.end();
		world = await batchWorld({ approval: "always" });
		({ be } = await world.twoPeople());
		begin();
	});

	test("names it, is approved with it, is sent, and shows it on the way", async () => {
		const made = (await planned()).json();
		const sheet = world.files.get(page) as Uint8Array;
		const sha256 = createHash("sha256").update(sheet).digest("hex");
		expect(made.html).toEqual({ path: page, bytes: sheet.length, sha256 });
		expect(made.plan).toMatchObject({ version: 1, sheet: { sha256 } });
		expect(JSON.parse(world.text(plan))).toEqual({ plan: made.plan, approvals: [] });
		const { rows, sequence } = made.plan.digest;
		for (const word of [rows, sequence, "17.50 EUR", "Main account", "Personal data is masked", "Invoice"])
			expect(world.text(page)).toContain(word);
		expect((await world.send()).exit).toBe(10);
		be("approver");
		const person = await world.purser(`pay batch approve ${plan}`, { answers: [true], columns: 200 });
		expect([person.exit, person.stderr]).toEqual([0, expect.stringContaining(`${page} is the one that was written with this plan`)]);
		be("planner");
		const asked = await world.purser(`pay batch send ${plan}`, { answers: [false], columns: 200 });
		expect([asked.exit, asked.stderr.includes(sha256)]).toEqual([10, false]);
		expect([(await world.send()).exit, world.changes().filter(({ url }) => url.includes("/transactions/")).length]).toEqual([0, 2]);
		expect((await world.json("pay batch report 1")).approvals).toMatchObject([{ approver: "ben" }]);
		expect(await world.faults()).toEqual([]);
	});

	test("is another's where one byte of it changed or it belongs to another plan; then nothing is signed", async () => {
		await planned();
		const [own, ownPlan] = [world.text(page), world.text(plan)];
		await planned();
		const other = world.text(page);
		world.put(plan, ownPlan);
		be("approver");
		for (const wrong of [own.replace("17.50 EUR", "17.51 EUR"), `${own}\n`, "", other]) {
			world.put(page, wrong);
			const ran = await approve();
			expect([ran.exit, ran.error().code, approvals()]).toEqual([10, "PAGE_DIFFERENT", []]);
			expect([(await world.purser(`pay batch approve ${plan}`, { answers: [] })).exit, world.asked]).toEqual([10, []]);
		}
		world.put(page, own);
		// The control.
		expect([(await approve()).exit, approvals().length]).toEqual([0, 1]);
	});

	test("is missed where it is not beside the plan, and the plan is signed all the same", async () => {
		await planned();
		world.files.delete(page);
		be("approver");
		const signed = await approve();
		expect([signed.exit, signed.stderr]).toEqual([0, expect.stringContaining("This plan was written with a page")]);
		await world.plan();
		expect((await approve("--dry-run")).stderr).not.toContain("page");
	});
});

describe("a page that cannot be written", () => {
	const kept = async () => [await world.json("pay batch list"), [...world.files.keys()].sort()];

	test.each<[string, string, number, string, () => unknown]>([
		["the source", "INVALID_INPUT", 3, "pay.html --page --to ./pay.json", () => world.put("pay.html", "a")],
		["a file of somebody else", "FILE_EXISTS", 10, "pay.csv --page --to notes.json", () => world.put("notes.html", "mine")],
		["a link", "FILE_EXISTS", 10, "pay.csv --page --to link.json", () => world.links.add("link.html")],
		["unmasked without one", "INVALID_INPUT", 3, "pay.csv --unmasked", () => {}],
	])("because its place is %s leaves nothing", async (_, code, exit, words, before) => {
		before();
		const files = [...world.files.keys()].sort();
		const ran = await world.purser(`pay batch plan --json ${words}`);
		expect([ran.exit, ran.error().code, await kept()]).toEqual([exit, code, [[], files]]);
		// The control.
		expect((await planned()).exit).toBe(0);
	});

	test.each([page, plan])("or its plan (%s: no space) leaves no batch, and of an earlier plan what was there", async (path) => {
		const set = world.files.set.bind(world.files);
		const fill = (isFull: boolean) => {
			world.files.set = (name, content) => {
				if (isFull && name === path) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
				return set(name, content);
			};
		};
		fill(true);
		const ran = await planned();
		expect([ran.exit, ran.error().code, await kept()]).toEqual([6, "DISK_FULL", [[], ["pay.csv"]]]);
		fill(false);
		await planned();
		const earlier = [world.text(plan), world.text(page)];
		fill(true);
		expect((await planned()).exit).toBe(6);
		if (path === plan) expect([world.text(plan), world.text(page)]).toEqual(earlier);
	});
});
