/**
 * The drafts of the profile in use: several onboardings may be stopped at a time, each with a name of its own.
 */
import { advice, purser } from "../../api/advice.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import type { Choice } from "../../ports/terminal.js";
import { questions } from "./questions.js";
import { companyOf, type Draft, draftsFolder, isForProfile, readDraft, saveState, unreadable } from "./state.js";

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
const maxNameLength = 40;

/** Every draft of the profile, the one begun last first. */
export async function listDrafts(context: Context): Promise<DraftRow[]> {
	return (await findDrafts(context)).map(({ draft, ...row }) => row);
}

async function findDrafts(context: Context): Promise<Found[]> {
	const folder = await draftsFolder(context);
	const { profile } = await context.settings();
	const listed = (await namesIn(context, folder)).filter((name) => name.endsWith(".json")).map((name) => `${folder}/${name}`);
	const found: Omit<Found, "name">[] = [];
	for (const path of listed) {
		try {
			const draft = await readDraft(context, path);
			const trouble = isForProfile(draft, profile)
				? undefined
				: `it is for ${draft.origin ?? "another service"} (profile ${draft.profile})`;
			const { startedAt, savedAt, answers } = draft;
			const asked = questions(answers);
			const open = asked.find(({ id }) => answers[id] === undefined);
			const count = asked.filter(({ id }) => answers[id] !== undefined).length;
			found.push({ company: companyOf(draft), startedAt, savedAt, answers: count, nextQuestion: open?.label, path, trouble, draft });
		} catch (error) {
			if (!(error instanceof PurserError)) throw error;
			found.push({ answers: 0, path, trouble: "it cannot be read" });
		}
	}
	return withNames(found);
}

async function namesIn(context: Context, folder: string): Promise<readonly string[]> {
	try {
		return await context.files.list(folder);
	} catch (cause) {
		throw unreadable(folder, cause);
	}
}

/** Gives each a name that no other has. Names that a person was told come first, then the oldest. */
function withNames(found: readonly Omit<Found, "name">[]): Found[] {
	const taken = new Set<string>();
	const age = ({ startedAt = "" }: Omit<Found, "name">): string => startedAt;
	const inTurn = [...found].sort(
		(one, other) => Number(!one.draft?.name) - Number(!other.draft?.name) || age(one).localeCompare(age(other)),
	);
	const named = inTurn.map((one): Found => {
		const name = freeName(one.draft?.name ?? nameOf(one.company), taken);
		taken.add(name);
		if (one.draft && one.company !== undefined) one.draft.name = name;
		return { ...one, name };
	});
	return named.sort((one, other) => age(other).localeCompare(age(one)));
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
	for (let count = 1; ; count += 1) {
		const name = count === 1 ? wanted : `${wanted}-${count}`;
		if (!taken.has(name)) return name;
	}
}

/** Words in small letters, as they are easily typed: `example-bakery-sas`. */
function nameOf(company: string | undefined): string {
	const words = (company ?? "").normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
	const joined = words.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, maxNameLength);
	return joined.replace(/^-+|-+$/g, "") || unnamed;
}

/** Names a draft after its company, once that is known. */
export async function nameDraft(context: Context, draft: Draft): Promise<void> {
	const company = companyOf(draft);
	if (draft.name !== undefined || company === undefined) return;
	const others = (await findDrafts(context)).filter(({ path }) => path !== draft.path);
	draft.name = freeName(nameOf(company), new Set(others.map(({ name }) => name)));
	await saveState(context, draft);
}

/** A draft without answers, in a file of its own. */
export async function newDraft(context: Context): Promise<Draft> {
	const { profile } = await context.settings();
	const startedAt = context.clock.now().toISOString();
	const folder = await draftsFolder(context);
	const path = `${folder}/${startedAt.replace(/\D/g, "")}-${context.random.uuid().slice(0, 8)}.json`;
	return { version: "1", profile: profile.name, origin: new URL(profile.baseUrl).origin, startedAt, answers: {}, done: [], path };
}

/**
 * The draft that is meant: by its name, its company's name or the beginning of its name; without any, the only one, or the one that a
 * person chooses.
 * @throws PurserError guard, where there is none or several match
 */
export async function findDraft(context: Context, wanted: string | undefined): Promise<Found> {
	const found = await findDrafts(context);
	if (found.length === 0)
		throw noDraft(advice`Start one: ${purser`onboard start`}. A case file is applied with \`${purser`onboard apply FILE`}\`.`);
	if (wanted === undefined) {
		const [only, ...more] = found;
		if (only && more.length === 0) return only;
		if (!(await context.settings()).interactive) throw several(found);
		const prompts = await context.prompts();
		const path = await prompts.choose({ message: "Which onboarding", choices: found.map(choiceOf) });
		return found.find((one) => one.path === path) as Found;
	}
	const typed = wanted.toLowerCase();
	const exact = found.filter(({ name, company }) => name === typed || company?.toLowerCase() === typed);
	const matches = exact.length > 0 ? exact : found.filter(({ name }) => name.startsWith(typed));
	if (matches.length > 1) throw several(matches);
	if (matches[0] === undefined) throw noDraft(advice`See them with \`${purser`onboard list`}\`.`, wanted);
	return matches[0];
}

/** The drafts as choices of a prompt, by their names. */
export async function draftChoices(context: Context): Promise<Choice[]> {
	return (await findDrafts(context)).map((one) => ({ ...choiceOf(one), value: one.name }));
}

const choiceOf = ({ name, company, nextQuestion, trouble, path }: Found): Choice => ({
	value: path,
	label: company ?? name,
	hint: trouble ?? `${name}; next: ${nextQuestion ?? "review and send"}`,
});

function noDraft(fix: Advice, wanted?: string): PurserError {
	const message = `No onboarding${wanted === undefined ? " was stopped with this profile" : ` that was stopped has the name ${JSON.stringify(wanted)}`}`;
	return new PurserError("guard", { code: "NO_DRAFT", message, fix });
}

function several(found: readonly Found[]): PurserError {
	return new PurserError("guard", {
		code: "SEVERAL_DRAFTS",
		message: `Several onboardings are not finished: ${found.map(({ name }) => name).join(", ")}`,
		fix: advice`Name one, like \`${purser`onboard resume ${found[0]?.name}`}\`; \`${purser`onboard list`}\` shows them.`,
	});
}
