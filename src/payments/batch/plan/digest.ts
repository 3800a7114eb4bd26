/**
 * Digests of a batch's rows, computed in constant memory.
 */

import { createHash, hash } from "node:crypto";
import type { Transfer } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { BatchDigest } from "../../../ports/batch-plan.js";

const textOf = (value: string | boolean | undefined): string => (value === undefined ? "-" : `${String(value).length}:${value}`);

/** A row in canonical form: each field with its length, or `-` if absent, so that nothing can be shifted between fields. */
export function canonical(transfer: Transfer): string {
	const { kind, ledgerFromId, counterpartyId, amount, currency, reference, allowFastPayment, allowInterLedger } = transfer;
	const parts = [kind, plainId(ledgerFromId), plainId(counterpartyId), amount, currency, reference, allowFastPayment, allowInterLedger];
	return parts.map(textOf).join("|");
}

/** Characters hashed at once, because a call costs more than hashing one row. */
const flushAbove = 16 * 1024;

/** Number of 16-bit limbs of a 256-bit sum. */
const limbs = 16;

/**
 * `sequence` is SHA-256 over the rows in order; approval and sending rely on it. `rows` is the sum modulo 2^256 of each row's SHA-256, hashed
 * once more with the count, so it is the same for the same rows in any order. A sum is not collision-resistant, but it only serves to
 * detect a file sent twice by mistake; a deliberate collision would merely get the second file refused.
 */
export class Digest {
	readonly #sequence = createHash("sha256");
	readonly #sum = new Float64Array(limbs);
	#waiting = "";
	#count = 0;

	add(transfer: Transfer): void {
		const text = canonical(transfer);
		this.#waiting += `${text.length}:${text}\n`;
		if (this.#waiting.length > flushAbove) this.#flush();
		const own = hash("sha256", text, "buffer");
		// Sums stay exact in doubles for 2^37 rows; carries are propagated at the end.
		for (let at = 0; at < limbs; at++) this.#sum[at] = (this.#sum[at] as number) + own.readUInt16LE(2 * at);
		this.#count += 1;
	}

	#flush(): void {
		this.#sequence.update(this.#waiting);
		this.#waiting = "";
	}

	/** Call this once. */
	finish(): BatchDigest {
		this.#flush();
		const sum = Buffer.alloc(2 * limbs);
		let carry = 0;
		for (let at = 0; at < limbs; at++) {
			const total = (this.#sum[at] as number) + carry;
			sum.writeUInt16LE(total % 65_536, 2 * at);
			carry = Math.floor(total / 65_536);
		}
		const rows = createHash("sha256").update(`rows ${this.#count}\n`).update(sum).digest("hex");
		return { rows, sequence: this.#sequence.update(`rows ${this.#count}\n`).digest("hex") };
	}
}
