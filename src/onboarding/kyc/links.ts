/**
 * The missing KYC links of a company, obtained one after another.
 */
import { advice, failureInAnswer, purser } from "../../api/advice.js";
import { type Received, textAt } from "../../api/answer.js";
import { getKycLink } from "../../api/operations/verification.js";
import { endOf, isOver, linkEnd } from "../../api/text/duration.js";
import type { Context } from "../../context.js";
import { type Failure, type Kind, PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Answered } from "../../ports/service.js";
import type { OwnershipWarning } from "../ownership/ownership.js";
import { uboThreshold } from "../records/read-ownership.js";
import { kycPlan, type Need, type PlannedKyc } from "./plan.js";

/** One person's link. */
export interface LinkRow {
	relatedPhysicalPersonId: string;
	name: string;
	need: Need;
	email?: string;
	state: "obtained" | "valid" | "refused" | "in doubt" | "not sent";
	/** Only of a link obtained in this run: the service gives it once. */
	url?: string;
	/** RFC 3339 UTC. */
	expiresAt?: string;
	error?: Pick<Failure<string>, "code" | "message" | "why" | "fix" | "status" | "apiCode"> & { kind: Kind };
}

export interface LinkRun {
	corporateId: string;
	links: LinkRow[];
	/** True where the service listed only a part of the persons: others may need a link too. */
	partial?: true;
}

/** Who needs a link: those who have not begun and those who were declined. */
const isOpen = ({ state, need, relatedId }: PlannedKyc): boolean =>
	relatedId !== undefined && need !== "none" && ["to do", "declined", "link given"].includes(state);

/**
 * Until when a person's earlier link is valid; undefined where a new one is needed. A declined KYC always needs a new one. So does a link
 * whose answer was lost, because nobody has it. A link that the service shows without a time counts as valid.
 * @param earlier the journal's record of its request
 */
export function validLink(
	person: Pick<PlannedKyc, "state">,
	earlier: Pick<IntentRecord, "begun" | "state" | "validUntil"> | undefined,
	now: Date,
): { until?: string } | undefined {
	if (person.state === "declined" || earlier?.state === "in-doubt") return undefined;
	if (earlier !== undefined) {
		const until = linkEnd("kyc", earlier);
		return isOver(until, now) ? undefined : { until };
	}
	return person.state === "link given" ? {} : undefined;
}

/** Warnings by which somebody may need another KYC than is planned. */
const toldCodes: readonly OwnershipWarning["code"][] = ["SHARES_UNUSABLE", "UBO_NOT_MARKED", "NO_DIRECTOR", "NO_FULL_KYC"];

/**
 * Everybody of a company who needs a link, and whether one that was given before is still valid. What is odd about who owns it is warned about.
 * @param listed the related entities of the company
 * @param earlier the journal's records of the requests for a person, the newest first
 */
export async function missingLinks(
	context: Context,
	corporateId: string,
	listed: readonly Received[],
	earlier: (operation: string, id: string) => readonly IntentRecord[],
): Promise<LinkRow[]> {
	const { profile } = await context.settings.read();
	const { people, ownership } = kycPlan({ id: corporateId, name: corporateId }, listed, uboThreshold(profile));
	for (const { code, message } of ownership.warnings) if (toldCodes.includes(code)) context.report.warn(message);
	return people.filter(isOpen).map((person): LinkRow => {
		const { name, need, email } = person;
		const id = person.relatedId as string;
		const valid = validLink(person, earlier(getKycLink.id, id)[0], context.clock.now());
		return { relatedPhysicalPersonId: id, name, need, email, state: valid === undefined ? "not sent" : "valid", expiresAt: valid?.until };
	});
}

/** Until when the link in an answer is valid. Nothing where it says it in a way that is not understood. */
export function expiryOf(answer: unknown, now: Date): string | undefined {
	const ttl = textAt(answer, "ttl");
	return ttl === undefined ? linkEnd("kyc", { begun: now.toISOString() }) : endOf(ttl, now);
}

/** The link in an answer of the service. */
export const addressOf = (answer: unknown): string | undefined => textAt(answer, ...(getKycLink.link ?? []));

/**
 * Requests each link in turn. A refusal does not stop the others; a lost answer, a failed login or Ctrl-C does.
 * @param ask sends one request
 * @throws PurserError where it stopped before any link was obtained or refused
 */
export async function obtainLinks(
	{ clock }: Pick<Context, "clock">,
	rows: LinkRow[],
	ask: (id: string) => Promise<Pick<Answered, "data">>,
): Promise<void> {
	let tried = false;
	for (const row of rows.filter(({ state }) => state !== "valid")) {
		try {
			const { data } = await ask(row.relatedPhysicalPersonId);
			const url = addressOf(data);
			if (url === undefined) throw missingLinkError(row.relatedPhysicalPersonId);
			row.state = "obtained";
			row.url = url;
			row.expiresAt = expiryOf(data, clock.now());
		} catch (error) {
			if (!(error instanceof PurserError)) throw error;
			const { kind } = error;
			if (!tried && kind !== "rejected" && kind !== "unknown") throw error;
			const { code, message, why, fix, status, apiCode } = failureInAnswer(error.failure);
			row.error = { code, kind, message, why, fix, status, apiCode };
			row.state = kind === "unknown" ? "in doubt" : kind === "rejected" ? "refused" : "not sent";
			if (kind !== "rejected") return;
		}
		tried = true;
	}
}

/** An answer without a link: the KYC may have begun, and nobody can do it. */
export function missingLinkError(id: string): PurserError {
	return new PurserError("unknown", {
		code: "LINK_MISSING",
		message: "The service accepted the request but gave no link",
		why: "Its answer has neither url nor link",
		fix: advice`Check whether the KYC has started: ${purser`kyc status ${id}`}. If the link has another name here, say so in the mapping: ${purser`help mapping`}`,
	});
}

/** The failure of a run; undefined where everybody is listed and has a link. */
export function linksOutcome({ links, partial }: LinkRun): Kind | undefined {
	const kinds = links.flatMap(({ error }) => (error === undefined ? [] : [error.kind]));
	if (kinds.includes("unknown")) return "unknown";
	if (kinds.includes("interrupted")) return "interrupted";
	if (kinds.length === 0) return partial ? "partial" : undefined;
	return links.some(({ state }) => state === "obtained") ? "partial" : kinds[0];
}
