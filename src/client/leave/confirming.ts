/**
 * Keeps a confirmation: in the profile, which decides, and in the journal, where it stays on record.
 */
import type { AnyOperation } from "../../api/operation.js";
import { isPaid } from "../../api/operations/transfer.js";
import { serviceAddress } from "../../api/service-address.js";
import { confirmable } from "../../binding/confirmation.js";
import type { Context } from "../../context.js";
import type { Journal } from "../../ports/journal.js";
import type { BindingConfirmation, Profile } from "../../ports/profiles.js";

/**
 * Stores that a person confirmed the binding of an operation.
 * @param digest of the binding that was shown; nothing is stored where the stored profile has another one by now
 * @param uncapped why its first payment is not limited
 * @returns the confirmation; undefined where the profile changed meanwhile
 * @throws PurserError usage, where profile or journal cannot be written
 */
export async function confirmBinding(
	context: Context,
	profile: Profile,
	operation: AnyOperation,
	{ digest, uncapped }: { digest: string; uncapped?: string },
): Promise<BindingConfirmation | undefined> {
	if ((await storedWith(context, profile, operation, digest)) === undefined) return undefined;
	const confirmation: BindingConfirmation = {
		digest,
		service: serviceAddress(profile.baseUrl),
		at: context.clock.now().toISOString(),
		by: await context.operator(),
		uncapped,
	};
	// On record first: what is confirmed and not on record could not be told from what somebody wrote into the file.
	await noteConfirmation(context, profile, operation, confirmation, "command");
	return (await keep(context, profile, operation, confirmation)) ? confirmation : undefined;
}

/** The profile as it is stored now, where it still has the binding of this digest. */
async function storedWith(context: Context, profile: Profile, operation: AnyOperation, digest: string): Promise<Profile | undefined> {
	const stored = await (await context.profiles()).get(profile.name);
	return stored && confirmable(operation, { ...stored, baseUrl: profile.baseUrl })?.digest === digest ? stored : undefined;
}

/** Read just before it is written, so that nothing is lost of what another process changed meanwhile. */
async function keep(context: Context, profile: Profile, operation: AnyOperation, confirmation: BindingConfirmation): Promise<boolean> {
	const stored = await storedWith(context, profile, operation, confirmation.digest);
	if (stored === undefined) return false;
	await (await context.profiles()).save({ ...stored, confirmations: { ...stored.confirmations, [operation.id]: confirmation } });
	return true;
}

/**
 * Records a confirmation in the profile's journal, unless it is on record. One that was written into the profile without purser is found when
 * something is about to be sent through it, and a person is told.
 */
export async function noteConfirmation(
	context: Context,
	profile: Profile,
	operation: AnyOperation,
	confirmation: BindingConfirmation,
	how: "command" | "outside",
): Promise<void> {
	const value = recordOf(confirmation);
	const journal = await context.journal(profile);
	const seen = onRecord.get(journal) ?? new Map<string, string>();
	onRecord.set(journal, seen);
	// A payment is checked before it is recorded, and once more where its bytes leave.
	if (seen.get(operation.id) === value) return;
	const before = await recorded(journal, operation);
	if (before === value) {
		seen.set(operation.id, value);
		return;
	}
	if (how === "outside")
		context.reporter.warn(
			`the confirmation of ${operation.id} in the profile ${profile.name} was not made with this journal; it is on record now`,
		);
	await journal.recordAct({ key: keyOf(operation), value, how, operator: await context.operator() });
	seen.set(operation.id, value);
}

/** What this run has seen or put on record, by operation. */
const onRecord = new WeakMap<Journal, Map<string, string>>();

const keyOf = ({ id }: AnyOperation): string => `confirmed ${id}`;

/** A confirmation as it stands on record. */
function recordOf({ digest, service, uncapped, paid }: BindingConfirmation): string {
	const uncappedText = uncapped === undefined ? "" : `, its first payment not limited: ${uncapped}`;
	return `${digest} for ${service}${uncappedText}${paid === undefined ? "" : `, through which payment ${paid} was accepted before`}`;
}

/** Whether a record says that a payment of an earlier version stands for the confirmation. */
const isByPayment = (record: string): boolean => /^[0-9a-f]{64} for \S+, through which payment \S+ was accepted before$/.test(record);

/** The latest confirmation of an operation on record, as text; undefined where there has been none. Purging a journal keeps it. */
async function recorded(journal: Pick<Journal, "ownEvents">, operation: AnyOperation): Promise<string | undefined> {
	const [latest] = await journal.ownEvents("settings", 1);
	return (latest?.content.settings as Record<string, string> | undefined)?.[keyOf(operation)];
}

/** Most payments of the journal that are searched for one that was accepted. */
const mostSearched = 200;

/**
 * The confirmation of a binding that an earlier version stored, where nobody was asked: it counts as confirmed once the service has accepted
 * a payment through it. Kept with the profile, so that a later change of the binding asks. Where the journal has a person's confirmation of
 * this operation, no earlier version sent the payments: what is missing from the profile was taken out of it, and is asked for again.
 */
export async function confirmedByPayment(
	context: Context,
	profile: Profile,
	operation: AnyOperation,
): Promise<BindingConfirmation | undefined> {
	const digest = confirmable(operation, profile)?.digest;
	if (digest === undefined || operation.effect !== "money" || !(await context.hasJournal(profile))) return undefined;
	const journal = await context.journal(profile);
	const before = await recorded(journal, operation);
	if (before !== undefined && !isByPayment(before)) return undefined;
	if (!(await journal.paidThrough(operation.id, digest)).accepted) return undefined;
	const service = serviceAddress(profile.baseUrl);
	const paid = (await journal.list({ effect: "money", limit: mostSearched })).find(
		(one) => one.operation === operation.id && one.service === service && one.sandbox === undefined && isPaid(one.state),
	);
	if (paid === undefined) return undefined;
	const confirmation: BindingConfirmation = { digest, service, at: context.clock.now().toISOString(), paid: paid.intent };
	await noteConfirmation(context, profile, operation, confirmation, "command");
	// Where it cannot be kept, it is found once more the next time.
	await keep(context, profile, operation, confirmation).catch(() => false);
	return confirmation;
}
