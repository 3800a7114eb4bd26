import { describe, expect, test } from "vitest";
import { Decimal } from "../../src/api/json.js";
import { wrapText } from "../../src/cli/output/wrap.js";
import { ownershipOf } from "../../src/onboarding/ownership/ownership.js";
import { drawTree } from "../../src/onboarding/ownership/tree.js";
import { readOwnership } from "../../src/onboarding/records/read-ownership.js";

const root = { id: "c0", name: "Example Trading SAS" };
const holdings = (...records: Record<string, unknown>[]) =>
	readOwnership(root, records).holdings.map(({ owner, owned, percentage }) => [owner, owned, percentage]);
const share = (text: string) => new Decimal(text);
const held = "aaaaaaaa-0000-4000-8000-00000000000a";

describe("shares of a record", () => {
	test("shares[] comes before the flat field; a number keeps its digits", () => {
		const record = {
			id: "p",
			firstName: "Ada",
			directSharesPercentage: share("99"),
			shares: [{ ownedCorporate: "c0", directSharesPercentage: share("12.50") }],
		};
		expect(holdings(record)).toEqual([["p", "c0", "12.50"]]);
	});

	test("the flat field is of the corporate, or of the company named", () => {
		expect(
			holdings(
				{ id: "p", firstName: "Ada", directSharesPercentage: share("10") },
				{ id: "q", firstName: "Grace", directSharesPercentage: share("20"), ownedCorporateId: "h" },
				{ id: "h", corporateName: "Example Holding BV" },
			),
		).toEqual([
			["p", "c0", "10"],
			["q", "h", "20"],
		]);
	});

	test.each([
		["its id", held.toUpperCase()],
		["an object with its id", { id: held }],
	])("a company is found by %s", (_, ownedCorporate) => {
		const owned = { ownedCorporate, directSharesPercentage: share("5"), layer: share("2") };
		expect(holdings({ id: held, corporateName: "Example Holding BV" }, { id: "p", firstName: "Ada", shares: [owned] })).toEqual([
			["p", held, "5"],
		]);
	});

	test("what a record states is added up; a record that is listed twice is one", () => {
		const record = { id: "p", firstName: "Ada", shares: ["12.5", "12.5"].map((text) => ({ directSharesPercentage: share(text) })) };
		const { parties, holdings } = readOwnership(root, [record, record]);
		expect(ownershipOf(root, parties, holdings).nodes[1]).toMatchObject({ id: "p", effectiveSharesPercentage: "25", isOwner: true });
	});
});

// ── Large ones ──────────────────────────────────────────────────────────────────

/** Layers of companies, each held by two of the layer above: every edge is a way of its own, and there are 2^layers ways. */
function lattice(edges: number) {
	const layers = edges / 4;
	const parties = Array.from({ length: layers }, (_, at) => [
		{ id: `a${at}`, name: `A${at}`, isCompany: true },
		{ id: `b${at}`, name: `B${at}`, isCompany: true },
	]).flat();
	const holding = (owner: string, owned: string) => ({ owner, owned, percentage: "50" });
	const shares = Array.from({ length: layers }, (_, at) => {
		const [below, other] = at === 0 ? ["c0", "c0"] : [`a${at - 1}`, `b${at - 1}`];
		return at === 0
			? [holding("a0", "c0"), holding("b0", "c0")]
			: [`a${at}`, `b${at}`].flatMap((owner) => [holding(owner, below), holding(owner, other)]);
	}).flat();
	return { parties, shares };
}

describe("100 000 edges", () => {
	test("in 25 000 layers of diamonds", () => {
		const { parties, shares } = lattice(100_000);
		const { nodes, edges } = ownershipOf(root, parties, shares);
		expect(edges.length).toBeGreaterThan(99_990);
		// Every layer holds half of the one below twice over: a half each.
		expect(nodes.find(({ id }) => id === "a24999")?.effectiveSharesPercentage).toBe("50");
	});

	test("a chain of 100 000 layers neither overflows the stack nor grows numbers without end", () => {
		const count = 100_000;
		const parties = Array.from({ length: count }, (_, at) => ({ id: `k${at}`, name: `K${at}`, isCompany: true }));
		const shares = parties.map(({ id }, at) => ({ owner: id, owned: at === 0 ? "c0" : `k${at - 1}`, percentage: "99.999999999999" }));
		const { nodes } = ownershipOf(root, parties, shares);
		// 0.99999999999999 squared, exactly; what needs more than a thousand digits is unknown, and so is all above it.
		expect(nodes[2]?.effectiveSharesPercentage).toBe("99.999999999998");
		expect(nodes.at(-1)?.effectiveSharesPercentage).toBeUndefined();
	});
});

describe("the drawn tree", () => {
	const style = (columns: number) => ({
		bold: (text: string) => text,
		dim: (text: string) => text,
		warn: (text: string) => text,
		columns,
		wrapped: (text: string, width: number) => wrapText(text, width).split("\n"),
	});
	const parties = [
		{ id: "p", name: "Ada Example", isCompany: false, isUbo: true },
		{ id: "h", name: "Example Holding BV", isCompany: true },
		{ id: "k", name: "Cross AG", isCompany: true },
		{ id: "n", name: "Noa Sample", isCompany: false },
	];
	const shares = [
		{ owner: "h", owned: "c0", percentage: "60" },
		{ owner: "k", owned: "c0", percentage: "40" },
		{ owner: "k", owned: "h", percentage: "10" },
		{ owner: "h", owned: "k", percentage: "10" },
		{ owner: "p", owned: "h", percentage: "90" },
	];

	test("plain characters; circles and what was drawn before are said", () => {
		expect(drawTree(ownershipOf(root, parties, shares), style(100)).split("\n")).toEqual([
			"Example Trading SAS",
			"+- 60 %  Example Holding BV  effective share unknown  company",
			"|  +- 10 %  Cross AG  effective share unknown  company",
			"|  |  `- 10 %  Example Holding BV  effective share unknown  company  (in a circle, see above)",
			"|  `- 90 %  Ada Example  effective share unknown  UBO",
			"`- 40 %  Cross AG  effective share unknown  company  (see above)",
			"",
			"No shares",
			"- Noa Sample",
		]);
	});

	test("a tree of many thousand lines is cut and says so", () => {
		const many = Array.from({ length: 5000 }, (_, at) => ({ id: `x${at}`, name: `X${at}`, isCompany: false }));
		const drawn = drawTree(
			ownershipOf(
				root,
				many,
				many.map(({ id }) => ({ owner: id, owned: "c0", percentage: "0.01" })),
			),
			style(100),
		);
		expect(drawn.split("\n").length).toBeLessThan(2010);
		expect(drawn).toMatch(/and more; see all of it with --json$/);
	});
});
