/**
 * A case as one page, for who reviews it: a rendering of `bundle.json`, and masked where that is. Pure: the same bundle gives the same page.
 */
import { sameId, textAt } from "../../api/answer.js";
import { requestKyb, viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink } from "../../api/operations/verification.js";
import type { IntentState } from "../../ports/intent.js";
import type { Block, Cell, Diagram, Page, Picture, Section, Tone } from "../../ports/page.js";
import { itemTones } from "../checklist/text.js";
import { kycPlan, type PlannedKyc } from "../kyc/plan.js";
import { ownershipBlocks, ownershipDiagram } from "../ownership/page.js";
import { statusWords } from "../records/record.js";
import { type Bundle, recordsOf } from "./bundle.js";

/** Most rows of a table. */
const mostRows = 200;
const where = "bundle.json";

/**
 * @param digest SHA-256 of `bundle.json`
 * @param draw draws the picture of the owners, which a page does not do itself
 */
export function casePage(bundle: Bundle, digest: string, draw: (diagram: Diagram) => Picture): Page {
	const { name, corporateId, service, masked, madeBy, madeAt } = bundle;
	return {
		title: `Onboarding of ${name ?? corporateId}`,
		lead: `What the service and the journal say about this onboarding.${masked ? " Persons are numbered in the order in which the service lists them." : ""}`,
		personalData: masked ? "masked" : "shown",
		madeBy,
		madeAt,
		of: `${service.profile} (${service.environment}, ${service.origin})`,
		sections: [
			companySection(bundle),
			checklistSection(bundle),
			...peopleSections(bundle, draw),
			historySection(bundle),
			checkSection(bundle, digest),
		],
	};
}

/** The tone of a status of KYB or KYC. */
function toneOf(status: string | undefined): Tone | undefined {
	if (status === "VALIDATED") return "good";
	if (status === "DECLINED") return "bad";
	return status === "NEED_ADDITIONAL_INFORMATION" ? "warn" : undefined;
}

const status = (of: string | undefined, otherwise: string): Cell =>
	of === undefined ? { text: otherwise, tone: "quiet" } : { text: statusWords(of), tone: toneOf(of) };

function companySection(bundle: Bundle): Section {
	const { checklist, terms, name, corporateId } = bundle;
	const { corporate, related, partial } = recordsOf(bundle);
	const { externalId, country, kybReason, createdAt, updatedAt } = viewCorporate(corporate);
	const notices: Block[] = [
		...(checklist.complete ? [{ kind: "notice", tone: "good", text: "Everything is done." } as const] : []),
		...warning(related === undefined, "The service does not list people and owners, so they are not on this page."),
		...warning(partial, "The service listed only a part of the people and owners: some may be missing here."),
	];
	const accepted: Cell =
		terms.accepted === undefined
			? { text: "the service does not say", tone: "quiet" }
			: terms.accepted
				? { text: `accepted: ${terms.acceptedVersion ?? "the latest version"}`, tone: "good" }
				: { text: `the latest version, ${terms.latestVersion ?? "not known"}, is not accepted`, tone: "bad" };
	return {
		title: "Company",
		blocks: [
			...notices,
			{
				kind: "facts",
				rows: [
					["Name", name],
					["Id", { code: corporateId }],
					["Your reference", externalId],
					["Trade name", textAt(corporate, "tradeName")],
					["Country", country],
					["Registered on", textAt(corporate, "incorporationDate")],
					["Registration code", textAt(corporate, "incorporationCode")],
					["KYB", status(checklist.kybStatus, "the service does not say")],
					["Reason", kybReason],
					[
						"Payments",
						checklist.paymentsStoppedBy.length > 0
							? { text: `stopped: ${checklist.paymentsStoppedBy.join("; ")}`, tone: "bad" }
							: undefined,
					],
					["Terms", accepted],
					["Document of the terms", terms.address && { code: terms.address }],
					["Created", createdAt && { time: createdAt }],
					["Last changed", updatedAt && { time: updatedAt }],
				],
			},
		],
	};
}

const warning = (holds: boolean, text: string): Block[] => (holds ? [{ kind: "notice", tone: "warn", text }] : []);

function checklistSection({ checklist: { items } }: Bundle): Section {
	const rows = items
		.slice(0, mostRows)
		.map(({ state, label, who, why, since }): Cell[] => [
			{ text: state === "waiting" && who !== undefined ? `waiting for ${who}` : state, tone: itemTones[state] },
			label,
			why && statusWords(why),
			state === "done" || since === undefined ? undefined : { time: since },
		]);
	return { title: "Checklist", blocks: [table("What it needs", ["State", "Step", "Why", "Since"], rows, "Nothing.", items.length)] };
}

