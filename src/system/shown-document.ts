/**
 * A document in the person's browser, straight from memory: a server of this machine gives it out once, at an address that nobody can
 * guess, and ends. No copy is left on the disk, also where the run is killed, and what became of it is known. The address is a secret, and
 * everybody on this machine can read the arguments of a browser: it is given the path of a page that only its owner can read, which leads
 * there.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { withDeadline } from "../api/deadline.js";
import { PurserError } from "../errors.js";
import type { Opened, ShownDocument } from "../ports/machine.js";

/** Milliseconds in which a browser must have read it; one that is started first takes some. */
const patience = 30_000;

/** A page runs nothing, loads nothing and sends nothing. */
const pagePolicy =
	"sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const headers = {
	"cache-control": "no-store",
	connection: "close",
	"cross-origin-resource-policy": "same-origin",
	"referrer-policy": "no-referrer",
	"x-content-type-options": "nosniff",
	"x-dns-prefetch-control": "off",
} as const;

interface Showing {
	/** Opens a page on the disk. */
	open(file: string): Promise<Opened>;
	/** The person's home folder: a browser in a container of its own, as a snap is, reads what is visible there, and not /tmp. */
	home: string;
	signal: AbortSignal;
	/** Milliseconds. */
	limit?: number;
}

/**
 * @returns `opened` once a browser has read it, `unknown` where none has in time, `none` where there is none
 * @throws PurserError interrupted
 */
export async function show({ bytes, contentType }: ShownDocument, { open, home, signal, limit = patience }: Showing): Promise<Opened> {
	const path = `/${randomUUID()}`;
	let read = (): void => {};
	const wasRead = new Promise<Opened>((resolve) => {
		read = () => resolve("opened");
	});
	const answer = (request: IncomingMessage, response: ServerResponse): void => {
		// A page of another origin could reach this server by a name of its own.
		if (request.method !== "GET" || request.url !== path || request.headers.host !== host) {
			response.writeHead(404, headers).end();
			return;
		}
		response.once("close", () => response.writableFinished && read());
		const policy = contentType.startsWith("text/html") ? { "content-security-policy": pagePolicy } : {};
		response.writeHead(200, { ...headers, ...policy, "content-type": contentType, "content-length": bytes.length }).end(bytes);
	};
	const server = createServer(answer);
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	const ended = withDeadline(limit, signal);
	const end = new Promise<Opened>((resolve) => {
		ended.addEventListener("abort", () => resolve("unknown"), { once: true });
		if (ended.aborted) resolve("unknown");
	});
	const folder = await mkdtemp(join(home, "purser-opens-")).catch(() => undefined);
	try {
		if (folder === undefined) return "none";
		const file = join(folder, "page.html");
		await writeFile(file, leadingTo(`http://${host}${path}`), { mode: 0o600 });
		const asked = open(file).then((opened) => (opened === "none" ? "none" : end));
		const opened = await Promise.race([wasRead, asked, end]);
		if (opened !== "unknown" || !signal.aborted) return opened;
		throw new PurserError("interrupted", {
			code: "INTERRUPTED",
			message: "Stopped while waiting for the browser",
			fix: "Run the command again to see it.",
		});
	} finally {
		server.close();
		server.closeAllConnections();
		if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
	}
}

/** A page that leads to an address of this machine, also where a browser follows nothing by itself. */
const leadingTo = (address: string): string =>
	`<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${address}"><title>purser</title><a href="${address}">Open</a>\n`;
