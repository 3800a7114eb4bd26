/**
 * Who owns what, as a section of an onboarding's page. Pure.
 */
import type { Block, Section } from "../../ports/page.js";
import { ownershipOf } from "../ownership/ownership.js";
import { ownershipDrawing } from "../ownership/picture.js";
import { ownershipTable } from "../ownership/table.js";
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
	const warnings = ownership.warnings.slice(0, mostWarnings).map(({ message }): Block => ({ kind: "notice", tone: "warn", text: message }));
	const table = ownershipTable(ownership, most);
	return {
		title: "Ownership",
		blocks: [
			...warnings,
			...picture,
			{
				...table,
				empty: "The service lists no shares.",
				...(table.more === undefined ? {} : { more: `The first ${table.rows.length} rows; bundle.json has all of them.` }),
			},
		],
	};
}
