/**
 * One session of a PostgreSQL database. What a session holds, its locks and settings, ends with it: it is never opened again by itself.
 */
import { hostname, userInfo } from "node:os";
import type { Client, ClientConfig } from "pg";
import { isOwnHost } from "../../api/service-address.js";
import type { TeamAddress } from "../../ports/team.js";
import type { SqlRow, SqlValue } from "../../sqlite/storage.js";
import type { Sql, Statements } from "../tables/sql.js";
import { addressText, Trouble } from "./trouble.js";

/** Milliseconds: to connect; to wait for a lock; of one statement; between two statements of a transaction; for an answer, whatever the server says; to end. */
export const limits = { connect: 10_000, lock: 30_000, statement: 60_000, idle: 20_000, answer: 75_000, farewell: 2_000 };

/** A statement without a limit of the server: a verification reads everything. */
const patient = 3_600_000;

export class Session implements Statements {
	/** Names of the statements that the server has prepared, by their text. */
	readonly #prepared = new Map<string, string>();

	private constructor(
		private readonly client: Client,
		readonly address: TeamAddress,
	) {}

	/**
	 * @param allowed another limit of one statement, in milliseconds; 0: none. `wait`: another one for a lock
	 * @throws Trouble, if the address is not to be trusted, or the session would not be one: a pooler gives each transaction to another
	 */
	static async open(
		address: TeamAddress,
		{ allowed = limits.statement, wait = limits.lock }: { allowed?: number; wait?: number } = {},
	): Promise<Session> {
		const { host, ssl, ca, schema, ...login } = address;
		if (ssl === "off" && !host.startsWith("/") && !isOwnHost(host))
			throw new Trouble("open", "the network between would read and change what is sent");
		// The server cuts a name after 63 bytes, and those of the roles are longer by nine.
		if (!/^[a-z_][a-z0-9_]{0,53}$/.test(schema)) throw new Trouble("schema", schema);
		const { Client, types } = (await import("pg")).default;
		const config: ClientConfig = {
			...login,
			host,
			password: login.password ?? (() => passwordInFile({ ...login, host })),
			ssl: ssl === "off" ? false : { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
			application_name: whoIsHere(),
			keepAlive: true,
			connectionTimeoutMillis: limits.connect,
			query_timeout: allowed === 0 ? patient : limits.answer,
			types: { getTypeParser: (type: number) => parsers[type] ?? String } as unknown as typeof types,
		};
		const client = new Client(config);
		// What waits is told by its own promise; between statements nobody listens, and the next one fails.
		client.on("error", () => {});
		await client.connect();
		const session = new Session(client, address);
		try {
			await session.#prepare(allowed, wait);
			await session.#refusePooler();
			return session;
		} catch (error) {
			await session.close();
			throw error;
		}
	}

	async #prepare(allowed: number, wait: number): Promise<void> {
		const settings: Readonly<Record<string, string>> = {
			search_path: `${this.address.schema}, pg_temp`,
			statement_timeout: String(allowed),
			lock_timeout: String(wait),
			idle_in_transaction_session_timeout: String(allowed === 0 ? 0 : limits.idle),
			// A machine that is gone without a word holds its locks until the server finds out.
			tcp_keepalives_idle: "30",
			tcp_keepalives_interval: "10",
			tcp_keepalives_count: "3",
			standard_conforming_strings: "on",
		};
		await this.script(
			Object.entries(settings)
				.map(([name, value]) => `SET ${name} TO ${name === "search_path" ? value : `'${value}'`}`)
				.join("; "),
		);
		if ((await this.setting("synchronous_commit")) === "off") await this.script("SET synchronous_commit TO on");
	}

	/** A pooler answers with a process of its own, and may give each transaction another session of the database. */
	async #refusePooler(): Promise<void> {
		const told = (this.client as unknown as { processID: number }).processID;
		const { pid } = (await this.client.query("SELECT pg_backend_pid() AS pid")).rows[0];
		if (pid !== told) throw new Trouble("pooler", addressText(this.address));
	}

	async get(query: Sql): Promise<SqlRow | undefined> {
		return (await this.#query(query)).rows[0] as SqlRow | undefined;
	}

	async all(query: Sql): Promise<SqlRow[]> {
		return (await this.#query(query)).rows as SqlRow[];
	}

	async run(query: Sql): Promise<number> {
		return (await this.#query(query)).rowCount ?? 0;
	}

	#query(query: Sql) {
		const text = query.text((number) => `$${number}`);
		const values = query.values as SqlValue[];
		const name = this.#prepared.get(text) ?? (this.#prepared.size < mostPrepared ? `s${this.#prepared.size}` : undefined);
		if (name !== undefined) this.#prepared.set(text, name);
		return this.#answered(this.client.query({ name, text, values }));
	}

	/** A database that does not answer is given up: what would be asked next would wait as long again. */
	async #answered<T>(answer: Promise<T>): Promise<T> {
		try {
			return await answer;
		} catch (error) {
			if ((error as Error).message === "Query read timeout") this.#cut();
			throw error;
		}
	}

	#cut(): void {
		(this.client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
	}

	/** Statements of ours without values, at once. */
	async script(text: string): Promise<void> {
		await this.#answered(this.client.query(text));
	}

	async setting(name: string): Promise<string> {
		return String((await this.client.query("SELECT current_setting($1) AS value", [name])).rows[0].value);
	}

	async close(): Promise<void> {
		const patience = setTimeout(() => this.#cut(), limits.farewell);
		await this.client.end().catch(() => {});
		clearTimeout(patience);
	}
}

/** Most texts that are prepared: the number of rows makes them many. */
const mostPrepared = 300;

const [int8, int2, int4, oid, numeric] = [20, 21, 23, 26, 1700];

/** As SQLite has it: a number where it is a whole one that is exact, a text otherwise. */
const exact = (text: string): SqlValue => {
	const number = Number(text);
	return /^-?\d+$/.test(text) && Number.isSafeInteger(number) ? number : text;
};

const parsers: Readonly<Record<number, (text: string) => SqlValue>> = Object.fromEntries(
	[int8, int2, int4, oid, numeric].map((type) => [type, exact]),
);

/** Nothing is known where there is none: the server says whether it wants one. */
async function passwordInFile(login: Pick<TeamAddress, "host" | "port" | "database" | "user">): Promise<string> {
	const { default: pgpass } = await import("pgpass");
	return (await new Promise<string | undefined>((resolve) => pgpass(login, resolve))) ?? "";
}

/** Who holds a lock is told by it: at most 63 bytes, of which the server shows ASCII alone. */
function whoIsHere(): string {
	let person = "somebody";
	try {
		person = userInfo().username;
	} catch {
		// A user without a name.
	}
	return `purser: ${person} on ${hostname()}`.replace(/[^ -~]/g, "?").slice(0, 63);
}
