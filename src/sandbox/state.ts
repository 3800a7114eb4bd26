/**
 * The state of the sandbox: plain data, so that it can be written to a file; amounts are minor units as text.
 */

import { formatJson, parseJson } from "../api/json.js";
import { isRecord } from "../api/schema.js";
import { troubleWords } from "../api/text/trouble.js";
import { PurserError } from "../errors.js";
import type { Files } from "../ports/machine.js";
import type { Webhooks } from "./webhooks.js";

export interface User {
	username: string;
	partnerName: string;
	password: string;
	/** False: every call but a login is answered with 403. */
	allowed: boolean;
}

export interface LoginSession {
	token: string;
	refreshToken: string;
	username: string;
	/** Milliseconds since the epoch. */
	expires: number;
}

export interface Corporate {
	id: string;
	/** The fields given at creation and since, unchanged. */
	fields: Record<string, unknown>;
	/** The version accepted last, whatever the latest is. */
	accepted?: string;
	kyb: {
		status: string;
		reason?: string;
		/** When compliance decides, in milliseconds since the epoch. */
		decides?: number;
	};
	accountOwnerId: string;
	createdAt: string;
	updatedAt: string;
}

export interface Related {
	id: string;
	corporateId: string;
	fields: Record<string, unknown>;
	company: boolean;
	accountOwner: boolean;
	email?: { address: string; verified: boolean };
	phone?: { countryCode: string; number: string; verified: boolean };
	emailLink?: { secret: string; expires: number; onSuccess?: string; onFailure?: string };
	phoneCode?: { code: string; expires: number; tries: number };
	kyc: {
		status: string;
		reason?: string;
		type: string;
		id?: string;
		secret?: string;
		/** The secret of the page on which the person ended it, and the button: `SECRET/complete`. */
		ended?: string;
		expires?: number;
		onComplete?: string;
		onFailure?: string;
	};
	createdAt: string;
}

export interface Ledger {
	id: string;
	endUserId: string;
	friendlyName: string;
	status: string;
	currency: string;
	/** Minor units: everything, held included. */
	total: string;
	/** Minor units held for payments under way. */
	reserved: string;
	iban: string;
}

export interface Beneficiary {
	id: string;
	endUserId: string;
	name: string;
	friendlyName: string;
	type: string;
	status: string;
	active: boolean;
	accountNumber: string;
	currency: string;
	/** Whether an instant rail reaches the account. */
	instant: boolean;
	linkcyLedgerId?: string;
}

export interface LedgerTransaction {
	id: string;
	type: "INTER_LEDGER" | "BENEFICIARY";
	paymentType: string;
	status: string;
	/** Minor units. */
	amount: string;
	currency: string;
	reference?: string;
	declineReason?: string;
	createdAt: string;
	/** When it becomes final by itself, in milliseconds since the epoch. */
	settles: number;
	clearedAt?: string;
	fromLedgerId: string;
	toLedgerId?: string;
	beneficiaryId?: string;
	senderName: string;
	receiverName: string;
}

export interface Message {
	kind: "email" | "sms";
	relatedId: string;
	to: string;
	at: string;
	text: string;
	/** What the person would open. */
	link?: string;
}

export interface State {
	version: 1;
	/** Made when the state is first served, and changed by a reset. */
	identity?: string;
	users: User[];
	sessions: LoginSession[];
	/** Newest last. */
	terms: { version: string; publishedAt: string }[];
	corporates: Corporate[];
	related: Related[];
	ledgers: Ledger[];
	beneficiaries: Beneficiary[];
	transactions: LedgerTransaction[];
	outbox: Message[];
	/** Milliseconds that the sandbox's clock is ahead of the real one. */
	ahead: number;
	/** Made on first use. */
	webhooks?: Webhooks;
}

/** Nothing but users who can log in, and terms. */
export function emptyState(now: Date): State {
	return {
		version: 1,
		users: [
			{ username: "operator", partnerName: "example-partner", password: "sandbox-password", allowed: true },
			{ username: "reader", partnerName: "example-partner", password: "sandbox-password", allowed: false },
		],
		sessions: [],
		terms: [{ version: "1.0", publishedAt: now.toISOString() }],
		corporates: [],
		related: [],
		ledgers: [],
		beneficiaries: [],
		transactions: [],
		outbox: [],
		ahead: 0,
	};
}

const lists = ["users", "sessions", "terms", "corporates", "related", "ledgers", "beneficiaries", "transactions", "outbox"] as const;

/** The fields of a record stand as JSON text inside the JSON, so that their number literals keep their digits. */
const serialized = <T extends { fields: unknown }>(record: T): T => ({ ...record, fields: formatJson(record.fields) });

function deserialized<T extends { fields: unknown }>(record: T): T {
	const fields = typeof record.fields === "string" ? parseJson(record.fields) : undefined;
	if (!isRecord(fields)) throw new SyntaxError("not the state of a sandbox");
	return { ...record, fields };
}

/** The state as text, a record a line. */
export function formatState(state: State): string {
	const whole = { ...state, corporates: state.corporates.map(serialized), related: state.related.map(serialized) };
	const members = Object.entries(whole).map(([name, value]) => {
		const text = Array.isArray(value) ? `[\n${value.map((record) => JSON.stringify(record)).join(",\n")}\n]` : JSON.stringify(value);
		return `${JSON.stringify(name)}: ${text}`;
	});
	return `{${members.join(",\n")}}\n`;
}

/** @throws SyntaxError, where it is not such a text */
export function parseState(text: string): State {
	const state = JSON.parse(text) as State;
	const whole = state?.version === 1 && typeof state.ahead === "number" && lists.every((name) => Array.isArray(state[name]));
	if (!whole || state.terms.length === 0) throw new SyntaxError("not the state of a sandbox");
	return { ...state, corporates: state.corporates.map(deserialized), related: state.related.map(deserialized) };
}

/**
 * Reads the state from a file; undefined where there is no file yet.
 * @throws PurserError usage, where the file is not the state of a sandbox
 */
export async function readStateFile(files: Files, path: string): Promise<State | undefined> {
	let bytes: Uint8Array;
	try {
		bytes = await files.read(path, 512 * 1024 * 1024);
	} catch (cause) {
		if ((cause as { code?: string }).code === "ENOENT") return undefined;
		throw unreadable(path, cause);
	}
	try {
		return parseState(new TextDecoder().decode(bytes));
	} catch (cause) {
		throw unreadable(path, cause);
	}
}

function unreadable(path: string, cause: unknown): PurserError {
	return new PurserError("usage", {
		code: "STATE_UNREADABLE",
		message: `${path} cannot be read as the state of a sandbox`,
		why: troubleWords(cause),
		fix: "Give another file with --state, or remove this one to start again.",
		cause,
	});
}
