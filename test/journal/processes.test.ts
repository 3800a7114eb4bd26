import { execa } from "execa";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { programOf } from "../support/program.js";
import { addressOf, allDrivers, drivers, newFolder, open, removeFolders, stores } from "./journals.js";

let sender: Awaited<ReturnType<typeof programOf>>;

beforeAll(async () => {
	sender = await programOf(new URL("./sender.ts", import.meta.url));
});

afterEach(removeFolders);

afterAll(() => sender.remove());

type Outcomes = Record<string, string>;

async function send(folder: string, name: string, count: number, shared: number, driver: string): Promise<Outcomes> {
	const { stdout } = await execa(process.execPath, ["--no-warnings", sender.script, folder, name, String(count), String(shared), driver]);
	return JSON.parse(stdout) as Outcomes;
}

test("twenty that find no journal make one", async () => {
	const folder = newFolder();
	const all = await Promise.all(Array.from({ length: 20 }, (_, index) => send(folder, `P${index}`, 2, 1, drivers[0] as string)));
	expect(all.flatMap((one) => Object.values(one)).filter((one) => one === "accepted")).toHaveLength(41);
	const journal = await open(folder);
	expect(await journal.verify()).toMatchObject({ intents: 41, faults: [] });
});

describe.each(stores)("processes on one journal, with %s", (driver) => {
	test("each of what is its own goes through; of what is the same, one in all", async () => {
		const folder = newFolder();
		const [count, shared] = driver === "postgres" ? [15, 10] : [60, 40];
		const names = [..."ABCDEFGH"].slice(0, driver === "postgres" ? 8 : 4);
		const store = driver === "postgres" ? JSON.stringify(await addressOf(folder)) : driver;
		const all = await Promise.all(names.map((name) => send(folder, name, count, shared, store)));
		for (const [index, outcomes] of all.entries())
			for (let row = 0; row < count; row++) expect(outcomes[`${names[index]} ${row}`]).toBe("accepted");
		for (let row = 0; row < shared; row++) {
			const outcomes = all.map((one) => one[`Shared ${row}`]);
			expect(outcomes.filter((one) => one === "accepted")).toHaveLength(1);
			for (const other of outcomes) expect(["accepted", "DUPLICATE", "ALREADY_SENDING"]).toContain(other);
		}
		const journal = await open(folder, { driver });
		expect(await journal.verify()).toMatchObject({ intents: names.length * count + shared, faults: [] });
		const seen = new Set((await journal.list({})).map(({ transfer }) => transfer?.reference));
		expect(seen.size).toBe(names.length * count + shared);
	});
});

test(`the drivers of this Node on one journal at once (${allDrivers.join(", ")})`, async () => {
	const folder = newFolder();
	const all = await Promise.all(
		["A", "B", "C"].map((name, index) => send(folder, name, 50, 20, allDrivers[index % allDrivers.length] as string)),
	);
	expect(all.flatMap((one) => Object.values(one)).filter((one) => one === "accepted")).toHaveLength(170);
	const journal = await open(folder);
	expect(await journal.verify()).toMatchObject({ intents: 170, faults: [] });
});
