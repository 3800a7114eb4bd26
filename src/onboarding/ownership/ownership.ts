/**
 * The ownership of a company: direct and effective shares, and warnings. Pure.
 */
import { compare, type Fraction, fractionOf, one, percentText, plus, reaches, remainder, times, zero } from "./fraction.js";
import { type Edge, type Graph, graphOf, type Holding, type Party } from "./graph.js";

export type { Holding, Party } from "./graph.js";

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
	/** Shares of the corporate through every layer; undefined where they lead through a circle. */
	effectiveSharesPercentage?: string;
	/** A person whose effective shares reach the threshold. */
	isOwner: boolean;
}

export interface Ownership {
	corporateId: string;
	/** Percentage from which a person counts as a beneficial owner. */
	threshold: string;
	nodes: OwnershipNode[];
	/** Percentages as given. */
	edges: { owner: string; owned: string; percentage: string }[];
	warnings: OwnershipWarning[];
}

/**
 * Computes the ownership of a corporate.
 * @param threshold percentage, decimal text; see the setting `ubo-threshold`
 */
export function ownershipOf(
	corporate: { id: string; name: string },
	parties: readonly Party[],
	holdings: readonly Holding[],
	threshold = "25",
): Ownership {
	const graph = graphOf(corporate, parties, holdings);
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
		warnings: ownershipWarnings(graph, least),
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
		isOwner: !party.isCompany && effective !== undefined && compare(effective, zero) > 0 && reaches(effective, threshold),
	};
}

/** The roles of somebody, the same in the tree, in the picture and in the table. */
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

/** Codes are stable; the text is not. */
export interface OwnershipWarning {
	code:
		| "SHARES_OVER_100"
		| "CYCLE"
		| "EFFECTIVE_UNKNOWN"
		| "UBO_NOT_MARKED"
		| "OWNER_NOT_DECLARED"
		| "COMPANY_NOT_DECLARED"
		| "SHARES_UNUSABLE"
		| "NO_DIRECTOR"
		| "NO_ACCOUNT_OWNER"
		| "NO_FULL_KYC";
	message: string;
	/** Ids of the parties concerned. */
	parties: string[];
}

/** Maximum number of warnings of one kind; the rest is counted. */
const maxOfKind = 50;

/** Every warning, the most serious kind first. Percentages are rounded to 4 places. */
function ownershipWarnings(graph: Graph, threshold: Fraction): OwnershipWarning[] {
	return [overHundred, circles, unusable, unknown, notMarked, behindNobody, behindCircles, notDeclared, people].flatMap((rule) =>
		few(rule(graph, threshold)),
	);
}

function few(warnings: OwnershipWarning[]): OwnershipWarning[] {
	const rest = warnings.slice(maxOfKind);
	const [first] = rest;
	if (first === undefined) return warnings;
	return [
		...warnings.slice(0, maxOfKind),
		{ code: first.code, message: `${rest.length} more of this kind`, parties: rest.flatMap(({ parties }) => parties) },
	];
}

const percent = (share: Fraction): string => `${percentText(share, 4)} %`;

const namesOf = (parties: readonly Party[]): string[] => [
	...parties.slice(0, parties.length > 8 ? 7 : 8).map(({ name }) => name),
	...(parties.length > 8 ? [`${parties.length - 7} more`] : []),
];

/** The parties that match, with their numbers. */
function where(graph: Graph, holds: (party: Party, number: number) => boolean): [Party, number][] {
	return graph.parties.flatMap((party, number): [Party, number][] => (holds(party, number) ? [[party, number]] : []));
}

function overHundred(graph: Graph): OwnershipWarning[] {
	return where(graph, (_, number) => compare(graph.held[number] as Fraction, one) > 0).map(([{ id, name }, number]) => ({
		code: "SHARES_OVER_100",
		message: `${percent(graph.held[number] as Fraction)} of ${name} are declared as held directly: more than all of it`,
		parties: [id],
	}));
}

function circles(graph: Graph): OwnershipWarning[] {
	return graph.circles.map((circle) => {
		const parties = circle.map((number) => graph.parties[number] as Party);
		const names = namesOf(parties);
		return {
			code: "CYCLE",
			message:
				parties.length === 1
					? `${names[0]} owns shares of itself`
					: `Companies own each other in a circle: ${names.join(", ").replace(/\.$/, "")}. Check that each of these holdings is meant`,
			parties: parties.map(({ id }) => id),
		};
	});
}

function unusable(graph: Graph): OwnershipWarning[] {
	const names = new Map(graph.parties.map(({ id, name }) => [id, name]));
	const reasons = {
		percentage: "that is no percentage from 0 to 100",
		person: "a person cannot be owned",
		owner: "the owner is not declared",
	};
	return graph.unusable.map(({ holding: { owner, owned, percentage }, why }) => ({
		code: "SHARES_UNUSABLE",
		message: `Shares of ${names.get(owner) ?? owner} in ${names.get(owned) ?? owned} (${percentage.slice(0, 40)}) are not counted: ${reasons[why]}`,
		parties: [owner, owned].filter((id) => names.has(id)),
	}));
}

