import { advice, purser } from "../../api/advice.js";
import type { Received } from "../../api/answer.js";
import { typed } from "../../api/answer.js";
import { PurserError } from "../../errors.js";

/**
 * Follows an accepted payment. It is accepted whatever happens here: a look that fails is a warning, never a failed payment.
 * @param id the transaction's
 * @param wait waits for its final status and gives its record
 * @returns undefined, with a warning, where it could not be looked at
 * @throws PurserError interrupted, naming the transaction
 */
export async function follow(id: string, wait: () => Promise<Received>, warn: (message: string) => void): Promise<Received | undefined> {
	try {
		return await wait();
	} catch (cause) {
		if (!(cause instanceof PurserError)) throw cause;
		if (cause.kind === "interrupted")
			throw new PurserError("interrupted", {
				code: "WAIT_INTERRUPTED",
				message: `Stopped waiting; the payment was accepted as transaction ${id}`,
				fix: advice`Follow it with \`${purser`pay show ${typed(id, "TRANSACTION")} --wait`}\`; do not send it again.`,
				cause,
			});
		warn(`The payment was accepted as transaction ${id}, but its status could not be read: ${cause.message}`);
		return undefined;
	}
}
