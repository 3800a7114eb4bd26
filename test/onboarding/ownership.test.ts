import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Holding, ownershipOf, type Party } from "../../src/onboarding/ownership/ownership.js";

const corporate = { id: "C", name: "Example Trading SAS" };
const person = (id: string, more: Partial<Party> = {}): Party => ({ id, name: `Person ${id}`, isCompany: false, ...more });
const company = (id: string): Party => ({ id, name: `Company ${id}`, isCompany: true });
const holds = (owner: string, owned: string, percentage: string): Holding => ({ owner, owned, percentage });

const effective = (parties: Party[], holdings: Holding[]) =>
	Object.fromEntries(ownershipOf(corporate, parties, holdings).nodes.map((node) => [node.id, node.effectiveSharesPercentage]));
const codes = (parties: Party[], holdings: Holding[], threshold = "25") =>
	ownershipOf(corporate, parties, holdings, threshold).warnings.map(({ code, parties: of }) => `${code} ${of.join(",")}`.trim());

/** A director and account owner, so that only what a test is about is warned of. */
const boss = person("boss", { isDirector: true, isAccountOwner: true, kycType: "FULL_KYC" });

describe("effective shares", () => {
	test("a third of a third is rounded for display only: the threshold sees the exact value", () => {
		const holdings = [holds("p", "a", "49.999999999999"), holds("a", "C", "50")];
		const { nodes } = ownershipOf(corporate, [person("p"), company("a")], holdings);
		expect(nodes[1]).toMatchObject({ effectiveSharesPercentage: "25", isOwner: false });
		expect(ownershipOf(corporate, [person("p")], [holds("p", "C", "25.0")]).nodes[1]).toMatchObject({ isOwner: true });
	});

	test("through companies that own each other in a circle it is unknown, and who holds through it is named", () => {
		const parties = [boss, person("p"), company("a"), company("b")];
		const holdings = [holds("a", "b", "50"), holds("b", "a", "50"), holds("a", "C", "40"), holds("p", "a", "50"), holds("boss", "C", "60")];
		expect(effective(parties, holdings)).toEqual({ C: "0", a: undefined, b: undefined, p: undefined, boss: "60" });
		expect(codes(parties, holdings)).toEqual(["CYCLE a,b", "EFFECTIVE_UNKNOWN p", "UBO_NOT_MARKED boss"]);
		// A circle that leads nowhere near the company is none of its owners.
		expect(effective(parties, [...holdings.slice(0, 2), holds("p", "a", "50")])).toMatchObject({ a: "0", p: "0" });
	});
});

describe("warnings", () => {
	const clean = [boss, person("p", { isUbo: true })];

	test("shares over 100 %, by company", () => {
		const found = ownershipOf(
			corporate,
			[...clean, company("a")],
			[holds("p", "C", "60"), holds("a", "C", "40.1"), holds("boss", "a", "100")],
		);
		expect(found.warnings).toContainEqual({
			code: "SHARES_OVER_100",
			message: "100.1 % of Example Trading SAS are declared as held directly: more than all of it",
			parties: ["C"],
		});
	});

	test("the threshold is reached at it, and is a setting", () => {
		const holdings = [holds("p", "C", "100")];
		const low = [holds("p", "C", "90"), holds("boss", "C", "10")];
		expect(codes([boss, person("p")], holdings)).toEqual(["UBO_NOT_MARKED p"]);
		expect(codes(clean, low)).toEqual([]);
		expect(codes(clean, low, "10")).toEqual(["UBO_NOT_MARKED boss"]);
	});

	test("who is behind a company that matters is not declared", () => {
		expect(codes([...clean, company("a")], [holds("p", "C", "75"), holds("a", "C", "25")])).toEqual(["OWNER_NOT_DECLARED a"]);
		expect(codes([...clean, company("a")], [holds("p", "C", "80"), holds("a", "C", "20")])).toEqual([]);
		expect(codes(clean, [])).toEqual(["OWNER_NOT_DECLARED C"]);
	});

	test("nobody is behind companies that only own each other", () => {
		const parties = [...clean, company("a"), company("b")];
		const circle = [holds("a", "b", "100"), holds("b", "a", "100")];
		const found = ownershipOf(corporate, parties, [...circle, holds("a", "C", "25"), holds("p", "C", "75")]);
		expect(found.warnings.filter(({ code }) => code === "OWNER_NOT_DECLARED")).toEqual([
			{
				code: "OWNER_NOT_DECLARED",
				message:
					"No person holds shares of Company a, Company b, directly or through other companies. Who is behind 25 % of Example Trading SAS is not declared: there may be a beneficial owner among them",
				parties: ["a", "b"],
			},
		]);
		const missing = (...holdings: Holding[]) => codes(parties, holdings).filter((code) => code.startsWith("OWNER"));
		// All of the company, and one that owns itself.
		expect(missing(...circle, holds("a", "C", "100"))).toEqual(["OWNER_NOT_DECLARED C,a,b"]);
		expect(missing(holds("a", "a", "100"), holds("a", "C", "30"), holds("p", "C", "70"))).toEqual(["OWNER_NOT_DECLARED a"]);
		// Below the threshold, and with a person behind the circle.
		expect(missing(...circle, holds("a", "C", "20"), holds("p", "C", "80"))).toEqual([]);
		expect(missing(holds("a", "b", "100"), holds("b", "a", "99"), holds("p", "a", "1"), holds("a", "C", "100"))).toEqual([]);
	});

	test("a company nobody declared, a person who is owned, a percentage that is none, an owner who is unknown", () => {
		const base = [holds("p", "C", "100")];
		expect(codes(clean, [...base, holds("p", "elsewhere", "5")])).toEqual(["COMPANY_NOT_DECLARED elsewhere"]);
		expect(codes(clean, [...base, holds("p", "boss", "5")])).toEqual(["SHARES_UNUSABLE p,boss"]);
		for (const wrong of ["-5", "100.1", "abc", "", "5,5", "1e9", "٥", " 5", "5\n"])
			expect(codes(clean, [...base, holds("boss", "C", wrong)])).toEqual(["SHARES_UNUSABLE boss,C"]);
		expect(codes(clean, [...base, holds("ghost", "C", "5")])).toEqual(["SHARES_UNUSABLE C"]);
	});

	test("no director, no account owner, nobody in full", () => {
		expect(codes([person("p", { isUbo: true })], [holds("p", "C", "100")])).toEqual(["NO_ACCOUNT_OWNER", "NO_DIRECTOR"]);
		const documents = person("d", { isDirector: true, isAccountOwner: true, kycType: "DOC_ONLY", isUbo: true });
		expect(codes([documents], [holds("d", "C", "100")])).toEqual(["NO_FULL_KYC d"]);
		expect(codes([{ ...documents, kycType: undefined }], [holds("d", "C", "100")])).toEqual([]);
	});

	test("a company that is a director is one, and no KYC of it can be the full one", () => {
		const owner = person("d", { isAccountOwner: true, isUbo: true });
		const director = { ...company("a"), isDirector: true };
		expect(codes([owner, director], [holds("d", "C", "100"), holds("d", "a", "100")])).toEqual(["NO_FULL_KYC"]);
		expect(codes([owner, company("a")], [holds("d", "C", "100"), holds("d", "a", "100")])).toEqual(["NO_DIRECTOR"]);
	});
});

