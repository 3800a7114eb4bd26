/**
 * Which terms were accepted, when and by whose word, as a section of an onboarding's page. Pure.
 */
import { viewRelated } from "../../api/operations/related.js";
import type { Block, Cell, Section } from "../../ports/page.js";
import { newest, stateWords } from "./changes.js";
import type { Dossier } from "./dossier.js";
import { recordsOf } from "./records.js";

const words = {
	"account-owner": "The account owner accepted them",
	operator: "The operator says that the account owner accepted them",
} as const;

/** The section. @param most rows of a table, the newest ones */
export function termsSection(dossier: Dossier, most: number): Section {
	const { terms, journal } = dossier;
	const owner = recordsOf(dossier)
		.related?.map(viewRelated)
		.find(({ isAccountOwner }) => isAccountOwner);
	const acceptances = journal.filter(({ intent }) => intent.confirmedBy !== undefined);
	const rows = newest(acceptances, most).map(({ intent }): Cell[] => {
		const { begun, confirmedBy, operator, state } = intent;
		return [{ time: begun }, confirmedBy && words[confirmedBy], operator, stateWords(state), `change ${intent.intent}`];
	});
	const facts: Block = {
		kind: "facts",
		rows: [
			["Latest version", terms.latestVersion],
			["Accepted", terms.accepted === undefined ? { text: "the service does not say", tone: "quiet" } : accepted(terms.accepted)],
			["Accepted version", terms.acceptedVersion],
			["Account owner", owner?.name],
			["Document", terms.address && { code: terms.address }],
			["Fingerprint of the document (SHA-256)", terms.documentSha256 && { code: terms.documentSha256 }],
		],
	};
	return {
		title: "Terms",
		blocks: [
			facts,
			{
				kind: "table",
				caption: "Acceptances in the journal",
				columns: ["When", "By whose word", "Sent by", "Result", "In the journal"].map((name) => ({ name })),
				rows,
				empty: "The journal of this machine does not say who accepted the terms.",
				more: acceptances.length > most ? `The latest ${most} of ${acceptances.length}.` : undefined,
			},
		],
	};
}

const accepted = (isAccepted: boolean): Cell =>
	isAccepted ? { text: "yes, the latest version", tone: "good" } : { text: "no, not the latest version", tone: "bad" };
