import { advice, purser } from "../../api/advice.js";
import type { Received } from "../../api/answer.js";
import { typed } from "../../api/answer.js";
import { PurserError } from "../../errors.js";

/**
 * Follows an accepted payment until its status is final. The payment stays accepted whatever happens here, so a failed read is only a
 * warning.
 * @param id the transaction's
 * @param wait waits for the final status and returns the record
 * @returns undefined, after a warning, if the status could not be read
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
