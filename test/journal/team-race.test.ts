/**
 * Two machines with one journal at once: one invoice is paid once, one case makes one company.
 */
import { afterEach, expect, test } from "vitest";
import { noPostgres, postgres } from "../support/postgres.js";
import { change, codeOf, newFolder, open, payment, removeFolders } from "./journals.js";

const pg = test.skipIf(noPostgres !== undefined);

afterEach(removeFolders);

async function twoMachines() {
	const address = await (await postgres()).journal();
	const machine = (name: string) => open(newFolder(), { driver: "postgres", address, machine: name });
	return [await machine("laptop"), await machine("desk")] as const;
}

/** What each begins at once: how often both ended so. */
async function rounds(count: number, intent: (round: number) => ReturnType<typeof payment>): Promise<Record<string, number>> {
	const both = await twoMachines();
	const outcomes: Record<string, number> = {};
	for (let round = 0; round < count; round++) {
		const codes = await Promise.all(
			both.map(async (journal) => {
				const begun = await journal.begin(intent(round)).then(
					(number) => ({ number }),
					(error) => ({ code: error.failure?.code as string }),
				);
				if ("code" in begun) return begun.code;
				await journal.end(begun.number, {
					state: "accepted",
					id: `0000000a-0000-4000-8000-${String(round).padStart(12, "0")}`,
					status: 201,
				});
				return "sent";
			}),
		);
		const outcome = codes.sort().join(" ");
		outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
	}
	expect((await both[0].verify()).faults).toEqual([]);
	return outcomes;
}

const sum = (outcomes: Record<string, number>): number => Object.values(outcomes).reduce((all, one) => all + one, 0);

pg("one invoice from two machines, 200 times: paid once", async () => {
	const outcomes = await rounds(200, (round) => payment({ reference: `Invoice ${round}` }));
	expect(sum(outcomes)).toBe(200);
	expect(Object.keys(outcomes).filter((outcome) => !["ALREADY_SENDING sent", "DUPLICATE sent"].includes(outcome))).toEqual([]);
});

pg("one case on two machines, 50 times: one company", async () => {
	const outcomes = await rounds(50, (round) =>
		change({ creates: true, externalId: `case-${round}`, digest: String(round).padStart(64, "0") }),
	);
	expect(sum(outcomes)).toBe(50);
	expect(Object.keys(outcomes).filter((outcome) => !["ALREADY_SENDING sent", "CREATED_JUST_NOW sent"].includes(outcome))).toEqual([]);
});

pg("the control: two machines with a journal each pay it twice", async () => {
	const [[one], [other]] = [await twoMachines(), await twoMachines()];
	const codes = await Promise.all([one, other].map((journal) => codeOf(journal.begin(payment({ reference: "Invoice" })))));
	expect(codes).toEqual(["done", "done"]);
});
