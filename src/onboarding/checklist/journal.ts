/**
 * What the journal knows of changes asked for earlier: since when somebody is waited for. The service does not tell.
 */

import { wasSentTo } from "../../api/operations/asked-of.js";
import { updateRelated } from "../../api/operations/related.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/journal.js";

/** Most changes looked at, newest first. */
const mostIntents = 20_000;

/** States in which the service has, or may have, what was asked. */
const asked: readonly string[] = ["accepted", "waiting", "in-doubt"];

export interface RecordedChanges {
	/** The newest change with this digest of its body. */
	byDigest(operation: string, digest: string): IntentRecord | undefined;
	/** The newest change on a path that holds this id. */
	byId(operation: string, id: string): IntentRecord | undefined;
	/** Every change on a path that holds this id, the newest first. */
	changes(operation: string, id: string): readonly IntentRecord[];
}

/** What was asked of the profile's own service. A journal that cannot be read only means that less is known. */
export async function recordedChanges(context: Context): Promise<RecordedChanges> {
	const { profile } = await context.settings();
	const found = new Map<string, IntentRecord[]>();
	for (const record of await writes(context)) {
		if (!asked.includes(record.state) || !wasSentTo(record, profile)) continue;
		const keys = [`${record.operation} #${record.digest}`, ...record.path.split("/").map((part) => `${record.operation} ${part}`)];
		for (const key of keys) {
			const known = found.get(key);
			if (known) known.push(record);
			else found.set(key, [record]);
		}
	}
	return {
		byDigest: (operation, digest) => found.get(`${operation} #${digest}`)?.[0],
		byId: (operation, id) => found.get(`${operation} ${id}`)?.[0],
		changes: (operation, id) => found.get(`${operation} ${id}`) ?? [],
	};
}

async function writes(context: Context): Promise<readonly IntentRecord[]> {
	const { profile } = await context.settings();
	try {
		return await (await context.journal(profile)).list({ effect: "write", limit: mostIntents });
	} catch (error) {
		if (error instanceof PurserError && error.kind === "interrupted") throw error;
		context.reporter.verbose("The journal could not be read; since when somebody is waited for is not known");
		return [];
	}
}

/**
 * Whether a related entity was changed, or may have been, after an earlier change was asked for. What of it was changed is not known: the
 * journal keeps a digest of a body and nothing personal.
 * @param after the number of the earlier change
 * @param until the number of the last one that is looked at
 */
export function changedAfter(earlier: RecordedChanges, relatedId: string, after: string, until = Number.POSITIVE_INFINITY): boolean {
	return earlier.changes(updateRelated.id, relatedId).some(({ intent }) => Number(intent) > Number(after) && Number(intent) <= until);
}

/**
 * Since when something is waited for, by what the journal knows.
 * @param digests of the request that asks one person
 */
export function sinceIn(
	earlier: RecordedChanges,
	digests: { email(id: string): string; kyc(id: string): string },
): (step: "email" | "kyc" | "kyb" | "related", id: string) => string | undefined {
	return (step, id) => {
		if (step === "related") return earlier.byId(updateRelated.id, id)?.begun;
		if (step === "kyb") return earlier.byId("kyb.request", id)?.begun;
		const asked = earlier.byDigest(step === "email" ? "email.sendLink" : "kyc.link", digests[step](id));
		// A link without an answer may never have gone out, and where it did, nobody has seen it.
		return asked?.state === "in-doubt" ? undefined : asked?.begun;
	};
}
