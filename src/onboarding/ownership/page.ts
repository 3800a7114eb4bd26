/**
 * An ownership as a page: the picture, what to look at, and the same as a table. Pure.
 */
import type { Block, Box, Cell, Diagram, Line, Page, Picture } from "../../ports/page.js";
import { fractionOf, percentText, reaches } from "./fraction.js";
import { type Ownership, type OwnershipNode, rolesOf, shortPercentage } from "./ownership.js";

/** Most warnings, and most rows of the table. */
const [mostWarnings, mostRows] = [30, 200];

/** What a text counts, with its noun: `1 holding`, `2 holdings`. */
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

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

/** More can neither be read nor be placed in a moment. */
const most = { boxes: 100, lines: 150 };
/** Most characters of a name in a sentence. */
const mostOfName = 100;

/**
 * An ownership as boxes and lines: the company, the holders of each company beside it, the percentages on the lines between. Of a large one
 * it has what is nearest to the company, and says how much is missing.
 * @param notes what the picture says above the boxes
 */
export function ownershipDiagram(ownership: Ownership, notes: readonly string[] = []): Diagram {
	const { nodes, edges, threshold, warnings } = ownership;
	const shown = nearest(ownership);
	const numbers = new Map(shown.map(({ id }, at) => [id, at]));
	const held = edges.flatMap(({ owner, owned, percentage }): Held[] => {
		const [from, to] = [numbers.get(owner), numbers.get(owned)];
		return from === undefined || to === undefined ? [] : [{ from, to, percentage }];
	});
	const own = new Map(held.filter(({ from, to }) => from === to).map(({ from, percentage }) => [from, percentage]));
	const between = held.filter(({ from, to }) => from !== to).slice(0, most.lines);
	const circles = warnings.filter(({ code }) => code === "CYCLE").map(({ parties }) => shown.map(({ id }) => parties.includes(id)));
	const boxes = shown.map((node, at) => boxOf(node, threshold, own.get(at)));
	const lines = between.map((one) =>
		lineOf(
			one,
			shown,
			threshold,
			circles.some((isIn) => isIn[one.from] && isIn[one.to]),
		),
	);
	const linked = new Set(edges.flatMap(({ owner, owned }) => [owner, owned]));
	const without = nodes.filter(({ id, kind }) => kind !== "corporate" && !linked.has(id)).length;
	const missing = nodes.length - without - shown.length;
	const undrawn = edges.length - lines.length - own.size;
	const left = [
		...(missing === 0 ? [] : [counted(missing, "person or company", "people and companies")]),
		...(undrawn === 0 ? [] : [counted(undrawn, "holding", "holdings")]),
	];
	const remarks = [
		...notes,
		...(left.length === 0 ? [] : [`Not drawn, for want of room: ${left.join(" and ")}`]),
		...(without === 0 ? [] : [`Without shares, not drawn: ${counted(without, "person or company", "people and companies")}`]),
	];
	const name = cutName(nodes[0]?.name ?? ownership.corporateId);
	return {
		title: `Ownership of ${name}`,
		description: [`${name} stands at the left, its owners at the right`, ...remarks].join(". "),
		notes: remarks,
		legend: legendOf(boxes, lines, threshold),
		boxes,
		lines,
	};
}

/** A holding by the numbers of its nodes. */
interface Held {
	from: number;
	to: number;
	percentage: string;
}

/** The company, its owners layer by layer, then others that hold or are held. */
function nearest({ corporateId, nodes, edges }: Ownership): OwnershipNode[] {
	const owners = new Map<string, string[]>();
	for (const { owner, owned } of edges) owners.set(owned, [...(owners.get(owned) ?? []).slice(0, most.boxes), owner]);
	const inOrder = new Set([corporateId]);
	for (const id of inOrder) for (const owner of owners.get(id) ?? []) inOrder.add(owner);
	for (const { owner, owned } of edges) inOrder.add(owned).add(owner);
	const byId = new Map(nodes.map((node) => [node.id, node]));
	return [...inOrder].flatMap((id) => byId.get(id) ?? []).slice(0, most.boxes);
}

function boxOf(node: OwnershipNode, threshold: string, ofItself: string | undefined): Box {
	const { name, kind, isOwner, effectiveSharesPercentage: effective } = node;
	const written = (percentage: string | undefined): string | false =>
		kind !== "corporate" && effective !== "0" && (percentage === undefined ? "effective share unknown" : `${percentage} % effective`);
	const more = [
		isOwner && `at or above ${threshold} %`,
		ofItself !== undefined && `holds ${ofItself} % of itself`,
		...(kind === "corporate" ? ["this company"] : rolesOf(node)),
	];
	const said = (parts: readonly (string | false)[]): string[] => parts.filter((part) => part !== false);
	return {
		name,
		details: said([written(effective && shortPercentage(effective, "\u2026")), ...more]),
		whole: said([name, written(effective), ...more]).join(" · "),
		kind,
		heavy: isOwner,
	};
}

function lineOf({ from, to, percentage }: Held, nodes: readonly OwnershipNode[], threshold: string, dashed: boolean): Line {
	const [share, least] = [fractionOf(percentage), fractionOf(threshold)];
	const heavy = share !== undefined && least !== undefined && reaches(share, least);
	const text = share === undefined ? percentage : percentText(share);
	const remarks = [heavy && `at or above ${threshold} %`, dashed && "part of a circle"].filter(Boolean);
	const named = (at: number): string => cutName(nodes[at]?.name ?? "");
	return {
		from,
		to,
		label: `${shortPercentage(text, "\u2026", 2)} %`,
		whole: [`${named(from)} holds ${text} % of ${named(to)}`, ...remarks].join(", "),
		dashed,
		heavy,
	};
}

function legendOf(boxes: readonly Box[], lines: readonly Line[], threshold: string): string[] {
	const signs = [
		boxes.some(({ kind }) => kind === "person") && "Round frame: a person",
		boxes.some(({ heavy }) => heavy) && `Thick frame: holds ${threshold} % or more through all layers (UBO)`,
		lines.length > 0 && "An arrow leads from the owner to what it owns",
		lines.some(({ heavy }) => heavy) && `Thick line: holds ${threshold} % or more directly`,
		lines.some(({ dashed }) => dashed) && "Dashed line: part of a circle",
	];
	return signs.filter((sign) => sign !== false);
}

const cutName = (name: string): string => (name.length > mostOfName ? `${name.slice(0, mostOfName)}\u2026` : name);
