/**
 * The look after one creation that a person asked for by a command. The record is created by then, so no failure of the look is the command's.
 */
import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import type { Context } from "../../context.js";
import { type Kind, PurserError } from "../../errors.js";
import { CreatedTwice, type Sought, type Twins, twinsFix, twinsTold } from "./twin.js";
import type { Watch } from "./watch.js";

/** Longest wait in milliseconds until a list shows what a command created: a person waits for it. */
export const longestLook = 10_000;

/** What is added to the answer of a command that creates. */
export interface Told {
	/** What exists more than once, because another run created it too. */
	twins?: readonly Twins[];
}

/**
 * Looks for a twin of what was created, and warns of one, and where that cannot be known.
 * @param last whether nothing more is created by this run: only then it waits for what the list does not show yet
 */
export async function lookAfter(context: Context, watch: Watch, sought: Sought, corporateId: string, last = true): Promise<Told> {
	try {
		await watch.created(sought, corporateId);
		if (last && (await watch.finish()).length > 0) context.reporter.warn(unlisted(sought, corporateId));
		return {};
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		if (error instanceof CreatedTwice) {
			for (const twins of error.twins) context.reporter.warn(advice`${twinsTold(sought, twins)}. ${twinsFix(twins, sought.externalId)}`);
			return { twins: error.twins };
		}
		context.reporter.warn(`${sought.name} was created; whether another run created it too could not be looked up: ${error.message}`);
		return {};
	}
}

function unlisted({ what, name }: Sought, corporateId: string) {
	const list =
		what === "company" ? purser`corporate list --registered-name ${name}` : purser`related list ${typed(corporateId, "CORPORATE")}`;
	return advice`The service does not list ${name} yet, so whether another run created it too is not known. Look again later: ${list}`;
}

/** The kind of an answer that tells of a twin: a change was made twice, and a person has to settle it. */
export function toldOutcome(answer: unknown): Kind | undefined {
	return (answer as Told | undefined)?.twins === undefined ? undefined : "unknown";
}
