/** An ownership as a table, beside its picture for those who cannot see that. Pure. */
import type { Block, Cell } from "../../ports/page.js";
import { oneLine } from "./layout/measure.js";
import type { Ownership, OwnershipNode } from "./ownership.js";
import { counted, rolesOf } from "./words.js";

/** Most characters of a name: a page has an end. */
const mostOfName = 120;

/** Each holding; then everyone without one. @param most rows */
export function ownershipTable({ nodes, edges, threshold }: Ownership, most = 200): Extract<Block, { kind: "table" }> {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const holding = new Set(edges.map(({ owner }) => owner));
	const apart = nodes.filter(({ id, kind }) => !holding.has(id) && kind !== "corporate" && kind !== "undeclared");
	const rowOf = (owner: OwnershipNode | undefined, owned: string, share: string): Cell[] => [
		oneLine(owner?.name ?? "", mostOfName),
		oneLine(owned, mostOfName),
		share,
		effectiveOf(owner),
		owner === undefined ? "" : rolesOf(owner).join(", "),
	];
	const rows = [
		...edges
			.slice(0, most)
			.map(({ owner, owned, percentage }) => rowOf(byId.get(owner), byId.get(owned)?.name ?? owned, `${percentage} %`)),
		...apart.slice(0, Math.max(0, most - edges.length)).map((node) => rowOf(node, "no shares", "")),
	];
	const all = edges.length + apart.length;
	return {
		kind: "table",
		caption: `Holdings; whoever holds ${threshold} % or more through all layers counts as an owner (UBO)`,
		columns: [
			{ name: "Owner" },
			{ name: "Holds shares of" },
			{ name: "Share", right: true },
			{ name: "Effective share", right: true },
			{ name: "Roles" },
		],
		rows,
		empty: "Nobody is declared.",
		...(all > rows.length
			? { more: `The first ${rows.length} of ${counted(all, "row", "rows")}; related tree --json has all of them.` }
			: {}),
	};
}

const effectiveOf = (owner: OwnershipNode | undefined): string =>
	owner?.kind === "corporate" ? "" : owner?.effectiveSharesPercentage === undefined ? "unknown" : `${owner.effectiveSharesPercentage} %`;
