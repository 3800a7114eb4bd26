/**
 * A Svix polling endpoint: the messages that a webhook would bring, for a machine that no webhook reaches. `GET ADDRESS?iterator=…` with a
 * bearer key answers `{data, iterator, done}`; the address and the key are made at the provider's portal.
 */
import { advice, purser } from "../../api/advice.js";
import { flagAt, listAt, type Received, textAt } from "../../api/answer.js";
import { formatJson, type Json, parseJson } from "../../api/json.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { retryAfter } from "../retry.js";

export interface PollingEndpoint {
	/** Of the secret, for messages. */
	name: string;
	address: string;
	key: string;
}

/** One message as the endpoint has it. */
export interface PolledMessage {
	/** The same as the id of its delivery by webhook. */
	id: string;
	/** The sender's word for what happened. */
	type?: string;
	/** RFC 3339. */
	at?: string;
	/** What a webhook would have brought as its body; the same JSON, not the same bytes. */
	body: Uint8Array;
}

export interface PolledPage {
	messages: PolledMessage[];
	/** Of the page behind this one, whenever that is asked for. */
	iterator?: string;
	/** Nothing is behind it yet. */
	isDone: boolean;
}

/** Most messages of a page. */
const pageSize = 100;
const mostBytes = 16 * 1024 * 1024;
const connecting = 10_000;

/**
 * Asks once.
 * @param from `iterator` of the page before; else `after`, RFC 3339: nothing older is asked for
 * @throws PurserError auth, for 401 and 403; rejected, for another 4xx, such as for an iterator that is no longer known; unavailable, with the wait
 *   that was asked for; bug, where the answer is no page
 */
export async function pollEndpoint(
	context: Context,
	endpoint: PollingEndpoint,
	from: { iterator?: string; after?: string },
): Promise<PolledPage> {
	const url = new URL(endpoint.address);
	url.searchParams.set("limit", String(pageSize));
	if (from.iterator !== undefined) url.searchParams.set("iterator", from.iterator);
	else if (from.after !== undefined) url.searchParams.set("after", from.after);
	const { timeout } = await context.settings();
	const headers = { accept: "application/json", authorization: `Bearer ${endpoint.key}`, "user-agent": `purser/${context.version}` };
	const transport = await context.transport();
	const limits = { connect: Math.min(timeout, connecting), total: timeout, bytes: mostBytes, signal: context.signal };
	const outcome = await transport.send({ method: "GET", url: url.href, headers }, limits);
	if (outcome.kind !== "answer") throw unavailable(endpoint, `did not answer: ${outcome.reason}`);
	const { status, body } = outcome;
	if (status === 200) return pageIn(endpoint, body);
	if (status === 401 || status === 403) throw denied(endpoint, status);
	const wait = retryAfter(outcome.headers["retry-after"], () => context.clock.now());
	if (status >= 400 && status < 500 && status !== 408 && status !== 429) throw refused(endpoint, status);
	throw unavailable(endpoint, `answered ${status}`, wait);
}

function pageIn(endpoint: PollingEndpoint, body: Uint8Array): PolledPage {
	let page: Json;
	try {
		page = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
	} catch {
		throw unreadable(endpoint);
	}
	const iterator = textAt(page, "iterator");
	const isDone = flagAt(page, "done");
	if (!Array.isArray((page as Received | null)?.data) || isDone === undefined) throw unreadable(endpoint);
	const messages = listAt(page, "data").flatMap((message): PolledMessage[] => {
		const id = textAt(message, "id");
		if (id === undefined) return [];
		const payload = "payload" in message ? message.payload : message;
		return [
			{
				id,
				type: textAt(message, "eventType", "type"),
				at: textAt(message, "timestamp"),
				body: new TextEncoder().encode(formatJson(payload)),
			},
		];
	});
	return { messages, iterator, isDone };
}

/** The address without its query, in which there may be a secret. */
const shown = ({ address }: PollingEndpoint): string => {
	const { origin, pathname } = new URL(address);
	return `${origin}${pathname}`;
};

function denied(endpoint: PollingEndpoint, status: number): PurserError {
	return new PurserError("auth", {
		code: "POLLING_KEY_REFUSED",
		message: `The polling endpoint ${shown(endpoint)} did not accept the key ${endpoint.name} (status ${status})`,
		why: "The key was replaced or has expired, or belongs to another endpoint",
		fix: advice`Make a new key at the provider, then: ${purser`events secret remove ${endpoint.name}`}, ${purser`events secret add ${endpoint.name} --endpoint ${endpoint.address}`}`,
		status,
	});
}

function refused(endpoint: PollingEndpoint, status: number): PurserError {
	return new PurserError("rejected", {
		code: "POLLING_REFUSED",
		message: `The polling endpoint ${shown(endpoint)} refused the request (status ${status})`,
		fix: "Check at the provider that the endpoint is there.",
		status,
	});
}

function unavailable(endpoint: PollingEndpoint, what: string, wait?: number): PurserError {
	return new PurserError("unavailable", {
		code: "POLLING_UNAVAILABLE",
		message: `The polling endpoint ${shown(endpoint)} ${what}`,
		fix: "Run this again later.",
		wait,
	});
}

function unreadable(endpoint: PollingEndpoint): PurserError {
	return new PurserError("bug", {
		code: "POLLING_UNREADABLE",
		message: `The answer of ${shown(endpoint)} is no page of a polling endpoint`,
		why: "JSON with data, iterator and done is expected",
		fix: advice`Check the address: ${purser`events secret list`}`,
	});
}
