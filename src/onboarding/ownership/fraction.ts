/**
 * Shares as exact fractions of integers: no double ever holds a percentage. Decimal text in, decimal text out; rounding is for display only.
 */

/** `n / d` of a whole, `d` above zero. Not reduced: on an ownership without cycles every `d` is a power of ten. */
export interface Fraction {
	n: bigint;
	d: bigint;
	/** True once something was rounded on the way. */
	rounded: boolean;
}

/** Largest denominator before the value is rounded: real ownership never reaches it, a hostile file does. */
export const longestDenominator = 10n ** 400n;
/** Denominator of a value that was rounded: 120 places. */
export const roundedScale = 10n ** 120n;

export const zero: Fraction = { n: 0n, d: 1n, rounded: false };
export const one: Fraction = { n: 1n, d: 1n, rounded: false };

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
	const share: Fraction =
		exponent >= 0
			? { n: digits * 10n ** BigInt(exponent), d: 1n, rounded: false }
			: { n: digits, d: 10n ** BigInt(-exponent), rounded: false };
	return share.n <= share.d ? share : undefined;
}

/** The sum; rounded where one of them was, or where it had to be. */
export function plus(a: Fraction, b: Fraction): Fraction {
	const rounded = a.rounded || b.rounded;
	if (a.d === b.d) return { n: a.n + b.n, d: a.d, rounded };
	if (a.d > b.d && a.d % b.d === 0n) return { n: a.n + b.n * (a.d / b.d), d: a.d, rounded };
	if (b.d > a.d && b.d % a.d === 0n) return { n: a.n * (b.d / a.d) + b.n, d: b.d, rounded };
	return bounded(a.n * b.d + b.n * a.d, a.d * b.d, rounded);
}

/** The product; rounded where one of them was, or where it had to be. */
export function times(a: Fraction, b: Fraction): Fraction {
	return bounded(a.n * b.n, a.d * b.d, a.rounded || b.rounded);
}

/** The rest of a whole; never below zero. */
export function remainder(a: Fraction): Fraction {
	return a.n >= a.d ? zero : { n: a.d - a.n, d: a.d, rounded: a.rounded };
}

/** Negative, zero or positive as `a` is below, equal to or above `b`. */
export function compare(a: Fraction, b: Fraction): number {
	const left = a.n * b.d;
	const right = b.n * a.d;
	return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Whether a share reaches a threshold. A rounded share reaches it from a millionth of a percent below: a false warning does no harm, a
 * missed owner does.
 */
export function reaches(share: Fraction, threshold: Fraction): boolean {
	const margin: Fraction = { n: 1n, d: 100_000_000n, rounded: false };
	return compare(share.rounded ? plus(share, margin) : share, threshold) >= 0;
}

/** The same value with a bounded denominator. */
function bounded(n: bigint, d: bigint, rounded: boolean): Fraction {
	if (d <= longestDenominator) return { n, d, rounded };
	return { n: (n * roundedScale + d / 2n) / d, d: roundedScale, rounded: true };
}

/** The fraction in lowest terms. */
export function reduced({ n, d, rounded }: Fraction): Fraction {
	const divisor = greatestDivisor(n < 0n ? -n : n, d);
	return divisor > 1n ? { n: n / divisor, d: d / divisor, rounded } : { n, d, rounded };
}

export function greatestDivisor(a: bigint, b: bigint): bigint {
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

/** Whether {@link percentText} with these places says the value exactly. */
export function isExact({ n, d, rounded }: Fraction, places = 12): boolean {
	return !rounded && (n * 100n * 10n ** BigInt(places)) % d === 0n;
}
