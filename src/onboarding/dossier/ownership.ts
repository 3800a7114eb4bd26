/**
 * Who owns what, as a section of an onboarding's page. Pure.
 */
import type { Block, Section } from "../../ports/page.js";
import { ownershipOf } from "../ownership/ownership.js";
import { ownershipDrawing } from "../ownership/picture.js";
import { readOwnership } from "../records/read-ownership.js";
import type { Dossier } from "./dossier.js";
import { recordsOf } from "./records.js";

/** Most warnings. */
const mostWarnings = 10;

/** The section. @param most rows of a table */
export function ownershipSection(dossier: Dossier, most: number): Section {
	const { corporateId, name, uboThreshold } = dossier;
	const root = { id: corporateId, name: name ?? corporateId };
	const { related } = recordsOf(dossier);
	const { parties, holdings } = readOwnership(root, related ?? []);
	const ownership = ownershipOf(root, parties, holdings, uboThreshold);
	const picture: Block[] = related === undefined ? [] : [{ kind: "picture", drawing: ownershipDrawing(ownership) }];
	const names = new Map(ownership.nodes.map((node) => [node.id, node]));
	const warnings = ownership.warnings.slice(0, mostWarnings).map(({ message }): Block => ({ kind: "notice", tone: "warn", text: message }));
	const { edges } = ownership;
	return {
		title: "Ownership",
		blocks: [
			...warnings,
			...picture,
			{
				kind: "table",
				caption: `Holdings; whoever holds ${uboThreshold} % or more through all layers counts as an owner (UBO)`,
				columns: [
					{ name: "Holder" },
					{ name: "Holds shares of" },
					{ name: "Share", right: true },
					{ name: "Effective share of the company", right: true },
				],
				rows: edges.slice(0, most).map(({ owner, owned, percentage }) => {
					const holder = names.get(owner);
					const effective = holder?.effectiveSharesPercentage;
					return [holder?.name ?? owner, names.get(owned)?.name ?? owned, `${percentage} %`, effective && `${effective} %`];
				}),
				empty: "The service lists no shares.",
				more: edges.length > most ? `The first ${most} of ${edges.length}; bundle.json has all of them.` : undefined,
			},
		],
	};
}
