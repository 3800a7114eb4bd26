/**
 * The tasks of `purser help tasks`, carried out as the page says, at real terminals: the commands and keys are read from the page. The screens
 * at 80 columns are compared with those in `recorded/`, and at other widths those that are laid out in another order there; record them anew, after a look at the difference, with
 *
 *     npm run build && npx vitest run --config .config/vitest.js test/sessions/tasks -u
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spawned } from "../e2e/service.js";
import { clockShift } from "../support/clock-shift.js";
import { screenOf } from "../support/screen.js";
import { type Act, answers, type Desk, interrupt, keys, newDesk, picks } from "./desk.js";
import { laidOutAnew, recordedBlocks, recordedText } from "./recorded.js";
import { cutIds, tooWide } from "./rules.js";
import { type Answer, readTasks, type Task, tasksOf } from "./tasks-page.js";

const tasks = readTasks();
const widths = [60, 80, 120] as const;
const desks = new Map<number, Desk>();
const deskOf = (columns: number): Desk => desks.get(columns) as Desk;
/** What the screen shows at the end of each command, by width and task. */
const screens = new Map<string, Awaited<ReturnType<typeof screenOf>>[]>();

/** One terminal after the other would wait for the program most of the time. */
beforeAll(() => Promise.all(widths.map(workAt)));
afterAll(async () => {
	await Promise.all(widths.map((columns) => desks.get(columns)?.leave()));
	if (canShift) shift.remove();
});

/** It is the month of the page, so that what is recorded has its times. */
const shift = clockShift();
const canShift = typeof shift !== "string";
const seconds = Math.round((Date.parse("2026-11-23T10:00:00Z") - Date.now()) / 1000);

async function workAt(columns: number): Promise<void> {
	const desk = await newDesk({ columns });
	Object.assign(desk.env, { PURSER_OPERATOR: "anna", ...(canShift ? shift.env(seconds) : {}) });
	desks.set(columns, desk);
	await desk.starts("purser sandbox serve --save-profile sandbox --port 0", "Ctrl-C stops it");
	for (const task of tasks) await carryOut(task, desk);
}

const [main, supplier] = ["aaaaaaaa-0001-4000-8000-000000000001", "bbbbbbbb-0001-4000-8000-000000000001"];

/** What is there before a person begins a task. */
const before: Readonly<Record<string, (desk: Desk) => Promise<unknown>>> = {
	// The newest payment is another one, so what the list shows first is not yet what is looked for.
	"Was it paid?": (desk) => desk.types('purser pay ledger --from "Main account" --to Savings --amount 12.00', [answers("(y/N)", "y")]),
	"Pay 200 salaries": (desk) => {
		const rows = Array.from({ length: 200 }, (_, at) => `${main},${supplier},10.50,Salary ${at + 1}`);
		return writeFile(join(desk.folder, "salaries.csv"), ["ledgerFromId,beneficiaryId,amount,reference", ...rows].join("\n"));
	},
	"Settle a doubt": async (desk) => {
		await desk.types("purser sandbox simulate fault transaction.interLedger=drop-after:x1");
		const paid = await desk.types('purser pay ledger --from "Main account" --to Savings --amount 11.00', [answers("(y/N)", "y")]);
		expect(paid.exit).toBe(7);
		await allFinal(desk);
	},
	"Pay from a spreadsheet": (desk) => writeFile(join(desk.folder, "invoices.csv"), sheet),
	"Find a payment of last week": allFinal,
	"Hold a batch that has a wrong row": async (desk) => {
		await writeFile(join(desk.folder, "rent.csv"), `ledgerFromId,beneficiaryId,amount,reference\n${main},${supplier},30.00,Rent`);
		expect((await desk.types("purser pay batch plan rent.csv")).exit).toBe(0);
	},
};

/** Waits, so that what was paid a moment ago is shown as what it is in the end, on a slow machine as on a fast one. */
async function allFinal({ env }: Desk): Promise<void> {
	while ((await spawned(["pay", "list", "--json"], env)).stdout.includes("PENDING")) await setTimeout(200);
}

/** As a person keeps it. */
const sheet = [
	"Von;Empfänger;Betrag;Verwendungszweck",
	"Main account;Example Supplies Ltd;1.250,50;RE 77",
	"Main account;Example Supplies Ltd;19,90;RE 78",
].join("\r\n");

function actOf({ question, typed, shown, key }: Answer): Act {
	if (key === "Ctrl-C") return keys(question, `${typed}${interrupt}`);
	// Before such a question stands what is sent, in the same words.
	if (shown === undefined && /^[yn]$/.test(typed))
		return async (at, setting) => {
			await keys(question, "")(at, setting);
			await at.sees(/\((y\/N|Y\/n)\)/);
			at.answer(typed);
		};
	return shown === undefined ? answers(question, typed) : picks(question, typed, shown);
}

