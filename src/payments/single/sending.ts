/**
 * What the operator says of one payment beside the payment itself: a token to make it recognisable, and earlier payments
 * alike in spite of which it is meant.
 */

import * as z from "zod/mini";
import { codeOf } from "../../api/amount.js";
import { flag, plain } from "../../api/fields.js";
import type { AnyOperation } from "../../api/operation.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { field } from "../../api/schema.js";
import { serviceAddress } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import type { IntentRecord, JournalIntent } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Profile } from "../../ports/profiles.js";
import type { Reading } from "../../ports/service.js";
import { approvalNamesCurrency } from "../rules/approval-needed.js";
import { isInDuplicateWindow } from "../rules/duplicate-window.js";
import { fingerprintOf } from "../rules/fingerprint.js";
import { moneyRules } from "../rules/rules.js";
import { makeToken, roomBesideToken, tokenIn, withToken } from "../rules/token.js";
import { checkDecimals } from "./facts.js";
import { refuseMistakable } from "./mistakable.js";
import { newJournalField } from "./new-journal.js";

/** Fields of every command that sends money. */
export const sayFields = () => ({
	token: flag(
		`Add a 10-character id to the reference, by which this payment is recognised; the payee sees it (reference then at most ${roomBesideToken} characters)`,
	),
	currency: z.optional(
		field(z.string().check(z.regex(/^[A-Za-z]{3}$/, "must be three letters of ISO 4217, like EUR")), {
			description:
				"What the amount is in, for limits that name a currency where the service does not tell it; held against what it tells, and not sent",
			placeholder: "code",
		}),
	),
	despite: z.optional(
		field(z.string().check(z.regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/, "must be numbers of intents, like 17 or 17,21")), {
			description: "Send although these earlier payments look the same (paid lately, or in doubt): their intents; needs --reason",
			placeholder: "intents",
		}),
	),
	reason: z.optional(plain("Why it is sent in spite of them, for the record; nothing personal")),
	newJournal: newJournalField(),
});

/** What the operator said beside a payment. */
export interface Said {
	token?: boolean;
	despite?: string;
	reason?: string;
	reference?: string;
	/** What the amount is in, by ISO 4217. */
	currency?: string;
}

/** What is wrong with what was said; for a schema's refinement. */
export function sayFaults({ token, despite, reason, reference }: Said): { field: "reason" | "despite" | "reference"; message: string }[] {
	const faults: { field: "reason" | "despite" | "reference"; message: string }[] = [];
	if (despite !== undefined && !reason?.trim()) faults.push({ field: "reason", message: "is required beside --despite, for the record" });
	if (despite === undefined && reason !== undefined) faults.push({ field: "despite", message: "is required beside --reason" });
	if (token && [...(reference ?? "").trim()].length > roomBesideToken)
		faults.push({ field: "reference", message: `leaves no room for a token; at most ${roomBesideToken} characters beside --token` });
	return faults;
}

/**
 * The input with a fresh token folded into its reference, where one was asked for, and its currency in capitals.
 * @throws PurserError validation, as {@link refuseMistakable}
 */
export async function prepared<I extends Said>(context: Context, operation: AnyOperation, input: I): Promise<I> {
	refuseMistakable(input, Object.keys(sayFields()), operation, (await context.settings()).profile);
	const said = { ...input, currency: codeOf(input.currency) };
	if (!said.token) return said;
	const token = makeToken(() => context.random.fraction());
	return { ...said, reference: withToken(said.reference, token) };
}

/** Intents of the journal that are the same payment, newest first: those open, and those paid since the profile's duplicate-days. */
async function paidAlike(journal: Journal, transfer: Transfer, { settings }: Profile, now: Date, service: Date): Promise<IntentRecord[]> {
	const within = service.getTime() - moneyRules(settings).duplicateWindowStart(service).getTime();
	const alike = await journal.list({ fingerprint: fingerprintOf(transfer), effect: "money" });
	return alike.filter(
		(one) =>
			one.state === "in-doubt" || one.state === "sending" || (isPaid(one.state) && isInDuplicateWindow(one, { now, service }, within)),
	);
}

const isPaid = (state: IntentRecord["state"]): boolean => state === "accepted" || state === "waiting";

/**
 * What a person is warned of before being asked. Open doubts, caps and a missing approval are no warning: they stop the payment at once, not after a Yes.
 * @throws PurserError guard
 */
function alikeWarnings(alike: readonly IntentRecord[], transfer: Transfer, said: Said, profile: Profile, now: Date): string[] {
	const intent = { effect: "money", operation: "", transfer, despite: despiteOf(said, []) } as unknown as JournalIntent;
	moneyRules(profile.settings).permit(intent, { duplicates: alike.filter(({ state }) => !isPaid(state)), spent: {}, now });
	const paid = alike.filter(({ state }) => isPaid(state));
	return paid.map(({ intent: number, begun }) => `The same payment was sent on ${begun} (intent ${number}); a Yes sends it once more`);
}

/** For the journal: what was named with its reason, and what a person saw and confirmed. */
function despiteOf({ despite, reason }: Said, confirmed: readonly IntentRecord[]): JournalIntent["despite"] {
	const seen = confirmed.filter(({ state }) => isPaid(state)).map(({ intent }) => intent);
	const named = despite?.split(",") ?? [];
	if (named.length + seen.length === 0) return undefined;
	return { intents: [...new Set([...named, ...seen])], reason: reason ?? "confirmed at the terminal" };
}

/** True where a cap or the limit of approval names a currency, so that the payment's must be known. */
export function needsCurrency({ settings }: Profile): boolean {
	return (
		approvalNamesCurrency(settings) ||
		[settings["cap-per-transfer"], settings["cap-per-day"]].some((cap) => /\s[A-Z]{3}$/.test(cap?.trim() ?? ""))
	);
}

/**
 * What a preview warns of from the journal, and the payments alike that it shows. Only those does its Yes confirm: what another process sent since,
 * nobody has seen.
 * @throws PurserError guard, as {@link alikeWarnings}
 */
export async function warningsBefore(
	context: Context,
	service: Reading,
	asked: Transfer,
	said: Said,
): Promise<{ warnings: string[]; shown: readonly IntentRecord[] }> {
	const { profile } = await context.settings();
	const transfer = { ...asked, token: tokenIn(said.reference) };
	const now = context.clock.now();
	const alike = await paidAlike(
		await context.journal(profile),
		transfer,
		profile,
		now,
		context.serviceClock.now(serviceAddress(profile.baseUrl)),
	);
	const currency = needsCurrency(profile) ? await checkDecimals(service, transfer, true) : asked.currency;
	return { warnings: alikeWarnings(alike, { ...transfer, currency }, said, profile, now), shown: alike };
}

/**
 * What goes to the journal beside a payment.
 * @param shown payments alike that somebody was shown at the terminal, and said Yes to
 */
export function saidOf(said: Said, shown: readonly IntentRecord[] = []): { despite: JournalIntent["despite"]; token?: string } {
	return { despite: despiteOf(said, shown), token: tokenIn(said.reference) };
}
