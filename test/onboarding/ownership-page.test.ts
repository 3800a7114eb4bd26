import { describe, expect, test } from "vitest";
import { type Holding, type Ownership, ownershipOf, type Party } from "../../src/onboarding/ownership/ownership.js";
import { ownershipDiagram, ownershipPage } from "../../src/onboarding/ownership/page.js";
import { pageBytes } from "../../src/pages/page.js";
import { drawn } from "../../src/pages/picture.js";
import { linesOf } from "../pages/lines.js";

const corporate = { id: "C", name: "Example Trading SAS" };
const parties: Party[] = [
	{ id: "a", name: "Ada Example", isCompany: false, isDirector: true, isAccountOwner: true },
	{ id: "h", name: "Example Holding BV", isCompany: true },
	{ id: "d", name: "Dan Sample", isCompany: false, isDirector: true },
];
const holdings: Holding[] = [
	{ owner: "h", owned: "C", percentage: "60" },
	{ owner: "a", owned: "h", percentage: "50.50" },
	{ owner: "a", owned: "x<1>", percentage: "10" },
];
const ownership = ownershipOf(corporate, parties, holdings);

const about = { madeBy: "purser 1.2.3", of: "acme (sandbox, http://localhost:1)" };
const pageOf = (one: Ownership, masked: boolean): Uint8Array =>
	pageBytes(ownershipPage(one, drawn(ownershipDiagram(one)), { ...about, masked }));

describe("as a diagram", () => {
	const lines = ({ boxes, lines: found }: ReturnType<typeof ownershipDiagram>): string[] =>
		found.map(
			({ from, to, label, dashed, heavy }) =>
				`${boxes[from]?.name} > ${boxes[to]?.name}: ${label}${dashed ? " dashed" : ""}${heavy ? " heavy" : ""}`,
		);
	const circle: Holding[] = [...holdings, { owner: "k", owned: "h", percentage: "10" }, { owner: "h", owned: "k", percentage: "12.5" }];
	const several = ownershipOf(corporate, [...parties, { id: "k", name: "Example Kite Ltd", isCompany: true }], circle);

	test("percentages on the lines, heavy at or above the threshold, dashed in a circle; nobody without shares", () => {
		expect(lines(ownershipDiagram(several))).toEqual([
			"Example Holding BV > Example Trading SAS: 60 % heavy",
			"Ada Example > Example Holding BV: 50.5 % heavy",
			"Ada Example > x<1>: 10 %",
			"Example Kite Ltd > Example Holding BV: 10 % dashed",
			"Example Holding BV > Example Kite Ltd: 12.5 % dashed",
		]);
		expect(ownershipDiagram(several).notes).toEqual(["Without shares, not drawn: 1 person or company"]);
	});

	test("in the boxes: effective shares, the threshold, roles", () => {
		const { boxes, legend, description } = ownershipDiagram(ownership);
		expect(boxes.map(({ name, details, kind, heavy }) => [name, details.join(" · "), kind, heavy])).toEqual([
			["Example Trading SAS", "this company", "corporate", false],
			["Example Holding BV", "60 % effective · company", "company", false],
			["Ada Example", "30.3 % effective · at or above 25 % · account owner · director · UBO not marked", "person", true],
			["x<1>", "not declared", "undeclared", false],
		]);
		expect(boxes[2]?.whole).toBe("Ada Example · 30.3 % effective · at or above 25 % · account owner · director · UBO not marked");
		expect(legend).toEqual([
			"Round frame: a person",
			"Thick frame: holds 25 % or more through all layers (UBO)",
			"An arrow leads from the owner to what it owns",
			"Thick line: holds 25 % or more directly",
		]);
		expect(description).toBe(
			"Example Trading SAS stands at the left, its owners at the right. Without shares, not drawn: 1 person or company",
		);
	});

	test("a company of a circle without a finite answer says so, and a thicket is cut with how much is missing", () => {
		const names = Array.from({ length: 26 }, (_, at): Party => ({ id: `c${at}`, name: `C${at}`, isCompany: true }));
		const all = names.flatMap(({ id }) => names.map((other): Holding => ({ owner: id, owned: other.id, percentage: "1" })));
		const {
			boxes,
			lines: found,
			notes,
		} = ownershipDiagram(ownershipOf(corporate, names, [...all, { owner: "c0", owned: "C", percentage: "1" }]));
		expect([boxes.length, found.length, notes]).toEqual([27, 150, ["Not drawn, for want of room: 501 holdings"]]);
		const ring: Holding[] = [
			{ owner: "h", owned: "k", percentage: "100" },
			{ owner: "k", owned: "h", percentage: "100" },
			{ owner: "h", owned: "C", percentage: "10" },
		];
		const endless = ownershipDiagram(ownershipOf(corporate, [...parties, { id: "k", name: "K", isCompany: true }], ring));
		expect(endless.boxes[1]?.details[0]).toBe("effective share unknown");
		const itself = ownershipDiagram(ownershipOf(corporate, parties, [...holdings, { owner: "h", owned: "h", percentage: "5" }]));
		expect(itself.boxes[1]?.details.slice(0, 2)).toEqual(["effective share unknown", "holds 5 % of itself"]);
	});
});

test("as a page: the warnings, the picture, the table; masked it has no name of a person", async () => {
	const masked = linesOf(
		pageOf(
			ownershipOf(
				corporate,
				parties.map((one, at) => (one.isCompany ? one : { ...one, name: `Person ${at === 0 ? 1 : 2}` })),
				holdings,
			),
			true,
		),
	);
	await expect(masked).toMatchFileSnapshot("../pages/goldens/ownership.txt");
	expect(masked).not.toMatch(/Ada|Dan Sample/);
	const open = new TextDecoder().decode(pageOf(ownership, false));
	expect(open).toContain("Ada Example");
	expect(open).toContain("This file shows personal data");
	expect(open.match(/<svg class="drawing/g)).toHaveLength(1);
});
