/** What a picture of an ownership says beside its boxes and lines. Pure. */
import type { Arrow, Box, Remark } from "../../ports/page.js";
import type { Choice } from "./choice.js";
import { oneLine } from "./layout/measure.js";
import type { Ownership, OwnershipNode } from "./ownership.js";
import { counted, shortPercentage } from "./words.js";

/** How many names a description tells. */
const mostNamed = 10;
const mostOfName = 120;

/** What the picture does not show; undefined where it shows everything. */
export function leftOutText({ nodes, all }: Choice, holdings: number): string | undefined {
	const [missing, unseen] = [all.nodes - nodes.length, all.holdings - holdings];
	if (missing === 0 && unseen === 0) return undefined;
	const people = missing === 0 ? [] : [`${missing} of ${counted(all.nodes, "person or company", "people and companies")}`];
	const shares = unseen === 0 ? [] : [`${unseen} of ${counted(all.holdings, "holding", "holdings")}`];
	return `Not shown here: ${[...people, ...shares].join(" and ")}`;
}

/** A sign and what it means. */
export interface Sign {
	sign: NonNullable<Remark["sign"]>;
	text: string;
}

/** The signs that the picture has, and what each means. */
export function signsOf(boxes: readonly Box[], arrows: readonly Arrow[], threshold: string): Sign[] {
	const signs: (Sign | false)[] = [
		boxes.some(({ kind }) => kind === "person") && { sign: "person", text: "person" },
		boxes.some(({ kind }) => kind !== "person") && { sign: "company", text: "company" },
		boxes.some(({ heavy }) => heavy) && {
			sign: "owner",
			text: `thick frame: holds ${threshold} % or more through all layers (UBO)`,
		},
		arrows.some(({ dashed, heavy }) => !dashed && !heavy) && { sign: "arrow", text: "holds shares of" },
		arrows.some(({ heavy }) => heavy) && { sign: "heavy", text: `thick line: holds ${threshold} % or more directly` },
		arrows.some(({ dashed }) => dashed) && { sign: "dashed", text: "dashed: leads back, in a circle" },
	];
	return signs.filter((sign) => sign !== false);
}

/** The picture in sentences. @param lines how many it has, `circles` of them dashed */
export function descriptionOf(
	{ nodes: everyone, threshold }: Ownership,
	{ nodes, linked }: Choice,
	lines: number,
	circles: number,
	notes: readonly string[],
): string {
	const owners = everyone.filter(({ isOwner }) => isOwner);
	const apart = nodes.length - linked;
	const sentences = [
		`${oneLine(nodes[0]?.name ?? "The company", mostOfName)} stands at the top; whoever holds shares of a company stands below it, and the line between them names the percentage`,
		`${counted(nodes.length, "box", "boxes")} and ${counted(lines, "line", "lines")}`,
		owners.length === 0
			? `Nobody holds ${threshold} % or more through all layers`
			: `At or above the threshold of ${threshold} % through all layers: ${named(owners)}`,
		circles > 0 &&
			`${counted(circles, "dashed line leads", "dashed lines lead")} back, because companies own each other in a circle or own themselves`,
		apart > 0 && `No shares: ${counted(apart, "box", "boxes")}`,
		...notes,
	];
	return `${sentences.filter(Boolean).join(". ")}.`;
}

function named(owners: readonly OwnershipNode[]): string {
	const names = owners
		.slice(0, mostNamed)
		.map(
			({ name, effectiveSharesPercentage }) =>
				`${oneLine(name, mostOfName)} (${shortPercentage(effectiveSharesPercentage ?? "", "\u2026")} %)`,
		);
	return [...names, ...(owners.length > mostNamed ? [`and ${owners.length - mostNamed} more`] : [])].join(", ");
}
