/**
 * The state of the sandbox: plain data, so that it can be written to a file; amounts are minor units as text.
 */

import { formatJson, parseJson } from "../api/json.js";
import { troubleWords } from "../api/text/trouble.js";
import { PurserError } from "../errors.js";
import type { Files } from "../ports/machine.js";

/** Who may log in. */
export const operator = { username: "operator", partnerName: "example-partner", password: "sandbox-password" };

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
	/** Until when the emailed link works, in milliseconds since the epoch. */
	emailLink?: number;
	phoneCode?: { expires: number; tries: number };
	kyc: {
		status: string;
		reason?: string;
		type: string;
		id?: string;
		secret?: string;
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

/** A delivery that was not acknowledged yet. */
export interface QueuedDelivery {
	/** The same for each try. */
	id: string;
	body: string;
	/** When it is tried next, in milliseconds since the epoch by the sandbox's clock. */
	at: number;
	/** How often it was tried in vain. */
	tries: number;
}

/** What a sandbox keeps of its deliveries. */
export interface Webhooks {
	secret: string;
	waiting: QueuedDelivery[];
}

export interface State {
	version: 1;
	/** Made when the state is first served. */
	identity?: string;
	/** They end so many milliseconds since the epoch. */
	sessions: { token: string; refreshToken: string; expires: number }[];
	/** Newest last. */
	terms: { version: string; publishedAt: string }[];
	corporates: Corporate[];
	related: Related[];
	ledgers: Ledger[];
	beneficiaries: Beneficiary[];
	transactions: LedgerTransaction[];
	/** Milliseconds that the sandbox's clock is ahead of the real one. */
	ahead: number;
	/** Made on first use. */
	webhooks?: Webhooks;
}

/** Nothing but terms. */
export function emptyState(now: Date): State {
	const records = { corporates: [], related: [], ledgers: [], beneficiaries: [], transactions: [] };
	return { version: 1, sessions: [], terms: [{ version: "1.0", publishedAt: now.toISOString() }], ...records, ahead: 0 };
}

/** The fields of a record stand as JSON text inside the JSON, so that their number literals keep their digits. */
const serialized = <T extends { fields: unknown }>(record: T) => ({ ...record, fields: formatJson(record.fields) });
const deserialized = <T extends { fields: unknown }>(record: T): T => ({ ...record, fields: parseJson(record.fields as string) });

export const formatState = (state: State): string =>
	JSON.stringify({ ...state, corporates: state.corporates.map(serialized), related: state.related.map(serialized) });

/** @throws an error, where it is not such a text */
export function parseState(text: string): State {
	const state = JSON.parse(text) as State;
	if (state?.version !== 1) throw new SyntaxError("not the state of a sandbox");
	return { ...state, corporates: state.corporates.map(deserialized), related: state.related.map(deserialized) };
}

/**
 * Reads the state from a file; undefined where there is no file yet.
 * @throws PurserError usage, where the file is not the state of a sandbox
 */
export async function readStateFile(files: Files, path: string): Promise<State | undefined> {
	try {
		return parseState(new TextDecoder().decode(await files.read(path, 512 * 1024 * 1024)));
	} catch (cause) {
		if ((cause as { code?: string }).code === "ENOENT") return undefined;
		throw new PurserError("usage", {
			code: "STATE_UNREADABLE",
			message: `${path} cannot be read as the state of a sandbox`,
			why: troubleWords(cause),
			fix: "Give another file with --state, or remove this one to start again.",
			cause,
		});
	}
}
