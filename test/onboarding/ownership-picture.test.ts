import { describe, expect, test } from "vitest";
import { type Holding, type Ownership, ownershipOf, type Party } from "../../src/onboarding/ownership/ownership.js";
import { ownershipDrawing } from "../../src/onboarding/ownership/picture.js";
import { svgOf } from "../../src/shell/html/drawing.js";
import { Random } from "../payments/simulation/random.js";
import { seedOfRun } from "../support/seed.js";
import { faultsOf, type Picture, pictureOf } from "../support/svg.js";

const corporate = { id: "C", name: "Example Trading SAS" };
const person = (id: string, more: Partial<Party> = {}): Party => ({ id, name: `Person ${id}`, isCompany: false, ...more });
const company = (id: string, name = `Company ${id}`): Party => ({ id, name, isCompany: true });
const holds = (owner: string, owned: string, percentage: string): Holding => ({ owner, owned, percentage });

const svgOfOwnership = (ownership: Ownership): string => svgOf(ownershipDrawing(ownership), { standalone: true });
const drawn = (parties: Party[], holdings: Holding[], threshold?: string): Picture =>
	pictureOf(svgOfOwnership(ownershipOf(corporate, parties, holdings, threshold)));

/** What a box says begins with the name. */
const names = ({ boxes }: Picture): string[] => boxes.map(({ title }) => title.split(" · ")[0] as string);
const lines = (picture: Picture): string[] =>
	picture.arrows
		.map(({ from, to, text, classes }) => {
			const signs = [classes.includes("heavy") && "heavy", classes.includes("dashed") && "dashed"].filter(Boolean).join(" ");
			return `${names(picture)[from]} > ${names(picture)[to]}: ${text} ${signs}`.trim();
		})
		.sort();
const box = (picture: Picture, name: string) => picture.boxes[names(picture).indexOf(name)];

const hostile = [
	`"><script>alert(1)</script>`,
	"&amp; ]]> <!-- -->",
	"\u202egnp.exe \u0000\u001b[2J",
	"line\none\ttwo",
	"\ud800 half",
	"W".repeat(300),
	"i".repeat(2000),
	"見本持株会社".repeat(12),
	"a\u0301".repeat(90),
	"\u{1f469}\u200d\u{1f680}".repeat(30),
	"\u200b\u2066",
	" ",
	"Example Holding International Participations B.V.",
	"Sample-Longname-van-der-Voorbeeld",
];

/** Chains, stars, trees and thickets, with circles and with holders that nobody declared. */
function randomOwnership(random: Random, count: number): Ownership {
	const parties = Array.from({ length: count }, (_, at): Party => {
		const name = `N${at} ${random.often(0.3) ? random.pick(hostile) : "Example"}`;
		return {
			id: `id-${at}`,
			name,
			isCompany: random.often(0.5),
			isDirector: random.often(0.2),
			isAccountOwner: at === 0,
			isUbo: random.often(0.2),
		};
	});
	const idOf = (at: number): string => (at < 0 ? "C" : (parties[at]?.id as string));
	const companies = [-1, ...parties.flatMap(({ isCompany }, at) => (isCompany ? [at] : []))];
	const near = random.often(0.5);
	const holdings: Holding[] = [];
	for (let at = 0; at < count; at++) {
		if (random.often(0.1)) continue;
		const owned = near ? (companies.findLast((one) => one < at) as number) : random.pick(companies.filter((one) => one < at));
		holdings.push(holds(idOf(at), idOf(owned), String(1 + random.below(99))));
	}
	for (let more = random.below(1 + count / 2); more > 0; more--) {
		const owned = random.often(0.1) ? `nobody-${random.below(3)}` : idOf(random.pick(companies));
		const owner = idOf(random.below(count + 1) - 1);
		holdings.push(holds(owner, owned, random.pick(["0.000000000001", "33.333333333333", "100", "7", "24.999999999999", "25.0"])));
		if (random.often(0.1)) holdings.push(holds(owner, owned, "3"));
	}
	return ownershipOf(corporate, parties, holdings);
}

