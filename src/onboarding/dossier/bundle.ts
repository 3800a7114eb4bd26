/**
 * The evidence of an onboarding: the answers of the service, the terms, the review and the journal's records, with what follows from them: the
 * checklist, and the journal's own check. It is the content of `bundle.json`, and all that the case's page shows.
 */
import { shownIn } from "../../api/advice.js";
import { listAt, type Received, textAt } from "../../api/answer.js";
import { sha256 } from "../../api/digest.js";
import { getCorporate, getDiligenceReview, viewCorporate } from "../../api/operations/corporate.js";
import { createRelated, listRelated, viewRelated } from "../../api/operations/related.js";
import { getTerms } from "../../api/operations/terms.js";
import { getKycLink, sendEmailLink } from "../../api/operations/verification.js";
import { isRecord } from "../../api/schema.js";
import { serviceAddress, serviceInUse, wasSentTo } from "../../api/service-address.js";
import { plainId } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { JournalEvent, Verification } from "../../ports/journal.js";
import { type Checklist, checklistOf } from "../checklist/checklist.js";
import { readSince } from "../checklist/journal.js";
import { withDigest } from "../evidence/acceptance.js";
import { masked, maskedRelated } from "../evidence/mask.js";
import { isPage } from "../evidence/page-text.js";
import { uboThreshold } from "../records/read-ownership.js";
import { ifOffered, listRelatedOf, readCorporate, warnIfPartial } from "../records/reading.js";

/** One answer of the service. */
interface Evidence {
	operation: string;
	/** RFC 3339 UTC. */
	fetchedAt: string;
	data: unknown;
	/** The service listed only a part of them. */
	partial?: true;
}

/** The content of `bundle.json`. */
export interface Bundle {
	corporateId: string;
	name?: string;
	madeAt: string;
	/** The tool and its version. */
	madeBy: string;
	service: { profile: string; environment: string; origin: string };
	/** Whether personal data is masked. */
	masked: boolean;
	/** Percentage from which a person counts as a beneficial owner. */
	uboThreshold: string;
	terms: { latestVersion?: string; accepted?: boolean; acceptedVersion?: string; address?: string; documentSha256?: string };
	review?: { contentType: string; bytes: number; sha256: string; address?: string };
	/** As `purser corporate status` gives it. */
	checklist: Checklist;
	answers: Evidence[];
	/**
	 * Changes of this company, oldest first, with their events; they hold no personal data. `about`: the id of the person or company that a
	 * change is about, where it is not the company itself.
	 */
	journal: { intent: IntentRecord; events: JournalEvent[]; about?: string }[];
	/** The journal as `purser history verify` found it. */
	journalCheck: Omit<Verification, "anchor"> & { anchor?: Omit<NonNullable<Verification["anchor"]>, "installation"> };
	/** Files beside `bundle.json`. */
	files: { name: string; bytes: number; sha256: string }[];
}

export interface PackedBundle {
	bundle: Bundle;
	/** The files beside it, by name. */
	files: Map<string, Uint8Array>;
}

/**
 * Gathers the evidence of a company. Only reads.
 * @throws PurserError as the service and the journal do
 */
export async function packBundle(context: Context, corporateId: string, unmasked: boolean): Promise<PackedBundle> {
	const { service } = context;
	const { profile } = await context.settings.read();
	const now = (): string => context.clock.now().toISOString();
	const read: Evidence[] = [];
	const noted = <T>(operation: string, data: T, partial = false): T => {
		read.push({ operation, fetchedAt: now(), data, ...(partial ? { partial } : {}) });
		return data;
	};
	const corporate = noted(getCorporate.id, await readCorporate(service, corporateId));
	const listed = await ifOffered(context, "related entities are not in the bundle", () => listRelatedOf(service, corporateId));
	const related = listed?.records ?? [];
	// An empty list is evidence only where the service gave it.
	if (listed !== undefined) noted(listRelated.id, related, !listed.complete);
	warnIfPartial(context, listed, "the bundle may miss some");
	const terms = await ifOffered(context, "the terms are not in the bundle", () => service.call(getTerms, { query: {} }));
	if (terms !== undefined) noted(getTerms.id, terms.data);
	const { review, files } = await packReview(context, corporateId, unmasked);
	const { name, termsAccepted } = viewCorporate(corporate);
	const address = textAt(terms?.data, "downloadUrl");
	const document = terms && (await withDigest(context, { url: address }));
	const hidden = ({ operation, data }: Evidence) => (operation === listRelated.id ? maskedRelated(related) : masked(data));
	const answers = unmasked ? read : read.map((one) => ({ ...one, data: hidden(one) }));
	const records = recordsOf({ answers });
	const madeAt = now();
	const threshold = uboThreshold(profile);
	const recorded = await readSince(context, service);
	const checklist = checklistOf({ corporateId, ...records, threshold, ...recorded, now: new Date(madeAt) });
	const items = checklist.items.map((item) => shownIn(item, ["command"], context.report.shown));
	const bundle: Bundle = {
		corporateId,
		name,
		madeAt,
		madeBy: `purser ${context.system.version}`,
		service: { profile: profile.name, environment: profile.environment, origin: serviceAddress(profile.baseUrl) },
		masked: !unmasked,
		uboThreshold: threshold,
		terms: {
			latestVersion: textAt(terms?.data, "version"),
			accepted: termsAccepted,
			acceptedVersion: textAt(corporate, "lastTermsAccepted"),
			address,
			documentSha256: document?.sha256,
		},
		review,
		checklist: { ...checklist, items },
		answers,
		journal: await excerpts(context, corporateId, related, unmasked),
		journalCheck: await checkJournal(context),
		files: [...files].map(([name, bytes]) => ({ name, bytes: bytes.length, sha256: sha256(bytes) })),
	};
	return { bundle, files };
}

