/**
 * The state in a file: written whole after a change, so that a restart goes on where it ended.
 */
import { formatJson, parseJson } from "../api/json.js";
import { isRecord } from "../api/schema.js";
import { PurserError } from "../errors.js";
import type { Files } from "../ports/machine.js";
import type { State } from "./state.js";

const lists = ["users", "sessions", "terms", "corporates", "related", "ledgers", "beneficiaries", "transactions", "outbox"] as const;

/** What was given to a record, as JSON text inside the JSON: its number literals keep their digits, and no name in it means anything here. */
const packed = <T extends { fields: unknown }>(record: T): T => ({ ...record, fields: formatJson(record.fields) });

function unpacked<T extends { fields: unknown }>(record: T): T {
	const fields = typeof record.fields === "string" ? parseJson(record.fields) : undefined;
	if (!isRecord(fields)) throw new SyntaxError("not the state of a sandbox");
	return { ...record, fields };
}

/** The state as text, a record a line. */
export function writeState(state: State): string {
	const whole = { ...state, corporates: state.corporates.map(packed), related: state.related.map(packed) };
	const members = Object.entries(whole).map(([name, value]) => {
		const text = Array.isArray(value) ? `[\n${value.map((record) => JSON.stringify(record)).join(",\n")}\n]` : JSON.stringify(value);
		return `${JSON.stringify(name)}: ${text}`;
	});
	return `{${members.join(",\n")}}\n`;
}

/** @throws SyntaxError, where it is not such a text */
export function readState(text: string): State {
	const state = JSON.parse(text) as State;
	const whole = state?.version === 1 && typeof state.ahead === "number" && lists.every((name) => Array.isArray(state[name]));
	if (!whole || state.terms.length === 0) throw new SyntaxError("not the state of a sandbox");
	return { ...state, corporates: state.corporates.map(unpacked), related: state.related.map(unpacked) };
}

/**
 * Reads what was remembered, or undefined where there is no file yet.
 * @throws PurserError usage, where the file is not the state of a sandbox
 */
export async function remembered(files: Files, path: string): Promise<State | undefined> {
	let bytes: Uint8Array;
	try {
		bytes = await files.read(path, 512 * 1024 * 1024);
	} catch (cause) {
		if ((cause as { code?: string }).code === "ENOENT") return undefined;
		throw unreadable(path, cause);
	}
	try {
		return readState(new TextDecoder().decode(bytes));
	} catch (cause) {
		throw unreadable(path, cause);
	}
}

function unreadable(path: string, cause: unknown): PurserError {
	return new PurserError("usage", {
		code: "STATE_UNREADABLE",
		message: `${path} cannot be read as the state of a sandbox`,
		why: cause instanceof Error ? cause.message : undefined,
		fix: "Give another file with --state, or remove this one to start anew.",
		cause,
	});
}
