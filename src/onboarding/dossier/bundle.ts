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
	review?: { contentType: string; bytes: number; sha256: string };
	/** As `purser corporate status` gives it. */
	checklist: Checklist;
	answers: Evidence[];
	/**
	 * Changes of this company, oldest first, with their events; they hold no personal data. `about`: the id of the person or company that a
	 * change is about, where it is not the company itself.
	 */
	journal: { intent: IntentRecord; events: JournalEvent[]; about?: string }[];
	/** The journal as `purser history verify` found it. */
	journalCheck: Omit<Verification, "anchor">;
}

/**
 * Gathers the evidence of a company. Only reads.
 * @throws PurserError as the service and the journal do
 */
export async function packBundle(context: Context, corporateId: string, unmasked: boolean): Promise<Bundle> {
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
	const review = await reviewOf(context, corporateId);
	const { name, termsAccepted } = viewCorporate(corporate);
	const address = textAt(terms?.data, "downloadUrl");
	const document = terms && (await withDigest(context, { url: address }));
	const hidden = ({ operation, data }: Evidence) => (operation === listRelated.id ? maskedRelated(related) : masked(data));
	const answers = unmasked ? read : read.map((one) => ({ ...one, data: hidden(one) }));
	const records = recordsOf({ answers });
	const madeAt = now();
	const threshold = uboThreshold(profile);
	const recorded = await readSince(context);
	const checklist = checklistOf({ corporateId, ...records, threshold, ...recorded, now: new Date(madeAt) });
	const items = checklist.items.map((item) => shownIn(item, ["command"], context.report.shown));
	const journal = await excerpts(context, corporateId, related, unmasked);
	const verify = async (): Promise<Verification> => (await context.journal.of(profile)).verify();
	const { anchor: _, ...journalCheck } = await context.report.during("Checking the journal", verify);
	if (journalCheck.faults.length > 0) context.report.warn(`The journal was altered: ${journalCheck.faults.join("; ")}`);
	return {
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
		journal,
		journalCheck,
	};
}

/** The answers of a bundle as records. */
export function recordsOf({ answers }: Pick<Bundle, "answers">) {
	const corporate = answers.find(({ operation }) => operation === getCorporate.id)?.data;
	const listed = answers.find(({ operation }) => operation === listRelated.id);
	return {
		corporate: isRecord(corporate) ? corporate : {},
		/** Undefined where the service did not list them. */
		related: listed && listAt(listed.data),
		/** Whether it listed only a part of them. */
		partial: listed?.partial === true,
	};
}

/** What the review is known by: a free text cannot be masked, and `corporate review --save` keeps it as received. */
async function reviewOf(context: Context, corporateId: string): Promise<Bundle["review"]> {
	const reply = await ifOffered(context, "the due-diligence review is not in the bundle", () =>
		context.service.call(getDiligenceReview, { params: { corporateId } }),
	);
	return reply && { contentType: reply.contentType ?? "unknown", bytes: reply.bytes.length, sha256: sha256(reply.bytes) };
}

/** The journal's records of a company: those that concern it or one of its entities, or created one. */
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
	// Those who were removed since are listed no more; the journal knows whom it declared.
	const declared = sent.filter(({ operation, path }) => operation === createRelated.id && path.split("/").map(plainId).includes(own));
	const ids = [own, ...declared.flatMap(({ id }) => id ?? []), ...related.flatMap((record) => viewRelated(record).id ?? [])];
	const known = new Map(ids.map((id) => [plainId(id), id]));
	/** The id that a record is about: a person's rather than the company's. */
	const aboutOf = ({ id = "", about, path }: IntentRecord): string | undefined => {
		const named = [id, about?.id ?? "", ...path.split("/")].flatMap((part) => known.get(plainId(part)) ?? []);
		return named.find((one) => plainId(one) !== own) ?? named[0];
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