describe("by geometry", () => {
	const seed = seedOfRun("pictures of ownership");

	test("500 random ownerships: nothing overlaps, every line joins its boxes and runs through no other", () => {
		const random = new Random(seed);
		for (let round = 0; round < 500; round++) {
			const count = round % 100 === 0 ? 50 + random.below(50) : 1 + random.below(round % 5 === 0 ? 36 : 12);
			const ownership = randomOwnership(random, count);
			const svg = svgOfOwnership(ownership);
			const picture = pictureOf(svg);
			expect(faultsOf(picture), `round ${round}`).toEqual([]);
			if (round % 4 === 0) expect(svgOfOwnership(structuredClone(ownership)) === svg, `round ${round}: the same bytes`).toBe(true);
			expect(picture.boxes).toHaveLength(ownership.nodes.length);
			expect(pairsOf(picture), `round ${round}`).toEqual(pairsIn(ownership));
			for (const { from, to, classes } of picture.arrows) {
				const [owner, owned] = [picture.boxes[from]?.frame.y as number, picture.boxes[to]?.frame.y as number];
				expect(classes.includes("dashed") ? owner <= owned : owner > owned, `round ${round}: owners stand below`).toBe(true);
			}
			const hasCircle = ownership.warnings.some(({ code }) => code === "CYCLE");
			expect(
				picture.arrows.some(({ classes }) => classes.includes("dashed")),
				`round ${round}`,
			).toBe(hasCircle);
		}
	});

	test("controls: a box that moved, a line that was cut, a label on a box, a box across a line are found", () => {
		const picture = drawn([person("a"), company("h"), person("b")], [holds("h", "C", "60"), holds("a", "h", "50"), holds("b", "C", "40")]);
		expect(faultsOf(picture)).toEqual([]);
		const changed = (change: (copy: Picture) => void): string => {
			const copy = structuredClone(picture);
			change(copy);
			return faultsOf(copy).join("; ");
		};
		const [top, , , low] = picture.boxes.map(({ frame }) => frame) as [Picture["view"], Picture["view"], Picture["view"], Picture["view"]];
		expect(changed(({ boxes }) => Object.assign(boxes[1]?.frame ?? {}, { x: low.x + 5, y: low.y + 5 }))).toContain("overlap");
		expect(changed(({ boxes }) => Object.assign(boxes[0]?.frame ?? {}, { x: top.x + 300 }))).toContain("does not end at box 0");
		expect(changed(({ arrows }) => arrows[0]?.line.splice(-1))).toContain("line 0 does not end");
		expect(changed(({ arrows }) => arrows[0]?.line.splice(0, 1))).toContain("line 0 does not begin");
		expect(changed(({ arrows }) => Object.assign(arrows[0]?.label ?? {}, { x: top.x, y: top.y }))).toContain("lies on box 0");
		expect(
			changed(({ boxes, arrows }) => {
				const [x, y] = (arrows[0] as Picture["arrows"][number]).line[8] as [number, number];
				boxes.push({ frame: { x: x - 3, y: y - 3, width: 6, height: 6 }, texts: [], title: "", classes: [] });
			}),
		).toContain("line 0 runs through box 4");
		expect(changed((copy) => Object.assign(copy.view, { width: 100 }))).toContain("leaves the picture");
		expect(() => pictureOf(svgOfOwnership(ownershipOf(corporate, [], [])).replace("</g>", ""))).toThrow();
	});
});

/** `owner owned` by the numbers that the names begin with; each pair once. */
function pairsOf(picture: Picture): string[] {
	const all = names(picture).map((name) => /^N\d+/.exec(name)?.[0] ?? name);
	return picture.arrows.map(({ from, to }) => `${all[from]} ${all[to]}`).sort();
}

function pairsIn({ nodes, edges }: Ownership): string[] {
	const all = new Map(nodes.map(({ id, name }) => [id, /^N\d+/.exec(name)?.[0] ?? name]));
	return [...new Set(edges.map(({ owner, owned }) => `${all.get(owner)} ${all.get(owned)}`))].sort();
}

