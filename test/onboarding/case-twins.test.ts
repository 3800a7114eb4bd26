/**
 * Two runs of one case whose steps fall between each other: on one machine the journal knows the creation; what two machines created at once
 * is told by the next run, and set right by what is told. `test/e2e/onboard-race.test.ts` has the real processes.
 */
import { afterAll, describe, expect, it } from "vitest";
import type { Journal } from "../../src/ports/journal.js";
import { parseFault } from "../../src/sandbox/simulate/faults.js";
import { newFolder, open, removeFolders } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import { makeWorld, type Ran, type World } from "../support/purser.js";
import { entitiesOf, layers, put, through } from "./case-world.js";

afterAll(removeFolders);

/** Two machines with a journal each; `before` is called on machine 0 when an operation is about to be sent there. */
async function machines(
	before: (operation: string) => Promise<void> = async () => {},
	folders: readonly string[] = [newFolder(), newFolder()],
) {
	let place = 0;
	const world = await makeWorld({
		openJournal: async (clock, profile) => {
			const of = { clock: clock as never, profile: { name: profile.name, environment: profile.environment } };
			const journal = await open(folders[place] as string, of);
			const begin: Journal["begin"] = async (intent) => {
				if (place === 0) await before(intent.operation);
				return journal.begin(intent);
			};
			return { ...journal, begin };
		},
	});
	put(world, "case.yaml", layers);
	const on = async (machine: number, argv: readonly string[]): Promise<Ran> => {
		const last = place;
		place = machine;
		const ran = await world.purser(argv);
		place = last;
		return ran;
	};
	const fault = async (...faults: string[]) => {
		for (const one of faults) {
			expect(parseFault(one)).toBeDefined();
			expect((await world.purser(["sandbox", "simulate", "fault", one])).exit).toBe(0);
		}
	};
	return { world, on, fault };
}

const apply = ["onboard", "apply", ...confirmed, "case.yaml", "--json"];
const corporatesOf = (world: World) => world.sandbox.state.corporates.filter(({ fields }) => fields.externalId === "crm-layers");

/** The second machine runs whole while the first is about to send an operation, once. */
async function raced(operation: string, { folders, faults = [] }: { folders?: readonly string[]; faults?: readonly string[] } = {}) {
	let other: Ran | undefined;
	const { world, on, fault } = await machines(async (sent) => {
		if (sent !== operation || other !== undefined) return;
		other = {} as Ran;
		other = await on(1, apply);
		world.clock.advance(1_000);
	}, folders);
	await fault(...faults);
	const ran = await on(0, apply);
	const [older = "", newer = ""] = corporatesOf(world).map(({ id }) => id);
	return { world, on, fault, ran, other: other as unknown as Ran, older, newer };
}

describe("two runs declare the persons of one company, one between the other's last look and its entry in the journal", () => {
	const people = (world: World) => entitiesOf(world, "crm-layers").related;

	it("with one journal, what the other created a moment ago is not created again, and the first intent is named", async () => {
		const folder = newFolder();
		const { world, on, ran, other } = await raced("related.create", { folders: [folder, folder] });
		expect([other.exit, people(world).length]).toEqual([0, 6]);
		expect(ran.stdout + ran.stderr).toContain("CREATED_JUST_NOW");
		expect(ran.stdout + ran.stderr).toMatch(/The same creation was accepted less than a minute ago \(intent 2, /);
		expect([(await on(0, apply)).exit, people(world).length]).toEqual([0, 6]);
	});
});

describe("two machines apply one case, neither of which could see the other's company", () => {
	const companies = () => raced("corporate.create", { faults: ["corporate.create=duplicates"] });

	it("the next run of either machine says so instead of going on, and what it says sets it right", async () => {
		const { world, on, older, newer } = await companies();
		world.clock.advance(60_000);
		let command = "";
		for (const machine of [0, 1]) {
			const again = await on(machine, apply);
			expect([again.exit, again.stdout]).toEqual([10, ""]);
			for (const text of ['"code":"SEVERAL_FOUND"', older, newer, `Keep ${older}`]) expect(again.stderr).toContain(text);
			[command = ""] = /corporate update \S+ --external-id [\w-]+/.exec(again.stderr) ?? [];
		}
		expect(command).toBe(`corporate update ${newer} --external-id crm-layers-twin`);
		expect((await on(0, command.split(" "))).exit).toBe(0);
		for (const machine of [0, 1]) {
			const again = await on(machine, apply);
			expect([again.exit, again.json().cases[0].corporateId]).toEqual([0, older]);
		}
	});

	it("a list that shows the other's company and not yet one's own is no leave to go on with the other's", async () => {
		const { world, on, older, newer } = await companies();
		through(world, (line, answer) => {
			if (line !== "GET /api/partner/corporates") return answer;
			const page = JSON.parse(answer);
			const content = page.content.filter(({ id }: { id: string }) => id !== newer);
			return JSON.stringify({ ...page, content, totalElements: content.length });
		});
		world.clock.advance(60_000);
		const again = await on(0, apply);
		expect(again.exit).toBe(10);
		for (const text of ["SEVERAL_FOUND", older, newer]) expect(again.stderr).toContain(text);
	});
});

it("a company that another run created since the list was read for an earlier case is found before it is created", async () => {
	let others = 0;
	const { world, on } = await machines(async (operation) => {
		if (operation !== "corporate.create" || others++ > 0) return;
		world.clock.advance(1_000);
		expect((await on(1, ["onboard", "apply", ...confirmed, "b.yaml"])).exit).toBe(0);
	});
	const first = layers.replace("crm-layers", "crm-a").replace("Example Layered SAS", "Example First SAS").replace("100 200", "300 400");
	put(world, "a.yaml", first);
	put(world, "b.yaml", layers);
	const ran = await on(0, ["onboard", "apply", ...confirmed, "a.yaml", "b.yaml", "--json"]);
	expect([ran.exit, corporatesOf(world).length], ran.stdout).toEqual([0, 1]);
});
