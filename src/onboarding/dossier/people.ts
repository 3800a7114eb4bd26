/**
 * The people of an onboarding and their KYC, as a section of its page. Pure.
 */
import { sameId } from "../../api/answer.js";
import { requestKyb, viewCorporate } from "../../api/operations/corporate.js";
import { createRelated, viewRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink } from "../../api/operations/verification.js";
import { plainId } from "../../api/text/ids.js";
import { decidedKybStatuses } from "../../api/values.js";
import type { Cell, Section, Tone } from "../../ports/page.js";
import type { Step } from "../checklist/checklist.js";
import { kycPlan, type PlannedKyc } from "../kyc/plan.js";
import { statusWords } from "../records/status-words.js";
import type { Dossier } from "./dossier.js";
import { recordsOf } from "./records.js";

/** The tone of a status of KYB or KYC. */
export function toneOf(status: string | undefined): Tone | undefined {
	if (status === "VALIDATED") return "good";
	if (status === "DECLINED") return "bad";
	return status === "NEED_ADDITIONAL_INFORMATION" ? "warn" : undefined;
}

/** When the steps of the checklist were asked for and decided, RFC 3339 UTC. */
export interface Sent {
	/** By the journal; words say what the time is of. */
	asked(step: Step, relatedId: string | undefined): { at: string; words: string } | undefined;
	/** When this machine heard of the decision that stands now, by an event whose word counts. */
	decided(step: Step, relatedId: string | undefined): string | undefined;
}

/** States of a change that the service has received. */
const received: readonly string[] = ["accepted", "waiting"];

/** Reads the times from the bundle's own journal and events. */
export function sentOf(dossier: Dossier): Sent {
	const { journal, events = [], corporateId } = dossier;
	const { corporate, related = [] } = recordsOf(dossier);
	const statuses = new Map(related.map(viewRelated).map(({ id = "", kycStatus }) => [plainId(id), kycStatus]));
	// A link without an answer may never have been made, and nobody has seen it.
	const sent = journal.filter(({ intent }) => received.includes(intent.state));
	const newest = (operation: string, about?: string): string | undefined =>
		sent.findLast((one) => one.intent.operation === operation && (about === undefined || sameId(one.about, about)))?.intent.begun;
	const worded = (at: string | undefined, words: string) => (at === undefined ? undefined : { at, words });
	return {
		asked: (step, id) => {
			switch (step) {
				case "terms":
					return worded(sent.findLast(({ intent }) => intent.confirmedBy !== undefined)?.intent.begun, "sent to the service on that date");
				case "email":
					return id === undefined
						? undefined
						: worded(newest(sendEmailLink.id, id), "link sent on that date; when it was followed is not known");
				case "related":
					return worded(newest(createRelated.id), "the latest declaration was on that date");
				case "kyc":
					return id === undefined
						? undefined
						: worded(newest(getKycLink.id, id), "link created on that date; when it was decided is not known");
				case "kyb":
					return worded(newest(requestKyb.id), "requested on that date; when it was decided is not known");
				case "phone":
					return undefined;
			}
		},
		decided: (step, id) => {
			const subject = step === "kyb" ? corporateId : step === "kyc" ? id : undefined;
			const status = step === "kyb" ? viewCorporate(corporate).kybStatus : statuses.get(plainId(id) ?? "");
			if (!decidedKybStatuses.includes(status ?? "")) return undefined;
			return events.findLast(
				(event) => sameId(event.subject?.id, subject) && event.to === status && (event.verified || event.confirmed?.status === event.to),
			)?.at;
		},
	};
}

const needs: Readonly<Record<PlannedKyc["need"], string>> = { full: "in full, with liveness", documents: "documents only", none: "none" };

/** The section. @param most rows of a table */
export function peopleSection(dossier: Dossier, most: number): Section {
	const { corporateId, name, uboThreshold } = dossier;
	const { related = [] } = recordsOf(dossier);
	const { people } = kycPlan({ id: corporateId, name: name ?? corporateId }, related, uboThreshold);
	const views = related.map(viewRelated);
	const owner = views.find(({ isAccountOwner }) => isAccountOwner)?.id;
	const sent = sentOf(dossier);
	const rows = people.slice(0, most).map((person): Cell[] => {
		const { relatedId, name: shown, need, because, kycStatus, kycReason } = person;
		const isDecided = decidedKybStatuses.includes(kycStatus ?? "");
		const decided = isDecided ? sent.decided("kyc", relatedId) : undefined;
		const link = relatedId === undefined ? undefined : sent.asked("kyc", relatedId);
		return [
			shown,
			[sameId(relatedId, owner) && "account owner", ...because].filter((part) => typeof part === "string").join(", "),
			needs[need],
			{ text: statusWords(kycStatus ?? "not started"), tone: toneOf(kycStatus) },
			link && { time: link.at },
			decided === undefined ? (isDecided ? { text: "not known", tone: "quiet" } : undefined) : { time: decided },
			kycReason,
		];
	});
	const ids = people.slice(0, most).map(({ name: shown, relatedId }): Cell[] => [shown, relatedId && { code: relatedId }]);
	const more = [
		people.length > most ? `The first ${most} of ${people.length}; bundle.json has all of them.` : undefined,
		"Links that were sent from elsewhere, or with redirect addresses of their own, are not known here, and when a KYC was decided is known only where this machine heard of it.",
	];
	if (people.length === 0)
		return { title: "People and their KYC", blocks: [{ kind: "text", tone: "quiet", text: "The service lists no persons." }] };
	return {
		title: "People and their KYC",
		blocks: [
			{
				kind: "table",
				caption: "Persons, most demanding KYC first",
				columns: ["Person", "Role", "KYC needed", "KYC", "Link created", "Decision heard", "Reason"].map((column) => ({ name: column })),
				rows,
				empty: "The service lists no persons.",
				more: more.filter((part) => part !== undefined).join(" "),
			},
			{ kind: "table", caption: "Their ids at the service", columns: [{ name: "Person" }, { name: "Id" }], rows: ids, empty: "No ids." },
		],
	};
}
