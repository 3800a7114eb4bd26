/**
 * The order in which ledgers are looked at, and in which the results are returned.
 */
import { plainId } from "../../../api/text/ids.js";
import { PurserError } from "../../../errors.js";
import type { IntentRecord } from "../../../ports/intent.js";
import type { Journal } from "../../../ports/journal.js";
import { groupBy } from "../../rules/group-by.js";
import type { Open } from "../matching/doubts.js";

/**
 * Runs `act` for each ledger with its doubts: ledgers never looked at first, then those looked at longest ago, so that a run after an
 * interrupted one starts with the ledgers that were not reached.
 * @throws PurserError interrupted, which says how many ledgers were done; whatever `act` throws
 */
export async function eachLedger(
	journal: Pick<Journal, "looks">,
	open: readonly Open[],
	act: (ledgerId: string, doubts: readonly Open[]) => Promise<void>,
): Promise<void> {
	const ledgers = await oldestFirst(
		journal,
		groupBy(open, ({ transfer }) => plainId(transfer.ledgerFromId)),
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
	// A look is recorded for all doubts of a ledger, so any one of them has its time.
	for (const one of all) one.looked = (await journal.looks((one.doubts.at(-1) as Open).intent)).at(-1)?.at ?? "";
	return all.sort((one, other) => (one.looked < other.looked ? -1 : one.looked > other.looked ? 1 : 0));
}

function interrupted(done: number, of: number, cause: PurserError): PurserError {
	return new PurserError("interrupted", {
		...cause.failure,
		message: `Interrupted; ${done} of ${of} ledgers were checked, and the results are recorded`,
		fix: "Run it again when you are ready: it begins with the ledgers that are left.",
		cause,
	});
}

/** Sorts the results into the order of the doubts; results for others come last. */
export function inOrderOf<T extends Pick<IntentRecord, "intent">>(
	open: readonly Pick<IntentRecord, "intent">[],
	settled: readonly T[],
): T[] {
	const places = new Map(open.map(({ intent }, place) => [intent, place]));
	const placeOf = ({ intent }: T): number => places.get(intent) ?? open.length;
	return [...settled].sort((one, other) => placeOf(one) - placeOf(other));
}