/** The answers of a bundle as records. */
export function recordsOf({ answers }: Pick<Bundle, "answers">): {
	corporate: Received;
	/** Undefined where the service did not list them. */
	related: readonly Received[] | undefined;
	/** Whether the service listed only a part of them. */
	partial: boolean;
} {
	const corporate = answers.find(({ operation }) => operation === getCorporate.id)?.data;
	const listed = answers.find(({ operation }) => operation === listRelated.id);
	return {
		corporate: isRecord(corporate) ? corporate : {},
		related: listed && listAt(listed.data),
		partial: listed?.partial === true,
	};
}

/** The review as received goes along with --unmasked only: a free text cannot be masked, so else its digest stands for it. */
async function packReview(
	context: Context,
	corporateId: string,
	unmasked: boolean,
): Promise<{ review?: Bundle["review"]; files: PackedBundle["files"] }> {
	const files: PackedBundle["files"] = new Map();
	const reply = await ifOffered(context, "the due-diligence review is not in the bundle", () =>
		context.service.call(getDiligenceReview, { params: { corporateId } }),
	);
	if (reply === undefined) return { files };
	const { bytes, contentType = "unknown" } = reply;
	if (unmasked) files.set(isPage(contentType) ? "review.html" : contentType === "application/pdf" ? "review.pdf" : "review.json", bytes);
	return { review: { contentType, bytes: bytes.length, sha256: sha256(bytes), address: textAt(reply.data, "url") }, files };
}

/** The journal's records of a company: by its id and those of its entities, in the path, the answer, or the digest of a request. */
async function excerpts(
	context: Context,
	corporateId: string,
	related: readonly Received[],
	unmasked: boolean,
): Promise<Bundle["journal"]> {
	const { profile } = await context.settings.read();
	const [journal, place] = [await context.journal.of(profile), await serviceInUse(context, profile)];
	const sent = (await journal.list({ effect: "write" })).filter((record) => wasSentTo(record, place));
	const own = plainId(corporateId);
	const partsOf = ({ id = "", path }: IntentRecord): string[] => [id, ...path.split("/")].map((part) => plainId(part));
	// Those who were removed since are listed no more; the journal knows whom it declared.
	const declared = sent.flatMap((record) =>
		record.operation === createRelated.id && record.id !== undefined && partsOf(record).includes(own) ? [record.id] : [],
	);
	const ids = [corporateId, ...declared, ...related.flatMap((record) => viewRelated(record).id ?? [])];
	const known = new Map(ids.flatMap((id) => [id, plainId(id)].map((one) => [one, id] as const)));
	// A digest was made of the id as it was sent, which may differ in case from how the service writes it.
	for (const [id, as] of [...known])
		for (const operation of [sendEmailLink, getKycLink])
			known.set(context.service.digestOf(profile, operation, { body: { relatedPhysicalPersonId: id } }), as);
	/** The id that a record is about: a person's rather than the company's. */
	const aboutOf = (record: IntentRecord): string | undefined => {
		const named = [...partsOf(record), record.digest ?? ""].flatMap((part) => known.get(part) ?? []);
		return named.find((id) => plainId(id) !== own) ?? named[0];
	};
	const found: Bundle["journal"] = [];
	for (const record of sent.reverse()) {
		const about = aboutOf(record);
		const shown = about === undefined ? undefined : await journal.show(record.intent);
		if (shown === undefined || about === undefined) continue;
		const entry = unmasked ? { intent: shown.record, events: shown.events } : withoutNames(shown);
		found.push(plainId(about) === own ? entry : { ...entry, about });
	}
	return found;
}

/** A person's externalId is the partner's choice and may be a name; a reason may name somebody, although its flag asks for no personal data. */
function withoutNames({ record, events }: { record: IntentRecord; events: JournalEvent[] }): Bundle["journal"][number] {
	const own = record.operation === createRelated.id;
	const hidden = <T extends { externalId?: unknown; despite?: unknown }>(content: T): T => ({
		...content,
		...(own && content.externalId !== undefined ? { externalId: "***" } : {}),
		...(isRecord(content.despite) ? { despite: { ...content.despite, reason: "***" } } : {}),
	});
	return { intent: hidden(record), events: events.map((event) => ({ ...event, content: hidden(event.content) })) };
}

async function checkJournal(context: Context): Promise<Bundle["journalCheck"]> {
	const journal = await context.journal.of((await context.settings.read()).profile);
	const { anchor, ...check } = await context.report.during("Checking the journal", () => journal.verify());
	if (check.faults.length > 0) context.report.warn(`The journal was altered: ${check.faults.join("; ")}`);
	if (anchor === undefined) return check;
	const { seq, hash, at, holds } = anchor;
	return { ...check, anchor: { seq, hash, at, holds } };
}
