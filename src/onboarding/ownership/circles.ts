/**
 * Which companies own each other in a circle, and what each then holds. They are the strongly connected components of the graph (Tarjan), found
 * without recursion so that a chain of a hundred thousand layers does no harm.
 */
import { type Fraction, greatestDivisor, longestDenominator, reduced, roundedScale } from "./fraction.js";

/** For each node the nodes it owns shares of, by number. */
export type Successors = readonly (readonly number[])[];

/**
 * The strongly connected components, each after every part that it owns shares of: what is owned comes first. Linear in nodes and edges.
 */
export function components(successors: Successors): number[][] {
	const walk = newWalk(successors.length);
	for (let start = 0; start < successors.length; start++) {
		if (walk.index[start] !== -1) continue;
		enter(walk, start);
		while (walk.path.length > 0) advance(walk, walk.path.at(-1) as number, successors);
	}
	return walk.found;
}

interface Walk {
	/** The order in which nodes were visited; -1: not yet. */
	index: Int32Array;
	/** The earliest node reachable from it, as far as known. */
	low: Int32Array;
	onStack: Uint8Array;
	/** Which of its successors comes next. */
	next: Int32Array;
	stack: number[];
	path: number[];
	found: number[][];
	visited: number;
}

const newWalk = (count: number): Walk => ({
	index: new Int32Array(count).fill(-1),
	low: new Int32Array(count),
	onStack: new Uint8Array(count),
	next: new Int32Array(count),
	stack: [],
	path: [],
	found: [],
	visited: 0,
});

function enter(walk: Walk, node: number): void {
	walk.index[node] = walk.visited;
	walk.low[node] = walk.visited;
	walk.visited += 1;
	walk.stack.push(node);
	walk.onStack[node] = 1;
	walk.path.push(node);
}

/** One step from the last node of the path: to its next successor, or back. */
function advance(walk: Walk, node: number, successors: Successors): void {
	const { index, low, next } = walk;
	const lower = (at: number, to: number): void => {
		low[at] = Math.min(low[at] as number, to);
	};
	const target = successors[node]?.[next[node] as number];
	if (target !== undefined) {
		next[node] = (next[node] as number) + 1;
		if (index[target] === -1) enter(walk, target);
		else if (walk.onStack[target]) lower(node, index[target] as number);
		return;
	}
	walk.path.pop();
	const parent = walk.path.at(-1);
	if (parent !== undefined) lower(parent, low[node] as number);
	if (low[node] === index[node]) walk.found.push(popPart(node, walk));
}

function popPart(root: number, { stack, onStack }: Walk): number[] {
	const part: number[] = [];
	for (;;) {
		const node = stack.pop() as number;
		onStack[node] = 0;
		part.push(node);
		if (node === root) return part.reverse();
	}
}

/** Shares inside a circle: `row` owns `share` of `column`, both by their place in the part. */
export interface Inner {
	row: number;
	column: number;
	share: Fraction;
}

/** How many steps one graph may still cost. It bounds the time, whatever a file says: about a second, or one circle of 66 companies. */
export interface Budget {
	steps: number;
}

export const newBudget = (): Budget => ({ steps: 300_000 });

/**
 * Effective shares of companies that own each other in a circle: the fixed point of `e = A e + b`, that is, the sum over all ways from an owner
 * down to the corporate, round the circle any number of times. It is solved in whole numbers by elimination in which every division is exact
 * (Bareiss). Rows are not exchanged: the pivots are all positive exactly where the sum over all ways converges (a nonsingular M-matrix), so
 * the wrong answers of an impossible circle are recognised.
 * @param known what each company holds through shares outside the circle
 * @returns undefined where there is no finite answer (nobody outside holds a part of it, or more than all shares are declared), or none
 * within the budget
 */
export function solve(known: readonly Fraction[], inner: readonly Inner[], budget: Budget): Fraction[] | undefined {
	const size = known.length;
	budget.steps -= size ** 3;
	if (budget.steps < 0) return undefined;
	const common = known.reduce((all, { d }) => multiple(all, d), 1n);
	const scale = common > longestDenominator ? roundedScale : common;
	const rows = known.map((value, at) => {
		const own = inner.filter(({ row }) => row === at);
		const d = own.reduce((all, { share }) => multiple(all, share.d), 1n);
		const row = Array.from({ length: size }, () => 0n);
		row[at] = d;
		for (const { column, share } of own) row[column] = (row[column] as bigint) - share.n * (d / share.d);
		return [...row, (value.n * d * scale) / value.d];
	});
	let before = 1n;
	for (let pivot = 0; pivot < size; pivot += 1) {
		const own = rows[pivot] as bigint[];
		const lead = own[pivot] as bigint;
		if (lead <= 0n) return undefined;
		for (const [at, row] of rows.entries()) {
			const factor = row[pivot] as bigint;
			if (at !== pivot) rows[at] = row.map((number, column) => (number * lead - factor * (own[column] as bigint)) / before);
		}
		before = lead;
	}
	const rounded = scale !== common || known.some((value) => value.rounded);
	return rows.map((row) => reduced({ n: row[size] as bigint, d: before * scale, rounded }));
}

/** The least common multiple. */
const multiple = (a: bigint, b: bigint): bigint => (a * b) / greatestDivisor(a, b);
