/**
 * What is PostgreSQL's alone: what a database that cannot be used is told as, who waits for whom, and what a session is needed for.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { recoverTeam } from "../../src/journal/open-team.js";
import { MachineLog } from "../../src/journal/postgres/log.js";
import { limits } from "../../src/journal/postgres/session.js";
import { createTables } from "../../src/journal/postgres/setup.js";
import type { Anchor } from "../../src/ports/anchor.js";
import type { TeamAddress } from "../../src/ports/team.js";
import { noPostgres, postgres, type Server, startPostgres } from "../support/postgres.js";
import { testPlace } from "./anchors.js";
import { failure, none, planned } from "./batch.js";
import { codeOf, newFolder, open, openEngine, openRows, payment, removeFolders, tamper, teamOptions, testClock } from "./journals.js";

afterEach(removeFolders);

const driver = "postgres";
/** Another server's way of letting people in is its own. */
const named = process.env.PURSER_TEST_POSTGRES !== undefined;
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) process.stdout.write("the certificate of PostgreSQL is not tested: openssl, which makes it, is not installed here\n");

describe.skipIf(noPostgres !== undefined)("a journal in PostgreSQL", () => {
	let server: Server;
	beforeAll(async () => {
		server = await postgres();
		await server.sql("DROP ROLE IF EXISTS guarded; CREATE ROLE guarded LOGIN PASSWORD 'horse-staple'");
	});

	const at = (change: Partial<TeamAddress>) => async (): Promise<unknown> => {
		const address = { ...(await server.journal()), ...change };
		return open(newFolder(), { driver, address });
	};
	const changed = (sql: string) => async (): Promise<unknown> => {
		const folder = newFolder();
		const journal = await open(folder, { driver });
		await journal.close();
		await tamper(journal, sql, driver);
		return open(folder, { driver });
	};

	const unusable: [what: string, act: () => Promise<unknown>, kind: string, code: string][] = [
		["nobody answers", at({ port: 1 }), "unavailable", "JOURNAL_AWAY"],
		["the password is another one", at({ user: "guarded", password: "horse-stable" }), "auth", "JOURNAL_LOGIN"],
		["the user has no rights", at({ user: "guarded", password: "horse-staple" }), "usage", "JOURNAL_DENIED"],
		["there is no such database", at({ database: "nobody" }), "usage", "JOURNAL_MISSING"],
		["there is no such schema", at({ schema: "nobody" }), "usage", "JOURNAL_MISSING"],
		["the name of the schema is a statement", at({ schema: "a; DROP SCHEMA b" }), "usage", "JOURNAL_SCHEMA"],
		["another machine is asked without TLS", at({ host: "db.example.com" }), "usage", "JOURNAL_OPEN"],
		["another machine whose name begins like an address of this one", at({ host: "127.example.com" }), "usage", "JOURNAL_OPEN"],
		["the server has no TLS", at({ ssl: "verify-full" }), "usage", "JOURNAL_TLS"],
		["it is of another version", changed("UPDATE meta SET value = '8' WHERE key = 'version'"), "usage", "JOURNAL_FOREIGN"],
		["it is of another service", changed("UPDATE meta SET value = 'x' WHERE key = 'service'"), "usage", "JOURNAL_FOREIGN"],
		["it is of another environment", changed("UPDATE meta SET value = 'test live' WHERE key = 'owner'"), "usage", "JOURNAL_FOREIGN"],
		["the tables are there", async () => createTables(await server.journal("twice")), "usage", "JOURNAL_EXISTS"],
	];
	const asked = unusable.filter(([what]) => !named || !what.includes("password"));
	test.each(asked)("where %s, that is told, and nothing is sent", async (_, act, kind, code) => {
		const error = await failure(act());
		expect([error.kind, error.failure.code]).toEqual([kind, code]);
		expect(JSON.stringify(error.failure)).not.toMatch(/horse/);
	});

	const idle = "CREATE OR REPLACE FUNCTION event_refusal() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'";
	test.each([
		["a trigger that is turned off", "ALTER TABLE event DISABLE TRIGGER event_is_kept", "database: event_is_kept is not as it was made"],
		["a trigger that does nothing", idle, "database: event_refusal is not as it was made"],
		["a table that is added", "CREATE TABLE helpful (one BIGINT)", "database: helpful was added"],
		["an index that is gone", "DROP INDEX intent_alike", "database: intent_alike is gone"],
	])("shows %s", async (_, sql, fault) => {
		const journal = await open(newFolder(), { driver });
		await tamper(journal, sql, driver);
		expect((await journal.verify()).faults).toEqual([fault]);
	});

	test.skipIf(named)("a database that may forget is used for no money", async () => {
		const address = await server.journal();
		const error = await failure(open(newFolder(), { driver, address, forgetful: false }));
		expect(error.failure).toMatchObject({ code: "JOURNAL_UNSAFE", why: expect.stringContaining("fsync is off") });
	});

	test("wherever the connection is cut, what was sent is on record, and what is not on record was not sent", async () => {
		const address = await server.journal();
		const direct = await open(newFolder(), { driver, address });
		let cuts = 0;
		for (let at = 0; ; at++) {
			const proxy = await cutAt(address, at);
			const folder = newFolder();
			const sent: string[] = [];
			const told = await (async () => {
				const journal = await open(folder, { driver, address: { ...address, port: proxy.port } });
				const intent = await journal.begin(payment({ reference: `Cut ${at}` }));
				sent.push(intent);
				await journal.end(intent, { state: "accepted", id: crypto.randomUUID(), status: 201 });
				await journal.close();
			})().then(
				() => "done",
				(error) => `${error.exit} ${error.failure?.code}`,
			);
			proxy.close();
			const statesOf = async () =>
				(await direct.list({})).flatMap(({ transfer, state }) => (transfer?.reference === `Cut ${at}` ? [state] : []));
			// The server finds out a little later that the session is gone.
			await vi.waitUntil(async () => {
				const found = await statesOf();
				return !found.includes("sending");
			});
			const log = new MachineLog(folder, { name: "test", environment: "sandbox" }, await direct.installation(), testClock().now);
			const marks = [...log.lines()].filter(({ is }) => is === "mark").length;
			// The next run has what the log kept.
			await (await open(folder, { driver, address })).close();
			expect([at, told, sent.length <= marks, sent.length > 0 && (await statesOf())]).toEqual([
				at,
				told === "done" ? "done" : sent.length === 0 || told === "6 JOURNAL_AWAY" ? "6 JOURNAL_AWAY" : "6 OUTCOME_KEPT",
				true,
				sent.length > 0 && ["accepted"],
			]);
			if (proxy.wasCut()) cuts += 1;
			else break;
		}
		expect(cuts).toBeGreaterThan(20);
		expect((await direct.verify()).faults).toEqual([]);
	});

	test("a database that falls silent is given up in time, and nothing is sent", async () => {
		const address = await server.journal();
		const proxy = await cutAt(address, 1_000);
		const { answer } = limits;
		try {
			limits.answer = 300;
			const journal = await open(newFolder(), { driver, address: { ...address, port: proxy.port } });
			proxy.hold();
			const error = await failure(journal.begin(payment()));
			expect([error.exit, error.failure.code]).toEqual([6, "JOURNAL_AWAY"]);
			await journal.close();
		} finally {
			limits.answer = answer;
			proxy.close();
		}
	});

	test.skipIf(named || !hasOpenssl)("over TLS the certificate must be of those who are trusted, and name the host", async () => {
		const own = await startPostgres();
		const folder = newFolder();
		const [key, certificate] = [join(folder, "key"), join(folder, "certificate")];
		const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
		const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
		await execa("openssl", ["req", "-x509", ...kind, ...names, "-keyout", key, "-out", certificate]);
		await own.write("server.key", readFileSync(key, "utf8"));
		await own.write("server.crt", readFileSync(certificate, "utf8"));
		await own.sql("ALTER SYSTEM SET ssl = on");
		await own.sql("SELECT pg_reload_conf()");
		const address = { ...(await own.journal()), ssl: "verify-full" as const };
		const ca = readFileSync(certificate, "utf8");
		const opened = (change: Partial<TeamAddress>) => codeOf(open(newFolder(), { driver, address: { ...address, ...change } }));
		await vi.waitUntil(async () => (await opened({ host: "localhost", ca })) === "done");
		expect([await opened({ host: "localhost" }), await opened({ host: "127.0.0.1", ca })]).toEqual(["JOURNAL_TLS", "JOURNAL_TLS"]);
		await removeFolders();
		await own.stop();
	});

	test("who holds the lock is named to whoever waits for it too long, and then it goes on", async () => {
		const folder = newFolder();
		const journal = await open(folder, { driver, wait: 100 });
		const { engine } = await openEngine(driver, folder);
		const error = await engine.connection.locked(() => failure(journal.begin(payment())));
		expect(error.message).toMatch(
			/^The team's journal is held by purser: \S+ on \S+ \(process \d+ of the database, user member, since \d{4}-.*\), and nothing is sent that is not on record$/,
		);
		expect(error.failure.code).toBe("JOURNAL_BUSY");
		expect(await journal.begin(payment())).toBe("1");
		await engine.senders.end();
	});

	test("two teams in one database do not wait for each other", async () => {
		const { engine } = await openEngine(driver);
		const other = await open(newFolder(), { driver, wait: 100 });
		expect(await engine.connection.locked(() => other.begin(payment()))).toBe("1");
		await engine.senders.end();
	});

	test("several send one batch, each its own rows; what one leaves that dies is in doubt while the others go on", async () => {
		const folder = newFolder();
		const [one, two, three] = [await openRows(folder, { driver }), await openRows(folder, { driver }), await openRows(folder, { driver })];
		const batch = await planned(one, [1, 2, 3, 4, 5, 6]);
		const mapped = { ...none, mapping: "m" };
		await one.begin(batch, ["planned", "not-sent"], mapped);
		const [first] = await one.advance(batch, [], 2);
		expect([
			await codeOf(one.begin(batch, ["planned"], mapped)),
			await codeOf(two.begin(batch, ["planned"], none)),
			await codeOf(two.begin(batch, ["planned"], { ...mapped, unbegun: true })),
			await codeOf(two.begin(batch, ["planned"], { ...mapped, rows: 3 })),
		]).toEqual(["BATCH_BUSY", "BATCH_BUSY", "BATCH_BEGUN", "BATCH_MOVED"]);
		await one.advance(batch, [{ number: first?.number ?? 0, outcome: { state: "not-sent", reason: "no connection" } }], 0);
		// There were five rows when it was asked, and what the other gave back is the other's.
		await two.begin(batch, ["planned", "not-sent"], { ...mapped, rows: 5 });
		expect((await two.advance(batch, [], 2)).map(({ row }) => row)).toEqual([3, 4]);
		expect((await two.show(batch))?.counts).toMatchObject({ sending: 3, "in-doubt": 0, "not-sent": 1, planned: 2 });
		expect(await codeOf(three.abandon(batch, { reason: "no more" }))).toBe("BATCH_BUSY");
		await one.close();
		expect((await three.show(batch))?.counts).toMatchObject({ sending: 2, "in-doubt": 1 });
		await three.begin(batch, ["planned"], mapped);
		expect((await three.advance(batch, [], 5)).map(({ row }) => row)).toEqual([5, 6]);
		expect((await two.advance(batch, [], 5)).map(({ row }) => row)).toEqual([]);
		await two.release(batch);
		expect((await three.show(batch))?.counts).toMatchObject({ sending: 2, "in-doubt": 3, "not-sent": 1, planned: 0 });
		expect(await codeOf(three.abandon(batch, { reason: "no more" }))).toBe("BATCH_BUSY");
		await three.release(batch);
		const journal = await open(folder, { driver });
		expect((await journal.verify()).faults).toEqual([]);
	});

	test("a database that went back, or is another one, is used for no money until a person adopts it", async () => {
		const place = testPlace();
		const address = { ...server.address, database: "went_back", schema: "purser" };
		await server.sql("CREATE DATABASE went_back");
		await createTables(address);
		const profile = { name: "test", environment: "live" } as const;
		const pay = async (reference: string): Promise<string> => {
			const journal = await open("-", { driver, address, profile, anchor: async () => place });
			if (place.kept === undefined) await journal.adopt("first day");
			const begun = journal.begin(payment({ reference })).then((intent) => journal.end(intent, { state: "refused", status: 422 }));
			return codeOf(begun.finally(() => journal.close()));
		};
		expect(await pay("one")).toBe("done");
		await server.sql("CREATE DATABASE older TEMPLATE went_back");
		expect(await pay("two")).toBe("done");
		const { database } = place.kept as Anchor;
		expect([database, (await server.sql("SET ROLE guarded; SELECT timeline_id FROM pg_control_checkpoint()"))[0]]).toEqual([
			{ system: expect.stringMatching(/^\d{19}$/), timeline: 1 },
			{ timeline_id: 1 },
		]);
		for (const other of [
			{ system: "7000000000000000000", timeline: 1 },
			{ ...database, timeline: 2 },
		]) {
			place.kept = { ...(place.kept as Anchor), database: other as Anchor["database"] };
			expect(await pay("three")).toBe("JOURNAL_NOT_THE_ONE");
		}
		place.kept = { ...(place.kept as Anchor), database };
		await server.sql("ALTER DATABASE went_back RENAME TO newer");
		await server.sql("ALTER DATABASE older RENAME TO went_back");
		expect(await pay("three")).toBe("JOURNAL_NOT_THE_ONE");
		const options = { driver, address, profile, anchor: async () => place } as const;
		const journal = await open("-", options);
		expect(await codeOf(journal.adopt("the newer one is lost"))).toBe("JOURNAL_NOT_THE_ONE");
		await journal.close();
		expect(await recoverTeam(await teamOptions("-", options), "the newer one is lost")).toMatchObject({ restored: 1 });
		expect(await pay("three")).toBe("done");
	});

	test("a pooler that gives each transaction another session is refused", async () => {
		const address = await server.journal();
		const pooler = await poolerBefore(address);
		const error = await failure(open(newFolder(), { driver, address: { ...address, port: pooler.port } }));
		expect(error.failure.code).toBe("JOURNAL_POOLER");
		pooler.close();
	});
});

