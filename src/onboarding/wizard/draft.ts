/**
 * The wizard's drafts: the case so far and what was said beside it, kept until everything is sent. Several onboardings may be stopped at a time,
 * each with a name of its own. They hold personal data.
 */
import { advice, purser } from "../../api/advice.js";
import { formatJson, parseJson } from "../../api/json.js";
import { slugOf } from "../../api/names.js";
import { isRecord } from "../../api/schema.js";
import { diskFull, troubleWords } from "../../api/text/trouble.js";
import type { Context } from "../../context.js";
import { PurserError, type SuggestedCommand } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";
import type { Choice } from "../../ports/terminal.js";
import { type Answered, answerTo, questions } from "./questions.js";

export interface Draft extends Answered {
	version: "5";
	/** The profile's scheme, host and port at that time: a case is for one service. */
	origin: string;
	/** RFC 3339 UTC. */
	startedAt: string;
	savedAt?: string;
	/** Where the case file was written. */
	file?: string;
	/** Whether the case is written and to be sent as it is. */
	isWritten?: boolean;
	/** Of the draft itself; not saved in it. */
	path: string;
}

const maxBytes = 4 * 1024 * 1024;

/** The folder of the profile's drafts. */
async function draftsFolder(context: Context): Promise<string> {
	const { profile } = await context.settings.read();
	const { state } = await context.config.directories();
	return `${state}/onboarding-drafts/${profile.name.replace(/[^A-Za-z0-9._-]/g, "_")}`;
}

/** The company's name, where it was answered. */
export function companyOf({ case: { corporate } }: Draft): string | undefined {
	return typeof corporate.corporateName === "string" && corporate.corporateName !== "" ? corporate.corporateName : undefined;
}

/** By which a person resumes it, once its company's name is known. */
export const nameOf = (draft: Draft): string | undefined => slugOf(companyOf(draft) ?? "") || undefined;

/** The command that resumes a draft, with the profile where one was named. */
export const resumeCommand = (draft: Draft): SuggestedCommand => purser`onboard resume ${nameOf(draft)}`;

/** Reads a draft. @throws PurserError usage, where it cannot be read */
export async function readDraft(context: Context, path: string): Promise<Draft> {
	try {
		const read = parseJson(new TextDecoder().decode(await context.files.read(path, maxBytes)));
		if (isRecord(read) && read.version === "5") return { ...(read as unknown as Draft), path };
	} catch (cause) {
		throw unreadable(path, cause);
	}
	throw unreadable(path, undefined);
}

/** Whether a draft is for the service in use. */
const isForService = ({ origin }: Draft, { baseUrl }: Pick<Profile, "baseUrl">): boolean => origin === new URL(baseUrl).origin;

/** @throws PurserError guard, where the draft is for another service */
export async function requireSameService(context: Context, draft: Draft): Promise<void> {
	const { profile } = await context.settings.read();
	if (isForService(draft, profile)) return;
	const { path, origin } = draft;
	// The profile's address may have changed, or the sandbox's port.
	const there = purser`onboard resume ${nameOf(draft)} --base-url ${origin}`;
	throw new PurserError("guard", {
		code: "DRAFT_OF_ANOTHER",
		message: `The draft ${path} is for ${origin}, which is not the service in use. Nothing was sent`,
		why: "Personal data only goes to the service that it was given for",
		fix: advice`Continue it where it was started: ${there}. Or discard its answers: ${purser`onboard discard ${nameOf(draft)}`}`,
	});
}

/** The error of a draft, or of their folder, that cannot be read. */
function unreadable(path: string, cause: unknown): PurserError {
	return new PurserError("usage", {
		code: "DRAFT_UNREADABLE",
		message: `The saved answers of an onboarding in ${path} cannot be read`,
		why: troubleWords(cause) ?? "it is not a draft of this version",
		fix: advice`Check the file; \`${purser`onboard list`}\` shows its name, and \`${purser`onboard discard NAME`}\` removes it.`,
		cause,
	});
}

