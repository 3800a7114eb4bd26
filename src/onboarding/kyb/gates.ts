/**
 * What stands against requesting a KYB, and how a person passes it all the same. Pure.
 */
import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { type Advice, PurserError } from "../../errors.js";
import type { JournalIntent } from "../../ports/intent.js";
import type { OwnershipWarning } from "../ownership/ownership.js";
import type { Review } from "./review.js";

/** Their names are those of `--despite` and of the journal. */
export const gates = ["no-director", "shares-over-100", "owner-missing", "review-not-seen"] as const;
export type Gate = (typeof gates)[number];

/** One gate that is closed, and why. */
export interface ClosedGate {
	gate: Gate;
	message: string;
}

const ownershipGates: Readonly<Partial<Record<OwnershipWarning["code"], Gate>>> = {
	NO_DIRECTOR: "no-director",
	SHARES_OVER_100: "shares-over-100",
	OWNER_NOT_DECLARED: "owner-missing",
};

/**
 * The gates that warnings about the ownership close (specification 1, step 4): one each, with every reason.
 * @param complete whether everybody is known: nobody is missing from a part of a list
 */
export function closedByOwnership(warnings: readonly OwnershipWarning[], complete: boolean): ClosedGate[] {
	return gates.flatMap((gate): ClosedGate[] => {
		const reasons = warnings.filter(({ code }) => ownershipGates[code] === gate).map(({ message }) => message);
		return reasons.length === 0 || (gate !== "shares-over-100" && !complete) ? [] : [{ gate, message: reasons.join(". ") }];
	});
}

/** What the operator says about the gates. */
export interface GateWords {
	despite?: readonly Gate[];
	reason?: string;
	/** Digests of reviews that were seen. */
	reviewed?: readonly string[];
}

/** The flags of commands that request a KYB. */
export const gateFields = () => ({
	despite: z.optional(
		field(z.array(z.enum(gates)), {
			description: "Request the KYB although this stands against it; needs --reason",
			placeholder: "gate",
		}),
	),
	reason: z.optional(plain("Why the KYB is requested although this stands against it, for the record; no personal data")),
	reviewed: z.optional(
		field(z.array(z.string().check(z.regex(/^[0-9a-fA-F]{64}$/, "must be the digest that `purser corporate review` shows"))), {
			description: "Digest of the due-diligence review that was read, from `purser corporate review`",
			placeholder: "digest",
		}),
	),
});

/** The gates that the words do not pass. */
export function stillClosed(closed: readonly ClosedGate[], { despite = [], reason }: GateWords): ClosedGate[] {
	const passed = reason?.trim() ? despite : [];
	return closed.filter(({ gate }) => !passed.includes(gate));
}

/** What the journal records of gates that were passed; undefined where none was closed. */
export function overriddenGates(closed: readonly ClosedGate[], { reason }: GateWords): JournalIntent["despite"] {
	return closed.length === 0 ? undefined : { intents: [], gates: closed.map(({ gate }) => gate), reason: reason ?? "" };
}

/** A KYB that was not requested because a gate is closed. */
export class KybHeldBack extends PurserError {
	/**
	 * @param review the one that is to be read, where it is offered
	 * @param words what was said already
	 * @param asks whether a person is asked about the review
	 * @param isDeclined whether the answer was No
	 */
	constructor(
		readonly company: { id: string; name: string },
		readonly closed: readonly ClosedGate[],
		readonly review: Review | undefined,
		words: GateWords,
		asks: boolean,
		isDeclined = false,
	) {
		const fix = "Run the same command and answer Yes after reading.";
		const declined = { code: "DECLINED_BY_OPERATOR", message: "You answered No. Nothing was requested", fix };
		const held = {
			code: "KYB_HELD_BACK",
			message: `The KYB of ${company.name} was not requested`,
			details: closed.map(({ gate, message }) => ({ field: gate, message })),
			fix: wayOut(company.id, closed, review, words, asks),
		};
		super("guard", isDeclined ? declined : held);
	}
}

/** What to do about each gate, then how to request it all the same. */
function wayOut(companyId: string, closed: readonly ClosedGate[], review: Review | undefined, words: GateWords, asks: boolean): Advice {
	const id = typed(companyId, "CORPORATE");
	const others = closed.filter(({ gate }) => gate !== "review-not-seen");
	const despite = [...(words.despite ?? []), ...others.map(({ gate }) => gate)];
	const isNamed = closed.length > others.length || words.reviewed?.some((digest) => digest.toLowerCase() === review?.sha256) === true;
	const flags = [
		...despite.flatMap((gate) => ["--despite", gate]),
		...(despite.length > 0 ? ["--reason", "TEXT"] : []),
		...(isNamed && !asks && review !== undefined ? ["--reviewed", review.sha256] : []),
	];
	const unread = asks ? "Then request it, and answer Yes" : "Then say that it was read";
	return [
		closed.flatMap(({ gate }) => [remedies[gate](id), "\n"]),
		advice`${others.length > 0 ? "If it is correct as it is" : unread}: ${purser`kyb request ${id} ${flags}`}`,
	];
}

/** What to do about a gate. */
const remedies: Readonly<Record<Gate, (id: ReturnType<typeof typed>) => Advice>> = {
	"no-director": (id) => advice`Declare the director: ${purser`related add ${id} --is-director`}`,
	"shares-over-100": (id) => advice`See who holds what, and correct it: ${purser`related tree ${id}`}`,
	"owner-missing": (id) => advice`See who holds what, and declare who is missing: ${purser`related tree ${id}`}`,
	"review-not-seen": (id) => advice`Read the review: ${purser`corporate review ${id}`}`,
};
