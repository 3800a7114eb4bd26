/** An ownership as a page: the picture, what to look at, and the same as a table. Pure. */

import type { Block, Cell, Page, Picture } from "../../ports/page.js";
import type { Party } from "./graph.js";
import { type Ownership, type OwnershipNode, rolesOf } from "./ownership.js";

/** Most warnings, and most rows of the table. */
const [mostWarnings, mostRows] = [30, 200];

/** Persons by number instead of name, in the order in which the service lists them; companies keep their names. */
export function numbered(parties: readonly Party[]): Party[] {
	let persons = 0;
	return parties.map((party) => {
		if (party.isCompany) return party;
		persons += 1;
		return { ...party, name: `Person ${persons}` };
	});
}

/** What the picture says of the names in it. */
export const namesNote = (masked: boolean): string =>
	masked ? "Personal data is masked: people are numbered" : "This picture names people: keep it private";

/** @param picture of the ownership's diagram */
export function ownershipPage(ownership: Ownership, picture: Picture, about: Pick<Page, "madeBy" | "of"> & { masked: boolean }): Page {
	const { masked, madeBy, of } = about;
	return {
		title: picture.title,
		lead: masked ? "Persons are numbered in the order in which the service lists them." : undefined,
		personalData: masked ? "masked" : "shown",
		madeBy,
		of,
		sections: [{ title: "Who owns what", blocks: ownershipBlocks(ownership, picture, "purser related tree --json") }],
	};
}

/** Warnings, the picture, and the table: each holding, then everyone without one. @param where all rows of the table are */
export function ownershipBlocks({ nodes, edges, threshold, warnings }: Ownership, picture: Picture | undefined, where: string): Block[] {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const holding = new Set(edges.map(({ owner }) => owner));
	const apart = nodes.filter(({ id, kind }) => !holding.has(id) && kind !== "corporate" && kind !== "undeclared");
	const rowOf = (owner: OwnershipNode | undefined, owned: string, share: string): Cell[] => [
		owner?.name,
		owned,
		share,
		effectiveOf(owner),
		owner && rolesOf(owner).join(", "),
	];
	const rows = [
		...edges
			.slice(0, mostRows)
			.map(({ owner, owned, percentage }) => rowOf(byId.get(owner), byId.get(owned)?.name ?? owned, `${percentage} %`)),
		...apart.slice(0, Math.max(0, mostRows - edges.length)).map((node) => rowOf(node, "no shares", "")),
	];
	return [
		...warnings.slice(0, mostWarnings).map(({ message }): Block => ({ kind: "notice", tone: "warn", text: message })),
		...(picture === undefined ? [] : [{ kind: "picture", picture } as const]),
		{
			kind: "table",
			caption: `Holdings; whoever holds ${threshold} % or more through all layers counts as an owner (UBO)`,
			columns: ["Owner", "Holds shares of", "Share", "Effective share", "Roles"].map((name) => ({ name, right: /share$/i.test(name) })),
			rows,
			empty: "Nobody is declared.",
			of: edges.length + apart.length,
			where,
		},
	];
}

const effectiveOf = (owner: OwnershipNode | undefined): string =>
	owner?.kind === "corporate" ? "" : owner?.effectiveSharesPercentage === undefined ? "unknown" : `${owner.effectiveSharesPercentage} %`;