/** Saves the draft, readable by its owner only. @throws PurserError usage, where it cannot be written */
export async function saveDraft(context: Context, draft: Draft): Promise<void> {
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

/** One draft, for a list. */
export interface DraftRow {
	name: string;
	company?: string;
	/** RFC 3339 UTC. */
	startedAt?: string;
	savedAt?: string;
	answers: number;
	/** The question at which it stopped; undefined where all are answered. */
	nextQuestion?: string;
	path: string;
	/** Why it cannot be resumed here: it is unreadable, or for another service. */
	trouble?: string;
}

interface Found extends DraftRow {
	/** Undefined where it cannot be read. */
	draft?: Draft;
}

/** The name of a draft without a company yet. */
const unnamed = "new-company";

/** Every draft of the profile, the one begun last first. */
export async function listDrafts(context: Context): Promise<DraftRow[]> {
	return (await findDrafts(context)).map(({ draft, ...row }) => row);
}

async function findDrafts(context: Context): Promise<Found[]> {
	const folder = await draftsFolder(context);
	const { profile } = await context.settings.read();
	const found: Found[] = [];
	for (const file of await namesIn(context, folder)) {
		if (!file.endsWith(".json")) continue;
		const path = `${folder}/${file}`;
		try {
			const draft = await readDraft(context, path);
			const trouble = isForService(draft, profile) ? undefined : `it is for ${draft.origin}`;
			const asked = questions(draft);
			const open = asked.filter((question) => answerTo(draft, question) === undefined);
			const { startedAt, savedAt } = draft;
			const said = { company: companyOf(draft), startedAt, savedAt, answers: asked.length - open.length, nextQuestion: open[0]?.label };
			found.push({ name: nameOf(draft) ?? unnamed, ...said, path, trouble, draft });
		} catch (error) {
			if (!(error instanceof PurserError)) throw error;
			found.push({ name: file.replace(/\.json$/, ""), answers: 0, path, trouble: "it cannot be read" });
		}
	}
	return found.sort(({ startedAt: one = "" }, { startedAt: other = "" }) => other.localeCompare(one));
}

const namesIn = (context: Context, folder: string): Promise<readonly string[]> =>
	context.files.list(folder).catch((cause: unknown) => {
		throw unreadable(folder, cause);
	});

/** A draft without answers, in a file of its own. */
export async function newDraft(context: Context): Promise<Draft> {
	const { profile } = await context.settings.read();
	const startedAt = context.clock.now().toISOString();
	const path = `${await draftsFolder(context)}/${context.random.uuid()}.json`;
	const of: Draft["case"] = { corporate: {}, accountOwner: {}, companies: [], persons: [], ownership: [] };
	return { version: "5", origin: new URL(profile.baseUrl).origin, startedAt, case: of, answers: {}, path };
}

/**
 * The draft that is meant: by its name or its company's name; of several, the one that a person chooses.
 * @throws PurserError guard, where there is none, or several and nobody can be asked
 */
export async function findDraft(context: Context, wanted: string | undefined): Promise<Found> {
	const all = await findDrafts(context);
	const typed = wanted?.toLowerCase();
	const found = typed === undefined ? all : all.filter(({ name, company }) => name === typed || company?.toLowerCase() === typed);
	const [only, ...more] = found;
	if (only !== undefined && more.length === 0) return only;
	if (only !== undefined && context.settings.flags.interactive) {
		const choices = found.map(({ name, company, nextQuestion, trouble, path }): Choice => {
			return { value: path, label: company ?? name, hint: trouble ?? `${name}; next: ${nextQuestion ?? "review and send"}` };
		});
		const path = await (await context.ask.prompts()).choose({ message: "Which onboarding", choices });
		return found.find((one) => one.path === path) as Found;
	}
	if (only !== undefined)
		throw new PurserError("guard", {
			code: "SEVERAL_DRAFTS",
			message: `Several onboardings are not finished: ${found.map(({ name }) => name).join(", ")}`,
			fix: advice`Choose one at a terminal; \`${purser`onboard list`}\` shows them.`,
		});
	throw new PurserError("guard", {
		code: "NO_DRAFT",
		message: `No onboarding${wanted === undefined ? " was stopped with this profile" : ` that was stopped has the name ${JSON.stringify(wanted)}`}`,
		fix: advice`See them with \`${purser`onboard list`}\`. Start one: ${purser`onboard start`}. A case file is applied with \`${purser`onboard apply FILE`}\`.`,
	});
}
