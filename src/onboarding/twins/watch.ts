/**
 * What a run has created, looked for again until it is certain, as far as it can be, that no other run created the same.
 */
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { ifReadable } from "../records/reading.js";
import { type Look, listsOf } from "./look.js";
import { type Sought, twinError, twinsOf } from "./twin.js";

/** The creations of one case, or of one command. */
export interface Watch {
	/**
	 * Looks for another record of the same at once. After the creation of a company, on which all else builds, waits until it is listed.
	 * @throws CreatedTwice, where there is another one; as the service does
	 */
	created(sought: Sought, corporateId: string): Promise<void>;
	/**
	 * Waits until everything created is listed, and for another run that began at the same time; then looks once more.
	 * @returns names of what the service does not list: whether another run created it too is not known
	 * @throws PurserError as `created`
	 */
	finish(): Promise<string[]>;
	/** One more look, for a run that did something since. @throws PurserError as `created` */
	look(): Promise<void>;
}

/** Milliseconds from the look of another run to its creation: a slower one is not waited for. It sees ours itself. */
const longestGap = 5_000;

/** One creation, in monotonic milliseconds. */
interface Creation {
	sought: Sought;
	corporateId: string;
	created: number;
	/** When the list showed it first. */
	shown?: number;
}

/**
 * Watches that share what one run learns of the lists: a list that is not offered, or shows nothing new, is not waited for again.
 * @param within milliseconds within which a created record appears in the service's list
 * @returns makes the watch of a case; `began`: monotonic milliseconds at which the case was looked for
 */
export function newWatches(context: Context, service: Pick<Service, "list" | "until">, within: number): (began: number) => Watch {
	const lists = listsOf(context, service);
	const refused = new Set<Sought["what"]>();
	const late = new Set<Sought["what"]>();
	const { clock } = context;

	return (began) => {
		const creations: Creation[] = [];

		/** @throws CreatedTwice */
		const note = ({ shown, twins: others }: Look): void => {
			for (const creation of creations) if (shown.has(creation.sought.id)) creation.shown ??= clock.monotonic();
			const found = creations.flatMap(({ sought }) => {
				const records = others.get(sought.id);
				return records === undefined ? [] : [[sought, twinsOf(sought, records)] as const];
			});
			if (found.length > 0) throw twinError(found);
		};

		const lookFor = async (what: Sought["what"]): Promise<void> => {
			const [first, ...others] = creations.filter(({ sought }) => sought.what === what);
			if (first === undefined || refused.has(what)) return;
			const all = [first, ...others].map(({ sought }) => sought);
			const without = `whether another run created the same ${what === "company" ? "company" : "persons and companies"} too cannot be seen`;
			const look = await ifReadable(context, without, () =>
				what === "company" ? lists.corporates(first.sought, began) : lists.related(all, first.corporateId),
			);
			if (look === undefined) refused.add(what);
			else note(look);
		};

		const pending = (what: Sought["what"]): Creation[] =>
			refused.has(what) ? [] : creations.filter(({ sought, shown }) => sought.what === what && shown === undefined);

		const untilShown = async (what: Sought["what"]): Promise<void> => {
			await lookFor(what);
			const [first, ...others] = pending(what);
			if (first === undefined || late.has(what)) return;
			const last = others.at(-1) ?? first;
			const timeout = Math.min(within, last.created + within - clock.monotonic());
			const label = `Waiting until the service lists ${first.sought.name}${others.length > 0 ? ` and ${others.length} more` : ""}`;
			await service.until({ timeout, label }, async () => {
				await lookFor(what);
				return { done: pending(what).length === 0, data: undefined };
			});
			if (pending(what).length > 0) late.add(what);
		};

		const look = async (): Promise<void> => {
			await lookFor("company");
			await lookFor("related entity");
		};

		return {
			created: async (sought, corporateId) => {
				creations.push({ sought, corporateId, created: clock.monotonic() });
				if (sought.what === "company") await untilShown("company");
				else await lookFor("related entity").catch(unlessUnavailable);
			},
			finish: async () => {
				if (creations.length === 0) return [];
				await untilShown("company");
				await untilShown("related entity");
				const wait = Math.min(within, othersBy(creations, began) - clock.monotonic());
				if (wait > 0) await clock.sleep(wait);
				await look();
				return [...pending("company"), ...pending("related entity")].map(({ sought }) => sought.name);
			},
			look: async () => {
				if (creations.length > 0) await look();
			},
		};
	};
}

/** A look in the middle of a run may fail: the one at its end counts. */
function unlessUnavailable(error: unknown): void {
	if (!(error instanceof PurserError) || error.kind !== "unavailable") throw error;
}

/**
 * When the list will show what another run created that began at the same time as this one, in monotonic milliseconds. It looked at the
 * latest when the list did not show our record yet, and created after as long as this run took from its look to its first creation; then
 * the list lags for it as it did for ours.
 */
function othersBy(creations: readonly Creation[], began: number): number {
	const gap = Math.min(longestGap, (creations[0]?.created ?? began) - began);
	return creations.reduce((last, { created, shown = created }) => Math.max(last, shown + (shown - created) + gap), 0);
}
