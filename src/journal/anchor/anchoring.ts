/**
 * Checks that this journal is the one paid from before, by comparing it with its anchor, which is stored outside it. The check happens
 * before an attempt is recorded; the anchor is advanced after the commit and before the first byte is sent.
 */
import type { Anchor, AnchorPlace, Missing, Standing } from "../../ports/anchor.js";
import type { Adoption } from "../../ports/journal.js";
import type { Clock } from "../../ports/machine.js";
import type { Profile } from "../../ports/profiles.js";
import { rollBack } from "../../sqlite/durable.js";
import type { Storage } from "../../sqlite/storage.js";
import { statement } from "../../sqlite/storage.js";
import type { CommitQueue } from "../sqlite/transaction.js";
import { metaOf, type WriteTransaction } from "../sqlite/transaction.js";
import { wrongJournal } from "./refusals.js";
import { adoptedKind, restoredMark } from "./restored.js";

/** Number and hash of the newest committed event. */
export interface Head {
	seq: number;
	hash: string;
}

/** An open journal and its dependencies. */
export interface AnchoredJournal {
	storage: Storage;
	queue: CommitQueue;
	place: AnchorPlace;
	profile: Pick<Profile, "name" | "environment">;
	/** The journal's file, to be named to people. */
	file: string;
	clock: Pick<Clock, "now">;
}

/** The content of an `adopted` event. */
type AdoptionEvent = Omit<Adoption, "installation" | "head">;

/**
 * The recorded reason if a journal without an anchor gets one: it was written before anchors existed, or the configuration was replaced.
 */
const adoptionReason = "payments stand in it, and no anchor was kept of it";

/** Compares one open journal with its anchor, and advances the anchor. */
export class Anchoring {
	constructor(private readonly anchored: AnchoredJournal) {}

	/** As {@link compared}, unless it is a restored backup. @throws PurserError usage, if the anchor cannot be read */
	standing(): Standing {
		const mark = restoredMark(this.anchored.storage);
		if (mark === undefined) return this.compared();
		const found = this.anchored.place.read();
		const anchor = found === "broken" ? undefined : found;
		return { ...mark, anchor, missing: anchor && missingOf(this.anchored.storage, anchor) };
	}

	/** Compares the journal with its anchor. @throws PurserError usage, if the anchor cannot be read */
	compared(): Standing {
		const { storage, place } = this.anchored;
		// Read the anchor before the journal: it is only advanced after a commit, so the journal must contain its event.
		const found = place.read();
		if (found === "broken") return { kind: "broken" };
		if (found === undefined) return this.#second(undefined) ?? { kind: hasPayments(storage) ? "unanchored" : "new" };
		const fault = faultOf(storage, found);
		if (fault !== undefined) return { ...fault, anchor: found };
		return this.#second(found) ?? { kind: "held", anchor: found };
	}

	/**
	 * Makes sure that money may be sent from this journal. A journal that has payments but no anchor gets one here.
	 * @param fresh accept a journal without any payment
	 * @returns `new` if it has no payment; the caller then decides whether it may be used
	 * @throws PurserError guard, if it is not the journal of its anchor; usage, if the anchor cannot be read or written
	 */
	async allow(fresh: boolean): Promise<"held" | "new"> {
		const standing = this.standing();
		if (standing.kind === "held" || (standing.kind === "new" && fresh)) return standing.kind;
		if (standing.kind !== "unanchored") throw wrongJournal(standing, this.anchored);
		await this.adopt(adoptionReason);
		return "held";
	}

	/**
	 * Advances the anchor to the newest event, or to the given one. It is written while the journal is locked, so that neither of two
	 * processes overwrites the other's anchor with an older one.
	 * @throws PurserError guard, if the journal no longer matches the anchor; usage, if the anchor cannot be written
	 */
	renew(to?: Head): void {
		const { storage } = this.anchored;
		storage.exec("BEGIN IMMEDIATE");
		try {
			this.#renewLocked(to);
		} finally {
			rollBack(storage);
		}
	}

	#renewLocked(to: Head | undefined): void {
		const { storage, place } = this.anchored;
		const found = place.read();
		if (found === "broken") throw wrongJournal({ kind: found }, this.anchored);
		if (found !== undefined) {
			const fault = faultOf(storage, found);
			if (fault !== undefined) throw wrongJournal({ ...fault, anchor: found }, this.anchored);
		}
		const head = to ?? headOf(storage);
		if (found !== undefined && found.seq >= head.seq && found.services.includes(place.service)) return;
		place.write(this.#anchorAt(found !== undefined && found.seq > head.seq ? found : head, found));
	}

