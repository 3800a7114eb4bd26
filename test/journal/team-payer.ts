/**
 * A program that makes one payment by a team's journal: `team-payer ADDRESS FOLDER ID`. What reaches the service is a line of the file FOLDER/service.
 * Ends with the code of what was refused.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { PurserError } from "../../src/errors.js";
import { open, payment } from "./journals.js";

const [address = "", folder = "", id = ""] = process.argv.slice(2);

try {
	const journal = await open(folder, { driver: "postgres", address: JSON.parse(address), machine: "laptop" });
	const intent = await journal.begin(payment());
	appendFileSync(join(folder, "service"), `${intent}\n`);
	await journal.end(intent, { state: "accepted", id, status: 201 });
	await journal.close();
} catch (error) {
	if (!(error instanceof PurserError)) throw error;
	process.stdout.write(error.failure.code);
	process.exitCode = error.exit;
}
