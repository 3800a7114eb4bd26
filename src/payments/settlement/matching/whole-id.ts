/**
 * The whole id of a transaction of which a person typed the beginning. A settlement is about money, so nothing is guessed: the beginning
 * must fit one transaction alone, in a list of the debited ledger that was read to its end.
 */
import { advice, purser } from "../../../api/advice.js";
import { inCurrency } from "../../../api/amount.js";
import { listTransactions, type TransactionView, viewTransaction } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { type IdForms, isIdOf, plainId } from "../../../api/text/ids.js";
import { PurserError } from "../../../errors.js";
import type { Reading } from "../../../ports/service.js";

/** Maximum number of transactions that are searched. */
const maxSearched = 10_000;
/** Maximum number of candidates that an error lists. */
const maxListed = 20;

/**
 * @param typed an id, which is returned as it is, or its beginning
 * @param ids the service's forms of ids
 * @throws PurserError validation, if no transaction of the ledger begins so, or the list was not read whole; usage, if several do
 */
export async function wholeId(
	service: Pick<Reading, "list">,
	{ ledgerFromId }: Transfer,
	typed: string,
	ids: IdForms = {},
): Promise<string> {
	if (isIdOf("transaction", typed, ids)) return typed;
	// A UUID begins alike in capitals and in small letters; of any other id each letter counts.
	const compared = ids.transaction === undefined ? (id: string) => id.toLowerCase() : plainId;
	const start = compared(typed);
	const query = { ledgerId: ledgerFromId, sortDirection: "DESC" as const };
	const { records, complete } = await service.list(listTransactions, { query }, maxSearched);
	const fitting = new Map(
		records.map(viewTransaction).flatMap((one) => {
			const id = one.id && compared(one.id);
			return id?.startsWith(start) ? [[id, one] as const] : [];
		}),
	);
	const [only] = fitting.keys();
	const candidates = [...fitting.values()].slice(0, maxListed).map((one) => ({ field: "transaction", message: `may be ${textOf(one)}` }));
	if (fitting.size > 1)
		throw new PurserError("usage", {
			code: "AMBIGUOUS",
			message: `${JSON.stringify(typed)} fits ${fitting.size} transactions; nothing was changed`,
			fix: "Give the id of the right one.",
			details: candidates,
		});
	if (only !== undefined && complete) return only;
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: complete
			? `No transaction of the ledger ${ledgerFromId} begins with ${JSON.stringify(typed)}; nothing was changed`
			: `The service did not list all transactions of the ledger, so ${JSON.stringify(typed)} may fit another one too; nothing was changed`,
		fix: advice`Give the whole id: ${purser`pay list --ledger-id ${ledgerFromId}`}`,
		details: candidates.length > 0 ? candidates : [{ field: "transaction", message: "is not the id of any transaction" }],
	});
}

const textOf = ({ id, amount, currency, createdAt, reference, status }: TransactionView): string =>
	[id, amount && inCurrency(amount, currency), createdAt, reference, status].filter(Boolean).join(" · ");
