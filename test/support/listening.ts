/**
 * `events listen` in this process: a real receiver and a real inbox, a service that answers as the test says, and deliveries that are signed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import listen from "../../src/commands/events/listen.js";
import type { Context } from "../../src/context.js";
import type { Kind } from "../../src/errors.js";
import { openInbox } from "../../src/inbox/inbox.js";
import type { EventSecret, Inbox, ServiceEvent } from "../../src/ports/events.js";
import type { ProgramOptions } from "../../src/ports/machine.js";
import type { Profile } from "../../src/ports/profiles.js";
import { openReceiver } from "../../src/system/receiver.js";
import { standardSender } from "../events/senders.js";
import { type SmallOptions, smallContext } from "./context.js";

/** The sender whose secret is known. */
const ownKey = 7;
export const ownSecret = standardSender("svix", ownKey).secret;

export interface Sent {
	id?: string;
	body: string;
	/** Seconds since 1970. */
	at?: number;
	/** Of another sender. */
	key?: number;
	headers?: Record<string, string>;
}

/** Headers of a delivery, as Svix names them. */
export function signedHeaders({ id = "msg_1", body, at = Math.floor(Date.now() / 1000), key = ownKey }: Sent): Record<string, string> {
	return { "content-type": "application/json", ...standardSender("svix", key).headers({ id, time: String(at), body: Buffer.from(body) }) };
}

/** Delivers once. @returns the status; 0 where there was no answer */
export function deliver(url: string, sent: Sent): Promise<number> {
	return new Promise((resolve) => {
		const headers = { ...signedHeaders(sent), "content-length": String(Buffer.byteLength(sent.body)), ...sent.headers };
		const asked = request(url, { method: "POST", headers, agent: false }, (answer) => {
			answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
			answer.on("error", () => resolve(0));
		});
		asked.on("error", () => resolve(0));
		asked.end(sent.body);
	});
}

/** A server that keeps what it is sent. @param status its answer to the delivery of this place */
export async function receiving(status: (at: number) => number = () => 200) {
	const got: { headers: Record<string, string | string[] | undefined>; body: Buffer; url?: string }[] = [];
	const server = createServer((incoming, outgoing) => {
		const parts: Buffer[] = [];
		incoming.on("data", (part: Buffer) => parts.push(part));
		incoming.on("end", () => {
			got.push({ headers: incoming.headers, body: Buffer.concat(parts), url: incoming.url });
			outgoing.writeHead(status(got.length - 1), { location: "/elsewhere" }).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks?key=very-secret` };
}

/** The body of a transaction that has a status. */
export const transaction = (id: string, status: string): string => JSON.stringify({ type: "transaction.updated", data: { id, status } });

export interface Place {
	inbox: Inbox;
	secrets: EventSecret[];
}

/** An inbox of its own. */
export async function place(): Promise<Place> {
	const directory = mkdtempSync(join(tmpdir(), "purser-inbox-"));
	const { clock, random } = smallContext().context;
	const profile = { name: "test", environment: "sandbox" as const, settings: {} };
	let made = 0;
	const inbox = await openInbox({ directory, profile, clock, random: { ...random, uuid: () => `unique-${++made}` } });
	onTestFinished(() => {
		inbox.close();
		rmSync(directory, { recursive: true, force: true });
	});
	return { inbox, secrets: [{ name: "a", addedAt: "2026-01-01T00:00:00.000Z", fingerprint: "00000000", secret: ownSecret }] };
}

export interface Listening {
	url: string;
	/** Told so far, as lines of NDJSON. */
	told: ServiceEvent[];
	/** Everything on standard error. */
	said: string[];
	ended: Promise<Awaited<ReturnType<typeof listen.run>>["data"]>;
	exit: Promise<Kind | undefined>;
	/** As Ctrl-C does. */
	interrupt(): void;
	/** Until so many are told. */
	toldMany(count: number): Promise<ServiceEvent[]>;
}

export interface ListenOptions extends Pick<SmallOptions, "answers" | "transport"> {
	profile?: Partial<Profile>;
	program?: (words: readonly string[], options: ProgramOptions) => Promise<string | undefined>;
	context?: (context: Context) => Context;
}

type Input = Parameters<typeof listen.run>[1];

/** Starts it; resolves once it listens. */
export async function listening(at: Place, input: Partial<Input> = {}, options: ListenOptions = {}): Promise<Listening> {
	const small = smallContext({ realSleep: true, answers: options.answers, transport: options.transport, profile: options.profile });
	const told: ServiceEvent[] = [];
	const made: Context = {
		...small.context,
		journal: { ...small.context.journal, inbox: async () => at.inbox, hasInbox: async () => true },
		config: {
			...small.context.config,
			eventSecrets: async () => ({
				stampOf: () => String(at.secrets.length),
				list: async () => [...at.secrets],
				add: async () => ({ where: "" }),
				remove: async () => true,
				clear: async () => {},
			}),
		},
		system: {
			...small.context.system,
			receiver: openReceiver,
			processes: { ...small.context.system.processes, program: options.program ?? (async () => undefined) },
		},
		report: {
			...small.context.report,
			record: async (make) => {
				// As it is written and read again.
				told.push(make() as ServiceEvent);
				return true;
			},
		},
	};
	const context = options.context?.(made) ?? made;
	const answer = listen.run(context, { port: "0", path: "/hook", ...input } as Input);
	const ended = answer.then(({ data }) => data);
	const exit = answer.then((one) => one.exit);
	for (const one of [ended, exit]) one.catch(() => {});
	const listens = "announce: Listening at ";
	const listened = (): string | undefined => small.said.find((one) => one.startsWith(listens))?.slice(listens.length);
	while (listened() === undefined) await Promise.race([pause(5), ended]);
	const url = listened() as string;
	onTestFinished(async () => {
		small.interrupt();
		await ended.catch(() => {});
	});
	return {
		exit,
		url,
		told,
		said: small.said,
		ended,
		interrupt: small.interrupt,
		toldMany: async (count) => {
			while (told.length < count) await pause(5);
			return told;
		},
	};
}
