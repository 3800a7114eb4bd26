/**
 * Two machines apply one case at once, or one is killed and the other goes on: nothing that exists twice goes untold.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { confirmed } from "../support/companies.js";
import { everybody } from "./onboard-cases.js";
import { type Machines, slowAndLate, startMachines, tells, withoutLook } from "./onboard-twins.js";

const rounds = Number(process.env.PURSER_TEST_TWINS ?? 4);
const kills = Number(process.env.PURSER_TEST_TWIN_KILLS ?? 5);
const seed = Number(process.env.PURSER_TEST_SEED ?? Date.now() % 100_000);
/** Cases at once. */
const atOnce = 3;
/** Lists that show nothing new while a run lasts. */
const hiding = ["corporate.create=duplicates", "corporate.list=lag:600000ms", "related.list=lag:600000ms"];

const folders: string[] = [];
const newFolder = async () => {
	const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	folders.push(folder);
	return folder;
};
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** Does the work of each place, several at once. */
async function each(count: number, work: (place: number) => Promise<void>): Promise<void> {
	let next = 0;
	const worker = async () => {
		for (let place = next++; place < count; place = next++) await work(place);
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Lehmer's generator: the seed gives the same fractions again. */
function fractions(start: number): () => number {
	let state = (start % 2147483646) + 1;
	return () => {
		state = (state * 48271) % 2147483647;
		return state / 2147483647;
	};
}

async function inMachines(count: number, faults: readonly string[], script: string | undefined, work: (on: Machines) => Promise<void>) {
	const machines = await startMachines(count, faults, script);
	try {
		await work(machines);
	} finally {
		await machines.stop();
	}
}

test(`two machines at once, ${rounds} times: no round ends with something twice and two zeros`, async () => {
	await inMachines(rounds, slowAndLate, undefined, async (machines) => {
		let met = 0;
		let both = 0;
		await each(rounds, async (place) => {
			const told = await Promise.all([machines.apply(0, place), machines.apply(1, place)]);
			const twins = machines.twins(place);
			const said = told.map(({ exit, said }) => `${exit}: ${said}`).join("\n");
			if (twins.length === 0) {
				expect(machines.made(place).corporates, said).toHaveLength(1);
				return;
			}
			met += 1;
			const telling = told.filter((one) => tells(one, twins));
			if (telling.length === 2) both += 1;
			expect(telling.length, said).toBeGreaterThan(0);
			for (const { exit } of telling) expect([7, 10], said).toContain(exit);
			for (const again of [0, 1] as const) expect(tells(await machines.apply(again, place), twins), said).toBe(true);
		});
		// Where nothing keeps one of two runs from looking before the other creates, both tell it.
		if (process.env.PURSER_TEST_SHOW) process.stdout.write(`twice in ${met} of ${rounds} rounds, told by both in ${both}\n`);
		expect(met, "no two runs ever met").toBeGreaterThan(0);
	});
});

test(`killed on one machine and run on the other, ${kills} times: nothing that exists twice goes untold (seed ${seed})`, async () => {
	const fraction = fractions(seed);
	const moments = Array.from({ length: kills }, () => fraction());
	await inMachines(kills + 1, slowAndLate, undefined, async (machines) => {
		const began = performance.now();
		expect((await machines.apply(0, kills)).exit).toBe(0);
		const took = performance.now() - began;
		await each(kills, async (place) => {
			const killed = machines.on(0, ["onboard", "apply", ...confirmed, machines.files[place] as string]);
			await pause((moments[place] as number) * took * 1.5);
			killed.kill("SIGKILL");
			await killed;
			const there = await machines.apply(1, place);
			const twins = machines.twins(place);
			if (twins.length > 0) expect(tells(there, twins), there.said).toBe(true);
			else {
				expect(there.exit, there.said).toBe(0);
				expect(machines.made(place).names).toEqual(everybody);
			}
		});
	});
});

test.skipIf(process.env.PURSER_TEST_PROGRAM)("control: without the look, both kinds go untold", async () => {
	const script = await withoutLook(await newFolder());
	await inMachines(2, hiding, script, async (machines) => {
		const told = await Promise.all([machines.apply(0, 0), machines.apply(1, 0)]);
		expect([told.map(({ exit }) => exit), machines.twins(0).length > 0]).toEqual([[0, 0], true]);

		const killed = machines.on(0, ["onboard", "apply", ...confirmed, machines.files[1] as string]);
		while (!machines.sandbox.state.corporates.some(({ fields }) => fields.externalId === "crm-1")) await pause(5);
		killed.kill("SIGKILL");
		await killed;
		expect([(await machines.apply(1, 1)).exit, machines.twins(1).length > 0]).toEqual([0, true]);
	});
});

test("what the lists do not show within the time that is given is no 0 either", async () => {
	await inMachines(1, hiding, undefined, async (machines) => {
		const apply = ["onboard", "apply", ...confirmed, machines.files[0] as string, "--settle-after", "1", "--json"];
		const both = await Promise.all([machines.on(0, apply), machines.on(1, apply)]);
		expect(both.map(({ exitCode }) => exitCode)).toEqual([9, 9]);
		for (const { stdout } of both) expect(String(stdout)).toContain('"duplicate check"');
	});
});
