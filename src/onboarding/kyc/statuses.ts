/**
 * The KYC status of everybody in a company.
 */

import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import type { SuggestedCommand } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import type { PlannedKyc } from "./plan.js";

/** Everybody who needs a KYC or has done one. */
export interface KycStatuses {
	corporateId: string;
	people: PlannedKyc[];
	/** Whether somebody may be missing: then it is never decided. */
	partial?: boolean;
}

type StatusStyle = Pick<Style, "bold" | "good" | "table" | "status">;

/** The status of all together. Pure. */
export function overallStatus({ corporateId, people, partial }: KycStatuses): {
	decided: boolean;
	declined: boolean;
	/** Those without a status. */
	withoutStatus: PlannedKyc[];
	next: SuggestedCommand[];
} {
	const id = typed(corporateId, "CORPORATE");
	const decided = partial !== true && people.every(({ state }) => state === "done" || state === "declined");
	const withoutStatus = people.filter(({ kycStatus }) => !kycStatus);
	const declined = people.some(({ state }) => state === "declined");
	// There is nobody to wait for.
	if (people.length === 0) return { decided, declined: false, withoutStatus, next: [purser`related list ${id}`] };
	const missing = declined || people.some(({ state }) => state === "to do");
	if (missing) return { decided, declined, withoutStatus, next: [purser`kyc link --all --corporate-id ${id}`] };
	return {
		decided,
		declined,
		withoutStatus,
		next: [decided ? purser`kyb status ${id}` : purser`kyc status --all --corporate-id ${id} --wait`],
	};
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
