/**
 * Two machines with one journal at once: one invoice is paid once, one case makes one company.
 */
import { afterEach, expect, test } from "vitest";
import type { Journal } from "../../src/ports/journal.js";
import { noPostgres, postgres } from "../support/postgres.js";
import { change, codeOf, newFolder, open, payment, removeFolders } from "./journals.js";

const pg = test.skipIf(noPostgres !== undefined);

afterEach(removeFolders);

async function twoMachines() {
	const address = await (await postgres()).journal();
	const machine = (name: string) => open(newFolder(), { driver: "postgres", address, machine: name });
	return [await machine("laptop"), await machine("desk")] as const;
}

pg.each([
	[200, "DUPLICATE", (round: number) => payment({ reference: `Invoice ${round}` })],
	[50, "CREATED_JUST_NOW", (round: number) => change({ creates: true, externalId: `case-${round}`, digest: `${round}`.padStart(64, "0") })],
] as const)("one invoice or one case on two machines, %i times: once each, and the other one is told %s", async (count, told, intent) => {
	const both = await twoMachines();
	const outcomes = new Set<string>();
	for (let round = 0; round < count; round++) {
		const id = `0000000a-0000-4000-8000-${String(round).padStart(12, "0")}`;
		const sent = async (journal: Journal) => journal.end(await journal.begin(intent(round)), { state: "accepted", id, status: 201 });
		outcomes.add((await Promise.all(both.map((journal) => codeOf(sent(journal))))).sort().join(" "));
	}
	expect([...outcomes].filter((outcome) => !["ALREADY_SENDING done", `${told} done`].includes(outcome))).toEqual([]);
	expect((await both[0].verify()).faults).toEqual([]);
});

pg("the control: two machines with a journal each pay it twice", async () => {
	const [[one], [other]] = [await twoMachines(), await twoMachines()];
	const codes = await Promise.all([one, other].map((journal) => codeOf(journal.begin(payment({ reference: "Invoice" })))));
	expect(codes).toEqual(["done", "done"]);
});
