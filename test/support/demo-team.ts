/**
 * `npm run demo -- --team`: Ada and Ben, each on a machine of their own, pay by one journal in a PostgreSQL database.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { noPostgres, startPostgres } from "./postgres.js";

type Person = "admin" | "ada" | "ben";

const program = join(process.cwd(), "bin", "purser.js");

async function play(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "purser-team-"));
	const server = await startPostgres("fsync=on");
	const optionsOf = (person: Person) => ({
		...({ extendEnv: false, cwd: folder, reject: false, all: true, stdin: "ignore" } as const),
		env: { PATH: process.env.PATH ?? "", HOME: join(folder, person), PURSER_OPERATOR: person, PURSER_NO_KEYRING: "1" },
	});
	const database = (person: Person): string => `postgresql://${person}@127.0.0.1:${server.address.port}/payments`;
	for (const person of ["admin", "ada", "ben"]) mkdirSync(join(folder, person));
	const serve = ["sandbox", "serve", "--port", "0", "--save-profile", "sandbox"];
	const sandbox = execa(process.execPath, [program, ...serve], optionsOf("ada"));
	const say = (text: string): void => void process.stdout.write(`\n# ${text}\n`);
	/** @param expected the exit code */
	const type = async (person: Person, words: string, expected = 0): Promise<void> => {
		process.stdout.write(`\n${person}$ purser ${words}\n`);
		const argv = (words.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
		const ran = await execa(process.execPath, [program, ...argv, "--yes"], optionsOf(person));
		process.stdout.write(`${ran.all}\n`);
		if (ran.exitCode !== expected) throw new Error(`it ended with exit code ${ran.exitCode} instead of ${expected}`);
	};
	try {
		await new Promise<void>((resolve, reject) => {
			sandbox.stdout.on("data", (text) => String(text).includes("Ctrl-C") && resolve());
			void sandbox.then(({ all }) => reject(new Error(all)));
		});
		for (const person of ["ben", "admin"]) cpSync(join(folder, "ada"), join(folder, person), { recursive: true });
		say("An administrator makes the team's journal, and gives two people their logins");
		const roles = ["admin LOGIN SUPERUSER", "ada LOGIN", "ben LOGIN"].map((role) => `CREATE ROLE ${role}`);
		for (const statement of ["CREATE DATABASE payments", ...roles]) await server.sql(statement);
		await type("admin", `team init ${database("admin")} --approval "above 250 EUR"`);
		await server.sql("GRANT purser_planner, purser_sender TO ada; GRANT purser_approver, purser_sender TO ben", "payments");
		say("Both join it from machines of their own");
		await type("ada", `team join ${database("ada")}`);
		await type("ben", `team join ${database("ben")}`);
		say("Ada pays an invoice; Ben, who has it too, does not pay it again");
		const invoice = 'pay ledger --from "Main account" --to Savings --amount 120.50 --reference "Invoice 2041"';
		await type("ada", invoice);
		await type("ben", invoice, 10);
		say("No answer comes to Ada's next payment; Ben finds out what became of it");
		await type("ada", "sandbox simulate fault transaction.interLedger=drop-after:x1");
		await type("ada", 'pay ledger --from "Main account" --to Savings --amount 80 --reference "Invoice 2042"', 7);
		await type("ben", "pay doubts");
		await type("ben", "pay settle");
		say("What is above 250 EUR needs a second person: Ada plans it, Ben approves it, Ada sends it");
		const rows = ["from,to,amount,reference", "Main account,Savings,100,Row 1", "Main account,Savings,200,Row 2", ""];
		writeFileSync(join(folder, "payroll.csv"), rows.join("\n"));
		await type("ada", "pay batch plan payroll.csv");
		await type("ada", "pay batch send 1", 10);
		await type("ben", "pay batch approvals");
		await type("ben", "pay batch approve 1");
		await type("ada", "pay batch send 1");
		await type("ben", "history list");
		await type("ben", "team status");
	} finally {
		sandbox.kill();
		await server.stop();
		rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
	}
}

if (noPostgres === undefined) await play();