describe("what it shows", () => {
	const parties = [
		person("a", { isDirector: true, isAccountOwner: true, isUbo: true }),
		person("b"),
		person("d", { isDirector: true }),
		company("h"),
		company("k"),
	];
	const holdings = [
		holds("h", "C", "60"),
		holds("a", "C", "20"),
		holds("a", "h", "50"),
		holds("k", "h", "10"),
		holds("b", "k", "24.99"),
		holds("h", "k", "12.5"),
	];

	test("percentages, heavy lines at or above the threshold, lines of a circle dashed", () => {
		expect(lines(drawn(parties, holdings))).toEqual([
			"Company h > Company k: 12.5 % dashed",
			"Company h > Example Trading SAS: 60 % heavy",
			"Company k > Company h: 10 %",
			"Person a > Company h: 50 % heavy",
			"Person a > Example Trading SAS: 20 %",
			"Person b > Company k: 24.99 %",
		]);
		expect(lines(drawn(parties, holdings, "20"))).toContain("Person a > Example Trading SAS: 20 % heavy");
	});

	test("the threshold in words: in the box, in the legend, in the description", () => {
		const picture = drawn(parties, holdings);
		expect(box(picture, "Person a")).toMatchObject({
			title: "Person a · 50.379746835443 % effective · at or above 25 % · account owner, director, UBO",
			classes: ["box", "person", "heavy"],
		});
		expect(box(picture, "Person b")?.classes).toEqual(["box", "person"]);
		expect(picture.remarks.map(({ text }) => text)).toEqual([
			"No shares",
			"person",
			"company",
			"thick frame: holds 25 % or more through all layers (UBO)",
			"holds shares of",
			"thick line: holds 25 % or more directly",
			"dashed: leads back, in a circle",
		]);
		expect(picture.title).toBe("Ownership of Example Trading SAS");
		expect(picture.description).toBe(
			"Example Trading SAS stands at the top; whoever holds shares of a company stands below it, and the line between them names the percentage. 6 boxes and 6 lines. At or above the threshold of 25 % through all layers: Person a (50.3797… %). 1 dashed line leads back, because companies own each other in a circle or own themselves. No shares: 1 box.",
		);
	});

	test("several holdings of one in the same company are one line with their sum, also beyond 100 %", () => {
		const picture = drawn([person("a")], [holds("a", "C", "60.5"), holds("a", "C", "50"), holds("C", "C", "1")]);
		expect(lines(picture)).toEqual([
			"Example Trading SAS > Example Trading SAS: 1 % dashed",
			"Person a > Example Trading SAS: 110.5 % heavy",
		]);
		expect(picture.arrows[0]?.title).toBe("Person a holds 110.5 % of Example Trading SAS (2 holdings: 60.5 %, 50 %), at or above 25 %");
	});

	test("names stay within their boxes: two lines, the rest shortened, the whole in the title", () => {
		const name = "Example Holding International Participations and Investments B.V.";
		const svg = svgOfOwnership(ownershipOf(corporate, [company("h", name)], [holds("h", "C", "100")]));
		expect(svg).toContain(">Example Holding</text>");
		expect(svg).toContain(">Internationa…nts B.V.</text>");
		expect(svg).toContain(`<title>${name} · `);
		const wide = svgOfOwnership(ownershipOf(corporate, [company("h", "見本持株会社".repeat(9))], [holds("h", "C", "100")]));
		expect(wide).toMatch(/>[見本持株会社]{8,10}<\/text>/);
	});

	test("nobody declared, and a company that holds shares of another", () => {
		expect(names(drawn([], []))).toEqual(["Example Trading SAS"]);
		const above = drawn([], [holds("C", "child", "100")]);
		expect(lines(above)).toEqual(["Example Trading SAS > child: 100 % heavy"]);
		expect(box(above, "child")?.classes).toEqual(["box", "undeclared"]);
	});

	test("of ten thousand the nearest are drawn, and the picture says how many are not", () => {
		const many = Array.from({ length: 10_000 }, (_, at) => company(`c${at}`));
		const chain = many.map(({ id }, at) => holds(id, at < 40 ? "C" : `c${at - 40}`, "2"));
		const ownership = ownershipOf(corporate, many, chain);
		const picture = pictureOf(svgOfOwnership(ownership));
		expect(picture.boxes).toHaveLength(300);
		expect(picture.arrows).toHaveLength(299);
		expect(picture.remarks[0]?.text).toBe("Not shown here: 9701 of 10001 people and companies and 9701 of 10000 holdings");
		expect(picture.description).toContain("9701 of 10001");
		expect(faultsOf(picture)).toEqual([]);
		const thicket = Array.from({ length: 26 }, (_, one) =>
			Array.from({ length: 26 }, (_, other) => holds(`c${one}`, `c${other}`, "1")),
		).flat();
		const tangled = pictureOf(svgOfOwnership(ownershipOf(corporate, many.slice(0, 26), [...thicket, holds("c0", "C", "1")])));
		expect(tangled.boxes).toHaveLength(27);
		expect(tangled.remarks[0]?.text).toMatch(/^Not shown here: \d+ of 677 holdings$/);
	});
});
