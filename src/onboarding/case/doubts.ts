/**
 * Creations without an answer: what the journal knows of them, and how the service's list settles them.
 */

import { advice, purser } from "../../api/advice.js";
import { composed } from "../../api/names.js";
import { serviceInUse, wasSentTo } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Check, IntentRecord } from "../../ports/intent.js";

const open: readonly string[] = ["in-doubt", "sending"];

/** What the journal knows of creations with an externalId at this profile's service. */
export interface Creations {
	/** The newest accepted one, with the id from the service. */
	made(operation: string, externalId: string, corporateId?: string): IntentRecord | undefined;
	/** Those that may have been created. */
	doubts(operation: string, externalId: string, corporateId?: string): IntentRecord[];
}

/**
 * Reads the journal.
 * @throws PurserError as the journal does: without it a creation could be made twice
 */
export async function creations(context: Context): Promise<Creations> {
	const { profile } = await context.settings.read();
	const place = await serviceInUse(context, profile);
	const all = await (await context.journal.of(profile)).list({ effect: "write" });
	const byKey = new Map<string, IntentRecord[]>();
	for (const record of all) {
		if (record.externalId === undefined || !wasSentTo(record, place)) continue;
		const key = `${record.operation} ${composed(record.externalId)}`;
		const same = byKey.get(key);
		if (same === undefined) byKey.set(key, [record]);
		else same.push(record);
	}
	const of = (operation: string, externalId: string, corporateId: string | undefined): IntentRecord[] =>
		(byKey.get(`${operation} ${composed(externalId)}`) ?? []).filter(
			({ path }) => corporateId === undefined || path.split("/").includes(corporateId),
		);
	return {
		made: (operation, externalId, corporateId) =>
			of(operation, externalId, corporateId).find(({ state, id }) => state === "accepted" && id !== undefined),
		doubts: (operation, externalId, corporateId) => of(operation, externalId, corporateId).filter(({ state }) => open.includes(state)),
	};
}

/** Milliseconds after an attempt within which a created record appears in the service's list. */
const settleAfter = 30_000;

/** The record whose creation is searched. */
export interface CreationSearch {
	/** `the company Example SAS`, `Grace Sample`; for messages. */
	name: string;
	externalId: string;
	doubts: readonly IntentRecord[];
	/**
	 * Looks at the service's list. `complete`: it was read to its end, and only then a record missing from it was not created; `offered`: the
	 * service has one at all.
	 * @param fresh read anew
	 */
	lookup(fresh: boolean): Promise<{ id?: string; complete: boolean; offered: boolean }>;
}

/**
 * Looks for a record that may have been created: at once, and once more when it would have appeared. Settles the doubts by the result.
 * @throws PurserError guard, where another process is sending it now, or the list can no longer be read to its end
 */
export async function settleCreation(context: Context, search: CreationSearch): Promise<string | undefined> {
	const { name, externalId, doubts } = search;
	refuseSending(search);
	const { profile } = await context.settings.read();
	const journal = await context.journal.of(profile);
	const { clock } = context;
	const checks: Check[] = [];
	const lookupOnce = async (): Promise<string | undefined> => {
		const { id, complete } = await search.lookup(true);
		// The first look may have been whole and the second partial: absence then proves nothing.
		if (id === undefined && !complete) throw openDoubtError(search);
		checks.push({ at: clock.now().toISOString(), source: "service", complete, fitting: id === undefined ? 0 : 1 });
		return id;
	};
	let id = await lookupOnce();
	// After a timed-out attempt the service may still be working, so the wait counts from the end of the attempt. Where the clock was set
	// back, the wait is still bounded.
	const latest = doubts.reduce((last, { begun, changed }) => Math.max(last, Date.parse(begun), Date.parse(changed)), -Infinity);
	const wait = Math.min(latest + settleAfter - clock.now().getTime(), settleAfter);
	if (id === undefined) {
		const label = `An earlier creation of ${name} got no answer; checking whether it exists`;
		await context.report.during(label, () => clock.sleep(Math.max(wait, 1)));
		// Only a whole list after all that time proves an absence.
		id = await lookupOnce();
	}
	for (const [place, { intent, attempt }] of doubts.entries())
		await journal.settle(
			intent,
			id !== undefined && place === 0
				? { state: "accepted", id, evidence: { source: "service", reason: `the service lists the externalId ${externalId}` } }
				: {
						state: "not-created",
						evidence: { source: "service", reason: `the service does not list it, looked for by externalId`, checks },
					},
			attempt,
		);
	return id;
}

/**
 * Decides without a whole list of the service: by the journal, else the operator is asked.
 * @param offered whether the service has a list, of which a part could be read
 * @throws PurserError guard
 */
export function withoutList(search: CreationSearch, made: IntentRecord | undefined, isNew: boolean, offered: boolean): string | undefined {
	const { name, externalId, doubts } = search;
	refuseSending(search);
	if (made?.id !== undefined) return made.id;
	if (doubts.length > 0) throw openDoubtError(search);
	if (isNew) return undefined;
	throw new PurserError(
		"guard",
		offered
			? {
					code: "LIST_INCOMPLETE",
					message: `Does ${name} exist already? The service's list could not be read to its end, and nothing was sent`,
					why: "It may have changed while it was being read, for example because another run creates companies",
					fix: "Run this again.",
				}
			: {
					code: "NOT_KNOWN_TO_BE_NEW",
					message: `Does ${name} exist already? The service has no list to check, and the journal does not know the externalId ${externalId}`,
					fix: "Add --new when you are sure that nobody created it before.",
				},
	);
}

function refuseSending({ name, doubts }: CreationSearch): void {
	const intent = doubts.find(({ state }) => state === "sending")?.intent;
	if (intent === undefined) return;
	throw new PurserError("guard", {
		code: "ALREADY_SENDING",
		message: `${name} is being created right now by another purser (intent ${intent}); nothing was sent`,
		fix: advice`Wait for it, then check: ${purser`history show ${intent}`}`,
		intent,
	});
}

function openDoubtError({ name, externalId, doubts: [doubt] }: CreationSearch): PurserError {
	const record = purser`pay settle ${doubt?.intent} --created --id ID --reason TEXT`;
	return new PurserError("guard", {
		code: "OPEN_DOUBT",
		message: `Was ${name} created? An earlier creation got no answer (intent ${doubt?.intent}), and the service gives no complete list to check`,
		why: "Sending it again could create a second one",
		fix: advice`Run this again later; if nothing changes, ask the service's customer care about the externalId ${externalId}, then record it: ${record}, or --not-created --reason TEXT. Then run this again.`,
		intent: doubt?.intent,
	});
}
