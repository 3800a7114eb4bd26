/**
 * Earlier changes from the journal. They say since when we are waiting for somebody, which the service does not.
 */

import type { Received } from "../../api/answer.js";
import { requestKyb } from "../../api/operations/corporate.js";
import { updateRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink } from "../../api/operations/verification.js";
import { serviceInUse, wasSentTo } from "../../api/service-address.js";
import { linkEnd } from "../../api/text/duration.js";
import { plainId } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import { uboThreshold } from "../records/read-ownership.js";
import { ifOffered, listRelatedOf, namePersons, warnIfPartial } from "../records/reading.js";
import { type CaseFacts, type Checklist, checklistOf, type SinceStep } from "./checklist.js";

/** Maximum number of changes read, newest first. */
const maxIntents = 20_000;

/** States in which the service has received the change, or may have. */
const asked: readonly string[] = ["accepted", "waiting", "in-doubt"];

/** The changes by one operation that concern the company or person with this id, the newest first. */
export type RecordedChanges = (operation: string, id: string) => readonly IntentRecord[];

/** The changes at the profile's own service. An unreadable journal only means that less is known. */
export async function recordedChanges(context: Context): Promise<RecordedChanges> {
	const place = await serviceInUse(context, (await context.settings.read()).profile);
	const found = new Map<string, IntentRecord[]>();
	for (const record of await writes(context)) {
		if (record.about === undefined || !asked.includes(record.state) || !wasSentTo(record, place)) continue;
		const key = `${record.operation} ${plainId(record.about.id)}`;
		const known = found.get(key);
		if (known) known.push(record);
		else found.set(key, [record]);
	}
	return (operation, id) => found.get(`${operation} ${plainId(id)}`) ?? [];
}

async function writes(context: Context): Promise<readonly IntentRecord[]> {
	const { profile } = await context.settings.read();
	try {
		return await (await context.journal.of(profile)).list({ effect: "write", limit: maxIntents });
	} catch (error) {
		if (error instanceof PurserError && error.kind === "interrupted") throw error;
		context.report.verbose("The journal could not be read; waiting times are unknown");
		return [];
	}
}

/**
 * Whether a related entity was updated, or may have been, after an earlier change. Which field is unknown: the journal keeps a digest of
 * the body and no personal data.
 * @param after number of the earlier change
 */
export function changedAfter(earlier: RecordedChanges, relatedId: string, after: string): boolean {
	return earlier(updateRelated.id, relatedId).some(({ intent }) => Number(intent) > Number(after));
}

/** Reads from the journal since when we are waiting for a step, and until when a link is valid: of the newest request for the id. */
export async function readSince(context: Context): Promise<Pick<CaseFacts, "since" | "until">> {
	const earlier = await recordedChanges(context);
	const link = (step: "email" | "kyc", id: string): IntentRecord | undefined => {
		const [asked] = earlier(step === "email" ? sendEmailLink.id : getKycLink.id, id);
		// A link without an answer may never have been sent, and nobody has seen it.
		return asked?.state === "in-doubt" ? undefined : asked;
	};
	const since = (step: SinceStep, id: string): string | undefined => {
		if (step === "kyb") return earlier(requestKyb.id, id)[0]?.begun;
		return link(step, id)?.begun;
	};
	const until = (step: "email" | "kyc", id: string): string | undefined => {
		const asked = link(step, id);
		return asked && linkEnd(step, asked);
	};
	return { since, until };
}

/**
 * The checklist of one company, from its record and the service's list of its related entities.
 * @param without what is not shown where the deployment does not list them, as the end of a sentence
 */
export async function readChecklist(context: Context, corporateId: string, corporate: Received, without: string): Promise<Checklist> {
	const { profile } = await context.settings.read();
	const related = await ifOffered(context, without, () => listRelatedOf(context.service, corporateId));
	warnIfPartial(context, related);
	if (related?.complete) namePersons(context, corporateId, related.records);
	return checklistOf({
		corporateId,
		corporate,
		related: related?.records,
		partial: related?.complete === false,
		threshold: uboThreshold(profile),
		...(await readSince(context)),
		now: context.clock.now(),
	});
}
