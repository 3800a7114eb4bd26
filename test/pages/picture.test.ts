/**
 * Pictures of ownerships: what is drawn, and that the same diagram is the same picture. Where boxes stand is the layout library's.
 */
import { expect, test } from "vitest";
import { type Holding, ownershipOf, type Party } from "../../src/onboarding/ownership/ownership.js";
import { ownershipDiagram } from "../../src/onboarding/ownership/page.js";
import { pictureFile } from "../../src/pages/picture.js";
import type { Diagram } from "../../src/ports/page.js";

const corporate = { id: "C", name: "Example Trading SAS" };
const svgOf = (diagram: Diagram): string => new TextDecoder().decode(pictureFile(diagram));
const drawnIn = (svg: string) => [svg.match(/data-box=/g)?.length ?? 0, svg.match(/data-from=/g)?.length ?? 0];

test("every party is a box and every holding a line, a circle among them, and twice the same bytes", () => {
	const parties: Party[] = [
		{ id: "h", name: "Example Holding BV", isCompany: true },
		{ id: "k", name: "Example Kite Ltd", isCompany: true },
		{ id: "a", name: "Ada Example", isCompany: false },
	];
	const holdings = [
		{ owner: "h", owned: "C", percentage: "60" },
		{ owner: "a", owned: "h", percentage: "50" },
		{ owner: "h", owned: "k", percentage: "5" },
		{ owner: "k", owned: "h", percentage: "5" },
	];
	const diagram = ownershipDiagram(ownershipOf(corporate, parties, holdings));
	expect(drawnIn(svgOf(diagram))).toEqual([4, 4]);
	expect(svgOf(structuredClone(diagram))).toBe(svgOf(diagram));
});

test("of ten thousand the nearest are drawn, and the picture says how many are not", () => {
	const many = Array.from({ length: 10_000 }, (_, at): Party => ({ id: `c${at}`, name: `Company ${at}`, isCompany: true }));
	const held = many.map(({ id }, at): Holding => ({ owner: id, owned: at < 40 ? "C" : `c${at - 40}`, percentage: "2" }));
	const diagram = ownershipDiagram(ownershipOf(corporate, many, held));
	expect(drawnIn(svgOf(diagram))).toEqual([100, 99]);
	expect(diagram.notes).toEqual(["Not drawn, for want of room: 9901 people and companies and 9901 holdings"]);
	expect(diagram.description).toContain("9901 people and companies");
});
