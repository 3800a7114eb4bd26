/**
 * The evidence of an onboarding: the answers of the service, the terms, the review, the checklist that follows, and the journal's records with
 * its own check.
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
import type { Service } from "../../ports/service.js";
import { type Checklist, checklistOf } from "../checklist/checklist.js";
import { readSince } from "../checklist/journal.js";
import { hiddenTexts, masked, maskedLines, numbered } from "../evidence/mask.js";
import { isPage, readPage } from "../evidence/page-text.js";
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
	terms: { latestVersion?: string; accepted?: boolean; acceptedVersion?: string; address?: string; documentSha256?: string };
	review?: { contentType: string; bytes: number; sha256: string; address?: string };
	answers: Evidence[];
	/**
	 * Changes of this company, oldest first, with their events; they hold no personal data. `about`: the id of the person or company that a
	 * change is about, where it is not the company itself.
	 */
	journal: { intent: IntentRecord; events: JournalEvent[]; about?: string }[];
	/** Files beside `bundle.json`. */
	files: { name: string; bytes: number; sha256: string }[];
	/** Percentage from which a person counts as a beneficial owner. */
	uboThreshold: string;
	/** As `purser corporate status` gives it; masked persons are told apart by numbers. */
	checklist: Checklist;
	/** The journal as `purser history verify` found it. */
	journalCheck: Omit<Verification, "anchor"> & { anchor?: Omit<NonNullable<Verification["anchor"]>, "installation"> };
}

/** The answers of a bundle as records. */
interface BundledRecords {
	corporate: Received;
	/** Undefined where the service did not list them. */
	related: readonly Received[] | undefined;
	/** Whether the service listed only a part of them. */
	partial: boolean;
}

/** What a bundle says of a company and its people. Persons whose names are masked are told apart by numbers. */
export function recordsOf({ answers, masked }: Pick<Bundle, "answers" | "masked">): BundledRecords {
	const corporate = answers.find(({ operation }) => operation === getCorporate.id)?.data;
	const listed = answers.find(({ operation }) => operation === listRelated.id);
	const related = listed && listAt(listed.data);
	return {
		corporate: isRecord(corporate) ? corporate : {},
		related: masked ? related && numbered(related) : related,
		partial: listed?.partial === true,
	};
}

/** Files by their names. */
type BundledFiles = Map<string, Uint8Array>;

/**
 * Gathers the evidence of a company. Only reads.
 * @param download fetches the document of the terms, where it can
 * @throws PurserError as the service and the journal do
 */
