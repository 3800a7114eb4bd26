/**
 * Who owns how much of whom as a graph, and the effective shares of each.
 */
import { bounded, type Fraction, fractionOf, one, plus, times, zero } from "./fraction.js";

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
}

/** Shares between two numbers of {@link Graph.parties}. */
export interface Edge {
	owner: number;
	owned: number;
	share: Fraction;
	percentage: string;
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
	/** For each party its shares of the corporate through every layer; undefined where a circle leads there, or in too many digits. */
	effective: (Fraction | undefined)[];
	/** Circles of ownership: companies that own each other, in the order of their numbers. */
	circles: number[][];
}

/**
 * Builds the graph and computes effective shares exactly: `e(x) = Σ share(x→y) · (1 if y is the corporate, else e(y))`. Ways that meet add up. Of
 * companies that own each other in a circle which leads to the corporate, and of whoever holds through one, the shares are unknown.
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
	// What the corporate itself holds is not declared.
	if (share.n === 0n || owner === 0) return;
	let owned = numbers.get(holding.owned);
	if (owned === undefined) {
		owned = graph.parties.push({ id: holding.owned, name: holding.owned, isCompany: true }) - 1;
		numbers.set(holding.owned, owned);
	}
	if (!graph.parties[owned]?.isCompany) {
		graph.unusable.push({ holding, why: "person" });
		return;
	}
	graph.edges.push({ owner, owned, share, percentage: holding.percentage });
}

function computeEffective(graph: Graph, owned: readonly Edge[][]): void {
	const successors = owned.map((edges) => edges.map((edge) => edge.owned));
	graph.effective = graph.parties.map(() => zero);
	for (const part of components(successors)) {
		const [only] = part as [number];
		if (part.length === 1 && !successors[only]?.includes(only)) {
			graph.effective[only] = sumOver(graph, owned[only] ?? []);
			continue;
		}
		graph.circles.push([...part].sort((one, other) => one - other));
		const leads = part.some((number) => owned[number]?.some((edge) => edge.owned === 0 || graph.effective[edge.owned]?.n !== 0n));
		if (leads) for (const number of part) graph.effective[number] = undefined;
	}
}

/** Undefined as soon as one of the ways has no finite answer. */
function sumOver(graph: Graph, edges: readonly Edge[]): Fraction | undefined {
	let sum = zero;
	for (const { owned, share } of edges) {
		const beyond = owned === 0 ? one : graph.effective[owned];
		if (beyond === undefined) return undefined;
		sum = plus(sum, times(share, beyond));
	}
	return bounded(sum);
}

/** For each node the nodes it owns shares of, by number. */
type Successors = readonly (readonly number[])[];

/**
 * The companies that own each other in circles and every other node alone (strongly connected components, Kosaraju), each after every part that
 * it owns shares of. Linear in nodes and edges.
 */
function components(successors: Successors): number[][] {
	const owners: number[][] = successors.map(() => []);
	for (const [owner, owned] of successors.entries()) for (const one of owned) owners[one]?.push(owner);
	const [seen, taken] = [new Uint8Array(successors.length), new Uint8Array(successors.length)];
	const order = successors.flatMap((_, node) => reachable(node, owners, seen));
	return order.reverse().flatMap((node) => (taken[node] ? [] : [reachable(node, successors, taken)]));
}

/** What a node leads to and is not seen yet, itself last. Without recursion: a chain of a hundred thousand layers does no harm. */
function reachable(start: number, next: Successors, seen: Uint8Array): number[] {
	if (seen[start]) return [];
	seen[start] = 1;
	const found: number[] = [];
	const path = [{ node: start, tried: 0 }];
	for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
		const target = next[last.node]?.[last.tried];
		last.tried += 1;
		if (target === undefined) {
			found.push(last.node);
			path.pop();
		} else if (!seen[target]) {
			seen[target] = 1;
			path.push({ node: target, tried: 0 });
		}
	}
	return found;
}