const needs: Readonly<Record<PlannedKyc["need"], string>> = { full: "in full, with liveness", documents: "documents only", none: "none" };

function peopleSections(bundle: Bundle, draw: (diagram: Diagram) => Picture): Section[] {
	const { corporateId, name, uboThreshold } = bundle;
	const { related: listed } = recordsOf(bundle);
	const related = listed ?? [];
	const { people, ownership } = kycPlan({ id: corporateId, name: name ?? corporateId }, related, uboThreshold);
	const owner = related.map(viewRelated).find(({ isAccountOwner }) => isAccountOwner)?.id;
	const rows = people
		.slice(0, mostRows)
		.map(({ relatedId, name: shown, need, because, kycStatus, kycReason }): Cell[] => [
			shown,
			[...(sameId(relatedId, owner) ? ["account owner"] : []), ...because].join(", "),
			needs[need],
			{ text: statusWords(kycStatus ?? "not started"), tone: toneOf(kycStatus) },
			kycReason,
			relatedId && { code: relatedId },
		]);
	const columns = ["Person", "Role", "KYC needed", "KYC", "Reason", "Id"];
	const picture = listed && draw(ownershipDiagram(ownership));
	return [
		{
			title: "People and their KYC",
			blocks: [table("Persons, most demanding KYC first", columns, rows, "The service lists no persons.", people.length)],
		},
		{ title: "Ownership", blocks: ownershipBlocks(ownership, picture, where) },
	];
}

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

const tones: Readonly<Partial<Record<IntentState, Tone>>> = {
	accepted: "good",
	refused: "bad",
	sending: "warn",
	"in-doubt": "warn",
	waiting: "warn",
};

const confirmations = {
	"account-owner": "the account owner accepted them",
	operator: "the operator says that the account owner accepted them",
} as const;

/** Changes of the journal, the newest first. */
function historySection(bundle: Bundle): Section {
	const { journal, corporateId, name } = bundle;
	const names = recordsOf(bundle).related?.map(viewRelated) ?? [];
	const nameOf = (id: string | undefined): string | undefined =>
		id === undefined || sameId(id, corporateId) ? name : (names.find((one) => sameId(one.id, id))?.name ?? id);
	const newest = journal.slice(-mostRows).reverse();
	return {
		title: "What happened",
		blocks: [
			table(
				"Changes, the newest first",
				["When", "What", "About", "Result", "By", "Remarks", "Journal"],
				newest.map((change) => changeRow(change, nameOf(change.about))),
				"The journal of this machine has no change of this company.",
				journal.length,
			),
		],
	};
}

function changeRow({ intent }: Bundle["journal"][number], about: string | undefined): Cell[] {
	const { begun, operation, state, operator, despite, confirmedBy } = intent;
	const isTerms = confirmedBy !== undefined && operation === "corporate.update";
	const gates = despite?.gates ?? [];
	const remarks = [
		confirmedBy && confirmations[confirmedBy],
		gates.length === 0 ? undefined : `despite ${gates.join(", ")}: ${despite?.reason ?? ""}`,
	].filter((remark) => remark !== undefined);
	const what = isTerms ? "accept the terms" : (acts[operation] ?? operation);
	return [{ time: begun }, what, about, { text: state.replace("-", " "), tone: tones[state] }, operator, remarks.join("; "), intent.intent];
}

/** The journal as a whole, and digests. */
function checkSection({ journalCheck, terms, review }: Bundle, digest: string): Section {
	const { events, head, installation, faults } = journalCheck;
	return {
		title: "How to check this",
		blocks: [
			faults.length === 0
				? { kind: "notice", tone: "good", text: "The journal was checked when this page was made: it was not altered." }
				: { kind: "notice", tone: "bad", text: `The journal was altered: ${faults.join("; ")}` },
			{
				kind: "facts",
				rows: [
					["Whether the journal still holds it", { code: `purser history export --after ${head.seq - 1} --limit 1` }],
					["Journal", { code: `${installation}, ${events} entries; the newest: ${head.seq}:${head.hash}` }],
					["Document of the terms (SHA-256)", terms.documentSha256 && { code: terms.documentSha256 }],
					["Due-diligence review (SHA-256)", review === undefined ? "the service offers none" : { code: review.sha256 }],
					["bundle.json (SHA-256)", { code: digest }],
				],
			},
		],
	};
}

const table = (caption: string, columns: readonly string[], rows: readonly Cell[][], empty: string, of = rows.length): Block => ({
	kind: "table",
	caption,
	columns: columns.map((name) => ({ name })),
	rows,
	empty,
	of,
	where,
});