function unknown(graph: Graph): OwnershipWarning[] {
	return where(graph, (party, number) => graph.effective[number] === undefined && !party.isCompany).map(([{ id, name }]) => ({
		code: "EFFECTIVE_UNKNOWN",
		message: `The effective shares of ${name} cannot be computed: companies own each other in a circle. Treat this person as a beneficial owner until it is corrected`,
		parties: [id],
	}));
}

function notMarked(graph: Graph, threshold: Fraction): OwnershipWarning[] {
	return where(graph, (party, number) => {
		const share = graph.effective[number];
		return !party.isCompany && party.isUbo !== true && share !== undefined && compare(share, zero) > 0 && reaches(share, threshold);
	}).map(([{ id, name }, number]) => ({
		code: "UBO_NOT_MARKED",
		message: `${name} holds an effective ${percent(graph.effective[number] as Fraction)} and is not marked as a beneficial owner (UBO)`,
		parties: [id],
	}));
}

/** Undeclared shares may hide an owner as soon as together they reach the threshold. */
function behindNobody(graph: Graph, threshold: Fraction): OwnershipWarning[] {
	return where(graph, (party) => party.isCompany).flatMap(([{ id, name }, number]): OwnershipWarning[] => {
		const own = graph.effective[number];
		const left = remainder(graph.held[number] as Fraction);
		if (own === undefined || left.n === 0n) return [];
		const hidden = times(left, number === 0 ? one : own);
		if (hidden.n === 0n || !reaches(hidden, threshold)) return [];
		const ofCorporate = number === 0 ? "" : ` (${percent(hidden)} of the company)`;
		return [
			{
				code: "OWNER_NOT_DECLARED",
				message: `Who holds ${left.n === left.d ? "the shares" : percent(left)} of ${name}${ofCorporate} is not declared: there may be a beneficial owner among them`,
				parties: [id],
			},
		];
	});
}

/** Companies that only own each other have no owner: whoever is behind them is as unknown as the holder of undeclared shares. */
function behindCircles(graph: Graph, threshold: Fraction): OwnershipWarning[] {
	const ownerless = heldByNobody(graph);
	if (ownerless.size === 0) return [];
	const held = graph.edges.filter(({ owner, owned }) => ownerless.has(owner) && !ownerless.has(owned));
	// Where a share cannot be computed, it may be all of it.
	const share = ({ owned, share }: Edge): Fraction => times(share, owned === 0 ? one : (graph.effective[owned] ?? one));
	const hidden = ownerless.has(0) ? one : held.map(share).reduce(plus, zero);
	if (hidden.n === 0n || !reaches(hidden, threshold)) return [];
	const companies = [...ownerless].map((number) => graph.parties[number] as Party);
	return [
		{
			code: "OWNER_NOT_DECLARED",
			message: `No person holds shares of ${namesOf(companies).join(", ")}, directly or through other companies. Who is behind ${percent(hidden)} of ${graph.parties[0]?.name} is not declared: there may be a beneficial owner among them`,
			parties: companies.map(({ id }) => id),
		},
	];
}

/** The companies whose shares are all declared and lead to no person: circles, and what only circles hold. */
function heldByNobody(graph: Graph): Set<number> {
	const owned: number[][] = graph.parties.map(() => []);
	for (const edge of graph.edges) owned[edge.owner]?.push(edge.owned);
	const isSource = (party: Party, number: number): boolean => !party.isCompany || remainder(graph.held[number] as Fraction).n > 0n;
	const somebody = new Set(where(graph, isSource).map(([, number]) => number));
	for (const number of somebody) for (const below of owned[number] ?? []) somebody.add(below);
	return new Set(where(graph, (_, number) => !somebody.has(number)).map(([, number]) => number));
}

function notDeclared(graph: Graph): OwnershipWarning[] {
	return graph.parties.slice(graph.undeclared).map(({ id, name }, at) => {
		const owner = graph.edges.find(({ owned }) => owned === graph.undeclared + at)?.owner ?? 0;
		return {
			code: "COMPANY_NOT_DECLARED",
			message: `${graph.parties[owner]?.name} holds shares of ${name}, which is not among the related companies`,
			parties: [id],
		};
	});
}

function people(graph: Graph): OwnershipWarning[] {
	const persons = graph.parties.filter((party) => !party.isCompany);
	const directors = persons.filter((party) => party.isDirector);
	// A company can be a director; only a person can do a KYC.
	const isDirected = graph.parties.some((party) => party.isDirector);
	const warnings: OwnershipWarning[] = [];
	if (!persons.some((party) => party.isAccountOwner))
		warnings.push({ code: "NO_ACCOUNT_OWNER", message: "Nobody is the account owner", parties: [] });
	if (!isDirected) warnings.push({ code: "NO_DIRECTOR", message: "No director is declared, and every director has to be", parties: [] });
	// Without the kind of KYC there is nothing to warn about.
	else if (directors.every((party) => party.kycType !== undefined && party.kycType !== "FULL_KYC"))
		warnings.push({
			code: "NO_FULL_KYC",
			message: "No director is planned for the full KYC with liveness, and at least one has to do it",
			parties: directors.map(({ id }) => id),
		});
	return warnings;
}
