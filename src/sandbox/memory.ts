/**
 * The state in a file: written whole after each change, so that a restart goes on where it ended.
 */
import { Decimal } from "../api/json.js";
import type { Files } from "../context.js";
import { PurserError } from "../errors.js";
import type { State } from "./state.js";

const mark = "$decimal";

/** The state as text; number literals keep their digits. */
export function writeState(state: State): string {
	return JSON.stringify(
		state,
		function (this: Record<string, unknown>, key, value) {
			const original = this[key];
			return original instanceof Decimal ? { [mark]: original.text } : value;
		},
		1,
	);
}

/** @throws SyntaxError, where it is not such a text */
export function readState(text: string): State {
	const state = JSON.parse(text, (_, value) =>
		typeof value === "object" && value !== null && typeof value[mark] === "string" ? new Decimal(value[mark]) : value,
	) as State;
	const lists: (keyof State)[] = [
		"users",
		"sessions",
		"terms",
		"corporates",
		"related",
		"ledgers",
		"beneficiaries",
		"transactions",
		"outbox",
	];
	if (state?.version !== 1 || lists.some((name) => !Array.isArray(state[name]))) throw new SyntaxError("not the state of a sandbox");
	return state;
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
