/** Words about a node of an ownership, the same in the tree, in the picture and in the table. */
import { type Fraction, fractionOf, plus, zero } from "./fraction.js";
import type { OwnershipNode } from "./ownership.js";

export function rolesOf({ isAccountOwner, isDirector, isUbo, isOwner, kind }: OwnershipNode): string[] {
	return [
		isAccountOwner && "account owner",
		isDirector && "director",
		isUbo && "UBO",
		isOwner && !isUbo && "UBO not marked",
		kind === "company" && "company",
		kind === "undeclared" && "not declared",
	].filter((role) => role !== false);
}

/** A few places, cut, not rounded: a share below a threshold must not read as if it reached it. */
export function shortPercentage(percentage: string, more: string, places = 4): string {
	const [whole, fraction] = percentage.split(".");
	return fraction === undefined || fraction.length <= places ? percentage : `${whole}.${fraction.slice(0, places)}${more}`;
}

/** The exact sum of percentages; undefined where one of them is none. */
export function sumOf(percentages: readonly string[]): Fraction | undefined {
	let sum = zero;
	for (const percentage of percentages) {
		const share = fractionOf(percentage);
		if (share === undefined) return undefined;
		sum = plus(sum, share);
	}
	return sum;
}

/** What a text counts, with its noun: `1 holding`, `2 holdings`. */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
