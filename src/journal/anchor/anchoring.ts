/**
 * Checks that this journal is the one paid from before, by comparing it with its anchor, which is stored outside it. The check happens
 * before an attempt is recorded; the anchor is advanced after the commit and before the first byte is sent.
 */
import type { PurserError } from "../../errors.js";
import type { Anchor, AnchorPlace, Missing, Standing } from "../../ports/anchor.js";
import type { Adoption, Head } from "../../ports/journal.js";
import type { Clock } from "../../ports/machine.js";
import type { Profile } from "../../ports/profiles.js";
import type { MachineLog } from "../postgres/log.js";
import type { Connection } from "../tables/connection.js";
import { type Reading, sql } from "../tables/sql.js";
import { headOf, installationOf, type WriteTransaction } from "../tables/transaction.js";
import { wrongJournal } from "./refusals.js";
import { adoptedKind, marksOf } from "./unfit.js";

/** An open journal and its dependencies. */
export interface AnchoredJournal {
	connection: Connection;
	place: AnchorPlace;
	profile: Pick<Profile, "name" | "environment">;
	/** The journal's file, to be named to people. */
	file: string;
	clock: Pick<Clock, "now">;
	/** Which database has it; absent for a file. */
	database?(reading: Reading): Promise<NonNullable<Anchor["database"]>>;
	/** What this machine keeps of it, if it is a team's. */
	log?: MachineLog;
}

/** The content of an `adopted` event. */
type AdoptionEvent = Omit<Adoption, "installation" | "head">;

/** Compares one open journal with its anchor, and advances the anchor. */
export class Anchoring {
	constructor(readonly anchored: AnchoredJournal) {}

	/** Compares the journal with its anchor, unless it is a restored backup. @throws PurserError usage, if the anchor cannot be read */
	standing(): Promise<Standing> {
		return this.anchored.connection.read(async (reading) => {
			const { restored } = await marksOf(reading);
			if (restored === undefined) return this.#compare(reading);
			const found = this.anchored.place.read();
			const anchor = found === "broken" ? undefined : found;
			// A backup's own mark is none of the events that its anchor counts.
			return { ...restored, anchor, missing: anchor && (await missingOf(reading, anchor, restored.last)) };
		});
	}

