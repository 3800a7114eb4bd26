/**
 * Each rule finds the fault that it is there for, and lets the same screen without the fault pass.
 */
import { expect, test } from "vitest";
import { type Screen, screenOf } from "../support/screen.js";
import { normalised } from "./recorded.js";
import { colours, cutIds, cutWords, lostValues, redrawn, tooWide } from "./rules.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const at = (text: string, columns = 60): Promise<Screen> => screenOf(text.replaceAll("\n", "\r\n"), columns);

test("a sentence that is wider than the terminal is found; a command, a path and an address are not", async () => {
	expect(tooWide(await at("The company is not there any more, and nobody knows since when it is gone"))).toEqual([
		"too wide: The company is not there any more, and nobody knows since when it is gone",
	]);
	expect(tooWide(await at(`name  status  ${"word ".repeat(12)}`))).toHaveLength(1);
	expect(
		tooWide(
			await at(`Next: purser corporate status ${id} --explain\n  /a${"/folder".repeat(9)}/x.json\nLink  https://example.com/${id}/${id}`),
		),
	).toEqual([]);
});

test("an id that is cut is found at either side of the cut; an ellipsis or a whole id is not", async () => {
	expect(cutIds(await at(`  ${id.slice(0, 24)}\n${id.slice(24)}`))).toHaveLength(1);
	expect(cutIds(await at(`To  ${id.slice(0, 13)}\n    ${id.slice(13)}`))).toHaveLength(2);
	expect(cutIds(await at(`  ${id}\n  purser pay show ${id.slice(0, 20)}…\n  ${id} · ACTIVE`))).toEqual([]);
});

test("a value that a wide screen shows and a narrow one does not is found", async () => {
	const wide = await at(`Main account  10 000.00 EUR  XX00••••0001  ada@example.com  ${id}`, 120);
	expect(lostValues(await at(`Main account  10 000.0\n  ${id}`), wide)).toEqual([
		"lost: 10 000.00 EUR",
		"lost: XX00••••0001",
		"lost: ada@example.com",
	]);
	expect(lostValues(await at(`Main account  10 000.00 EUR\n  XX00••••0001  ada@example.com\n  ${id}`), wide)).toEqual([]);
});

test("a word that is cut is found, unless an ellipsis says that there is more", async () => {
	const wide = await at("created  reference  status", 120);
	expect(cutWords(await at("created  referenc\n         e"), [wide])).toEqual(["cut word: referenc", "cut word: e"]);
	expect(cutWords(await at("created  refer…"), [wide])).toEqual([]);
	expect(cutWords(await at("created\n  reference\n  status"), [wide])).toEqual([]);
});

test("a colour and a cursor that moves are found", async () => {
	expect([colours(await at("\u001b[31mNo\u001b[39m")).length, colours(await at("\u001b[1mNo\u001b[22m"))]).toEqual([2, []]);
	expect([redrawn(await at("one\u001b[2K\u001b[Gtwo")).length, redrawn(await at("\u001b[1mone\u001b[22m\ntwo"))]).toEqual([2, []]);
});

test("the screen: what is drawn over is gone, what is below stays", async () => {
	expect((await at("? Name\nlist\u001b[1A\u001b[G\u001b[2K✔ Name Ada\n\u001b[2Kdone")).lines).toEqual(["✔ Name Ada", "done"]);
	expect((await at("one\ntwo\nthree\u001b[2A\u001b[2G\u001b[J")).lines).toEqual(["o"]);
	expect(await at("0123456789abc", 10)).toMatchObject({ lines: ["0123456789abc"], broken: ["0123456789abc"] });
	expect(await at("0123456789\nabc", 10)).toMatchObject({ lines: ["0123456789", "abc"], broken: [] });
	expect(await at("日本語e\u0301", 6)).toMatchObject({ lines: ["日本語e\u0301"], broken: ["日本語e\u0301"] });
	expect((await at("one\u001b[5;5Htwo")).lines).toEqual(["one", "", "", "", "    two"]);
});

test("what differs between two runs is replaced, and nothing else", async () => {
	const text = [
		`Transaction  ${id}`,
		"From  aaaaaaaa-0001-4000-8000-000000000001",
		"Profile sandbox  127.0.0.1:40123",
		"Begun  2026-11-22 16:48 +00:00 (12 seconds ago), 3 sent",
		"This run  3 sent in 0.185 s",
		"10.10 EUR · 2023-02-28 · 12 of 136",
	];
	expect(normalised(text)).toEqual([
		"Transaction  00000000-0000-4000-8000-000000000001",
		"From  aaaaaaaa-0001-4000-8000-000000000001",
		"Profile sandbox  127.0.0.1:PORT",
		"Begun  2026-01-02 03:04 +00:00 (now), 3 sent",
		"This run  3 sent in 0.1 s",
		"10.10 EUR · 2023-02-28 · 12 of 136",
	]);
});
