/**
 * An ownership as a Mermaid flowchart, for pages that draw such text. Pure.
 */
import { contentOf, type Mark, markOf } from "./boxes.js";
import { chosen } from "./choice.js";
import { rowsOf } from "./layout/layers.js";
import { oneLine } from "./layout/measure.js";
import type { Ownership, OwnershipNode } from "./ownership.js";
import { leftOutText } from "./said.js";

/** What Mermaid draws unless it is told otherwise: characters, with some to spare, and lines. */
const mostCharacters = 48_000;
const mostLines = 500;
const mostOfName = 60;

const leftOut = (text: string | undefined): string[] => (text === undefined ? [] : [`  %% ${text}`]);

/** The flowchart. Of a large ownership it has what Mermaid would draw, the nearest to the company first, and a comment says what is missing. */
export function mermaidOf(ownership: Ownership): string {
	for (let most = ownership.nodes.length; ; most = Math.floor(most / 2)) {
		const text = flowchart(ownership, most);
		if (text.length <= mostCharacters || most <= 1) return text;
	}
}

function flowchart(ownership: Ownership, most: number): string {
	const choice = chosen(ownership, { nodes: most, links: mostLines });
	const { nodes, linked, links, loops } = choice;
	const { back } = rowsOf(linked, links);
	const shown = [...links.map((link, at) => ({ link, circle: back[at] as boolean })), ...loops.map((link) => ({ link, circle: true }))];
	const drawn = shown.slice(0, mostLines);
	const owners = nodes.flatMap(({ isOwner }, at) => (isOwner ? [`n${at}`] : []));
	const undeclared = nodes.flatMap(({ kind }, at) => (kind === "undeclared" ? [`n${at}`] : []));
	return [
		"flowchart BT",
		...leftOut(
			leftOutText(
				choice,
				drawn.reduce((sum, { link }) => sum + link.percentages.length, 0),
			),
		),
		...nodes.map((node, at) => `  n${at}${boxOf(node, ownership.threshold)}`),
		...drawn.map(({ link, circle }) => {
			const { text, heavy } = markOf(link, nodes, ownership.threshold, circle);
			return `  n${link.owner} ${arrowOf({ heavy }, circle)}|"${text}"| n${link.owned}`;
		}),
		"  classDef owner stroke-width:3px",
		"  classDef undeclared stroke-dasharray:3",
		...(owners.length > 0 ? [`  class ${owners.join(",")} owner`] : []),
		...(undeclared.length > 0 ? [`  class ${undeclared.join(",")} undeclared`] : []),
		"",
	].join("\n");
}

const arrowOf = ({ heavy }: Pick<Mark, "heavy">, circle: boolean): string => (circle ? "-.->" : heavy ? "==>" : "-->");

function boxOf(node: OwnershipNode, threshold: string): string {
	const { details } = contentOf(node, threshold);
	const lines = [escaped(oneLine(node.name, mostOfName)), ...details].join("<br>");
	return node.kind === "person" ? `(["${lines}"])` : `["${lines}"]`;
}

/**
 * Foreign text between quotes. What could end them, or mean something to Mermaid, to Markdown or to HTML, is written by its code, and so is
 * what begins a list. Formulas (`$$`) and icons (`fa:fa-…`) are looked for after codes were read, so a blank parts them.
 */
const escaped = (text: string): string =>
	text
		.replace(/\$(?=\$)/g, "$ ")
		.replace(/(fa[a-z]?):(?=fa-)/g, "$1: ")
		.replace(/^[-+]|^\d+[.)]|[!-+:-@[-`{-~]/g, (signs) => signs.replace(/[!-/:-@[-`{-~]/g, (sign) => `#${sign.charCodeAt(0)};`));
