/** What stands in the boxes of a picture, and on its lines. Pure. */
import type { Box, Line } from "../../ports/page.js";
import type { Holdings } from "./choice.js";
import { fractionOf, percentText, reaches } from "./fraction.js";
import { inLines, inTwoLines, oneLine, widthOf } from "./layout/measure.js";
import type { OwnershipNode } from "./ownership.js";
import { rolesOf, shortPercentage, sumOf } from "./words.js";

export const boxWidth = 192;
const inner = boxWidth - 20;
const padding = 9;

const name = { size: 13, bold: true, height: 17 } as const;
const detail = { size: 11, quiet: true, height: 15 } as const;

/** Most characters of a name where all of it is said, in a box and on a line. */
const mostOfName = 120;
const mostOnLine = 32;

/** The texts of a box, not placed yet. */
export interface Content {
	names: string[];
	details: string[];
	height: number;
	whole: string;
	kind: Box["kind"];
	heavy: boolean;
}

export function contentOf(node: OwnershipNode, threshold: string): Content {
	const effective = effectiveText(node);
	const least = node.isOwner ? `at or above ${threshold} %` : undefined;
	const roles = node.kind === "corporate" ? ["this company"] : rolesOf(node);
	const names = inTwoLines(node.name, inner, name.size, name.bold);
	const short = effective(shortPercentage);
	const details = [short, least].flatMap((line) => (line === undefined ? [] : inLines([line], inner, detail.size)));
	const lines = [...details, ...inLines(roles, inner, detail.size)];
	return {
		names,
		details: lines,
		height: 2 * padding + names.length * name.height + lines.length * detail.height,
		whole: [oneLine(node.name, mostOfName), effective((whole) => whole), least, roles.join(", ")].filter(Boolean).join(" · "),
		kind: node.kind,
		heavy: node.isOwner,
	};
}

/** Its effective share, written by `written`; nothing where it has none. */
const effectiveText =
	({ kind, effectiveSharesPercentage: effective }: OwnershipNode) =>
	(written: (percentage: string, more: string) => string): string | undefined =>
		kind === "corporate" || effective === "0"
			? undefined
			: effective === undefined
				? "effective share unknown"
				: `${written(effective, "\u2026")} % effective`;

/** A box at its place, its texts in the middle. */
export function boxOf(id: string, content: Content, x: number, y: number, height: number): Box {
	const lines: Line[] = [];
	let baseline = y + Math.round((height - content.height) / 2) + padding;
	for (const [texts, { height: step, ...font }] of [
		[content.names, name],
		[content.details, detail],
	] as const)
		for (const text of texts) {
			lines.push({ text, x: x + boxWidth / 2, y: baseline + step - 4, ...font });
			baseline += step;
		}
	return {
		id,
		x,
		y,
		width: boxWidth,
		height,
		lines,
		whole: content.whole,
		kind: content.kind,
		...(content.heavy ? { heavy: true } : {}),
	};
}

/** What stands on a line. */
export interface Mark {
	text: string;
	/** Even, so that its middle is a whole pixel. */
	width: number;
	heavy: boolean;
	whole: string;
}

export const labelSize = 11;

export function markOf({ owner, owned, percentages }: Holdings, nodes: readonly OwnershipNode[], threshold: string, circle: boolean): Mark {
	const [share, least] = [sumOf(percentages), fractionOf(threshold)];
	const sum = share === undefined ? percentages.join(" + ").slice(0, 40) : percentText(share);
	const heavy = share !== undefined && least !== undefined && reaches(share, least);
	const text = share === undefined ? "?" : `${shortPercentage(sum, "\u2026")} %`;
	const each = percentages.length > 1 ? ` (${percentages.length} holdings: ${percentages.slice(0, 10).join(" %, ")} %)` : "";
	const remarks = [heavy && `at or above ${threshold} %`, circle && "part of a circle"].filter(Boolean);
	return {
		text,
		width: 2 * Math.ceil(widthOf(text, labelSize, heavy) / 2 + 4),
		heavy,
		whole: [`${nameOf(nodes[owner])} holds ${sum} % of ${nameOf(nodes[owned])}${each}`, ...remarks].join(", "),
	};
}

const nameOf = (node: OwnershipNode | undefined): string => oneLine(node?.name ?? "", mostOnLine);
