import * as z from "zod/mini";
import { formed, plain } from "../../api/fields.js";
import { defineCommand } from "../../cli/command.js";
import type { JournalEvent } from "../../ports/journal.js";
import { journalEvent } from "../families/answers.js";
import { limitField, limitOf } from "../families/list.js";

export default defineCommand({
	path: "history export",
	summary: "Export the journal, event by event, with its chain of hashes",
	details:
		"Each event carries the SHA-256 of the one before it and of its own parts. An archive is brought up to date with --after and the number of the last event it has.",
	examples: {
		"history export --limit 999999 -o ndjson > history.ndjson": "Everything, one event per line",
		"history export --after 5120 -o ndjson >> history.ndjson": "What has come since",
		"history export --kind settings": "How the settings that guard money were changed, and by whom",
	},
	input: z.strictObject({
		after: z._default(formed(/^\d{1,15}$/, "the number of an event", "Only events after this one", { placeholder: "number" }), "0"),
		kind: z.optional(plain("Only events of this kind, like settings")),
		limit: limitField(),
	}),
	answer: () => z.array(journalEvent()),
	async run(context, { after, kind, limit }) {
		const journal = await context.journal.of((await context.settings.read()).profile);
		const events: JournalEvent[] = [];
		for await (const event of journal.events(Number(after))) {
			if (kind !== undefined && event.kind !== kind) continue;
			if (events.length === limitOf(limit)) {
				context.report.warn(`There are more; continue with --after ${events.at(-1)?.seq}`);
				break;
			}
			events.push(event);
		}
		return { data: events };
	},
	text: (events) => events.map((event) => JSON.stringify(event)).join("\n"),
});
