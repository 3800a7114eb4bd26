/**
 * What the checklist says of owners and directors: read from the shares and roles of the related entities.
 */
import { purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { ownershipOf } from "../ownership/ownership.js";
import { readOwnership } from "../records/read-ownership.js";
import type { CaseFacts, Item } from "./checklist.js";

export const declaredLabel = "Owners and directors declared";

/** The warnings of `related tree` that say that somebody is missing, or that the shares cannot be right. */
const graveCodes: readonly string[] = [
	"NO_DIRECTOR",
	"NO_ACCOUNT_OWNER",
	"OWNER_NOT_DECLARED",
	"SHARES_OVER_100",
	"SHARES_UNUSABLE",
	"EFFECTIVE_UNKNOWN",
];
/** So many of them are told at most. */
const most = 5;

/** Whether everybody is declared, as far as shares and roles show it; and the owners who are to be marked as such. */
export function declaredItems({ corporateId, corporate, partial, threshold }: CaseFacts, related: readonly Received[]): Item[] {
	const id = typed(corporateId, "CORPORATE");
	const root = { id: corporateId, name: viewCorporate(corporate).name ?? corporateId };
	const { parties, holdings } = readOwnership(root, related);
	const { warnings } = ownershipOf(root, parties, holdings, threshold);
	const grave = warnings.filter(({ code }) => graveCodes.includes(code));
	const unmarked = warnings.filter(({ code }) => code === "UBO_NOT_MARKED");
	// Once the KYB is validated, compliance has looked at it.
	const validated = viewCorporate(corporate).kybStatus === "VALIDATED";
	if (partial && !validated && grave.length + unmarked.length === 0)
		return [{ step: "related", label: declaredLabel, state: "unknown", why: "the service did not list all related entities" }];
	if (validated || grave.length + unmarked.length === 0) return [{ step: "related", label: declaredLabel, state: "done" }];
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
		...grave.slice(0, most).map(
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
