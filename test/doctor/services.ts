/**
 * Services over HTTP that answer as various routers do, and a world that asks them by the real transport.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createOnce } from "../../src/client/transport/once.js";
import type { Profile } from "../../src/ports/profiles.js";
import { closedPort } from "../faults/wire-peer.js";
import { makeWorld, type World } from "../support/purser.js";

export interface Peer {
	world: World;
	/** What arrived, as `METHOD path`, without the query. */
	arrived: string[];
	/** What else the server saw. */
	seen: { authorization?: string; at: number }[];
	close(): Promise<void>;
}

/** Answers one request; `path` has no query, and ids stand as `{}` in it. */
export type Answering = (request: IncomingMessage, response: ServerResponse, path: string) => void;

const servers = new Set<Server>();

export const json = (response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void => {
	response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
};

/** A world whose profile is at a service of its own. */
export async function peerOf(answering: Answering, profile: Partial<Profile> = {}): Promise<Peer> {
	const arrived: string[] = [];
	const seen: Peer["seen"] = [];
	const server = createServer((request, response) => {
		const path = (request.url ?? "").replace(/\?.*$/, "");
		arrived.push(`${request.method} ${path}`);
		seen.push({ authorization: request.headers.authorization, at: world.clock.monotonic() });
		answering(request, response, path.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, "{}"));
	});
	servers.add(server);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	let { port } = server.address() as AddressInfo;
	const transport = createOnce({ env: {} });
	const world = await makeWorld({
		profile,
		// The address of the world's profile is another; only the port differs.
		wire: (request) =>
			transport.send({ ...request, url: request.url.replace(":4010", `:${port}`) }, { connect: 5_000, total: limit.total, bytes: 1 << 20 }),
	});
	const close = async (): Promise<void> => {
		await closed(server);
		// Its own port may be given to another test by now.
		port = await closedPort();
	};
	return { world, arrived, seen, close };
}

/** Milliseconds for one answer. */
export const limit = { total: 10_000 };

function closed(server: Server): Promise<void> {
	servers.delete(server);
	server.closeAllConnections();
	return new Promise((resolve) => server.close(() => resolve()));
}

export const closeAll = async (): Promise<void> => {
	limit.total = 10_000;
	await Promise.all([...servers].map(closed));
};

/** The paths of the description's operations that read, with `{}` for ids. */
export const readable = [
	"/api/partner/terms-and-conditions",
	"/api/partner/corporates",
	"/api/partner/corporates/{}",
	"/api/partner/corporates/related/{}",
	"/api/partner/corporates/{}/related",
	"/api/partner/corporates/{}/diligence-review",
	"/api/partner/ledgers",
	"/api/partner/ledgers/{}",
	"/api/partner/beneficiaries",
	"/api/partner/beneficiaries/{}",
	"/api/partner/transactions",
	"/api/partner/transactions/{}",
];

/** Those of operations that change something, with their methods. */
export const changing: Readonly<Record<string, string>> = {
	"/api/partner/verifications/email/send": "POST",
	"/api/partner/verifications/phone/send": "POST",
	"/api/partner/verifications/phone/verify": "POST",
	"/api/partner/corporates/{}/kyb": "POST",
	"/api/partner/kyc": "POST",
	"/api/partner/transactions/inter-ledger": "POST",
	"/api/partner/transactions/beneficiary": "POST",
};

/** What a service has for the paths that read: a list, the terms, or no such record. */
export function ownAnswer(response: ServerResponse, path: string): void {
	const terms = { type: "CORPORATE", version: "3", downloadUrl: "https://example.com/terms" };
	if (path.endsWith("terms-and-conditions")) json(response, 200, terms);
	else if (!path.includes("{}")) json(response, 200, { content: [], totalElements: 0, page: 0, pageSize: 1 });
	else json(response, 404, { errorCode: "RECORD_NOT_FOUND", message: "There is no such record" });
}
