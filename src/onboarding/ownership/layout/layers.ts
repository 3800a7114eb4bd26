/**
 * The rows of a picture of owners: what is owned stands above its owners. Circles are opened where they lead back. Pure, without recursion.
 */

/** One holds shares of the other; numbers of nodes. */
export interface Link {
	owner: number;
	owned: number;
}

export interface Rows {
	/** For each node its row, 0 on top. */
	row: number[];
	/** For each link whether it leads back down: its owner stands above what it owns. */
	back: boolean[];
	/** The order in which the nodes were met, from the first one down. */
	met: number[];
	/** Number of rows. */
	count: number;
}

/** Boxes of a row: more go to a further row. */
const fewestInRow = 6;

/**
 * @param count number of nodes; the first is the company that it is all about
 * @param links none of a node to itself
 */
export function rowsOf(count: number, links: readonly Link[]): Rows {
	const owners = linksBy(count, links, ({ owned }) => owned);
	const { back, met, finished } = walk(count, links, owners);
	const layer = layersOf(count, links, back, finished);
	settle(layer, links, owners, back, finished);
	return { ...split(layer, met, owners), back, met };
}

/** For each node the numbers of its links. */
function linksBy(count: number, links: readonly Link[], end: (link: Link) => number): number[][] {
	const found: number[][] = Array.from({ length: count }, () => []);
	for (const [at, link] of links.entries()) found[end(link)]?.push(at);
	return found;
}

interface Walked {
	back: boolean[];
	met: number[];
	/** The nodes, each after every owner of it but for links that lead back. */
	finished: number[];
}

/** Depth first from the company to its owners; then from those that own nothing, then from the rest. */
function walk(count: number, links: readonly Link[], owners: readonly number[][]): Walked {
	const ownsSomething = new Set(links.map(({ owner }) => owner));
	const starts = [...Array(count).keys()].sort((one, other) => rank(one) - rank(other) || one - other);
	function rank(node: number): number {
		return node === 0 ? 0 : ownsSomething.has(node) ? 2 : 1;
	}
	const walked: Walked = { back: links.map(() => false), met: Array(count).fill(-1), finished: [] };
	const open = new Set<number>();
	let number = 0;
	for (const start of starts) {
		if (walked.met[start] !== -1) continue;
		const path: { node: number; next: number }[] = [];
		const enter = (node: number): void => {
			walked.met[node] = number++;
			open.add(node);
			path.push({ node, next: 0 });
		};
		enter(start);
		for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
			const at = owners[step.node]?.[step.next++];
			if (at === undefined) {
				walked.finished.push(step.node);
				open.delete(step.node);
				path.pop();
				continue;
			}
			const { owner } = links[at] as Link;
			if (open.has(owner)) walked.back[at] = true;
			else if (walked.met[owner] === -1) enter(owner);
		}
	}
	return walked;
}

/** Each node stands below all that it owns, by the longest way. */
function layersOf(count: number, links: readonly Link[], back: readonly boolean[], finished: readonly number[]): number[] {
	const owned = linksBy(count, links, ({ owner }) => owner);
	const layer: number[] = Array(count).fill(0);
	for (const node of [...finished].reverse())
		for (const at of owned[node] ?? [])
			if (!back[at]) layer[node] = Math.max(layer[node] as number, (layer[(links[at] as Link).owned] as number) + 1);
	return layer;
}

/** What does not lead to the company goes as far down as its owners let it: close to them. */
function settle(
	layer: number[],
	links: readonly Link[],
	owners: readonly number[][],
	back: readonly boolean[],
	finished: readonly number[],
): void {
	const leading = new Set([0]);
	for (const node of leading) for (const at of owners[node] ?? []) leading.add((links[at] as Link).owner);
	for (const node of finished) {
		if (leading.has(node)) continue;
		let lowest = Number.POSITIVE_INFINITY;
		for (const at of owners[node] ?? []) if (!back[at]) lowest = Math.min(lowest, (layer[(links[at] as Link).owner] as number) - 1);
		if (Number.isFinite(lowest)) layer[node] = Math.max(layer[node] as number, lowest);
	}
}

/**
 * A layer with many boxes becomes several rows. The owners of one company stand in all of them, below each other: in a row of their own, far
 * to the side, the next company's would begin.
 */
function split(layer: readonly number[], met: readonly number[], owners: readonly number[][]): { row: number[]; count: number } {
	const most = Math.max(fewestInRow, Math.ceil(Math.sqrt(layer.length)));
	const members = new Map<number, number[]>();
	for (const [node, of] of layer.entries()) members.set(of, [...(members.get(of) ?? []), node]);
	const row: number[] = Array(layer.length).fill(0);
	const hasOwners = (node: number): boolean => (owners[node]?.length ?? 0) > 0;
	let count = 0;
	for (const of of [...members.keys()].sort((one, other) => one - other)) {
		const nodes = members.get(of) ?? [];
		nodes.sort((one, other) => (met[one] as number) - (met[other] as number));
		const parts = Math.ceil(nodes.length / most);
		for (let at = 0; at < nodes.length; at += parts) {
			// Those with owners of their own come last, next to them.
			const column = nodes.slice(at, at + parts).sort((one, other) => Number(hasOwners(one)) - Number(hasOwners(other)));
			for (const [part, node] of column.entries()) row[node] = count + part;
		}
		count += parts;
	}
	return { row, count };
}
