/**
 * A program that pays from one journal beside others: `sender FOLDER NAME COUNT SHARED DRIVER`, or an address as JSON in the place of the driver. Of each pair of rows one is its
 * own, one is the same for every sender. Prints what became of each.
 */
import { PurserError } from "../../src/errors.js";
import { clock, random } from "../../src/system/clock.js";
import { open, payment, type StoreName, testClock } from "./journals.js";

const [directory = "", name = "", count = "0", shared = "0", store = ""] = process.argv.slice(2);

const journal = await open(directory, {
	clock: { ...testClock(), ...clock(new AbortController().signal) },
	settings: { "cap-per-day": "100000 EUR" },
	...(store.startsWith("{") ? { driver: "postgres", address: JSON.parse(store) } : { driver: store as StoreName }),
});

async function pay(reference: string): Promise<string> {
	try {
		const intent = await journal.begin(payment({ reference }));
		await journal.end(intent, { state: "accepted", id: random.uuid(), status: 201 });
		return "accepted";
	} catch (error) {
		if (error instanceof PurserError) return error.failure.code;
		throw error;
	}
}

const rows = [
	...Array.from({ length: Number(count) }, (_, index) => `${name} ${index}`),
	...Array.from({ length: Number(shared) }, (_, index) => `Shared ${index}`),
];
const outcomes: Record<string, string> = {};
for (let from = 0; from < rows.length; from += 20)
	await Promise.all(
		rows.slice(from, from + 20).map(async (reference) => {
			outcomes[reference] = await pay(reference);
		}),
	);
await journal.close();
process.stdout.write(JSON.stringify(outcomes));
