/**
 * In which order the ledgers of many doubts are looked at, and in which their doubts are told.
 */
import { PurserError } from "../../../errors.js";
import type { IntentRecord } from "../../../ports/intent.js";
import type { Journal } from "../../../ports/journal.js";
import { groupBy } from "../../rules/group-by.js";
import type { Open } from "../matching/doubts.js";

/**
 * Does something for each ledger with its doubts: first those never looked at, then those looked at longest ago. So a run after one
 * that was interrupted begins with the ledgers to which that one did not come.
 * @throws PurserError interrupted, which says how many ledgers were done; whatever `act` throws
 */
export async function eachLedger(
	journal: Pick<Journal, "looks">,
	open: readonly Open[],
	act: (ledgerId: string, doubts: readonly Open[]) => Promise<void>,
): Promise<void> {
	const ledgers = await oldestFirst(
		journal,
		groupBy(open, ({ transfer }) => transfer.ledgerFromId.toLowerCase()),
	);
	for (const [done, { ledgerId, doubts }] of ledgers.entries()) {
		try {
			await act(ledgerId, doubts);
		} catch (cause) {
			if (cause instanceof PurserError && cause.kind === "interrupted" && done > 0) throw interrupted(done, ledgers.length, cause);
			throw cause;
		}
	}
}

async function oldestFirst(journal: Pick<Journal, "looks">, ledgers: ReadonlyMap<string, Open[]>) {
	const all = [...ledgers].map(([ledgerId, doubts]) => ({ ledgerId, doubts, looked: "" }));
	if (all.length === 1) return all;
	// A look is recorded at all of a ledger's doubts, so one of them tells when it was.
	for (const one of all) one.looked = (await journal.looks((one.doubts.at(-1) as Open).intent)).at(-1)?.at ?? "";
	return all.sort((one, other) => (one.looked < other.looked ? -1 : one.looked > other.looked ? 1 : 0));
}

function interrupted(done: number, of: number, cause: PurserError): PurserError {
	return new PurserError("interrupted", {
		...cause.failure,
		message: `Interrupted; ${done} of ${of} ledgers were looked at, and what was found there is recorded`,
		fix: "Run it again when you are ready: it begins with the ledgers that are left.",
		cause,
	});
}

/** What became of doubts, in the order in which these were told; those that came to light meanwhile after them. */
export function inOrderOf<T extends Pick<IntentRecord, "intent">>(
	open: readonly Pick<IntentRecord, "intent">[],
	settled: readonly T[],
): T[] {
	const places = new Map(open.map(({ intent }, place) => [intent, place]));
	const placeOf = ({ intent }: T): number => places.get(intent) ?? open.length;
	return [...settled].sort((one, other) => placeOf(one) - placeOf(other));
}
