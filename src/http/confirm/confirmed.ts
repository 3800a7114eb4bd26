/**
 * A payment, or a request that replaces a record, leaves through a mapping only where somebody has confirmed it. Every request is checked, so
 * no command can forget to ask.
 */
import { advice, purser } from "../../api/advice.js";
import type { AnyOperation } from "../../api/operation.js";
import { serviceAddress } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { type Confirmable, confirmable, type Mapped } from "../../mapping/confirmation.js";
import type { Journal } from "../../ports/journal.js";
import type { MappingConfirmation, Profile } from "../../ports/profiles.js";

/**
 * Stores that a person confirmed what a mapping sends for an operation.
 * @param digest of what was shown; nothing is stored where the stored profile says something else by now
 * @returns the confirmation; undefined where the profile changed meanwhile
 * @throws PurserError usage, where profile or journal cannot be written
 */
export async function confirmRequest(
	context: Context,
	profile: Profile,
	operation: AnyOperation,
	digest: string,
): Promise<MappingConfirmation | undefined> {
	const storedNow = async (): Promise<Profile | undefined> => {
		const stored = await (await context.config.profiles()).get(profile.name);
		return stored && confirmable(operation, { ...stored, baseUrl: profile.baseUrl })?.digest === digest ? stored : undefined;
	};
	if ((await storedNow()) === undefined) return undefined;
	const by = await context.config.operator();
	const confirmation: MappingConfirmation = { digest, service: serviceAddress(profile.baseUrl), at: context.clock.now().toISOString(), by };
	// On record first: what is confirmed and not on record could not be told from what somebody wrote into the file.
	await noteConfirmation(context, profile, operation, confirmation, "command");
	// Read just before it is written, so that nothing is lost of what another process changed meanwhile.
	const stored = await storedNow();
	if (stored === undefined) return undefined;
	await (await context.config.profiles()).save({ ...stored, confirmations: { ...stored.confirmations, [operation.id]: confirmation } });
	return confirmation;
}

/**
 * Records a confirmation in the profile's journal, unless it is on record. One that was written into the profile without purser is found when
 * something is about to be sent through it, and a person is told.
 */
export async function noteConfirmation(
	context: Context,
	profile: Profile,
	operation: AnyOperation,
	{ digest, service }: MappingConfirmation,
	how: "command" | "outside",
): Promise<void> {
	const key = `confirmed ${operation.id}`;
	const value = `${digest} for ${service}`;
	const journal = await context.journal.of(profile);
	const seen = onRecord.get(journal) ?? new Map<string, string>();
	onRecord.set(journal, seen);
	// A payment is checked before it is recorded, and once more where its bytes leave.
	if (seen.get(key) === value) return;
	const [latest] = await journal.ownEvents("settings", 1);
	if ((latest?.content.settings as Record<string, string> | undefined)?.[key] !== value) {
		if (how === "outside")
			context.report.warn(
				`the confirmation of ${operation.id} in the profile ${profile.name} was not made with this journal; it is on record now`,
			);
		await journal.recordAct({ key, value, how, operator: await context.config.operator() });
	}
	seen.set(key, value);
}

/** What this run has seen or put on record, by operation. */
const onRecord = new WeakMap<Journal, Map<string, string>>();

declare const isConfirmed: unique symbol;
/** The digest of what a request may leave through; undefined where nothing has to be confirmed. */
export type Confirmed = (string & { readonly [isConfirmed]: true }) | undefined;

/** @throws PurserError guard, where nobody has confirmed the request as the mapping makes it now: nothing may be sent */
export async function requireConfirmed(context: Context, profile: Profile, operation: AnyOperation): Promise<Confirmed> {
	const asked = confirmable(operation, profile);
	if (asked === undefined) return undefined;
	// A sandbox of purser's own, whose money is none.
	if ((await context.journal.sandboxIdentity(profile)) === undefined) {
		const confirmed = asked.confirmed ?? (await confirmedSince(context, profile, operation));
		if (confirmed === undefined) throw unconfirmed(operation, profile, asked);
		await noteConfirmation(context, profile, operation, confirmed, "outside");
	}
	return asked.digest as Confirmed;
}

/** What another process may have stored since this run began. */
async function confirmedSince(context: Context, profile: Profile, operation: AnyOperation) {
	const now = await (await context.config.profiles()).get(profile.name);
	return confirmable(operation, { ...profile, confirmations: now?.confirmations })?.confirmed;
}

/** Whether a request may leave. Asked where it leaves, whatever was asked before. */
export const maySend = (operation: AnyOperation, profile: Mapped, confirmed: Confirmed): boolean => {
	const asked = confirmable(operation, profile);
	return asked === undefined || asked.digest === confirmed;
};

function unconfirmed(operation: AnyOperation, profile: Profile, { digest, earlier }: Confirmable): PurserError {
	const { id, method, path, effect } = operation;
	const entry = profile.mapping?.operations[id];
	const sent = entry === undefined || entry === "none" ? { method, path } : entry;
	const what =
		effect === "money" ? "moves money" : effect === "read" ? "is no GET, and could change something" : "replaces or removes a record";
	return new PurserError("guard", {
		code: "MAPPING_UNCONFIRMED",
		message: `Nobody has confirmed the request that the profile ${profile.name} sends for ${id} (${sent.method} ${sent.path}, which ${what}); nothing was sent`,
		why:
			earlier === undefined
				? "A wrong address or field could pay the wrong party, the wrong amount, or overwrite what is there"
				: `${earlier.digest === digest ? "The profile's address" : "The mapping"} has changed since ${earlier.by ?? "somebody"} confirmed it on ${earlier.at.slice(0, 10)}`,
		fix: advice`Look at the exact request and confirm it: ${purser`api confirm ${id}`}`,
	});
}
