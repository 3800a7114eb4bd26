/**
 * A dry run of a case: every request it would make, with an id that stands for those that only the service can give.
 */
import type { Context } from "../../context.js";
import type { Client } from "../records/service.js";

/** Stands for an id that is not known before it is created. */
const unknownId = "00000000-0000-0000-0000-000000000000";

/** What stands for an id needs a word, where it is among the requests. */
export function remarkOnIds(requests: readonly unknown[]): string | undefined {
	if (!JSON.stringify(requests).includes(unknownId)) return undefined;
	return `${unknownId} stands for an id that the service gives only once the record is created`;
}

/**
 * A client that notes the changes instead of making them, and reads nothing of what does not exist.
 * @param requests is given what would have left
 */
export function dryClient(client: Client, requests: unknown[]): Client {
	const concerns = (input: unknown): boolean => JSON.stringify(input).includes(unknownId);
	return {
		digestOf: client.digestOf,
		call: async (context: Context, operation, input) => {
			if (operation.effect === "read" && concerns(input)) return { data: {}, bytes: new Uint8Array() };
			try {
				return await client.call(context, operation, input);
			} catch (error) {
				if (!(error instanceof Error) || error.name !== "DryRun") throw error;
				requests.push(...(error as unknown as { requests: unknown[] }).requests);
				return { data: { corporateId: unknownId, accountOwnerId: unknownId }, id: unknownId, bytes: new Uint8Array() };
			}
		},
		everyPage: async (context, operation, input, options) =>
			concerns(input) ? { records: [], complete: true } : client.everyPage(context, operation, input, options),
	};
}
