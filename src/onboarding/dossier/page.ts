/**
 * The evidence of an onboarding as one page: a rendering of `bundle.json`, and masked where that is. Pure: the same bundle gives the same
 * page.
 */
import { textAt } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import type { Block, Page, Section } from "../../ports/page.js";
import type { Checklist, Item, ItemState } from "../checklist/checklist.js";
import { statusWords } from "../records/status-words.js";
import { changesSection, checkSection } from "./changes.js";
import type { Dossier } from "./dossier.js";
import { kybSection } from "./kyb.js";
import { ownershipSection } from "./ownership.js";
import { peopleSection, type Sent, sentOf, toneOf } from "./people.js";
import { recordsOf } from "./records.js";
import { termsSection } from "./terms.js";

/** What lies beside the page. */
export interface Beside {
	/** Every file with its SHA-256, `bundle.json` first. */
	files: readonly { name: string; bytes: number; sha256: string }[];
	/** The lines of the review as they may be shown; undefined where the bundle holds none. */
	review?: readonly string[];
}

/** Most rows of a table where there is room, and most characters of the review for each of them. */
export const mostRows = 200;
const reviewPerRow = 200;

/** The page. @param rows most rows of a table */
export function dossierPage(dossier: Dossier, { files, review }: Beside, rows = mostRows): Page {
	const { name, corporateId, service, masked, madeBy, madeAt } = dossier;
	return {
		title: `Onboarding of ${name ?? corporateId}`,
		lead: masked
			? "What the service and the journal say about this onboarding. Persons are numbered in the order in which the service lists them."
			: "What the service and the journal say about this onboarding.",
		personalData: masked ? "masked" : "shown",
		madeBy,
		madeAt,
		of: `${service.profile} (${service.environment}, ${service.origin})`,
		sections: [
			companySection(dossier),
			checklistSection(dossier.checklist, sentOf(dossier), rows),
			peopleSection(dossier, rows),
			ownershipSection(dossier, rows),
			termsSection(dossier, rows),
			kybSection(dossier, rows),
			reviewSection(dossier, review, rows * reviewPerRow),
			changesSection(dossier, rows),
			checkSection(dossier, files),
		],
	};
}

function companySection(dossier: Dossier): Section {
	const { corporate, related, partial } = recordsOf(dossier);
	const { externalId, country, createdAt, updatedAt } = viewCorporate(corporate);
	const { name, corporateId, kybStatus, complete } = dossier.checklist;
	const blocks: Block[] = [];
	if (complete) blocks.push({ kind: "notice", tone: "good", text: "Everything is done." });
	if (related === undefined)
		blocks.push({ kind: "notice", tone: "warn", text: "The service does not list people and owners, so they are not on this page." });
	if (partial)
		blocks.push({
			kind: "notice",
			tone: "warn",
			text: "The service listed only a part of the people and owners: some may be missing here.",
		});
	blocks.push({
		kind: "facts",
		rows: [
			["Name", name],
			["Id", { code: corporateId }],
			["Your reference", externalId],
			["Trade name", textAt(corporate, "tradeName")],
			["Country", country],
			["Registered on", textAt(corporate, "incorporationDate")],
			["Registration code", textAt(corporate, "incorporationCode")],
			[
				"KYB",
				kybStatus === undefined
					? { text: "the service does not say", tone: "quiet" }
					: { text: statusWords(kybStatus), tone: toneOf(kybStatus) },
			],
			["Created", createdAt && { time: createdAt }],
			["Last changed", updatedAt && { time: updatedAt }],
		],
	});
	return { title: "Company", blocks };
}

const tones: Readonly<Record<ItemState, "good" | "warn" | "bad" | "quiet">> = {
	done: "good",
	"to do": "warn",
	waiting: "warn",
	blocked: "bad",
	declined: "bad",
	optional: "quiet",
	unknown: "warn",
};

function checklistSection({ items }: Checklist, sent: Sent, rows: number): Section {
	const blocks: Block[] = [
		{
			kind: "checklist",
			items: items.slice(0, rows).map((item) => {
				const { at, words, atWords } = datedWords(item, sent);
				const note = [
					words,
					item.who !== undefined && item.state === "waiting" ? `waiting for ${item.who}` : undefined,
					item.why && statusWords(item.why),
				];
				return { state: item.state, tone: tones[item.state], label: item.label, at, atWords, note: sentence(note) };
			}),
		},
	];
	if (items.length > rows) blocks.push({ kind: "text", text: `The first ${rows} of ${items.length}; bundle.json has all of them.` });
	return { title: "Checklist", blocks };
}

/** The time of an item, and what it is the time of. */
function datedWords(item: Item, sent: Sent): { at?: string; atWords?: string; words?: string } {
	const { step, state, since, relatedId } = item;
	const decided = state === "done" || state === "declined" ? sent.decided(step, relatedId) : undefined;
	if (decided !== undefined) return { at: decided, words: "this machine heard of the decision on that date" };
	if (state !== "done") return since === undefined ? {} : { at: since, atWords: state === "waiting" ? "waiting since" : "open since" };
	const asked = sent.asked(step, relatedId);
	return asked === undefined ? {} : { at: asked.at, words: asked.words };
}

function sentence(parts: readonly (string | undefined)[]): string | undefined {
	const text = parts.filter((part) => part !== undefined && part !== "").join("; ");
	return text === "" ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}

function reviewSection({ review, masked }: Dossier, lines: readonly string[] | undefined, most: number): Section {
	const title = "Due-diligence review";
	if (review === undefined) return { title, blocks: [{ kind: "text", tone: "quiet", text: "The service offers no review." }] };
	const { contentType, bytes, sha256, address } = review;
	const blocks: Block[] = [
		{
			kind: "facts",
			rows: [
				["Kind", contentType],
				["Size", `${bytes} bytes`],
				["Fingerprint as received (SHA-256)", { code: sha256 }],
				["Address", masked ? undefined : address && { code: address }],
			],
		},
	];
	if (lines === undefined)
		blocks.push({
			kind: "text",
			text: masked ? "Its text cannot be masked, so it is not shown." : "Its text is in the file beside this page.",
		});
	else {
		const text = lines.join("\n");
		if (masked && text.includes("***"))
			blocks.push({
				kind: "text",
				tone: "quiet",
				text: "*** stands for personal data, and for the name of a company that may tell the whole name of a person.",
			});
		blocks.push({ kind: "lines", text: text.slice(0, most) });
		if (text.length > most) blocks.push({ kind: "text", text: "The beginning of the review; the file beside this page has all of it." });
	}
	return { title, blocks };
}
