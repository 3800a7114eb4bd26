import { describe, expect, it } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { readOpenApi } from "../../src/openapi/document.js";
import { matchDocument } from "../../src/openapi/match.js";
import type { OperationBinding } from "../../src/ports/binding.js";
import { answersOf, bindingOf, documentOf, foreign, unrelated } from "./documents/foreign.js";

const matched = (document: unknown) =>
	matchDocument(readOpenApi(document, "0".repeat(64)), catalog, { baseUrl: "https://api.example.com" }).operations.map(
		({ operation, state, candidates: [best] }) => ({
			id: operation.id,
			specified: operation.specified,
			isMoney: operation.effect === "money",
			state,
			found: best === undefined ? undefined : `${best.fit.theirs.method} ${best.fit.theirs.path}`,
			method: best?.fit.theirs.method,
			binding: best?.proposal.binding,
			open: best?.proposal.open ?? [],
		}),
	);

/** Each request field of a binding, and its whole place. */
const placesOf = (binding: OperationBinding | undefined): Record<string, string> =>
	Object.fromEntries(
		Object.entries(binding?.request?.fields ?? {}).map(([name, { place, at }]) => [
			name,
			`${place} ${place === "body" ? (binding?.request?.record ?? "") : ""}${at}`,
		]),
	);

describe.each(foreign)("the first proposals for the invented service $name", ({ name, file, traps }) => {
	const found = matched(documentOf(file));
	const right = answersOf(name);

	it("all sixteen are right, none is sure and wrong, and no trap is proposed first", () => {
		expect(found.filter(({ id, specified, found: one }) => specified && one !== right[id])).toEqual([]);
		expect(found.filter(({ id, state, found: one }) => state === "sure" && one !== right[id])).toEqual([]);
		expect(found.filter(({ found: one }) => one !== undefined && traps.includes(one))).toEqual([]);
	});

	it("money and PUT are never sure", () => {
		expect(found.filter(({ state, isMoney, method }) => state === "sure" && (isMoney || method === "PUT"))).toEqual([]);
	});

	it("no field is proposed at another place than the right one; a side that no name says is asked", () => {
		const { operations } = bindingOf(name).bindings;
		for (const { id, specified, isMoney, binding, open } of found.filter((one) => one.specified)) {
			const hand = placesOf(operations[id]);
			for (const [field, place] of Object.entries(placesOf(binding))) expect(`${field} ${place}`, id).toBe(`${field} ${hand[field]}`);
			if (!specified || !isMoney) continue;
			const asked = open.filter(({ about }) => about === "side").map(({ ours }) => ours);
			for (const side of ["ledgerFromId", id === "transaction.interLedger" ? "ledgerToId" : "beneficiaryId"])
				expect([side in placesOf(binding), asked.includes(side)], `${id} ${side}`).toContain(true);
		}
	});
});

it.each(unrelated)("%s has none of our operations: nothing is sure", (file) => {
	expect(matched(documentOf(file)).filter(({ state }) => state === "sure")).toEqual([]);
});
