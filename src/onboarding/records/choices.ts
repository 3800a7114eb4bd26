import { listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import { isNotOffered } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import type { Choice } from "../../ports/terminal.js";

/**
 * Offers the companies that were changed last, by name with their KYB status. Where the deployment cannot list them there are no choices,
 * and the id is typed.
 * @throws PurserError of any other failure
 */
export function corporateChoices(serviceOf: (context: Context) => Pick<Service, "offer">): (context: Context) => Promise<Choice[]> {
	const query = { sortAttribute: "UPDATE_DATE", sortDirection: "DESC" } as const;
	return async (context) => {
		try {
			const records = await serviceOf(context).offer(listCorporates, { query });
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
