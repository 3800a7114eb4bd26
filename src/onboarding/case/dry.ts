/**
 * A dry run of a case: every request that it would make, with a placeholder for the ids that only the service can give.
 */
import type { Service } from "../../ports/service.js";

/** Stands for the id of a record that is not created yet. */
const placeholderId = "00000000-0000-0000-0000-000000000000";

/**
 * Explains the placeholder, where the requests hold it.
 * @param kycLinks whether KYC links are asked for: who needs one is known once everybody is declared
 */
export function remarkOnIds(requests: readonly unknown[], kycLinks: boolean): string | undefined {
	if (!JSON.stringify(requests).includes(placeholderId)) return undefined;
	const links = kycLinks ? ". The KYC links of whoever is created by this are not among the requests" : "";
	return `${placeholderId} stands for an id that the service gives only once the record is created${links}`;
}

/**
 * The service in a dry run: changes are noted instead of sent, and records that do not exist yet are not read.
 * @param requests receives what would have been sent
 */
export function dryService(service: Service, requests: unknown[]): Service {
	const usesPlaceholder = (input: unknown): boolean => JSON.stringify(input).includes(placeholderId);
	const empty = { bytes: new Uint8Array(), waiting: false };
	return {
		...service,
		call: async (operation, input, beside) => {
			if (operation.effect === "read" && usesPlaceholder(input)) return { data: {}, ...empty };
			try {
				return await service.call(operation, input, beside);
			} catch (error) {
				if (!(error instanceof Error) || error.name !== "DryRun") throw error;
				requests.push(...(error as unknown as { requests: unknown[] }).requests);
				// A KYC link without an address would end the run before the other requests.
				return { data: { corporateId: placeholderId, accountOwnerId: placeholderId, url: placeholderId }, id: placeholderId, ...empty };
			}
		},
		list: async (operation, input, limit) =>
			usesPlaceholder(input) ? { records: [], complete: true } : service.list(operation, input, limit),
	};
}
