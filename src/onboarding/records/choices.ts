import type { Received } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import type { Choice } from "../../ports/terminal.js";
import { isNotOffered } from "./optional-read.js";

/** Most corporates to choose from, those changed last first. */
export const mostChoices = 500;

/** How the corporates to choose from are asked for. */
export const latestFirst = { sortAttribute: "UPDATE_DATE", sortDirection: "DESC" } as const;

/**
 * Corporates by name with their KYB status. Empty where the deployment cannot list them: then the id is typed.
 * @throws PurserError of any other failure of `list`
 */
export async function corporateChoices(list: () => Promise<{ records: Received[] }>): Promise<Choice[]> {
	try {
		return (await list()).records.map(viewCorporate).flatMap(({ id, name, kybStatus }) => {
			if (id === undefined) return [];
			return [{ value: id, label: [name ?? "without a name", kybStatus].filter(Boolean).join(" · "), hint: id }];
		});
	} catch (error) {
		if (!isNotOffered(error)) throw error;
		return [];
	}
}
