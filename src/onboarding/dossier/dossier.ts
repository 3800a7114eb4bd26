/**
 * The evidence of an onboarding with what follows from it: the checklist, the events that were heard, and the journal's own check.
 */
import { shownIn } from "../../api/advice.js";
import { viewRelated } from "../../api/operations/related.js";
import { kybStatuses } from "../../api/values.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { ServiceEvent } from "../../ports/events.js";
import type { Verification } from "../../ports/journal.js";
import type { Service } from "../../ports/service.js";
import { type Checklist, checklistOf } from "../checklist/checklist.js";
import { readSince } from "../checklist/journal.js";
import { type Bundle, type PackedBundle, packBundle } from "../evidence/bundle.js";
import { uboThreshold } from "../records/read-ownership.js";
import { recordsOf } from "./records.js";

/** The content of `bundle.json`. */
export interface Dossier extends Bundle {
	/** Percentage from which a person counts as a beneficial owner. */
	uboThreshold: string;
	/** As `purser corporate status` gives it; masked persons are told apart by numbers. */
	checklist: Checklist;
	/** What this machine heard about the company and its people, oldest first; absent where it never listened. */
	events?: HeardEvent[];
	/** The journal as `purser history verify` found it. */
	journalCheck: Omit<Verification, "anchor"> & { anchor?: Omit<NonNullable<Verification["anchor"]>, "installation"> };
}

/** An event without what its sender wrote. */
export type HeardEvent = Pick<ServiceEvent, "id" | "at" | "subject" | "from" | "to" | "source" | "verified" | "confirmed">;

/** Most events of one company or person, and most of those that are looked for. */
const most = { events: 100, subjects: 1_000 };

/**
 * Gathers it. Only reads.
 * @param termsDocument as `packBundle` takes it
 * @throws PurserError as the service and the journal do
 */
export async function packDossier(
	context: Context,
	service: Service,
	corporateId: string,
	unmasked: boolean,
	termsDocument: Parameters<typeof packBundle>[4],
): Promise<{ dossier: Dossier; files: PackedBundle["files"] }> {
	const { bundle, files } = await packBundle(context, service, corporateId, unmasked, termsDocument);
	const { profile } = await context.settings.read();
	const threshold = uboThreshold(profile);
	const records = recordsOf(bundle);
	const recorded = await readSince(context, service);
	const checklist = checklistOf({ corporateId, ...records, threshold, ...recorded, now: new Date(bundle.madeAt) });
	const items = checklist.items.map((item) => shownIn(item, ["command", "afterwards"], context.report.shown));
	const journal = await context.journal.of(profile);
	const { anchor, ...check } = await context.report.during("Checking the journal", () => journal.verify());
	if (check.faults.length > 0) context.report.warn(`The journal was altered: ${check.faults.join("; ")}`);
	const ids = [corporateId, ...(records.related ?? []).flatMap((record) => viewRelated(record).id ?? [])];
	return {
		dossier: {
			...bundle,
			uboThreshold: threshold,
			checklist: { ...checklist, items },
			events: await heardAbout(context, ids, unmasked),
			journalCheck: { ...check, ...(anchor && { anchor: withoutInstallation(anchor) }) },
		},
		files,
	};
}

const withoutInstallation = ({ seq, hash, at, holds }: NonNullable<Verification["anchor"]>) => ({ seq, hash, at, holds });

/** The events of these subjects. An inbox that cannot be read only means that less is known. */
async function heardAbout(context: Context, ids: readonly string[], unmasked: boolean): Promise<HeardEvent[] | undefined> {
	try {
		const { profile } = await context.settings.read();
		if (!(await context.journal.hasInbox(profile))) return undefined;
		const inbox = await context.journal.inbox(profile);
		const found: HeardEvent[] = [];
		for (const subject of ids.slice(0, most.subjects))
			for (const event of await inbox.list({ subject, limit: most.events })) found.push(heard(event, unmasked));
		return found.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		context.report.warn(`The events that were heard are not in the bundle: ${error.message}`);
		return undefined;
	}
}

/** A state that the service does not have is the sender's own text, which may be a name. */
function heard({ id, at, subject, from, to, source, verified, confirmed }: ServiceEvent, unmasked: boolean): HeardEvent {
	const shown = (state: string | null): string | null =>
		state === null || unmasked || (kybStatuses as readonly string[]).includes(state) || state === "CREATED" ? state : "***";
	const own = confirmed && { ...confirmed, status: shown(confirmed.status) as string };
	return { id, at, subject, from: shown(from), to: shown(to), source, verified, confirmed: own };
}
