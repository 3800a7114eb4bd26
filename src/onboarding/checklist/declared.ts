/**
 * The checklist items about owners and directors, from the shares and roles of the related entities.
 */
import { purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { ownershipOf } from "../ownership/ownership.js";
import { readOwnership } from "../records/read-ownership.js";
import type { CaseFacts, Item } from "./checklist.js";

export const declaredLabel = "Owners and directors declared";

/** Warnings that somebody is missing or that the shares cannot be right. */
const seriousCodes: readonly string[] = [
	"NO_DIRECTOR",
	"NO_ACCOUNT_OWNER",
	"OWNER_NOT_DECLARED",
	"HOLDINGS_EQUAL",
	"SHARES_OVER_100",
	"SHARES_UNUSABLE",
	"EFFECTIVE_UNKNOWN",
];
/** Maximum number of these warnings that become items. */
const maxItems = 5;

/** Whether everybody seems to be declared, and the owners who must be marked as UBO. */
export function declaredItems({ corporateId, corporate, partial, threshold }: CaseFacts, related: readonly Received[]): Item[] {
	const id = typed(corporateId, "CORPORATE");
	const root = { id: corporateId, name: viewCorporate(corporate).name ?? corporateId };
	const { parties, holdings } = readOwnership(root, related);
	const { warnings } = ownershipOf(root, parties, holdings, threshold);
	const serious = warnings.filter(({ code }) => seriousCodes.includes(code));
	const unmarked = warnings.filter(({ code }) => code === "UBO_NOT_MARKED");
	// Once the KYB is validated, compliance has checked it.
	const validated = viewCorporate(corporate).kybStatus === "VALIDATED";
	if (partial && !validated && serious.length + unmarked.length === 0)
		return [{ step: "related", label: declaredLabel, state: "unknown", why: "the service did not list all related entities" }];
	if (validated || serious.length + unmarked.length === 0) return [{ step: "related", label: declaredLabel, state: "done" }];
	return [
		...unmarked.map(
			({ message, parties: [relatedId] }): Item => ({
				step: "related",
				label: "Owner marked as UBO",
				relatedId,
				state: "to do",
				why: message,
				command: purser`related update ${typed(relatedId, "RELATED")} --is-ubo`,
			}),
		),
		...serious.slice(0, maxItems).map(
			({ code, message }): Item => ({
				step: "related",
				label: declaredLabel,
				state: "to do",
				why: message,
				command: code.startsWith("NO_") || code === "OWNER_NOT_DECLARED" ? purser`related add ${id}` : purser`related tree ${id}`,
			}),
		),
	];
}
