import { listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import type { Service } from "../../ports/service.js";
import type { Choice } from "../../ports/terminal.js";
import { isNotOffered } from "./reading.js";

/** Most corporates to choose from. */
const mostChoices = 500;

/**
 * Offers the corporates changed last by name with their KYB status. None where the deployment cannot list them: then the id is typed.
 * @throws PurserError of any other failure
 */
export function corporateChoices(serviceOf: (context: Context) => Pick<Service, "list">): (context: Context) => Promise<Choice[]> {
	const query = { sortAttribute: "UPDATE_DATE", sortDirection: "DESC" } as const;
	return async (context) => {
		try {
			const { records } = await serviceOf(context).list(listCorporates, { query }, mostChoices);
			return records.map(viewCorporate).flatMap(({ id, name, kybStatus }) => {
				if (id === undefined) return [];
				return [{ value: id, label: [name ?? "without a name", kybStatus].filter(Boolean).join(" · "), hint: id }];
			});
		} catch (error) {
			if (!isNotOffered(error)) throw error;
			return [];
		}
	};
}
