/**
 * Whether this journal is the one that money left by before: it is held against its anchor, which lies outside it, before an attempt is
 * written, and the anchor is moved on after the commit and before the first byte leaves.
 */
import type { Anchor, AnchorPlace, Standing } from "../../ports/anchor.js";
import type { Adoption } from "../../ports/journal.js";
import type { Clock } from "../../ports/machine.js";
import type { Profile } from "../../ports/profiles.js";
import type { CommitQueue } from "../intents/queue.js";
import { rollBack } from "../sqlite/setup.js";
import type { Storage } from "../sqlite/storage.js";
import { metaOf, statement } from "../sqlite/transaction.js";
import { notTheOne } from "./refusals.js";

/** Number and hash of the newest event that is committed. */
export interface Head {
	seq: number;
	hash: string;
}

/** What is at hand of one open journal. */
export interface Anchored {
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

/** Recorded where a journal is anchored that was written before anchors were, or whose configuration is another one. */
const byItself = "payments stand in it, and no anchor was kept of it";

/** Holds one open journal against its anchor. */
export class Anchoring {
	constructor(private readonly anchored: Anchored) {}

	/** How the journal stands now. @throws PurserError usage, where the anchor cannot be read */
	standing(): Standing {
		const { storage, place } = this.anchored;
		// The anchor is only ever moved on after a commit: what it says was read first stands in the journal that is read then.
		const found = place.read();
		if (found === "broken") return { kind: "broken" };
		if (found === undefined) return this.#second(undefined) ?? { kind: paysFrom(storage) ? "unanchored" : "new" };
		const fault = faultOf(storage, found);
		if (fault !== undefined) return { kind: fault, anchor: found };
		return this.#second(found) ?? { kind: "held", anchor: found };
	}

	/**
	 * Makes sure that money may leave by this journal. One that is not anchored yet, although payments stand in it, is anchored here.
	 * @param fresh whether a journal without any payment is all right
	 * @returns whether it is new: then the caller decides whether it may begin
	 * @throws PurserError guard, where it is not the one; usage, where its anchor cannot be read or written
	 */
	async allow(fresh: boolean): Promise<"held" | "new"> {
		const standing = this.standing();
		if (standing.kind === "held" || (standing.kind === "new" && fresh)) return standing.kind;
		if (standing.kind !== "unanchored") throw notTheOne(standing, this.anchored);
		await this.adopt(byItself);
		return "held";
	}

	/**
	 * Moves the anchor on to the newest event, or to one before it. It is written while the journal is locked: of two processes neither
	 * puts back what the other has written, and what one finds there stands in the journal.
	 * @throws PurserError guard, where the journal is not the one any more; usage, where the anchor cannot be written
	 */
	renew(to?: Head): void {
		const { storage } = this.anchored;
		storage.exec("BEGIN IMMEDIATE");
		try {
			this.renewLocked(to);
		} finally {
			rollBack(storage);
		}
	}

	/** The same inside a write transaction; what that has written itself is not anchored before its commit. */
	renewLocked(to?: Head): void {
		const { storage, place } = this.anchored;
		const found = place.read();
		const fault = found === "broken" ? found : found && faultOf(storage, found);
		if (fault !== undefined) throw notTheOne({ kind: fault, ...(typeof found === "object" && { anchor: found }) }, this.anchored);
		const head = to ?? headOf(storage);
		const anchor = found as Anchor | undefined;
		if (anchor !== undefined && anchor.seq >= head.seq && anchor.services.includes(place.service)) return;
		place.write(this.#anchorAt(anchor !== undefined && anchor.seq > head.seq ? anchor : head, anchor));
	}

	/**
	 * Makes this journal the one, on record; the record is written first, so that a run that is killed between is simply repeated.
	 * @returns what was recorded
	 */
	async adopt(reason: string): Promise<Adoption> {
		const { queue, place, storage } = this.anchored;
		const { kind, ...more } = this.standing();
		const found = place.read();
		const before = found === undefined || found === "broken" ? undefined : found;
		const others = place.others().filter(({ services }) => services.includes(place.service));
		const beside = others.map(({ installation }) => installation);
		const adoption: AdoptionEvent = {
			reason,
			found: kind,
			...(before && { before: { installation: before.installation, seq: before.seq, hash: before.hash } }),
			...("other" in more && { beside }),
		};
		await queue.run((transaction) => transaction.append("adopted", undefined, adoption));
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

	/** Another journal of the same service, unless a person has said of one of both that they are used beside each other. */
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

/** Why a journal is not the one that an anchor is of. */
function faultOf(storage: Storage, anchor: Anchor): "other" | "behind" | "changed" | undefined {
	if (metaOf(storage, "installation") !== anchor.installation) return "other";
	if (headOf(storage).seq < anchor.seq) return "behind";
	return holds(storage, anchor) ? undefined : "changed";
}

function holds(storage: Storage, { seq, hash }: Head): boolean {
	const event = statement(storage, "SELECT hash FROM event WHERE seq = ?").get(seq);
	if (event !== undefined) return event.hash === hash;
	// A purge moves the anchor on before it removes anything, so only the last event that it removed can be the anchored one.
	if (metaOf(storage, "purged") !== String(seq)) return false;
	const purged = statement(storage, "SELECT content FROM event WHERE kind = 'purged' ORDER BY seq DESC LIMIT 1").get();
	return purged !== undefined && (JSON.parse(String(purged.content)) as { hash?: unknown }).hash === hash;
}

/** Whether a payment stands in the journal, or stood there before a purge. What was only planned is none. */
function paysFrom(storage: Storage): boolean {
	const paid = "SELECT EXISTS (SELECT 1 FROM intent WHERE effect = 'money' AND state NOT IN ('planned', 'abandoned')) AS paid";
	return metaOf(storage, "purged") !== "0" || statement(storage, paid).get()?.paid === 1;
}

/** Number and hash of the newest event that is committed; within a transaction, of the newest before it. */
export function headOf(storage: Storage): Head {
	return { seq: Number(metaOf(storage, "seq")), hash: metaOf(storage, "hash") };
}
