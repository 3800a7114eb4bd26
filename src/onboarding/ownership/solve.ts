/**
 * Effective shares of companies that own each other in a circle: the fixed point of `e = A e + b`, that is, the sum over all ways
 * from an owner down to the corporate, round the circle any number of times.
 */
import { type Fraction, one, plus, reduced, shortened, times, zero } from "./fraction.js";

/** Shares inside a circle: `row` owns `share` of `column`, both by their place in the part. */
export interface Inner {
	row: number;
	column: number;
	share: Fraction;
}

/** Companies of one circle for which the system is solved exactly; more are approached step by step. */
const mostExact = 40;

/** What is left of the work that one graph may cost: bounds the time, whatever the file says. */
export interface Budget {
	/** Multiplications of exact solutions. */
	exact: number;
	/** Shares looked at while approaching. */
	looks: number;
}

/** A whole graph's: about a second. */
export const newBudget = (): Budget => ({ exact: 300_000, looks: 3_000_000 });

/** Where approaching stops: a change of less than 10^-14. */
const places = 10n ** 30n;
const close = places / 10n ** 14n;

/**
 * Solves one circle: exactly where it is small and the budget allows, else step by step.
 * @param known what each company holds through shares outside the circle
 * @returns undefined where there is no finite answer (nobody outside holds a part of it, or more than all shares are declared), or none
 * within the budget
 */
export function solve(known: readonly Fraction[], inner: readonly Inner[], budget: Budget): Fraction[] | undefined {
	const cost = known.length ** 3;
	if (known.length > mostExact || cost > budget.exact) return approach(known, inner, budget);
	budget.exact -= cost;
	return eliminate(known.map(shortened), inner);
}

/**
 * Gauss without exchanging rows, on integers (Bareiss): the pivots of `I - A` are all positive exactly where the sum over all
 * ways converges (a nonsingular M-matrix), so that the wrong answers of an impossible circle are recognised.
 */
function eliminate(known: readonly Fraction[], inner: readonly Inner[]): Fraction[] | undefined {
	const size = known.length;
	const matrix = wholeNumbers(known, inner);
	let before = 1n;
	for (let step = 0; step < size; step++) {
		const row = matrix[step] as bigint[];
		const pivot = row[step] as bigint;
		if (pivot <= 0n) return undefined;
		for (const [at, other] of matrix.entries()) {
			if (at === step) continue;
			const factor = other[step] as bigint;
			for (let column = 0; column <= size; column++)
				other[column] = ((other[column] as bigint) * pivot - (row[column] as bigint) * factor) / before;
		}
		before = pivot;
	}
	const rounded = known.some((value) => value.rounded);
	return matrix.map((row, at) => reduced({ n: row[size] as bigint, d: row[at] as bigint, rounded }));
}

/** `(I - A | b)`, each row brought to whole numbers. */
function wholeNumbers(known: readonly Fraction[], inner: readonly Inner[]): bigint[][] {
	const size = known.length;
	const fractions = known.map((value, at) => [...Array.from({ length: size }, (_, column) => (column === at ? one : zero)), value]);
	for (const { row, column, share } of inner) {
		const line = fractions[row] as Fraction[];
		line[column] = plus(line[column] as Fraction, { ...share, n: -share.n });
	}
	return fractions.map((line) => {
		const common = line.reduce((product, { d }) => (product % d === 0n ? product : d % product === 0n ? d : product * d), 1n);
		return line.map(({ n, d }) => n * (common / d));
	});
}

/** Step by step from below, each company with what is known by then (Gauss-Seidel); rounded down to 30 places. */
function approach(known: readonly Fraction[], inner: readonly Inner[], budget: Budget): Fraction[] | undefined {
	const held: { column: number; share: bigint }[][] = known.map(() => []);
	for (const { row, column, share } of inner) held[row]?.push({ column, share: (share.n * places) / share.d });
	const base = known.map(({ n, d }) => (n * places) / d);
	const values = [...base];
	const ceiling = places * 1_000_000n;
	while (budget.looks > 0) {
		budget.looks -= inner.length;
		let change = 0n;
		for (const [row, shares] of held.entries()) {
			let sum = 0n;
			for (const { column, share } of shares) sum += share * (values[column] as bigint);
			const value = (base[row] as bigint) + sum / places;
			const moved = value - (values[row] as bigint);
			if (moved > change) change = moved;
			values[row] = value;
			if (value > ceiling) return undefined;
		}
		if (change <= close) return values.map((n) => ({ n, d: places, rounded: true }));
	}
	return undefined;
}

/** The sum of shares of shares: `Σ share × value`. */
export function through(shares: readonly { share: Fraction; value: Fraction }[]): Fraction {
	return shares.reduce((sum, { share, value }) => plus(sum, times(share, value)), zero);
}
