/**
 * Effective shares of companies that own each other in a circle: the fixed point of `e = A e + b`, that is, the sum over all ways
 * from an owner down to the corporate, round the circle any number of times.
 */
import { type Fraction, greatestDivisor, limited, longestDenominator, plus, reduced, roundedScale, times, zero } from "./fraction.js";

/** Shares inside a circle: `row` owns `share` of `column`, both by their place in the part. */
export interface Inner {
	row: number;
	column: number;
	share: Fraction;
}

/** How many multiplications one graph may still cost. It bounds the time, whatever a file says. */
export interface Budget {
	steps: number;
}

/** The budget of a whole graph: a second or two (`npm run bench:ownership`). */
export const newBudget = (): Budget => ({ steps: 1_500_000 });

/** An equation in whole numbers: `d · e = Σ parts · e(column) + b`. */
interface Equation {
	d: bigint;
	parts: Map<number, bigint>;
	b: bigint;
	rounded: boolean;
	/** Above this `d` the equation is divided by a common divisor: often enough to keep numbers short, rarely enough to be fast. */
	limit: bigint;
}

/** Short enough to be multiplied as it is. */
const short = 10n ** 60n;

/**
 * Solves one circle by elimination, beginning with those who have the fewest shares in it, so that a sparse system stays sparse. Rows are
 * not exchanged: the pivots are all positive exactly where the sum over all ways converges (a nonsingular M-matrix), so the wrong answers
 * of an impossible circle are recognised.
 * @param known what each company holds through shares outside the circle
 * @returns undefined where there is no finite answer (nobody outside holds a part of it, or more than all shares are declared), or none
 * within the budget
 */
export function solve(known: readonly Fraction[], inner: readonly Inner[], budget: Budget): Fraction[] | undefined {
	const equations = equationsOf(known.map(limited), inner);
	const holders: Set<number>[] = equations.map(() => new Set());
	for (const { row, column } of inner) holders[column]?.add(row);
	const weight = equations.map(({ parts }, at) => parts.size * (holders[at] as Set<number>).size);
	const order = equations.map((_, at) => at).sort((one, other) => (weight[one] as number) - (weight[other] as number));
	if (!order.every((at) => eliminate(equations, holders, at, budget))) return undefined;
	const values: Fraction[] = [];
	for (const at of order.reverse()) {
		const { d, parts, b, rounded } = equations[at] as Equation;
		let sum = lean({ n: b, d, rounded });
		for (const [column, part] of parts) sum = lean(plus(sum, lean(times({ n: part, d, rounded }, values[column] as Fraction))));
		values[at] = sum;
	}
	return values;
}

/**
 * Takes one company out of the equations of all who hold shares of it.
 * @param holders for each company those whose equations it stands in
 * @returns false where there is no answer, or none within the budget
 */
function eliminate(equations: readonly Equation[], holders: readonly Set<number>[], at: number, budget: Budget): boolean {
	const equation = equations[at] as Equation;
	const others = holders[at] as Set<number>;
	const pivot = equation.d - (equation.parts.get(at) ?? 0n);
	// After rounding, the sign of so small a difference is unknown.
	if (pivot <= 0n || (equation.rounded && pivot * short < equation.d)) return false;
	equation.d = pivot;
	equation.parts.delete(at);
	others.delete(at);
	for (const other of others) {
		budget.steps -= substitute(equations[other] as Equation, at, equation);
		if (budget.steps < 0) return false;
	}
	for (const column of equation.parts.keys()) {
		const own = holders[column] as Set<number>;
		own.delete(at);
		for (const other of others) own.add(other);
	}
	return true;
}

/** In lowest terms, where that keeps it exact: what was rounded is short. */
const lean = (value: Fraction): Fraction => (value.rounded ? value : reduced(value));

/** One equation a company, each brought to whole numbers. */
function equationsOf(known: readonly Fraction[], inner: readonly Inner[]): Equation[] {
	const shares: Map<number, Fraction>[] = known.map(() => new Map());
	for (const { row, column, share } of inner) {
		const own = shares[row] as Map<number, Fraction>;
		own.set(column, plus(own.get(column) ?? zero, share));
	}
	return known.map((value, at) => {
		const own = [...(shares[at] as Map<number, Fraction>)];
		const d = [value, ...own.map(([, share]) => share)].reduce((common, part) => (common * part.d) / greatestDivisor(common, part.d), 1n);
		const whole = (share: Fraction): bigint => share.n * (d / share.d);
		const parts = new Map(own.map(([column, share]) => [column, whole(share)]));
		return { d, parts, b: whole(value), rounded: value.rounded, limit: short };
	});
}

/** Substitutes the solved equation of the company `at` into another one. @returns how many numbers were multiplied */
function substitute(equation: Equation, at: number, solved: Equation): number {
	const { parts } = equation;
	const factor = parts.get(at) as bigint;
	parts.delete(at);
	for (const [column, part] of parts) parts.set(column, part * solved.d);
	for (const [column, part] of solved.parts) parts.set(column, (parts.get(column) ?? 0n) + factor * part);
	equation.b = equation.b * solved.d + factor * solved.b;
	equation.d *= solved.d;
	equation.rounded ||= solved.rounded;
	if (equation.d > equation.limit) shorten(equation);
	return parts.size + solved.parts.size + 2;
}

/** Divides by what all numbers have in common; what is still too long is rounded down. */
function shorten(equation: Equation): void {
	const { parts } = equation;
	let divisor = equation.rounded ? 1n : greatestDivisor(equation.b, equation.d);
	for (const part of parts.values()) if (divisor > 1n) divisor = greatestDivisor(part, divisor);
	const each = (change: (number: bigint) => bigint): void => {
		for (const [column, part] of parts) parts.set(column, change(part));
		equation.b = change(equation.b);
		equation.d = change(equation.d);
	};
	if (divisor > 1n) each((number) => number / divisor);
	if (equation.d > longestDenominator) {
		const { d } = equation;
		each((number) => (number * roundedScale) / d);
		equation.rounded = true;
	}
	equation.limit = equation.d > short ? equation.d * equation.d : short;
	if (equation.limit > longestDenominator) equation.limit = longestDenominator;
}
