/**
 * A server of tests and its standby behind one address, which leads to the standby once the server is gone.
 */
import { connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { vi } from "vitest";
import { type Server, startPostgres } from "../support/postgres.js";

interface Relay {
	port: number;
	/** Whoever is connected is cut off; whoever comes is led there, or nowhere. */
	lead(to?: number): void;
	close(): void;
}

async function startRelay(target?: number): Promise<Relay> {
	let to = target;
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		if (to === undefined) return void socket.destroy();
		sockets.add(socket);
		pipeline(socket, connect(to, "127.0.0.1"), socket, () => sockets.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const lead = (next?: number): void => {
		to = next;
		for (const socket of sockets) socket.destroy();
	};
	return {
		port: (server.address() as { port: number }).port,
		lead,
		close: () => {
			lead();
			server.close();
		},
	};
}

/** Whether the server waits for its standby before it confirms a commit. */
export type Kind = "synchronous" | "asynchronous";

export interface Pair {
	/** Where everybody reaches the server there is. */
	address: Server["address"];
	/** The server there is, by its own address. */
	server(): Server;
	/** Gives it a standby, which has all that is confirmed now. */
	follow(kind: Kind): Promise<void>;
	/** The standby gets nothing more. */
	cut(): void;
	/** The server is killed for good, and the address leads to the standby, which only follows. */
	kill(): Promise<void>;
	/** The standby takes over. */
	promote(): Promise<void>;
	stop(): Promise<void>;
}

export async function startPair(): Promise<Pair> {
	let server = await startPostgres();
	let standby: Server | undefined;
	// One way for those who ask, one for the standby.
	const [front, back] = [await startRelay(server.address.port), await startRelay()];
	return {
		address: { ...server.address, port: front.port },
		server: () => server,
		async follow(kind) {
			back.lead(server.address.port);
			standby = await server.copy("standby.signal", `primary_conninfo='host=127.0.0.1 port=${back.port} user=tests'`);
			if (kind === "synchronous") {
				await server.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
				await server.sql("SELECT pg_reload_conf()");
			}
			const state = kind === "synchronous" ? "sync" : "async";
			const follows = `SELECT 1 FROM pg_stat_replication WHERE sync_state = '${state}' AND replay_lsn >= pg_current_wal_lsn()`;
			await vi.waitUntil(async () => (await server.sql(follows)).length === 1, { timeout: 60_000 });
		},
		cut: () => back.lead(),
		async kill() {
			// What is left of a server whose data goes would answer with errors that a crash does not give.
			front.lead();
			await server.kill(true);
			back.lead();
			front.lead(standby?.address.port);
		},
		async promote() {
			await standby?.sql("SELECT pg_promote()");
			server = standby as Server;
			standby = undefined;
		},
		async stop() {
			front.close();
			back.close();
			await server.stop();
			await standby?.stop();
		},
	};
}
