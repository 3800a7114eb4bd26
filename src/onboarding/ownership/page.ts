/** An ownership as a page: the picture, what to look at, and the same as a table. Pure. */

import type { Page } from "../../ports/page.js";
import type { Party } from "./graph.js";
import type { Ownership } from "./ownership.js";
import { ownershipDrawing } from "./picture.js";
import { ownershipTable } from "./table.js";

/** Most warnings. */
const mostWarnings = 30;

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

/** @param rows most rows of the table */
export function ownershipPage(ownership: Ownership, about: Pick<Page, "madeBy" | "of"> & { masked: boolean }, rows?: number): Page {
	const drawing = ownershipDrawing(ownership);
	const { masked, madeBy, of } = about;
	const warnings = ownership.warnings
		.slice(0, mostWarnings)
		.map(({ message }) => ({ kind: "notice", tone: "warn", text: message }) as const);
	return {
		title: drawing.title,
		lead: masked ? "Persons are numbered in the order in which the service lists them." : undefined,
		personalData: masked ? "masked" : "shown",
		madeBy,
		of,
		sections: [
			{ title: "Picture", blocks: [{ kind: "picture", drawing }] },
			...(warnings.length > 0 ? [{ title: "Warnings", blocks: warnings }] : []),
			{ title: "Holdings", blocks: [ownershipTable(ownership, rows)] },
		],
	};
}