	async #compare(reading: Reading): Promise<Standing> {
		// Read the anchor before the journal: it is only advanced after a commit, so the journal must contain its event.
		const found = this.anchored.place.read();
		if (found === "broken") return { kind: "broken" };
		const own = await installationOf(reading);
		if (found === undefined) {
			const paid = await reading.get(
				sql`SELECT number FROM intent WHERE effect = 'money' AND state NOT IN ('planned', 'abandoned') LIMIT 1`,
			);
			return this.#second(own, undefined) ?? { kind: paid === undefined ? "new" : "unanchored" };
		}
		const fault = await this.#faultOf(reading, found);
		if (fault !== undefined) return { anchor: found, ...fault };
		return this.#second(own, found) ?? { kind: "held", anchor: found };
	}

	/**
	 * Makes sure that money may be sent from this journal. A journal that has payments but no anchor gets one here.
	 * @param fresh accept a journal without any payment
	 * @returns `new` if it has no payment; the caller then decides whether it may be used
	 * @throws PurserError guard, if it is not the journal of its anchor; usage, if the anchor cannot be read or written
	 */
	async allow(fresh: boolean): Promise<"held" | "new"> {
		const standing = await this.standing();
		if (standing.kind === "held" || (standing.kind === "new" && fresh)) return standing.kind;
		if (standing.kind !== "unanchored") throw await this.#wrong(standing);
		await this.adopt("payments stand in it, and no anchor was kept of it");
		return "held";
	}

	/**
	 * Advances the anchor to the newest event. It is written while the journal is locked, so that neither of two processes overwrites the
	 * other's anchor with an older one.
	 * @throws PurserError guard, if the journal no longer matches the anchor; usage, if the anchor cannot be written
	 */
	renew(): Promise<void> {
		return this.anchored.connection.locked(async (reading) => {
			const { place } = this.anchored;
			const found = place.read();
			if (found === "broken") throw wrongJournal({ kind: found }, this.anchored);
			const fault = found && (await this.#faultOf(reading, found));
			if (fault !== undefined) throw await this.#wrong({ anchor: found as Anchor, ...fault }, reading);
			const head = await headOf(reading);
			if (found !== undefined && found.seq >= head.seq && found.services.includes(place.service)) return;
			place.write(await this.#anchorAt(reading, head, found));
		});
	}

	/**
	 * Adopts this journal: records the adoption, then writes the anchor. If the process dies in between, the command can simply be
	 * repeated.
	 * @param record records more in the same transaction
	 * @returns what was recorded
	 */
	async adopt(reason: string, record: (transaction: WriteTransaction) => Promise<object> = async () => ({})): Promise<Adoption> {
		const { connection, place } = this.anchored;
		const { kind, ...rest } = await this.standing();
		const found = place.read();
		const before = found === undefined || found === "broken" ? undefined : found;
		const others = place.others().filter(({ services }) => services.includes(place.service));
		const beside = others.map(({ installation }) => installation);
		const own: AdoptionEvent = { reason, found: kind, ...("missing" in rest && { missing: rest.missing }) };
		const adoption = await connection.write(async (transaction) => {
			const all: AdoptionEvent = { ...own, ...(await record(transaction)) };
			await transaction.append(adoptedKind, undefined, all);
			return all;
		});
		return connection.locked(async (reading) => {
			const counted = {
				services: before?.services ?? [],
				adopted: (before?.adopted ?? 0) + 1,
				beside: [...(before?.beside ?? []), ...beside],
			};
			const head = await headOf(reading);
			place.write(await this.#anchorAt(reading, head, counted));
			return { ...adoption, installation: await installationOf(reading), head };
		});
	}

	async #anchorAt(
		reading: Reading,
		{ seq, hash }: Head,
		before: Pick<Anchor, "services" | "adopted" | "beside"> | undefined,
	): Promise<Anchor> {
		const { place, profile, clock, database } = this.anchored;
		const { name, environment } = profile;
		return {
			profile: name,
			environment,
			services: [...new Set([...(before?.services ?? []), place.service])],
			installation: await installationOf(reading),
			seq,
			hash,
			at: clock.now().toISOString(),
			adopted: before?.adopted ?? 0,
			beside: [...new Set(before?.beside)],
			...(database && { database: await database(reading) }),
		};
	}

	async #wrong(standing: Standing, reading?: Reading): Promise<PurserError> {
		const { connection, log } = this.anchored;
		const count = async (given: Reading) => log?.countLacking(given);
		return wrongJournal(standing, {
			...this.anchored,
			lacking: await (reading === undefined ? connection.read(async (own) => count(own)) : count(reading)),
		});
	}

	async #faultOf(reading: Reading, anchor: Anchor): Promise<Fault | undefined> {
		const { database, log } = this.anchored;
		const fault = (await faultOf(reading, anchor)) ?? (log && (await unmarked(reading, anchor, log)));
		if (fault !== undefined || database === undefined || anchor.database === undefined) return fault;
		const { system, timeline } = await database(reading);
		// After a standby took over, what another machine sent last may be missing: this one cannot know, so its person decides.
		return system === anchor.database.system && timeline === anchor.database.timeline ? undefined : { kind: "elsewhere" };
	}

	/** Another journal that pays at the same service, unless a person has allowed both to be used in parallel. */
	#second(own: string, anchor: Anchor | undefined): Standing | undefined {
		const { place } = this.anchored;
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

type Fault = ({ kind: "other" | "changed" | "elsewhere" } | { kind: "behind"; missing: Missing }) & { anchor?: Anchor };

/** The log of a team's machine knows more than the anchor, which is not written with every row of a batch. */
async function unmarked(reading: Reading, anchor: Anchor, log: MachineLog): Promise<Fault | undefined> {
	const lost = await log.lost(reading);
	if (lost === undefined) return undefined;
	const seen = { ...anchor, ...lost };
	const missing = await missingOf(reading, seen);
	return missing === undefined ? { kind: "changed", anchor: seen } : { kind: "behind", missing, anchor: seen };
}

/** Why a journal does not match an anchor; undefined if it does. */
async function faultOf(reading: Reading, anchor: Anchor): Promise<Fault | undefined> {
	if ((await installationOf(reading)) !== anchor.installation) return { kind: "other" };
	const missing = await missingOf(reading, anchor);
	if (missing !== undefined) return { kind: "behind", missing };
	return (await reading.get(sql`SELECT hash FROM event WHERE seq = ${anchor.seq}`))?.hash === anchor.hash ? undefined : { kind: "changed" };
}

/** What the journal lacks of the events that the anchor counts; undefined if nothing. @param end its own last event, where it is not the newest */
async function missingOf(reading: Reading, { installation, seq }: Anchor, end?: number): Promise<Missing | undefined> {
	const last = end ?? (await headOf(reading)).seq;
	if ((await installationOf(reading)) !== installation || last >= seq) return undefined;
	const event = await reading.get(sql`SELECT at FROM event WHERE seq = ${last}`);
	return { entries: seq - last, since: String(event?.at) };
}
