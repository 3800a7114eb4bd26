/**
 * A program that hears deliveries into one inbox beside others: `receiver FOLDER FIRST COUNT`. Prints the id of each event that it was the
 * first to hear, once that is durable.
 */
import { writeSync } from "node:fs";
import { changeIn } from "../../src/events/normal.js";
import { openInbox } from "../../src/inbox/inbox.js";
import { clock, random } from "../../src/system/clock.js";

const [directory = "", first = "0", count = "0"] = process.argv.slice(2);
const inbox = await openInbox({
	directory,
	profile: { name: "sandbox", environment: "sandbox" },
	clock: clock(new AbortController().signal),
	random,
});
for (let at = Number(first); at < Number(first) + Number(count); at += 10)
	await Promise.all(
		Array.from({ length: 10 }, async (_, more) => {
			const id = `msg_${at + more}`;
			const body = Buffer.from(JSON.stringify({ type: "transaction.updated", data: { id: `t-${at + more}`, status: "PENDING" } }));
			const { event, isNew } = await inbox.receive({ source: "webhook", change: changeIn(body), delivery: { id, headers: {}, body } });
			writeSync(1, `${isNew ? "new" : "again"} ${event.id} ${id}\n`);
		}),
	);
inbox.close();
