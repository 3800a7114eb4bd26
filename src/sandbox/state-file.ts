/**
 * The state as text and in a file, so that a restart goes on where the last run ended.
 */
import { formatJson, parseJson } from "../api/json.js";
import { isRecord } from "../api/schema.js";
import { troubleWords } from "../api/text/trouble.js";
import { PurserError } from "../errors.js";
import type { Files } from "../ports/machine.js";
import type { State } from "./state.js";

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
