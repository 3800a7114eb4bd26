/**
 * A dry run of a case: every request it would make, with an id that stands for those that only the service can give.
 */
import type { Service } from "../../ports/service.js";

/** Stands for an id that is not known before it is created. */
const unknownId = "00000000-0000-0000-0000-000000000000";

/** Explains the placeholder, where the requests hold it. */
export function remarkOnIds(requests: readonly unknown[]): string | undefined {
	if (!JSON.stringify(requests).includes(unknownId)) return undefined;
	return `${unknownId} stands for an id that the service gives only once the record is created`;
}

/**
 * The service, whose changes are noted instead of made, and of which nothing is read that does not exist.
 * @param requests receives what would have been sent
 */
export function dryService(service: Service, requests: unknown[]): Service {
	const concerns = (input: unknown): boolean => JSON.stringify(input).includes(unknownId);
	const empty = { bytes: new Uint8Array(), waiting: false };
	return {
		...service,
		call: async (operation, input) => {
			if (operation.effect === "read" && concerns(input)) return { data: {}, ...empty };
			try {
				return await service.call(operation, input);
			} catch (error) {
				if (!(error instanceof Error) || error.name !== "DryRun") throw error;
				requests.push(...(error as unknown as { requests: unknown[] }).requests);
				return { data: { corporateId: unknownId, accountOwnerId: unknownId }, id: unknownId, ...empty };
			}
		},
		list: async (operation, input, limit) => (concerns(input) ? { records: [], complete: true } : service.list(operation, input, limit)),
	};
}
