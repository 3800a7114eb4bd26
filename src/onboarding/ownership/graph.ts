/**
 * Who owns how much of whom as a graph, and the effective shares of each.
 */
import { type Budget, components, type Inner, newBudget, solve } from "./circles.js";
import { type Fraction, fractionOf, one, plus, times, zero } from "./fraction.js";

/** A person or a company around a corporate. */
export interface Party {
	/** Unique among the parties and different from the corporate's: an id of the service, or a key of a file. */
	id: string;
	name: string;
	isCompany: boolean;
	isDirector?: boolean;
	isAccountOwner?: boolean;
	isUbo?: boolean;
	/** `FULL_KYC`, `DOC_ONLY`, `NOT_REQUIRED`; undefined where unknown. */
	kycType?: string;
}

/** Shares that one holds directly of another. */
export interface Holding {
	/** Id of a party, or of the corporate where it holds shares itself. */
	owner: string;
	/** Id of the corporate or of a party; anything else is an undeclared company. */
	owned: string;
	/** Decimal text, 0 to 100. */
	percentage: string;
	/** It equals one before it in the same record: the same holding stated twice, or a second one. */
	again?: true;
}

/** Shares between two numbers of {@link Graph.parties}. */
export interface Edge {
	owner: number;
	owned: number;
	share: Fraction;
	percentage: string;
	again?: true;
}

export interface Graph {
	/** The corporate first, undeclared companies last. */
	parties: Party[];
	/** Number of the first undeclared party. */
	undeclared: number;
	edges: Edge[];
	/** Holdings left out: no percentage, an owned person, an undeclared owner. */
	unusable: { holding: Holding; why: "percentage" | "person" | "owner" }[];
	/** For each party the shares held of it directly, by all owners together. */
	held: Fraction[];
	/** For each party its direct shares of the corporate. */
	direct: Fraction[];
	/** For each party its shares of the corporate through every layer; undefined where there is no finite answer. */
	effective: (Fraction | undefined)[];
	/** Companies that own each other, as numbers: whoever is in one owns shares of every other, directly or not. */
	circles: number[][];
}

/**
 * Builds the graph and computes effective shares exactly: `e(x) = Σ share(x→y) · (1 if y is the corporate + e(y))`. Ways that meet add up.
 * With circles this is the fixed point of the linear system; a company inside a circle can then come to more than 100 %, a person never
 * does. Linear in parties and edges but for the circles, whose cost is bounded (`circles.ts`).
 */
export function graphOf(corporate: { id: string; name: string }, declared: readonly Party[], holdings: readonly Holding[]): Graph {
	const parties: Party[] = [{ ...corporate, isCompany: true }, ...declared];
	const numbers = new Map(parties.map(({ id }, number) => [id, number]));
	const graph: Graph = { parties, undeclared: parties.length, edges: [], unusable: [], held: [], direct: [], effective: [], circles: [] };
	for (const holding of holdings) addEdge(graph, numbers, holding);
	graph.held = parties.map(() => zero);
	graph.direct = parties.map(() => zero);
	const owned: Edge[][] = parties.map(() => []);
	for (const edge of graph.edges) {
		owned[edge.owner]?.push(edge);
		graph.held[edge.owned] = plus(graph.held[edge.owned] as Fraction, edge.share);
		if (edge.owned === 0) graph.direct[edge.owner] = plus(graph.direct[edge.owner] as Fraction, edge.share);
	}
	computeEffective(graph, owned);
	return graph;
}

function addEdge(graph: Graph, numbers: Map<string, number>, holding: Holding): void {
	const share = fractionOf(holding.percentage);
	const owner = numbers.get(holding.owner);
	if (share === undefined || owner === undefined || owner >= graph.undeclared) {
		graph.unusable.push({ holding, why: share === undefined ? "percentage" : "owner" });
		return;
	}
	if (share.n === 0n) return;
	let owned = numbers.get(holding.owned);
	if (owned === undefined) {
		owned = graph.parties.push({ id: holding.owned, name: holding.owned, isCompany: true }) - 1;
		numbers.set(holding.owned, owned);
	}
	if (!graph.parties[owned]?.isCompany) {
		graph.unusable.push({ holding, why: "person" });
		return;
	}
	const { percentage, again } = holding;
	graph.edges.push({ owner, owned, share, percentage, again });
}

function computeEffective(graph: Graph, owned: readonly Edge[][]): void {
	const successors = owned.map((edges) => edges.map((edge) => edge.owned));
	graph.effective = graph.parties.map(() => zero);
	const budget = newBudget();
	for (const part of components(successors)) {
		const [only] = part as [number];
		if (part.length === 1 && !successors[only]?.includes(only)) {
			graph.effective[only] = sumOver(graph, owned[only] ?? []);
			continue;
		}
		graph.circles.push([...part]);
		const values = solvePart(graph, owned, part, budget);
		for (const [place, number] of part.entries()) graph.effective[number] = values?.[place];
	}
}

/** Undefined as soon as one of the ways has no finite answer. */
function sumOver(graph: Graph, edges: readonly Edge[]): Fraction | undefined {
	let sum = zero;
	for (const { owned, share } of edges) {
		const beyond = graph.effective[owned];
		if (beyond === undefined) return undefined;
		sum = plus(sum, times(share, owned === 0 ? plus(one, beyond) : beyond));
	}
	return sum;
}

function solvePart(graph: Graph, owned: readonly Edge[][], part: readonly number[], budget: Budget): Fraction[] | undefined {
	const place = new Map(part.map((number, at) => [number, at]));
	const inner: Inner[] = [];
	const known: Fraction[] = [];
	for (const [row, number] of part.entries()) {
		const outside: Edge[] = [];
		let sum = zero;
		for (const edge of owned[number] ?? []) {
			const column = place.get(edge.owned);
			if (column === undefined) outside.push(edge);
			else {
				inner.push({ row, column, share: edge.share });
				if (edge.owned === 0) sum = plus(sum, edge.share);
			}
		}
		const beyond = sumOver(graph, outside);
		if (beyond === undefined) return undefined;
		known.push(plus(sum, beyond));
	}
	// No way leads from this circle to the corporate, so it holds nothing of it.
	return known.every(({ n }) => n === 0n) ? known : solve(known, inner, budget);
}
