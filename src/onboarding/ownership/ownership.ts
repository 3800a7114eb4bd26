/**
 * The ownership of a company: direct and effective shares, warnings, and the words about each in tree, picture and table. Pure.
 */
import { compare, type Fraction, fractionOf, isExact, percentText, plus, reaches, zero } from "./fraction.js";
import { type Graph, graphOf, type Holding, type Party } from "./graph.js";
import { equalHoldings, type OwnershipWarning, ownershipWarnings } from "./warnings.js";

export type { Holding, Party } from "./graph.js";
export type { OwnershipWarning } from "./warnings.js";

/** A person or a company of the ownership. Percentages are decimal text of at most 12 places. */
export interface OwnershipNode {
	id: string;
	name: string;
	kind: "corporate" | "person" | "company" | "undeclared";
	isDirector: boolean;
	isAccountOwner: boolean;
	/** As the service or the file has it. */
	isUbo: boolean;
	/** Shares held of the corporate itself. */
	directSharesPercentage: string;
	/** Shares of the corporate through every layer; undefined where a circle has no finite answer. */
	effectiveSharesPercentage?: string;
	/** Whether the effective percentage is exact, not rounded. */
	exact: boolean;
	/** A person whose effective shares reach the threshold. */
	isOwner: boolean;
}

export interface OwnershipEdge {
	owner: string;
	owned: string;
	/** As given. */
	percentage: string;
}

export interface Ownership {
	corporateId: string;
	/** Percentage from which a person counts as a beneficial owner. */
	threshold: string;
	nodes: OwnershipNode[];
	edges: OwnershipEdge[];
	warnings: OwnershipWarning[];
}

/**
 * Computes the ownership of a corporate. Equal holdings in one record count once; who must be identified only where they count as several is
 * warned of.
 * @param threshold percentage, decimal text; see the setting `ubo-threshold`
 */
export function ownershipOf(
	corporate: { id: string; name: string },
	parties: readonly Party[],
	holdings: readonly Holding[],
	threshold = "25",
): Ownership {
	const once = holdings.filter(({ again }) => again !== true);
	const graph = graphOf(corporate, parties, once);
	const several = once.length === holdings.length ? undefined : graphOf(corporate, parties, holdings);
	const least = fractionOf(threshold) ?? (fractionOf("25") as Fraction);
	return {
		corporateId: corporate.id,
		threshold,
		nodes: graph.parties.map((party, number) => nodeOf(graph, party, number, least)),
		edges: graph.edges.map(({ owner, owned, percentage }) => ({
			owner: (graph.parties[owner] as Party).id,
			owned: (graph.parties[owned] as Party).id,
			percentage,
		})),
		warnings: [...(several === undefined ? [] : equalHoldings(graph, several, least)), ...ownershipWarnings(graph, least)],
	};
}

function nodeOf(graph: Graph, party: Party, number: number, threshold: Fraction): OwnershipNode {
	const effective = graph.effective[number];
	return {
		id: party.id,
		name: party.name,
		kind: number === 0 ? "corporate" : number >= graph.undeclared ? "undeclared" : party.isCompany ? "company" : "person",
		isDirector: party.isDirector === true,
		isAccountOwner: party.isAccountOwner === true,
		isUbo: party.isUbo === true,
		directSharesPercentage: percentText(graph.direct[number] ?? zero),
		effectiveSharesPercentage: effective && percentText(effective),
		exact: effective !== undefined && isExact(effective),
		isOwner: !party.isCompany && effective !== undefined && compare(effective, zero) > 0 && reaches(effective, threshold),
	};
}

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
