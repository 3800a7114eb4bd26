/**
 * The wizard's saved state: every answer, kept until everything is sent. It holds personal data.
 */

import { advice, purser } from "../../api/advice.js";
import { formatJson, parseJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { diskFull, troubleWords } from "../../api/text/trouble.js";
import type { Context } from "../../context.js";
import { PurserError, type SuggestedCommand } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";
import { corporateKey } from "../case/case.js";

/** Answers by the ids of their questions: text, a choice, yes or no; null where left out. */
export type Answers = Record<string, string | boolean | null>;

export interface WizardState {
	version: "1";
	/** Its profile with the scheme, host and port at that time: answers are for one service. */
	profile: string;
	origin?: string;
	/** RFC 3339 UTC. */
	startedAt: string;
	/** When it was last saved, RFC 3339 UTC; earlier versions did not keep it. */
	savedAt?: string;
	/** By which a person resumes it: made of the company's name once that is known, and kept from then on. */
	name?: string;
	answers: Answers;
	/** Finished steps: `file`, `email`, `email-look`, `kyb`, `kyc`, `phone`, `phone-code`. */
	done: string[];
	/** Where the case file was written. */
	file?: string;
}

/** A state with the path of its file, which is not part of it. */
export interface Draft extends WizardState {
	path: string;
}

const maxBytes = 4 * 1024 * 1024;

/** The folder of the profile's drafts. */
export async function draftsFolder(context: Context): Promise<string> {
	const { profile } = await context.settings();
	const { state } = await context.directories();
	const name = profile.name.replace(/[^A-Za-z0-9._-]/g, "_");
	return `${state}/onboarding-drafts/${name}`;
}

/** The company's name, where it was answered. */
export function companyOf({ answers }: Pick<WizardState, "answers">): string | undefined {
	const name = answers[`${corporateKey}.corporateName`];
	return typeof name === "string" && name !== "" ? name : undefined;
}

/** The command that resumes a draft, with the profile where one was named. */
export const resumeCommand = ({ name }: Pick<WizardState, "name">): SuggestedCommand => purser`onboard resume ${name}`;

/** Reads a draft. @throws PurserError usage, where it cannot be read */
export async function readDraft(context: Context, path: string): Promise<Draft> {
	try {
		return { ...parseState(path, await context.files.read(path, maxBytes)), path };
	} catch (cause) {
		throw cause instanceof PurserError ? cause : unreadable(path, cause);
	}
}

/** Whether a draft's answers are for the service in use. */
export function isForProfile({ profile, origin }: WizardState, used: Pick<Profile, "name" | "baseUrl">): boolean {
	const here = new URL(used.baseUrl).origin;
	return profile === used.name && (origin ?? here) === here;
}

/** @throws PurserError guard, where the draft is for another service */
export async function requireSameService(context: Context, draft: Draft): Promise<void> {
	const { profile } = await context.settings();
	if (!isForProfile(draft, profile)) throw another(draft, profile.name);
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

function another({ path, name, profile, origin }: Draft, used: string): PurserError {
	// The profile's address may have changed, or the sandbox's port.
	const there =
		profile === used ? purser`onboard resume ${name} --base-url ${origin ?? "URL"}` : purser`onboard resume ${name} --profile ${profile}`;
	return new PurserError("guard", {
		code: "DRAFT_OF_ANOTHER",
		message: `The draft ${path} is for ${origin ?? "another service"} with the profile ${profile}, which is not the service in use. Nothing was sent`,
		why: "Personal data only goes to the service that it was given for",
		fix: advice`Continue it where it was started: ${there}. Or discard its answers: ${purser`onboard discard ${name}`}`,
	});
}

/** The error of a draft, or of their folder, that cannot be read. */
export function unreadable(path: string, cause: unknown): PurserError {
	return new PurserError("usage", {
		code: "DRAFT_UNREADABLE",
		message: `The saved answers of an onboarding in ${path} cannot be read`,
		why: troubleWords(cause) ?? "it is not a draft of this version",
		fix: advice`Check the file; \`${purser`onboard list`}\` shows its name, and \`${purser`onboard discard NAME`}\` removes it.`,
		cause,
	});
}

/** Saves the draft, readable by its owner only. @throws PurserError usage, where it cannot be written */
export async function saveState(context: Context, draft: Draft): Promise<void> {
	draft.savedAt = context.clock.now().toISOString();
	const { path, ...saved } = draft;
	try {
		await context.files.folder(path.replace(/\/[^/]*$/, ""));
		await context.files.write(path, `${formatJson(saved, 1)}\n`, 0o600);
	} catch (cause) {
		const otherwise = new PurserError("usage", {
			code: "DRAFT_UNWRITABLE",
			message: `The draft cannot be saved in ${path}`,
			why: troubleWords(cause),
			fix: "Allow writing in the state directory (PURSER_STATE_DIR), then run this again.",
			cause,
		});
		throw diskFull(`The draft ${path}`, cause) ?? otherwise;
	}
}

/** Removes a draft with its answers. */
export async function removeDraft(context: Context, { path }: Pick<Draft, "path">): Promise<void> {
	await context.files.remove(path);
}
