/**
 * Every command about payments and batches that the tests of suggestions type, as data.
 */
const reads = [
	"pay list",
	"pay doubts",
	"pay batch list",
	"history list",
	"history show 1",
	"history verify",
	"ledger list",
	"beneficiary list",
];
const ofBatch = [
	"status 1",
	"status pay.csv.plan.json",
	"report 1 --dry-run",
	"wait 1 --wait-timeout 5",
	"resume 1",
	"send pay.csv.plan.json",
];

/** @param batch whether batch 1 was planned, from pay.csv */
export const payCommands = (batch: boolean): string[][] => {
	const lines = [
		...reads,
		...(batch ? ofBatch.map((words) => `pay batch ${words}`) : []),
		"pay settle",
		...(batch ? ["pay settle --batch 1"] : []),
	];
	return lines.map((line) => line.split(" "));
};
