/**
 * Where the KYC of everybody of a corporate stands, at one look.
 */

import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import type { SuggestedCommand } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import type { PlannedKyc } from "./plan.js";

/** Whoever needs a KYC or has done one. */
export interface KycStatuses {
	corporateId: string;
	people: PlannedKyc[];
	/** Whether the service listed a part of them only: somebody may be missing, so nothing is decided for all. */
	partial?: boolean;
}

type StatusStyle = Pick<Style, "bold" | "good" | "table" | "status">;

/** What follows from all of them together. Pure. */
export function overallStatus({ corporateId, people, partial }: KycStatuses): {
	decided: boolean;
	declined: boolean;
	/** Those of whom the service told no status. */
	untold: PlannedKyc[];
	next: SuggestedCommand[];
} {
	const id = typed(corporateId, "CORPORATE");
	const decided = partial !== true && people.every(({ state }) => state === "done" || state === "declined");
	const untold = people.filter(({ kycStatus }) => !kycStatus);
	const declined = people.some(({ state }) => state === "declined");
	// Nobody can be waited for.
	if (people.length === 0) return { decided, declined: false, untold, next: [purser`related list ${id}`] };
	const missing = declined || people.some(({ state }) => state === "to do");
	if (missing) return { decided, declined, untold, next: [purser`kyc link --all --corporate-id ${id}`] };
	return { decided, declined, untold, next: [decided ? purser`kyb status ${id}` : purser`kyc status --all --corporate-id ${id} --wait`] };
}

/** How many are done, and a line for each. */
export function statusesText({ people }: KycStatuses, style: StatusStyle): string {
	if (people.length === 0) return "Nobody declared for this company needs a KYC";
	const done = people.filter(({ state }) => state === "done").length;
	const head = `${done} of ${people.length} KYCs validated`;
	const table = style.table(
		["id", "name", "KYC", "status", "reason"],
		people.map(({ relatedId, name, need, kycStatus, kycReason }) => [
			relatedId ?? "",
			name,
			need,
			style.status(kycStatus),
			kycReason ?? "",
		]),
	);
	return `${done === people.length ? style.good(head) : style.bold(head)}\n\n${table}`;
}
