/** What of an ownership goes into a picture: all of it, or what is nearest to the company. Pure. */
import type { Link } from "./layout/layers.js";
import type { Ownership, OwnershipNode } from "./ownership.js";

/** All holdings of one in the other. */
export interface Holdings extends Link {
	/** As given. */
	percentages: string[];
}

export interface Choice {
	/** Numbered by their place: the company first, then those with shares, then those without. */
	nodes: OwnershipNode[];
	/** How many of the nodes hold shares or are held; the company is always one of them. */
	linked: number;
	/** Between different nodes. */
	links: Holdings[];
	/** Shares that companies hold of themselves. */
	loops: Holdings[];
	/** Of how many it was chosen. */
	all: { nodes: number; holdings: number };
}

/** What a picture has at most. */
const mostShown = { nodes: 300, links: 600 };

/** The company, its owners layer by layer, then other holders, then those without shares. */
export function chosen({ corporateId, nodes, edges }: Ownership, most = mostShown): Choice {
	const owners = new Map<string, string[]>();
	const linked = new Set<string>();
	for (const { owner, owned } of edges) {
		linked.add(owner).add(owned);
		const known = owners.get(owned);
		if (known === undefined) owners.set(owned, [owner]);
		else known.push(owner);
	}
	const inOrder = new Set([corporateId]);
	for (const id of inOrder) for (const owner of owners.get(id) ?? []) inOrder.add(owner);
	for (const { id } of nodes) if (linked.has(id)) inOrder.add(id);
	linked.add(corporateId);
	for (const { id } of nodes) inOrder.add(id);
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const taken = [...inOrder].flatMap((id) => byId.get(id) ?? []).slice(0, Math.max(1, Math.min(most.nodes, mostShown.nodes)));
	const numbers = new Map(taken.map(({ id }, number) => [id, number]));
	const all = [...gathered(edges, numbers).values()];
	return {
		nodes: taken,
		linked: taken.filter(({ id }) => linked.has(id)).length,
		links: all.filter(({ owner, owned }) => owner !== owned).slice(0, most.links),
		loops: all.filter(({ owner, owned }) => owner === owned),
		all: { nodes: nodes.length, holdings: edges.length },
	};
}

/** One for each pair of nodes, in the order of the edges. */
function gathered(edges: Ownership["edges"], numbers: ReadonlyMap<string, number>): Map<string, Holdings> {
	const found = new Map<string, Holdings>();
	for (const { owner, owned, percentage } of edges) {
		const [from, to] = [numbers.get(owner), numbers.get(owned)];
		if (from === undefined || to === undefined) continue;
		const known = found.get(`${from} ${to}`);
		if (known === undefined) found.set(`${from} ${to}`, { owner: from, owned: to, percentages: [percentage] });
		else known.percentages.push(percentage);
	}
	return found;
}
