/**
 * How a journal keeps the ids of records that changes created: a UUID in small letters, any other id as it was given. Journals before
 * version 4 kept every id in small letters.
 */
import { plainId } from "../../api/text/ids.js";
import { pragma } from "../../sqlite/durable.js";
import { statement } from "../../sqlite/statement.js";
import type { Storage } from "../../sqlite/storage.js";
import { idsAsGiven } from "../sqlite/schema.js";
import { idGivenBy, stepOf } from "./steps.js";

/** How the journal, in its version, keeps an id. */
export function keptIdOf(storage: Storage): (id: string) => string {
	return Number(pragma(storage, "user_version")) < idsAsGiven ? (id) => id.toLowerCase() : plainId;
}

/** Gives the ids that are no UUIDs their capitals back, as the events have them. */
export function keepIdsAsGiven(storage: Storage): void {
	const others = storage
		.prepare(
			"SELECT number, created_id FROM intent WHERE created_id IS NOT NULL AND created_id NOT LIKE '________-____-____-____-____________'",
		)
		.all();
	for (const { number, created_id: kept } of others) {
		const events = statement(storage, "SELECT kind, content FROM event WHERE intent = ? AND kind IN ('ended', 'settled', 'named')").all(
			Number(number),
		);
		const given = events
			.map(({ kind, content }) => idGivenBy(stepOf(String(kind), JSON.parse(String(content)) as Record<string, unknown>)))
			.findLast((id) => id?.toLowerCase() === kept);
		if (given !== undefined) statement(storage, "UPDATE intent SET created_id = ? WHERE number = ?").run(plainId(given), Number(number));
	}
}
