/**
 * "A team" of README.md, typed as it stands there by an administrator and two people on machines of their own, against a PostgreSQL server
 * and a sandbox. The address is that of this server, and a Yes is given by --yes.
 */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environment, longestRun } from "../support/built.js";
import { noPostgres, type Server, startPostgres } from "../support/postgres.js";
import { type Service, startService, typedBy } from "./service.js";

const page = fileURLToPath(new URL("../../README.md", import.meta.url));
const pg = test.skipIf(noPostgres !== undefined);
let service: Service;
let server: Server;

beforeAll(async () => {
	if (noPostgres !== undefined) return;
	[service, server] = [await startService(), await startPostgres("fsync=on")];
	for (const statement of ["CREATE DATABASE pay", "CREATE ROLE ops LOGIN SUPERUSER", "CREATE ROLE ada LOGIN", "CREATE ROLE ben LOGIN"])
		await server.sql(statement);
	for (const who of ["ops", "ada", "ben"]) {
		await mkdir(join(service.folder, who));
		await cp(join(service.folder, "config"), join(service.folder, who, "config"), { recursive: true });
	}
	const rows = [1, 2, 3].map((at) => `Main account,Savings,500.00,Row ${at}`);
	await writeFile(join(service.folder, "payroll.csv"), ["from,to,amount,reference", ...rows].join("\n"));
});
afterAll(async () => {
	await server?.stop();
	await service?.stop();
});

const typed = async (who: string, argv: readonly string[]) => {
	const here = argv.map((word) =>
		word === "payroll.csv" ? join(service.folder, word) : word.replace("db.example.com", `127.0.0.1:${server.address.port}`),
	);
	return service.purser([...here, "--yes", "--json"], { env: { ...environment(join(service.folder, who)), PURSER_OPERATOR: who } });
};
const invoice = (reference: string) => [
	...["pay", "ledger", "--from", "Main account", "--to", "Savings", "--amount", "12.50", "--reference"],
	reference,
];

pg(
	"every line can be typed: from an empty database to two people who pay with four eyes",
	async () => {
		const all = await typedBy(page, "A team");
		expect(all.length).toBe(10);
		for (const { who, line } of all) {
			const words = (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ""));
			if (words[0] === "psql") {
				for (const statement of words.filter((word) => word.startsWith("GRANT"))) await server.sql(statement, "pay");
				continue;
			}
			// The control: without Ben nothing is sent, and Ada does not approve her own plan.
			if (words.includes("approve")) {
				const [early, own] = [await typed("ada", ["pay", "batch", "send", "1"]), await typed("ada", ["pay", "batch", "approve", "1"])];
				expect([early.exit, own.exit]).toEqual([10, 10]);
				expect(early.stderr).toContain("needs the approval of a second person");
			}
			const ran = await typed(who, words.slice(1));
			expect([who, words.join(" "), ran.exit], ran.stderr).toEqual([who, words.join(" "), 0]);
			if (words.includes("approvals")) expect(ran.json()).toMatchObject([{ batch: "1", planner: "ada", approvers: ["ben"] }]);
		}
		expect((await typed("ben", ["pay", "batch", "status", "1"])).json().counts.accepted).toBe(3);
		const [newest] = (await typed("ben", ["history", "list"])).json();
		expect([newest.operator, newest.machine, newest.state]).toEqual(["ada", expect.stringMatching(/^[a-z0-9-]+$/), "accepted"]);
		// What one has paid, the other does not pay again.
		await server.sql("DELETE FROM purser.policy", "pay");
		expect((await typed("ada", invoice("Invoice"))).exit).toBe(0);
		await server.sql("GRANT purser_sender TO ben", "pay");
		const again = await typed("ben", invoice("Invoice"));
		expect([again.exit, again.stderr]).toEqual([10, expect.stringContaining("DUPLICATE")]);
	},
	longestRun,
);

pg(
	"the statements that are printed are what a client of the database runs",
	async () => {
		const address = `postgresql://ops@127.0.0.1:${server.address.port}/pay`;
		const printed = await service.purser(["team", "init", `${address}?schema=printed`, "--print-sql"]);
		expect([printed.exit, printed.stderr]).toEqual([0, ""]);
		await server.sql(printed.stdout, "pay");
		expect(await server.sql("SELECT key, value FROM printed.meta", "pay")).toEqual([{ key: "version", value: "10" }]);
	},
	longestRun,
);

pg(
	"who is in it, how it is kept, a database that went back, and leaving",
	async () => {
		const { members, logins } = (await typed("ben", ["team", "members"])).json();
		expect(members.map(({ operator }: { operator: string }) => operator)).toEqual(["ada"]);
		expect(logins.find(({ login }: { login: string }) => login === "ada")).toEqual({
			login: "ada",
			roles: ["reader", "planner", "sender"],
		});
		const status = (await typed("ada", ["team", "status"])).json();
		expect([status.keeping.fsync, status.keeping.standbys, status.doubts, status.batches, status.policy]).toEqual(["on", [], [], [], {}]);
		expect((await typed("ada", ["doctor"])).json().checks.find(({ check }: { check: string }) => check === "team")).toMatchObject({
			state: "warning",
			found: expect.stringContaining("no standby"),
		});
		// A copy from before a payment, and from before a machine joined, comes back in the place of the database.
		await server.sql("CREATE ROLE cat LOGIN");
		await server.sql("GRANT purser_sender TO cat");
		await cp(join(service.folder, "config"), join(service.folder, "cat", "config"), { recursive: true });
		expect((await typed("cat", invoice("Before joining"))).exit).toBe(0);
		await server.sql("CREATE DATABASE earlier TEMPLATE pay");
		expect((await typed("cat", ["team", "join", "postgresql://cat@db.example.com/pay"])).json()).toMatchObject({ carried: 1 });
		expect((await typed("ada", invoice("Later"))).exit).toBe(0);
		await server.sql("ALTER DATABASE pay RENAME TO lost");
		await server.sql("ALTER DATABASE earlier RENAME TO pay");
		const refused = await typed("ada", invoice("Later"));
		expect([refused.exit, refused.stderr]).toEqual([10, expect.stringContaining("JOURNAL_NOT_THE_ONE")]);
		const recovered = await typed("ada", ["team", "recover", "--reason", "a copy was restored"]);
		expect(recovered.json()).toMatchObject({ restored: 1, doubts: [], contested: [], recovered: true });
		expect((await typed("cat", ["team", "recover", "--reason", "a copy was restored"])).exit).toBe(0);
		for (const reference of ["Later", "Before joining"]) {
			const again = await typed("ada", invoice(reference));
			expect([reference, again.exit, again.stderr]).toEqual([reference, 10, expect.stringContaining("DUPLICATE")]);
		}
		expect((await typed("ada", ["team", "leave"])).json()).toEqual({ profile: "sandbox", left: true });
		expect((await typed("ada", ["team", "status"])).stderr).toContain("NO_TEAM");
	},
	longestRun,
);