	/**
	 * Adopts this journal: records the adoption, then writes the anchor. If the process dies in between, the command can simply be
	 * repeated.
	 * @param record records more in the same transaction
	 * @returns what was recorded
	 */
	async adopt(reason: string, record: (transaction: WriteTransaction) => object = () => ({})): Promise<Adoption> {
		const { queue, place, storage } = this.anchored;
		const { kind, ...rest } = this.standing();
		const found = place.read();
		const before = found === undefined || found === "broken" ? undefined : found;
		const others = place.others().filter(({ services }) => services.includes(place.service));
		const beside = others.map(({ installation }) => installation);
		const own: AdoptionEvent = {
			reason,
			found: kind,
			...(before && { before: { installation: before.installation, seq: before.seq, hash: before.hash } }),
			...("missing" in rest && { missing: rest.missing }),
			...("other" in rest && { beside }),
		};
		const adoption = await queue.run((transaction) => {
			const all: AdoptionEvent = { ...own, ...record(transaction) };
			transaction.append(adoptedKind, undefined, all);
			return all;
		});
		storage.exec("BEGIN IMMEDIATE");
		try {
			const counted = {
				services: before?.services ?? [],
				adopted: (before?.adopted ?? 0) + 1,
				beside: [...(before?.beside ?? []), ...beside],
			};
			place.write(this.#anchorAt(headOf(storage), counted));
		} finally {
			rollBack(storage);
		}
		return { ...adoption, installation: metaOf(storage, "installation"), head: headOf(storage) };
	}

	#anchorAt({ seq, hash }: Head, before: Pick<Anchor, "services" | "adopted" | "beside"> | undefined): Anchor {
		const { storage, place, profile, clock } = this.anchored;
		const { name, environment } = profile;
		return {
			profile: name,
			environment,
			services: [...new Set([...(before?.services ?? []), place.service])],
			installation: metaOf(storage, "installation"),
			seq,
			hash,
			at: clock.now().toISOString(),
			adopted: before?.adopted ?? 0,
			beside: [...new Set(before?.beside)],
		};
	}

	/** Another journal that pays at the same service, unless a person has allowed both to be used in parallel. */
	#second(anchor: Anchor | undefined): Standing | undefined {
		const { storage, place } = this.anchored;
		const own = metaOf(storage, "installation");
		const other = place
			.others()
			.find(
				(one) =>
					one.services.includes(place.service) &&
					one.installation !== own &&
					!one.beside.includes(own) &&
					!anchor?.beside.includes(one.installation),
			);
		return other && { kind: "second", other, anchor };
	}
}

/** Why a journal does not match an anchor; undefined if it does. */
function faultOf(storage: Storage, anchor: Anchor): { kind: "other" | "changed" } | { kind: "behind"; missing: Missing } | undefined {
	if (metaOf(storage, "installation") !== anchor.installation) return { kind: "other" };
	const missing = missingOf(storage, anchor);
	if (missing !== undefined) return { kind: "behind", missing };
	return holds(storage, anchor) ? undefined : { kind: "changed" };
}

/** What the journal lacks of the events that the anchor counts; undefined if nothing. */
function missingOf(storage: Storage, { installation, seq }: Anchor): Missing | undefined {
	// A backup's own mark is none of these events.
	const last = restoredMark(storage)?.last ?? headOf(storage).seq;
	if (metaOf(storage, "installation") !== installation || last >= seq) return undefined;
	const event = statement(storage, "SELECT at FROM event WHERE seq = ?").get(last);
	return { entries: seq - last, since: String(event?.at) };
}

function holds(storage: Storage, { seq, hash }: Head): boolean {
	return statement(storage, "SELECT hash FROM event WHERE seq = ?").get(seq)?.hash === hash;
}

/** Whether the journal has a payment. Planned rows do not count. */
function hasPayments(storage: Storage): boolean {
	const paid = "SELECT EXISTS (SELECT 1 FROM intent WHERE effect = 'money' AND state NOT IN ('planned', 'abandoned')) AS paid";
	return statement(storage, paid).get()?.paid === 1;
}

/** Number and hash of the newest committed event; within a transaction, of the newest before it. */
export function headOf(storage: Storage): Head {
	return { seq: Number(metaOf(storage, "seq")), hash: metaOf(storage, "hash") };
}
