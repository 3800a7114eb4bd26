import { GroupCommit } from "../../sqlite/group-commit.js";
import type { Storage } from "../../sqlite/storage.js";
import { WriteTransaction } from "../sqlite/transaction.js";

/** The journal's writer: its jobs append events to the chain. */
export class CommitQueue extends GroupCommit<WriteTransaction> {
	/** @param kept throws if the file that was committed to is no longer the journal; see `same-file.ts` */
	constructor(storage: Storage, now: () => Date, kept: () => void = () => {}) {
		super(storage, { begin: () => new WriteTransaction(storage, now()), finish: (transaction) => transaction.finish(), kept });
	}
}
