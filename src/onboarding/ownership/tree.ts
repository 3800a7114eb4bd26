/**
 * An ownership drawn with plain characters: the company on top, the holders of each company below it. Indentation alone carries the
 * meaning, for screen readers.
 */
import type { Style } from "../../ports/style.js";
import { type Ownership, type OwnershipNode, rolesOf, shortPercentage } from "./ownership.js";

type TreeStyle = Pick<Style, "bold" | "dim" | "warn" | "columns" | "wrapped">;

/** Maximum number of lines. */
const maxLines = 2000;
/** Maximum number of layers with growing indentation. */
const maxLayers = 60;

/**
 * The tree as text. A company drawn before is not unfolded again (`see above`); a circle says so. Where a line is too long for the terminal,
 * the details go on the next line.
 */
export function drawTree({ nodes, edges }: Ownership, style: TreeStyle): string {
	const tree: Tree = { owners: ownersOf(nodes, edges), drawn: new Set(), lines: [], style };
	for (const node of nodes)
		if (node.kind === "corporate" || (node.kind === "undeclared" && tree.owners.has(node.id))) drawBelow(tree, node);
	const { lines, drawn } = tree;
	const apart = nodes.filter(({ id }) => !drawn.has(id));
	const room = maxLines - lines.length;
	if (apart.length > 0) lines.push("", "No shares", ...apart.slice(0, room).map((node) => `- ${nameOf(node, style)}${roleText(node)}`));
	if (apart.length > room) lines.push(style.dim("... and more; see all of it with --json"));
	return lines.join("\n");
}

interface Owner {
	node: OwnershipNode;
	percentage: string;
}

interface Tree {
	/** Who owns shares of what, by id. */
	owners: Map<string, Owner[]>;
	drawn: Set<string>;
	lines: string[];
	style: TreeStyle;
}

interface Step {
	node: OwnershipNode;
	/** Undefined for the corporate on top. */
	percentage?: string;
	before: string;
	last: boolean;
	/** The companies on the way here. */
	above: readonly string[];
}

function ownersOf(nodes: readonly OwnershipNode[], edges: Ownership["edges"]): Tree["owners"] {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const owners: Tree["owners"] = new Map();
	for (const { owner, owned, percentage } of edges) {
		const node = byId.get(owner);
		const list = owners.get(owned) ?? [];
		if (node !== undefined) list.push({ node, percentage });
		owners.set(owned, list);
	}
	return owners;
}

/** Depth first without recursion: a hostile chain may be deeper than the call stack. */
function drawBelow(tree: Tree, root: OwnershipNode): void {
	const { owners, drawn, lines, style } = tree;
	const open: Step[] = [{ node: root, before: "", last: true, above: [] }];
	for (let step = open.pop(); step !== undefined && lines.length < maxLines; step = open.pop()) {
		const { node, above } = step;
		const remark = above.includes(node.id) ? "in a circle, see above" : drawn.has(node.id) && owners.has(node.id) ? "see above" : undefined;
		lines.push(...lineOf(step, remark, style));
		drawn.add(node.id);
		if (remark === undefined) for (const below of stepsBelow(step, owners.get(node.id) ?? [])) open.push(below);
	}
}

/** The last one first, for the stack. */
function stepsBelow({ node, percentage, before, last, above }: Step, owners: readonly Owner[]): Step[] {
	const inner = percentage === undefined || above.length > maxLayers ? before : `${before}${last ? "   " : "|  "}`;
	return owners.map((owner, at) => ({ ...owner, before: inner, last: at === owners.length - 1, above: [...above, node.id] })).reverse();
}

function lineOf({ node, percentage, before, last }: Step, remark: string | undefined, style: TreeStyle): string[] {
	if (percentage === undefined) return [style.bold(node.name), ...(remark ? [style.dim(`  ${remark}`)] : [])];
	const start = `${before}${last ? "`- " : "+- "}`;
	const effectiveShares = effectiveText(node, percentage);
	const details = [effectiveShares, roleText(node).trim(), remark && `(${remark})`].filter(Boolean).join("  ");
	const inner = `${before}${last ? "   " : "|  "}     `;
	const head = `${percentage} %  ${nameOf(node, style)}`;
	const whole = details === "" ? head : `${head}  ${style.dim(details)}`;
	const lines = style.wrapped(whole, Math.max(20, style.columns - inner.length));
	return lines.map((line, at) => `${at === 0 ? start : inner}${line}`);
}

/** Only where it differs from the direct percentage. */
function effectiveText({ effectiveSharesPercentage: effective }: OwnershipNode, percentage: string): string {
	if (effective === undefined) return "effective share unknown";
	return effective === percentage ? "" : `${shortPercentage(effective, "..")} % effective`;
}

const nameOf = ({ name, isOwner }: OwnershipNode, style: TreeStyle): string => (isOwner ? style.bold(name) : name);

function roleText(node: OwnershipNode): string {
	const roles = rolesOf(node);
	return roles.length > 0 ? `  ${roles.join(", ")}` : "";
}