// ── Against another calculation ─────────────────────────────────────────────────────────────────────────────────

interface Random {
	companies: number;
	persons: number;
	holdings: { owner: number; owned: number; hundredths: number }[];
}

const random: fc.Arbitrary<Random> = fc
	.record({ companies: fc.integer({ min: 1, max: 6 }), persons: fc.integer({ min: 1, max: 4 }) })
	.chain(({ companies, persons }) =>
		fc.record({
			companies: fc.constant(companies),
			persons: fc.constant(persons),
			holdings: fc.array(
				fc.record({
					owner: fc.integer({ min: 1, max: companies + persons }),
					owned: fc.integer({ min: 0, max: companies }),
					hundredths: fc.integer({ min: 1, max: 2500 }),
				}),
				{ maxLength: 14 },
			),
		}),
	);

/** Number 0 is the corporate, then companies, then persons. */
const idOf = (number: number, companies: number) => (number === 0 ? "C" : number <= companies ? `k${number}` : `p${number}`);
const percentage = (hundredths: number) => `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}`;

function asGiven({ companies, persons, holdings }: Random): [Party[], Holding[]] {
	const numbers = Array.from({ length: companies + persons }, (_, at) => at + 1);
	return [
		numbers.map((number) => (number <= companies ? company(idOf(number, companies)) : person(idOf(number, companies)))),
		holdings.map(({ owner, owned, hundredths }) => holds(idOf(owner, companies), idOf(owned, companies), percentage(hundredths))),
	];
}

test("without circles: every way from the owner down, enumerated one by one, in whole ten-thousandths", () => {
	fc.assert(
		fc.property(random, (graph) => {
			const holdings = graph.holdings.filter(({ owner, owned }) => owner > owned);
			const ways = (from: number, depth: number): bigint => {
				let sum = 0n;
				for (const { owner, owned, hundredths } of holdings)
					if (owner === from) sum += BigInt(hundredths) * (owned === 0 ? 10_000n ** BigInt(12 - depth) : ways(owned, depth + 1));
				return sum;
			};
			const found = effective(...asGiven({ ...graph, holdings }));
			for (let number = 1; number <= graph.companies + graph.persons; number++) {
				// In units of 10^-48 of a whole; the answer has 12 places of a percent, rounded half up.
				const exact = ways(number, 1);
				const rounded = (exact + 5n * 10n ** 33n) / 10n ** 34n;
				const text = found[idOf(number, graph.companies)] as string;
				const [whole, fraction = ""] = text.split(".");
				expect(BigInt(`${whole}${fraction.padEnd(12, "0")}`)).toBe(rounded);
			}
		}),
		{ numRuns: 300 },
	);
});

test("with circles: unknown exactly for whoever holds through one that leads to the corporate", () => {
	fc.assert(
		fc.property(random, (graph) => {
			const found = effective(...asGiven(graph));
			const numbers = Array.from({ length: graph.companies + graph.persons + 1 }, (_, number) => number);
			const reaches = numbers.map((from) => numbers.map((to) => graph.holdings.some(({ owner, owned }) => owner === from && owned === to)));
			for (const by of numbers)
				for (const from of numbers)
					for (const to of numbers) if (reaches[from]?.[by] && reaches[by]?.[to]) (reaches[from] as boolean[])[to] = true;
			const circles = numbers.filter((number) => reaches[number]?.[number] && reaches[number]?.[0]);
			for (const number of numbers.slice(1)) {
				const isUnknown = circles.some((circle) => circle === number || reaches[number]?.[circle]);
				expect(found[idOf(number, graph.companies)] === undefined).toBe(isUnknown);
			}
		}),
		{ numRuns: 150 },
	);
});
