/**
 * A program that sends a batch of a team's journal beside others, and single payments beside them, until there is a file SERVICE.stop and no row is left to send:
 * `team-sender ADDRESS SERVICE BATCH`. What reaches the service is a line of the file SERVICE: the number of what was sent. Ends with 6 where the
 * database is away.
 */
import { appendFileSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PurserError } from "../../src/errors.js";
import type { Batches, RowOutcome } from "../../src/ports/batches.js";
import { none } from "./batch.js";
import { open, openRows, payment } from "./journals.js";

const [address = "", service = "", own = ""] = process.argv.slice(2);
const options = { driver: "postgres", address: JSON.parse(address) } as const;

const send = async (number: number | string): Promise<string> => {
	appendFileSync(service, `${number}\n`);
	await setTimeout(Math.random() * 4);
	return crypto.randomUUID();
};

async function sendBatch(batches: Batches, batch: string): Promise<void> {
	await batches.begin(batch, ["planned"], none);
	let ended: RowOutcome[] = [];
	do {
		const rows = await batches.advance(batch, ended, 4);
		const sendRow = async (number: number): Promise<RowOutcome> => ({
			number,
			outcome: { state: "accepted", id: await send(number), status: 201 },
		});
		ended = await Promise.all(rows.map(({ number }) => sendRow(number)));
	} while (ended.length > 0);
	await batches.release(batch);
}

try {
	const folder = dirname(service);
	const [journal, batches] = [await open(folder, options), await openRows(folder, options)];
	for (let left = true, at = 0; left; at++) {
		const isLeft = Number((await batches.show(own))?.counts.planned) > 0;
		left = isLeft || !existsSync(`${service}.stop`);
		if (isLeft) await sendBatch(batches, own);
		const intent = await journal.begin(payment({ reference: `${process.pid} ${at}` }));
		await journal.end(intent, { state: "accepted", id: await send(intent), status: 201 });
	}
	await batches.close();
	await journal.close();
} catch (error) {
	if (!(error instanceof PurserError)) throw error;
	process.stderr.write(`${error.failure.code} ${error.message}`);
	process.exit(error.exit);
}
