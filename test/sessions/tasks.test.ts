/**
 * The ten tasks of `purser help tasks`, carried out as the page says, at a real terminal: the commands and keys are read from the page.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { screenOf } from "../support/screen.js";
import { type Act, answers, type Desk, interrupt, keys, newDesk, picks } from "./desk.js";
import { type Answer, readTasks, type Task, tasksOf } from "./tasks-page.js";

const columns = 100;
const tasks = readTasks();
let desk: Desk;
/** What the screen shows at the end of each command, by task. */
const screens = new Map<string, string[]>();

beforeAll(async () => {
	desk = await newDesk({ columns });
	await desk.starts("purser sandbox serve --save-profile sandbox --port 0", "Ctrl-C stops it");
	for (const task of tasks) await carryOut(task);
});
afterAll(() => desk.leave());

/** What is there before a person begins a task. */
const before: Readonly<Record<string, () => Promise<unknown>>> = {
	// The newest payment is another one, so what the list shows first is not yet what is looked for.
	"Was it paid?": () => desk.types('purser pay ledger --from "Main account" --to Savings --amount 12.00', [answers("(y/N)", "y")]),
	"Pay 200 salaries": () => {
		const [main, supplier] = ["aaaaaaaa-0001-4000-8000-000000000001", "bbbbbbbb-0001-4000-8000-000000000001"];
		const rows = Array.from({ length: 200 }, (_, at) => `${main},${supplier},10.50,Salary ${at + 1}`);
		return writeFile(join(desk.folder, "salaries.csv"), ["ledgerFromId,beneficiaryId,amount,reference", ...rows].join("\n"));
	},
	"Settle a doubt": async () => {
		await desk.types("purser sandbox simulate fault transaction.interLedger=drop-after:x1");
		const paid = await desk.types('purser pay ledger --from "Main account" --to Savings --amount 11.00', [answers("(y/N)", "y")]);
		expect(paid.exit).toBe(7);
	},
};

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

async function carryOut({ title, commands }: Task): Promise<void> {
	await before[title]?.();
	const seen: string[] = [];
	for (const { line, answers } of commands) {
		const { raw, exit } = await desk.types(line, answers.map(actOf));
		const screen = (await screenOf(raw, columns)).lines.join("\n");
		// Ctrl-C, as the page says, is 130.
		const wanted = answers.at(-1)?.key === "Ctrl-C" ? 130 : 0;
		if (exit !== wanted) throw new Error(`${title}: ${line}: exit ${exit}, not ${wanted}\n${screen}`);
		seen.push(screen);
	}
	screens.set(title, seen);
}

/** What shows that a task is done, on the screen of its last command or of an earlier one. */
const done: Readonly<Record<string, readonly (string | RegExp)[]>> = {
	"Onboard a company from a phone call": ["verification email sent"],
	"Who is waiting for whom?": [/Example Florist GmbH +NOT_STARTED/, "Email of Grace Florist verified"],
	"Resend a link": ["Verification link sent", /Link +http/],
	"Correct an email": [/Email +grace\.florist@example\.com +not verified/, "Verification link sent"],
	"Pay an invoice": ["Payment accepted"],
	"Was it paid?": [/Status +APPROVED/],
	"Pay 200 salaries": ["Batch 1 is planned", "every row was accepted", "Matched +20\\d"],
	"Find a payment of last week": ["Invoice 2041", /Amount +250\.00 EUR/],
	"Settle a doubt": [/Intent \d+ +11/, /Created +Intent/],
	"Hand over to a colleague": ["Example Florist GmbH", /Personal data +masked/, "corporate.create"],
};

describe.each(tasks)("$title", ({ title, commands }) => {
	test("is done in at most three commands, none longer than it need be", () => {
		expect(commands.length).toBeLessThanOrEqual(3);
		const seen = screens.get(title) ?? [];
		expect(seen).toHaveLength(commands.length);
		const missing = (done[title] ?? []).filter((sign) => !new RegExp(sign).test(seen.join("\n")));
		expect(missing).toEqual([]);
		expect(done[title]?.length).toBeGreaterThan(0);
	});
});

test("there are ten", () => {
	expect(tasks.map(({ title }) => title)).toEqual(Object.keys(done));
});

test("a page that says something else than commands and keys is refused", () => {
	const page = (line: string) => `## 1. Try\n\n\`\`\`\n$ purser overview\n${line}\n\`\`\`\n`;
	expect(tasksOf(page("? City  Berlin (Berlin) Enter"))[0]?.commands).toEqual([
		{ line: "purser overview", answers: [{ question: "City", typed: "Berlin", shown: "Berlin", key: "Enter" }] },
	]);
	expect(() => tasksOf(page("and then wait"))).toThrow("neither a command nor a question");
});
