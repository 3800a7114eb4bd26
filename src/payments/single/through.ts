/**
 * Looks a payment up as the service was described when the payment was sent: a list that is read in another way may leave it out, or show
 * another one in its place.
 */
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";

type Sent = Pick<IntentRecord, "intent" | "operation" | "effect" | "binding">;
type Binding = Pick<Journal, "through" | "binding">;

/** The service, described as it was when this change was sent. */
export async function readingThrough({ journal, service }: { journal: Binding; service: Reading }, sent: Sent): Promise<Reading> {
	const digest = (await journal.through(sent))?.lookUps ?? null;
	const kept = digest === null ? undefined : await journal.binding(digest);
	return (await service.through({ effect: sent.effect, digest, kept })) ?? service;
}

/**
 * The service, described as it was when the payment was sent that holds this id; as it is where no payment is known to hold it.
 * @returns the payment's record too, where there is one
 */
export async function readingOfHolder(
	context: Context,
	service: Reading,
	id: string,
): Promise<{ reading: Reading; holder?: IntentRecord }> {
	const { profile } = await context.settings();
	// Reading a transaction must not create a journal, nor fail because of one.
	if (!(await context.hasJournal(profile))) return { reading: service };
	try {
		const journal = await context.journal(profile);
		const holder = (await journal.holderRecords([id])).get(id);
		return holder === undefined ? { reading: service } : { reading: await readingThrough({ journal, service }, holder), holder };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		return { reading: service };
	}
}
