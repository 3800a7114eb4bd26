/**
 * The wizard's saved state: every answer, kept until everything is sent. It holds personal data.
 */
import { advice, purser } from "../../api/advice.js";
import { formatJson, parseJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";

/** Answers by the ids of their questions: text, a choice, yes or no; null where left out. */
export type Answers = Record<string, string | boolean | null>;

export interface WizardState {
	version: "1";
	/** Its profile with the scheme, host and port at that time: answers are for one service. */
	profile: string;
	origin?: string;
	/** RFC 3339 UTC. */
	startedAt: string;
	answers: Answers;
	/** Finished steps: `file`, `email`, `email-look`, `kyb`, `kyc`, `phone`, `phone-code`. */
	done: string[];
	/** Where the case file was written. */
	file?: string;
}

const maxBytes = 4 * 1024 * 1024;

/** The place of the state of the profile in use. */
export async function statePlace(context: Context): Promise<{ folder: string; path: string }> {
	const { profile } = await context.settings();
	const { state } = await context.directories();
	return { folder: state, path: `${state}/onboarding-draft-${profile.name.replace(/[^A-Za-z0-9._-]/g, "_")}.json` };
}

/** The command that resumes or starts a wizard, with the profile where one was named. */
export const onboardCommand = ({ shown }: Context, verb: "resume" | "start"): string => shown(purser`onboard ${verb}`);

/** The saved state, or undefined. @throws PurserError usage, where it cannot be read; guard, where it is for another service */
export async function loadState(context: Context): Promise<WizardState | undefined> {
	const { path } = await statePlace(context);
	let bytes: Uint8Array;
	try {
		bytes = await context.files.read(path, maxBytes);
	} catch (cause) {
		if (typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ENOENT") return undefined;
		throw unreadable(path, cause);
	}
	const saved = parseState(path, bytes);
	const { profile } = await context.settings();
	const { origin } = new URL(profile.baseUrl);
	if (saved.profile !== profile.name || (saved.origin ?? origin) !== origin) throw another(path, saved, profile.name);
	return saved;
}

function parseState(path: string, bytes: Uint8Array): WizardState {
	try {
		const read = parseJson(new TextDecoder().decode(bytes));
		if (isRecord(read) && read.version === "1" && isRecord(read.answers) && Array.isArray(read.done)) return read as unknown as WizardState;
	} catch (cause) {
		throw unreadable(path, cause);
	}
	throw unreadable(path, undefined);
}

function another(path: string, { profile, origin }: WizardState, used: string): PurserError {
	// The profile's address may have changed, or the sandbox's port.
	const there = profile === used ? purser`onboard resume --base-url ${origin ?? "URL"}` : purser`onboard resume --profile ${profile}`;
	return new PurserError("guard", {
		code: "DRAFT_OF_ANOTHER",
		message: `The draft ${path} is for ${origin ?? "another service"} with the profile ${profile}, which is not the service in use. Nothing was sent`,
		why: "A person's data goes to the service that it was given for",
		fix: advice`Go on with it where it was begun: ${there}. Or throw its answers away: ${purser`onboard resume --discard`}`,
	});
}

function unreadable(path: string, cause: unknown): PurserError {
	return new PurserError("usage", {
		code: "DRAFT_UNREADABLE",
		message: `The draft ${path} cannot be read`,
		why: cause instanceof Error ? cause.message : "it is not a draft of this version",
		fix: advice`Look at the file; \`${purser`onboard resume --discard`}\` removes it.`,
		cause,
	});
}

/** Saves the state, readable by its owner only. @throws PurserError usage, where it cannot be written */
export async function saveState(context: Context, saved: WizardState): Promise<void> {
	const { folder, path } = await statePlace(context);
	try {
		await context.files.folder(folder);
		await context.files.write(path, `${formatJson(saved, 1)}\n`, 0o600);
	} catch (cause) {
		throw new PurserError("usage", {
			code: "DRAFT_UNWRITABLE",
			message: `The draft cannot be kept in ${path}`,
			why: cause instanceof Error ? cause.message : undefined,
			fix: "Make room or give the right to write in the state directory (PURSER_STATE_DIR), then run this again.",
			cause,
		});
	}
}

/** Removes the state of the profile in use. */
export async function removeState(context: Context): Promise<void> {
	await context.files.remove((await statePlace(context)).path);
}
