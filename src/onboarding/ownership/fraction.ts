/**
 * Shares as exact fractions of integers: no double ever holds a percentage. Decimal text in, decimal text out; rounding is for display only.
 */

/** `n / d` of a whole, `d` above zero. Reduced where it is read and where it grows long. */
export interface Fraction {
	n: bigint;
	d: bigint;
}

export const zero: Fraction = { n: 0n, d: 1n };
export const one: Fraction = { n: 1n, d: 1n };

/**
 * The share that a percentage stands for: `33.5` → 335/1000. Exponents as a service may write them (`1.0E-5`) are read.
 * @returns undefined for anything but a percentage from 0 to 100
 */
export function fractionOf(percentage: string | undefined): Fraction | undefined {
	const match = /^(\d{1,3})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(percentage ?? "");
	if (!match) return undefined;
	const fraction = match[2] ?? "";
	const exponent = Number(match[3] ?? "0") - fraction.length - 2;
	const digits = BigInt(`${match[1]}${fraction}`);
	const share: Fraction = exponent >= 0 ? { n: digits * 10n ** BigInt(exponent), d: 1n } : { n: digits, d: 10n ** BigInt(-exponent) };
	return share.n <= share.d ? reduced(share) : undefined;
}

export function plus(a: Fraction, b: Fraction): Fraction {
	if (a.d === b.d) return { n: a.n + b.n, d: a.d };
	if (a.d % b.d === 0n) return { n: a.n + b.n * (a.d / b.d), d: a.d };
	if (b.d % a.d === 0n) return { n: a.n * (b.d / a.d) + b.n, d: b.d };
	return { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
}

export const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });

/** The rest of a whole; never below zero. */
export const remainder = (a: Fraction): Fraction => (a.n >= a.d ? zero : { n: a.d - a.n, d: a.d });

/** Negative, zero or positive as `a` is below, equal to or above `b`. */
export function compare(a: Fraction, b: Fraction): number {
	const left = a.n * b.d;
	const right = b.n * a.d;
	return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether a share reaches a threshold. */
export const reaches = (share: Fraction, threshold: Fraction): boolean => compare(share, threshold) >= 0;

/** Largest denominator that is computed with: real ownership never reaches it, a hostile file does. */
const longestDenominator = 10n ** 1000n;

/** The same value in few digits; undefined where it has too many, so that it is unknown and never rounded past a threshold. */
export function bounded({ n, d }: Fraction): Fraction | undefined {
	if (d <= longestDenominator) return { n, d };
	const least = reduced({ n, d });
	return least.d <= longestDenominator ? least : undefined;
}

function reduced({ n, d }: Fraction): Fraction {
	const divisor = greatestDivisor(n, d);
	return { n: n / divisor, d: d / divisor };
}

function greatestDivisor(a: bigint, b: bigint): bigint {
	let [left, right] = [a, b];
	while (right > 0n) [left, right] = [right, left % right];
	return left;
}

/** As a percentage in decimal text, rounded half up to `places`, without needless zeros: `33.333333333333`. */
export function percentText({ n, d }: Fraction, places = 12): string {
	const scale = 10n ** BigInt(places);
	const scaled = (n * 100n * scale * 2n + d) / (d * 2n);
	const digits = scaled.toString().padStart(places + 1, "0");
	const whole = digits.slice(0, digits.length - places);
	const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
	return fraction === "" ? whole : `${whole}.${fraction}`;
}
