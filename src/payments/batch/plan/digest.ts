/**
 * What a batch is recognised by, and what holds it together; memory does not grow with its rows.
 */

import { createHash, hash } from "node:crypto";
import type { Transfer } from "../../../api/operations/transfer.js";
import type { BatchDigest } from "../../../ports/batch-plan.js";

const textOf = (value: string | boolean | undefined): string => (value === undefined ? "-" : `${String(value).length}:${value}`);

/** One row as a text in which nothing can be shifted from one field to the next: each part with its length, or `-` where there is none. */
export function canonical(transfer: Transfer): string {
	const { kind, ledgerFromId, counterpartyId, amount, currency, reference, allowFastPayment, allowInterLedger } = transfer;
	const parts = [
		kind,
		ledgerFromId.toLowerCase(),
		counterpartyId.toLowerCase(),
		amount,
		currency,
		reference,
		allowFastPayment,
		allowInterLedger,
	];
	return parts.map(textOf).join("|");
}

/** Characters that are hashed at once: a call costs more than what it hashes. */
const flushed = 16 * 1024;

/** Bytes of a sum modulo 2^256, in numbers of 16 bits: they add up without a carry that is lost. */
const limbs = 16;

/**
 * `sequence` is SHA-256 over the rows in their order: what is approved and sent rests on it. `rows` is the sum modulo 2^256 of each
 * row's SHA-256, with the count, hashed once more: the same for the same rows in any order. A sum is enough to recognise a file
 * by, which guards against a mistake; whoever looks for two files with one sum gains that the second one is held back.
 */
export class Digest {
	readonly #sequence = createHash("sha256");
	readonly #sum = new Float64Array(limbs);
	#waiting = "";
	#count = 0;

	add(transfer: Transfer): void {
		const text = canonical(transfer);
		this.#waiting += `${text.length}:${text}\n`;
		if (this.#waiting.length > flushed) this.#flush();
		const own = hash("sha256", text, "buffer");
		// Sums stay exact in doubles for 2^37 rows; carries are settled at the end.
		for (let at = 0; at < limbs; at++) this.#sum[at] = (this.#sum[at] as number) + own.readUInt16LE(2 * at);
		this.#count += 1;
	}

	#flush(): void {
		this.#sequence.update(this.#waiting);
		this.#waiting = "";
	}

	/** To be called once. */
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