async function carryOut({ title, commands }: Task, desk: Desk): Promise<void> {
	await before[title]?.(desk);
	const seen: Awaited<ReturnType<typeof screenOf>>[] = [];
	for (const { line, answers } of commands) {
		const shot = await desk.types(line, answers.map(actOf));
		const screen = await screenOf(shot.raw, desk.setting.columns);
		// Ctrl-C, as the page says, is 130.
		const wanted = answers.at(-1)?.key === "Ctrl-C" ? 130 : 0;
		if (shot.exit !== wanted) throw new Error(`${title}: ${line}: exit ${shot.exit}, not ${wanted}\n${screen.lines.join("\n")}`);
		seen.push(screen);
	}
	screens.set(`${desk.setting.columns} ${title}`, seen);
}

/** What shows that a task is done, on the screen of its last command or of an earlier one. */
const done: Readonly<Record<string, readonly (string | RegExp)[]>> = {
	"Onboard a company from a phone call": ["verification email sent"],
	"Who is waiting for whom?": ["Example Florist GmbH", "NOT_STARTED", "Email of Grace Florist verified"],
	"Resend a link": ["Verification link sent", /Link +http/],
	"Correct an email": [/Email +grace\.florist@example\.com +not verified/, "Verification link sent"],
	"Say why a company cannot pay": [/KYB +NOT_STARTED/, "to do"],
	"Pay an invoice": ["Payment accepted"],
	"Was it paid?": [/Status +APPROVED/],
	"Pay from a spreadsheet": ["Batch 1 is planned", /1 270\.40 EUR/, "every row was accepted"],
	"Find a payment of last week": ["Invoice 2041", /Amount +250\.00 EUR/],
	"Whom did a payment go to?": [/To +Example Supplies Ltd/, /Amount +250\.00 EUR/],
	"Settle a doubt": [/Intent \d+ +11/, /Created +Intent/],
	"Pay 200 salaries": ["Batch 2 is planned", "every row was accepted", "Matched +20\\d"],
	"Hold a batch that has a wrong row": ["rent.csv", "never sent"],
	"Hand a month's payments to accounting": [/Matched +20\d/],
	"Hand over to a colleague": ["Example Florist GmbH", /Personal data +masked/, /corporate\.create|New company/],
};

describe.each(widths)("at %i columns", (columns) => {
	test.each(tasks)("$title is done in at most three commands, without an id", ({ title, commands }) => {
		expect(commands.length).toBeLessThanOrEqual(3);
		expect(JSON.stringify(commands)).not.toMatch(/[0-9a-f]{8}-|digest/);
		const seen = screens.get(`${columns} ${title}`) ?? [];
		expect(seen).toHaveLength(commands.length);
		const text = seen.flatMap(({ lines }) => lines).join("\n");
		expect(done[title]?.filter((sign) => !new RegExp(sign).test(text))).toEqual([]);
		expect(seen.flatMap((screen) => [...tooWide(screen), ...cutIds(screen)])).toEqual([]);
	});

	test.runIf(canShift)("the screens are as recorded", async () => {
		const [blocks, at80] = await Promise.all([columns, 80].map((width) => recordedBlocks(deskOf(width).shots, width)));
		const recorded = columns === 80 ? at80 : laidOutAnew(blocks ?? [], at80 ?? []);
		await expect(recordedText(recorded ?? [])).toMatchFileSnapshot(`recorded/tasks-${columns}.txt`);
	});

	test.runIf(canShift)("accounting has every payment of the month", async () => {
		const csv = await readFile(join(deskOf(columns).folder, "november.csv"), "utf8");
		expect(csv.trim().split("\n").length).toBeGreaterThan(200);
		expect(csv).toContain("Invoice 2041");
	});
});

test("there are fifteen", () => {
	expect(tasks.map(({ title }) => title)).toEqual(Object.keys(done));
});

test("a page that says something else than commands and keys is refused", () => {
	const page = (line: string) => `## 1. Try\n\n\`\`\`\n$ purser overview\n${line}\n\`\`\`\n`;
	expect(tasksOf(page("? City  Berlin (Berlin) Enter"))[0]?.commands).toEqual([
		{ line: "purser overview", answers: [{ question: "City", typed: "Berlin", shown: "Berlin", key: "Enter" }] },
	]);
	expect(() => tasksOf(page("and then wait"))).toThrow("neither a command nor a question");
});
