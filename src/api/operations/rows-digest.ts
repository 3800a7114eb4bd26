/**
 * Digests of a batch's rows, in constant memory: planning makes them, sending and verification compare them.
 */
import { createHash, hash } from "node:crypto";
import { plainId } from "../text/ids.js";
import type { Transfer } from "./transfer.js";

const textOf = (value: string | boolean | undefined): string => (value === undefined ? "-" : `${String(value).length}:${value}`);

/** A row in canonical form: each field with its length, or `-` if absent, so that nothing can be shifted between fields. */
function canonical(transfer: Transfer): string {
	const { kind, ledgerFromId, counterpartyId, amount, currency, reference, allowFastPayment, allowInterLedger } = transfer;
	const parts = [kind, plainId(ledgerFromId), plainId(counterpartyId), amount, currency, reference, allowFastPayment, allowInterLedger];
	return parts.map(textOf).join("|");
}

/** Characters hashed at once, because a call costs more than hashing one row. */
const flushAbove = 16 * 1024;

/**
 * `sequence` is SHA-256 over the rows in order; approval and sending rely on it. `rows` is the sum modulo 2^256 of each row's SHA-256, hashed
 * once more with the count, so it is the same for the same rows in any order. A sum is not collision-resistant, but it only serves to
 * detect a file sent twice by mistake; a deliberate collision would merely get the second file refused.
 */
export class RowsDigest {
	readonly #sequence = createHash("sha256");
	#sum = 0n;
	#waiting = "";
	#count = 0;

	add(transfer: Transfer): void {
		const text = canonical(transfer);
		this.#waiting += `${text.length}:${text}\n`;
		if (this.#waiting.length > flushAbove) this.#flush();
		this.#sum += BigInt(`0x${hash("sha256", text, "buffer").reverse().toString("hex")}`);
		this.#count += 1;
	}

	#flush(): void {
		this.#sequence.update(this.#waiting);
		this.#waiting = "";
	}

	/** Hex. */
	finish(): { rows: string; sequence: string } {
		this.#flush();
		const sum = Buffer.from(BigInt.asUintN(256, this.#sum).toString(16).padStart(64, "0"), "hex").reverse();
		const rows = createHash("sha256").update(`rows ${this.#count}\n`).update(sum).digest("hex");
		return { rows, sequence: this.#sequence.update(`rows ${this.#count}\n`).digest("hex") };
	}
}
