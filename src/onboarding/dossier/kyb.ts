/**
 * The history of a KYB, as a section of an onboarding's page. Pure.
 */
import { sameId } from "../../api/answer.js";
import { requestKyb, viewCorporate } from "../../api/operations/corporate.js";
import type { Cell, Section } from "../../ports/page.js";
import { statusWords } from "../records/status-words.js";
import { newest, stateWords } from "./changes.js";
import type { Dossier } from "./dossier.js";
import { toneOf } from "./people.js";
import { recordsOf } from "./records.js";

/** What stood against a request that was sent all the same. */
const gateWords: Readonly<Record<string, string>> = {
	"no-director": "nobody who is declared is a director",
	"shares-over-100": "more than all shares of a company are declared",
	"owner-missing": "an owner may be missing",
	"holdings-equal": "equal holdings may be one holding or several",
	"review-not-seen": "the review was not read",
	"unchanged-after-request": "nothing had changed since the last request",
};

/** The section. @param most rows of a table, the newest ones */
export function kybSection(dossier: Dossier, most: number): Section {
	const { journal, events = [], corporateId } = dossier;
	const { kybStatus, kybReason } = viewCorporate(recordsOf(dossier).corporate);
	const requests = journal
		.filter(({ intent }) => intent.operation === requestKyb.id)
		.map(({ intent }): { at: string; row: Cell[] } => {
			const { begun, state, operator, despite } = intent;
			const gates = despite?.gates?.map((gate) => gateWords[gate] ?? gate) ?? [];
			const although = gates.length === 0 ? "" : `although ${gates.join(", ")}: ${despite?.reason ?? ""}`;
			return { at: begun, row: [{ time: begun }, "KYB requested", stateWords(state), operator, although] };
		});
	const heard = events
		.filter(({ subject }) => subject?.kind === "corporate" && sameId(subject.id, corporateId))
		.filter(({ to }) => to !== null)
		.map(({ at, from, to, verified, confirmed }): { at: string; row: Cell[] } => {
			const trust = confirmed?.status === to ? "confirmed by the service" : verified ? "signature valid" : "not confirmed";
			const before = from === null ? "" : `before: ${statusWords(from)}`;
			return { at, row: [{ time: at }, "Event heard", { text: statusWords(to ?? ""), tone: toneOf(to ?? undefined) }, trust, before] };
		});
	const rows = [...requests, ...heard].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
	return {
		title: "KYB",
		blocks: [
			{
				kind: "facts",
				rows: [
					["Now", { text: kybStatus === undefined ? "the service does not say" : statusWords(kybStatus), tone: toneOf(kybStatus) }],
					["Reason", kybReason],
				],
			},
			{
				kind: "table",
				caption: "What happened, oldest first",
				columns: ["When", "What", "Result", "By", "Remarks"].map((name) => ({ name })),
				rows: newest(rows, most).map(({ row }) => row),
				empty: "The KYB was not requested from this machine, and it heard of no decision.",
				more: rows.length > most ? `The latest ${most} of ${rows.length}; bundle.json has all of them.` : undefined,
			},
		],
	};
}
