/**
 * The promise about money is in two pages in the same words, and each line of what breaks it is held by a test.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

/** The words of a text, quotation marks of Markdown and line ends left out. */
const words = (text: string): string => text.replace(/^> /gm, "").replace(/\s+/g, " ");

const promise =
	"Every transfer is sent **at most once per recorded attempt**, and no attempt is repeated unless it is *proven* that the earlier one created nothing. After any crash, kill, power cut, lost reply or full disk, each transfer is in exactly one state: `planned`, `accepted (id)`, `refused`, `in doubt`, `not created (evidence)`; and the tool names each one in doubt, why, and what would settle it.";

test.each(["src/README.md", "src/payments/README.md"])("%s says the promise about money in the same words", (name) => {
	expect(words(read(name))).toContain(promise);
});

/** How a line of the section begins, and the tests that show it: the file, and a part of the test's name. */
const held: readonly (readonly [line: string, ...tests: string[]])[] = [
	[
		"Two machines, accounts or configurations that pay one service",
		"journal/anchoring: a second journal of one service: refused until one of both is adopted",
	],
	["One service reached by two addresses", "journal/anchoring: one service reached by two addresses is two"],
	[
		"Configuration and journal replaced together",
		"faults/anchor: a script begins a journal on live money only with --new-journal, and is told that no payment is known",
	],
	[
		"A `history adopt` or a `--new-journal` that was wrong",
		"faults/anchor: control: an older copy that no anchor is kept of is taken for the one",
	],
	["A copy of the journal that `history backup` did not make", "faults/restored: control: a copy that carries no mark pays the rows again"],
	["On a sandbox profile, a journal in a file that was deleted", "journal/anchoring: a journal of a sandbox has no anchor"],
	["Removing `anchors/NAME.live.json`", "faults/anchor: where live money was paid no profile that calls itself a sandbox pays (10)"],
	["A confirmation of a mapping that was wrong", "commands/mapping-guard: a mapping that swaps the parties shows it"],
	[
		"`pay settle N --resend` at a service that does not keep",
		"mapping/servers: a lost answer is a doubt, which the list settles; another is sent again with its key, and the control shows what that did",
	],
	[
		"A person's word that was wrong",
		"payments/simulation/simulation: a planted bug is caught",
		"payments/settling: where a line of its amount is nobody's, that line is named as another payment, on record",
	],
	["Somebody else's payment of the same amount to the same payee with the same reference", "payments/matching/decide: one and its line"],
	[
		"A list that shows a payment in doubt with another amount, as a fee or a refund, or not at all",
		"commands/pay-again: is seen before it is sent again",
	],
	[
		"A row of a batch that was answered 401 or 429 and made all the same",
		"commands/pay-batch-waits: the batch goes on, and the row is sent again",
	],
	[
		"Clocks, where the service sends no time",
		"faults/clocks: what is listed is never taken for not created",
		"faults/clocks: control: a program that does not hear the time pays it twice",
	],
	[
		"An answer with another payment's id",
		"commands/pay-again: by pay show, which changes nothing",
		"commands/pay-again: neither is settled by itself",
	],
	[
		"A process that is stopped, or a machine that sleeps, in the instant between the check",
		"faults/shelf-life: control: stopped between the check and its first byte, it leaves when it goes on",
	],
	[
		"Anyone who can write files as you or as root",
		"commands/history-settings: what was changed in the file is told by the batch that is sent next, once",
	],
	[
		"One person who holds a planner's key and another approver's key",
		"commands/pay-batch-approve: lets a plan of an unknown planner go once the command that it names was typed",
	],
	["The owner of a team's schema", "journal/second-person: is paid without its rules, which is the control"],
	[
		"A sender of a team who says by SQL that a row was refused",
		"journal/second-person: control: a row that its sender calls refused is sent again",
	],
	[
		"A team's database that lost its newest payments",
		"journal/team-recover: control: a machine that lacks nothing itself sends the rows again",
	],
];

test("each line of what breaks it is held by a test", () => {
	const section = /## What breaks it\n\n((?:- .*\n)+)/.exec(read("src/payments/README.md"))?.[1] ?? "";
	const lines = section
		.trim()
		.split("\n")
		.map((line) => line.slice(2));
	expect(lines.map((line) => held.find(([start]) => line.startsWith(start))?.[0] ?? line)).toEqual(held.map(([start]) => start));
	for (const one of held.flatMap(([, ...tests]) => tests)) {
		const [, file = "", name = ""] = /^(\S+): (.*)$/.exec(one) ?? [];
		expect([one, read(`test/${file}.test.ts`).includes(name)]).toEqual([one, true]);
	}
});