/** A way to the database. @param joined is given both ends of each connection */
async function proxyTo({ port }: TeamAddress, joined: (client: Socket, backend: Socket) => void): Promise<{ port: number; close(): void }> {
	const sockets: Socket[] = [];
	const server = createServer((client) => {
		const backend = connect(port, "127.0.0.1");
		sockets.push(client, backend);
		for (const socket of [client, backend]) socket.on("error", () => {});
		joined(client, backend);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		port: (server.address() as { port: number }).port,
		close() {
			server.close();
			for (const socket of sockets) socket.destroy();
		},
	};
}

/** It is cut with the client's message of this number, before it arrives or after it; both in turn. */
async function cutAt(address: TeamAddress, at: number) {
	let [seen, cut, held] = [0, false, false];
	const proxy = await proxyTo(address, (client, backend) => {
		backend.pipe(client);
		client.on("data", (bytes) => {
			if (held) return;
			seen += 1;
			if (seen - 1 < at / 2) return void backend.write(bytes);
			cut = true;
			if (at % 2 === 1) backend.write(bytes);
			client.destroy();
			backend.end();
		});
	});
	const hold = (): void => {
		held = true;
	};
	return { ...proxy, wasCut: () => cut, hold };
}

/** A pooler: whoever is let in is told a process of its own, not the one that answers. */
const poolerBefore = (address: TeamAddress) =>
	proxyTo(address, (client, backend) => {
		client.pipe(backend);
		backend.on("data", (bytes) => {
			// BackendKeyData: its kind, its length, then the process.
			const told = bytes.indexOf(Buffer.from([75, 0, 0, 0, 12]));
			if (told >= 0) bytes.writeInt32BE(7, told + 5);
			client.write(bytes);
		});
	});
