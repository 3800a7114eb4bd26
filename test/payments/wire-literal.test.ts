import { expect, test } from "vitest";
import { amountFault } from "../../src/api/amount.js";
import { check } from "../../src/api/check/check.js";
import { parseJson } from "../../src/api/json.js";
import { createInterLedger, viewTransaction } from "../../src/api/operations/transaction.js";
import { encodeBody } from "../../src/http/request/request.js";
import { appliedMapping } from "../../src/mapping/request/applied.js";
import { canonicalAmount, sum } from "../../src/payments/rules/decimal.js";
import { Random } from "./simulation/random.js";

const applied = appliedMapping(createInterLedger, undefined);
const decoder = new TextDecoder();
const count = process.env.PURSER_TORTURE === "1" ? 1_000_000 : 100_000;
const seed = Number(process.env.PURSER_DECIMALS_SEED ?? 20_261_121);

const parties = { ledgerFromId: "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f", ledgerToId: "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21" };
const before = `{"ledgerFromId":"${parties.ledgerFromId}","ledgerToId":"${parties.ledgerToId}","amount":`;

/** An amount of 1 to 15 significant digits with any number of them behind the point, trailing zeros included. */
function decimal(random: Random): string {
	const digits = 1 + random.below(15);
	let text = String(1 + random.below(9));
	while (text.length < digits) text += String(random.below(10));
	const places = random.below(digits + 3);
	if (places === 0) return text;
	const padded = text.padStart(places + 1, "0");
	return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

test(`${count} decimals: the literal on the wire is the text typed, and comes back as it was (seed ${seed})`, () => {
	const random = new Random(seed);
	const wrong: string[] = [];
	for (let index = 0; index < count; index++) {
		const typed = decimal(random);
		const wire = decoder.decode(encodeBody(applied, createInterLedger, { body: { ...parties, amount: typed } }).body);
		if (wire !== `${before}${typed}}`) wrong.push(`${typed} became ${wire}`);
		// The slower parts on every hundredth: the check of what is typed, and the way back.
		if (index % 100 !== 0) continue;
		if (amountFault(typed) !== undefined || check(createInterLedger.body, { ...parties, amount: typed }).data?.amount !== typed)
			wrong.push(`${typed} is refused: ${amountFault(typed)}`);
		const back = viewTransaction(parseJson(wire) as Record<string, unknown>).amount;
		if (back !== typed) wrong.push(`${typed} came back as ${back}`);
		if (canonicalAmount(sum(typed, "0")) !== canonicalAmount(typed)) wrong.push(`${typed} and 0 are ${sum(typed, "0")}`);
	}
	expect(wrong.slice(0, 10)).toEqual([]);
});

/** The ways from text to a double. Of JSON a number may only come as part of a named type, and never as the whole. */
const makesNumber =
	/\bNumber\b|parseFloat|parseInt|toFixed|JSON\.parse\([^;]*\bnumber\b|[(=,:?]\s*\+\s*[a-zA-Z(]|[\w)] \* 1\b(?![\d_.])|[\w)] - 0\b(?!\.)/;

test("payments know no doubles", async () => {
	const { readdirSync, readFileSync } = await import("node:fs");
	const files = ["../../src/payments/", "../../src/commands/pay/"].flatMap((folder) =>
		readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: "utf8" })
			.filter((name) => name.endsWith(".ts"))
			.map((name) => new URL(`${folder}${name}`, import.meta.url)),
	);
	const code = (file: URL): string => readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
	const found = [...files, new URL("../../src/api/amount.ts", import.meta.url)].filter((file) => makesNumber.test(code(file)));
	expect(found.map((file) => file.pathname.split("/").at(-1))).toEqual([]);
	expect(files.length).toBeGreaterThan(50);
	const ways = [
		"Number(text)",
		"parseFloat(text)",
		"x.toFixed(2)",
		"JSON.parse(text) as number",
		"JSON.parse(text) as { amount: number }",
		"f(+text)",
		"text * 1",
		"text - 0",
	];
	expect(ways.filter((way) => !makesNumber.test(way))).toEqual([]);
});