export async function packBundle(
	context: Context,
	corporateId: string,
	unmasked: boolean,
	download: (address: string) => Promise<Uint8Array | undefined>,
): Promise<{ bundle: Bundle; files: BundledFiles }> {
	const { service } = context;
	const { profile } = await context.settings.read();
	const now = (): string => context.clock.now().toISOString();
	const answers: Evidence[] = [];
	const noted = <T>(operation: string, data: T, partial = false): T => {
		answers.push({ operation, fetchedAt: now(), data, ...(partial ? { partial } : {}) });
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
	// What to hide in the review is taken from the records, so an unlisted person would be shown by name.
	const hide = listed?.complete === true ? hiddenTexts([corporate, related]) : undefined;
	const { review, files } = await packReview(context, service, corporateId, unmasked, hide);
	const view = viewCorporate(corporate);
	const address = textAt(terms?.data, "downloadUrl");
	const document = address === undefined ? undefined : await download(address);
	const shown = unmasked ? answers : answers.map((one) => ({ ...one, data: masked(one.data) }));
	const madeAt = now();
	const threshold = uboThreshold(profile);
	const facts = { corporateId, ...recordsOf({ answers: shown, masked: !unmasked }), threshold, ...(await readSince(context, service)) };
	const checklist = checklistOf({ ...facts, now: new Date(madeAt) });
	const bundle: Bundle = {
		corporateId,
		name: view.name,
		madeAt,
		madeBy: `purser ${context.system.version}`,
		service: { profile: profile.name, environment: profile.environment, origin: serviceAddress(profile.baseUrl) },
		masked: !unmasked,
		terms: {
			latestVersion: textAt(terms?.data, "version"),
			accepted: view.termsAccepted,
			acceptedVersion: textAt(corporate, "lastTermsAccepted"),
			address,
			documentSha256: document && sha256(document),
		},
		review,
		answers: shown,
		journal: await excerpts(context, service, corporateId, related, { unmasked, hide }),
		files: [...files].map(([name, bytes]) => ({ name, bytes: bytes.length, sha256: sha256(bytes) })),
		uboThreshold: threshold,
		checklist: { ...checklist, items: checklist.items.map((item) => shownIn(item, ["command", "afterwards"], context.report.shown)) },
		journalCheck: await checkJournal(context),
	};
	return { bundle, files };
}

async function checkJournal(context: Context): Promise<Bundle["journalCheck"]> {
	const journal = await context.journal.of((await context.settings.read()).profile);
	const { anchor, ...check } = await context.report.during("Checking the journal", () => journal.verify());
	if (check.faults.length > 0) context.report.warn(`The journal was altered: ${check.faults.join("; ")}`);
	if (anchor === undefined) return check;
	const { seq, hash, at, holds } = anchor;
	return { ...check, anchor: { seq, hash, at, holds } };
}

async function packReview(
	context: Context,
	service: Service,
	corporateId: string,
	unmasked: boolean,
	hide: readonly string[] | undefined,
): Promise<{ review?: Bundle["review"]; files: BundledFiles }> {
	const files: BundledFiles = new Map();
	const reply = await ifOffered(context, "the due-diligence review is not in the bundle", () =>
		service.call(getDiligenceReview, { params: { corporateId } }),
	);
	if (reply === undefined) return { files };
	const { bytes, contentType = "unknown" } = reply;
	const review = { contentType, bytes: bytes.length, sha256: sha256(bytes), address: textAt(reply.data, "url") };
	const page = isPage(contentType);
	if (unmasked) files.set(page ? "review.html" : contentType === "application/pdf" ? "review.pdf" : "review.json", bytes);
	else if (page && hide !== undefined)
		files.set("review.txt", new TextEncoder().encode(`${maskedLines(readPage(bytes).lines, hide).join("\n")}\n`));
	else if (page)
		context.report.warn(
			"The review cannot be masked without all related entities: the bundle has its digest only; --unmasked includes the document",
		);
	else if (contentType === "application/pdf")
		context.report.warn("A PDF cannot be masked: the bundle has its digest only; --unmasked includes the document");
	return { review, files };
}

/** The journal's records of a company: by its id and those of its entities, in the path, the answer, or the digest of a request. */
async function excerpts(
	context: Context,
	service: Service,
	corporateId: string,
	related: readonly Received[],
	{ unmasked, hide }: { unmasked: boolean; hide: readonly string[] | undefined },
): Promise<Bundle["journal"]> {
	const { profile } = await context.settings.read();
	const [journal, place] = [await context.journal.of(profile), await serviceInUse(context, profile)];
	const sent = (await journal.list({ effect: "write" })).filter((record) => wasSentTo(record, place));
	const own = plainId(corporateId);
	// Those who were removed since are listed no more; the journal knows whom it declared.
	const declared = sent.flatMap(({ operation, id, path }) =>
		operation === createRelated.id && id !== undefined && path.split("/").some((part) => plainId(part) === own) ? [id] : [],
	);
	const persons = [...declared, ...related.flatMap((record) => viewRelated(record).id ?? [])];
	const ids = new Map(persons.map((id) => [plainId(id), id]));
	// A digest was made of the id as it was sent, which may differ in case from how the service writes it.
	const digests = new Map(
		[corporateId, own, ...persons, ...ids.keys()].flatMap((id) => {
			const body = { relatedPhysicalPersonId: id };
			return [sendEmailLink, getKycLink].map((operation) => [service.digestOf(profile, operation, { body }), id] as const);
		}),
	);
	/** The id that a record is about. */
	const aboutOf = ({ id = "", digest = "", path }: IntentRecord): string | undefined => {
		const named = [id, digests.get(digest) ?? "", ...path.split("/")].map((part) => plainId(part));
		const person = named.find((part) => ids.has(part));
		return person === undefined ? named.find((part) => part === own) : ids.get(person);
	};
	const listed = sent.filter((record) => aboutOf(record) !== undefined);
	const found: Bundle["journal"] = [];
	for (const { intent } of listed.reverse()) {
		const shown = await journal.show(intent);
		if (shown === undefined) continue;
		const about = aboutOf(shown.record);
		const entry = unmasked ? { intent: shown.record, events: shown.events } : withoutNames(shown, hide);
		found.push(about === undefined || plainId(about) === own ? entry : { ...entry, about });
	}
	return found;
}

/** A person's externalId is the partner's choice and may be a name; a reason may name somebody, although its flag asks for no personal data. */
function withoutNames(
	{ record, events }: { record: IntentRecord; events: JournalEvent[] },
	hide: readonly string[] | undefined,
): Bundle["journal"][number] {
	const own = record.operation === createRelated.id;
	const hidden = <T extends { externalId?: unknown; despite?: unknown }>(content: T): T => {
		const { externalId, despite } = content;
		const reason = isRecord(despite) && typeof despite.reason === "string" ? despite.reason : undefined;
		return {
			...content,
			...(own && externalId !== undefined ? { externalId: "***" } : {}),
			...(reason === undefined ? {} : { despite: { ...(despite as object), reason: hide ? maskedLines([reason], hide)[0] : "***" } }),
		};
	};
	return { intent: hidden(record), events: events.map((event) => ({ ...event, content: hidden(event.content) })) };
}
