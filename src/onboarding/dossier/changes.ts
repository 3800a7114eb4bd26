/**
 * The journal's changes of a company, and what proves that nothing of it was altered, as sections of an onboarding's page. Pure.
 */
import { sameId } from "../../api/answer.js";
import { requestKyb } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink } from "../../api/operations/verification.js";
import type { IntentState } from "../../ports/intent.js";
import type { Block, Cell, Section, Tone } from "../../ports/page.js";
import type { Dossier } from "./dossier.js";
import { recordsOf } from "./records.js";

const states: Readonly<Record<IntentState, { text: string; tone?: Tone }>> = {
	planned: { text: "planned" },
	sending: { text: "in doubt: being sent, without an answer yet", tone: "warn" },
	accepted: { text: "accepted", tone: "good" },
	waiting: { text: "accepted, waiting for strong authentication", tone: "warn" },
	refused: { text: "refused", tone: "bad" },
	"not-sent": { text: "not sent" },
	"in-doubt": { text: "in doubt: sent, and no answer says whether it arrived", tone: "warn" },
	"not-created": { text: "not created" },
	abandoned: { text: "cancelled, never sent" },
};

/** What became of a change. */
export const stateWords = (state: IntentState): Cell => states[state];

/** The last ones of a list. */
export const newest = <T>(all: readonly T[], most: number): readonly T[] => all.slice(Math.max(0, all.length - most));

const acts: Readonly<Record<string, string>> = {
	"corporate.create": "create the company",
	"corporate.update": "update the company",
	"related.create": "declare a person or company",
	"related.update": "update a person or company",
	"related.delete": "remove a person or company",
	[sendEmailLink.id]: "send the verification email",
	[getKycLink.id]: "create a KYC link",
	[requestKyb.id]: "request the KYB",
	"phone.sendCode": "send a code to the phone",
	"phone.verifyCode": "check the code of the phone",
};

/** The section of the changes. @param most rows of a table, the newest ones */
export function changesSection(dossier: Dossier, most: number): Section {
	const { journal, corporateId, name } = dossier;
	const names = recordsOf(dossier).related?.map(viewRelated) ?? [];
	const rows = newest(journal, most).map(({ intent, about }): Cell[] => {
		const { operation, begun, state, operator, digest, confirmedBy } = intent;
		const what = confirmedBy !== undefined && operation === "corporate.update" ? "accept the terms" : (acts[operation] ?? operation);
		const whom = about === undefined || sameId(about, corporateId) ? name : (names.find(({ id }) => sameId(id, about))?.name ?? about);
		return [intent.intent, { time: begun }, what, whom, stateWords(state), operator, digest && { code: digest }];
	});
	const columns = ["Number", "When", "Change", "About", "Result", "Sent by", "Fingerprint of the request (SHA-256)"];
	return {
		title: "Changes made from this machine",
		blocks: [
			{
				kind: "table",
				caption: "Changes in the journal, oldest first",
				columns: columns.map((column) => ({ name: column })),
				rows,
				empty: "The journal of this machine has no change of this company.",
				more: journal.length > most ? `The latest ${most} of ${journal.length}; bundle.json has all of them.` : undefined,
			},
		],
	};
}

/** The section about the journal as a whole and the files beside the page. */
export function checkSection({ journalCheck }: Dossier, files: readonly { name: string; bytes: number; sha256: string }[]): Section {
	const { events, head, installation, anchor, faults } = journalCheck;
	const whole: Block =
		faults.length === 0
			? { kind: "notice", tone: "good", text: "The journal was checked when this page was made: it was not altered." }
			: { kind: "notice", tone: "bad", text: `The journal was altered: ${faults.join("; ")}` };
	const entries = files.map(({ name, bytes, sha256 }): Cell[] => [name, `${bytes}`, { code: sha256 }]);
	return {
		title: "How to check this",
		blocks: [
			whole,
			{
				kind: "facts",
				rows: [
					["Journal", { code: installation }],
					["Entries", `${events}`],
					["Last entry", { code: `${head.seq}:${head.hash}` }],
					["Anchor", anchor && { code: `${anchor.seq}:${anchor.hash}` }],
					["Anchor of", anchor && { time: anchor.at }],
				],
			},
			{
				kind: "text",
				text: "Each entry's fingerprint covers the one before it, so the last one stands for all of them. This command says whether the journal still holds it:",
			},
			{ kind: "facts", rows: [["Command", { code: `purser history verify --head ${head.seq}:${head.hash}` }]] },
			{
				kind: "table",
				caption: "Files beside this page",
				columns: [{ name: "File" }, { name: "Bytes", right: true }, { name: "Fingerprint (SHA-256)" }],
				rows: entries,
				empty: "There are no files beside this page.",
			},
		],
	};
}
