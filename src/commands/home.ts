import * as z from "zod/mini";
import { purser, shownIn } from "../api/advice.js";
import { withDeadline } from "../api/deadline.js";
import { listRelated } from "../api/operations/related.js";
import { defineCommand } from "../cli/command.js";
import type { Context } from "../context.js";
import { type Advice, PurserError } from "../errors.js";
import { serviceOf } from "../http/service.js";
import { readWaitingCases, type WaitingCases } from "../onboarding/checklist/overview.js";
import { commandOf, waitingText } from "../onboarding/checklist/text.js";
import { type DraftRow, listDrafts } from "../onboarding/wizard/draft.js";
import { sourceOf } from "../payments/batch/plan/totals.js";
import { rowsText, standing } from "../payments/batch/send/text.js";
import { type Parties, partyOperations, settling, subject, withParties } from "../payments/rules/intent-text.js";
import { journalHere, warnOfJournal } from "../payments/rules/journal-here.js";
import type { BatchRecord } from "../ports/batches.js";
import type { IntentRecord } from "../ports/intent.js";
import type { Profile } from "../ports/profiles.js";
import type { Style } from "../ports/style.js";
import { batch, draft, intent, waitingCompany } from "./families/answers.js";

/** Maximum milliseconds for what the service is asked: a person waits for it. */
const patience = 6_000;
/** Milliseconds in which a batch that was only planned is still news. */
const recently = 7 * 24 * 3_600_000;

export default defineCommand({
	path: "home",
	summary: "Show what waits for you",
	details:
		"`purser` alone at a terminal is the same. Doubts, batches and unfinished onboardings come from this machine; names in them are asked of the service, for at most a few seconds; at most 14 requests in 6 seconds look for companies that wait for you, validated ones in which something is missing included.",
	examples: {
		home: "What waits, each with the command for it",
		"home --json": "What waits, as data",
	},
	operations: [...partyOperations, listRelated].map(({ id }) => id),
	answer: () =>
		z.strictObject({
			profile: z.optional(z.strictObject({ name: z.string(), environment: z.string(), host: z.string() })),
			doubts: z.optional(z.array(intent())),
			batches: z.optional(z.array(batch())),
			drafts: z.optional(z.array(draft())),
			cases: z.optional(
				z.strictObject({
					yours: z.array(waitingCompany()),
					...{ others: z.number(), checked: z.number(), open: z.number(), more: z.boolean(), incomplete: z.number() },
				}),
			),
			unread: z.optional(z.array(z.strictObject({ what: z.string(), why: z.string(), fix: z.optional(z.string()) }))),
		}),
	async run(context) {
		const home = await readHome(context);
		return { data: home, next: nextOf(home), written: writtenOf(home, context.report.shownHere) };
	},
	text: casesText,
});

function nextOf({ profile, doubts = [], batches = [], drafts = [], cases }: Home): readonly Advice[] {
	if (profile === undefined)
		return [
			{ ...purser`demo`, remark: "the whole job on a sandbox, to watch" },
			{ ...purser`sandbox serve --save-profile sandbox`, remark: "a sandbox here, to try it yourself" },
			{ ...purser`profile add NAME --base-url https://…`, remark: "your service" },
		];
	const isIdle = [doubts, batches, drafts, cases?.yours ?? []].every(({ length }) => length === 0);
	return isIdle ? [{ ...purser`help tasks`, remark: "tasks of a day, each with what to type" }] : [];
}

/** For programs, commands are texts. */
function writtenOf(home: Home, shown: Context["report"]["shown"]) {
	return {
		...home,
		cases: home.cases && {
			...home.cases,
			yours: home.cases.yours.map((row) => ({ ...row, blocker: row.blocker && shownIn(row.blocker, ["command"], shown) })),
		},
		unread: home.unread?.map((one) => shownIn(one, ["fix"], shown)),
	};
}

async function readHome(context: Context): Promise<Home> {
	const local = await readLocal(context);
	if (local === undefined) {
		await context.report.part(undefined, () => "No profile is set up yet, so there is no service to talk to.");
		return {};
	}
	await context.report.part(local, localText);
	return { ...local, cases: await readCases(context, local.unread) };
}

/** What this machine knows; undefined where nothing is set up and a person can be asked what to do first. */
async function readLocal(context: Context): Promise<Local | undefined> {
	const settings = await context.settings.read().catch((error: unknown) => {
		const isFirst = error instanceof PurserError && error.failure.code === "NO_PROFILE" && context.settings.flags.interactive;
		if (isFirst && context.settings.flags.profile === undefined && !context.system.env.PURSER_PROFILE) return undefined;
		throw error;
	});
	if (settings === undefined) return undefined;
	const { profile } = settings;
	const { name, environment, baseUrl } = profile;
	const unread: Unread[] = [];
	await tried(unread, "whether this is the journal that paid last", () => warnOfJournal(context, profile));
	const from = context.clock.now().getTime() - recently;
	const isOpen = (one: BatchRecord): boolean =>
		standing(one) === "planned" ? Date.parse(one.plan.planned) > from : ["not finished", "being sent"].includes(standing(one));
	const hasJournal = await context.journal.exists(profile);
	const fromJournal = async <T>(what: string, read: () => Promise<T[]>): Promise<T[]> =>
		hasJournal ? ((await tried(unread, what, read)) ?? []) : [];
	const batches = await fromJournal("batches", async () => (await (await context.journal.batches(profile)).list()).filter(isOpen));
	await context.names.of(batches.slice(0, maxShown).flatMap(({ plan }) => plan.totals.map(({ ledgerFromId }) => ["ledger", ledgerFromId])));
	return {
		profile: { name, environment, host: new URL(baseUrl).host },
		doubts: await fromJournal("doubts", async () => {
			const open = await (await journalHere(context, profile)).list({ states: ["in-doubt"], limit: maxShown + 1 });
			return withParties(context, open);
		}),
		batches,
		drafts: (await tried(unread, "unfinished onboardings", () => listDrafts(context))) ?? [],
		unread,
	};
}

/** Reads what may fail: what does is told, and the rest still shown. */
async function tried<T>(unread: Unread[], what: string, read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		unread.push({ what, why: error.message, fix: error.failure.fix });
		return undefined;
	}
}

/** Asks the service, for a limited time. */
async function readCases(context: Context, unread: Unread[]): Promise<WaitingCases | undefined> {
	const bounded: Context = { ...context, signal: withDeadline(patience, context.signal) };
	try {
		const read = () => readWaitingCases(bounded, serviceOf(bounded));
		return await context.report.during("Looking for companies that wait for you (Ctrl-C leaves)", read);
	} catch (error) {
		if (!(error instanceof PurserError) || context.signal.aborted) throw error;
		const why = bounded.signal.aborted ? `the service did not answer within ${patience / 1_000} seconds` : error.message;
		unread.push({ what: "companies that wait for you", why, fix: bounded.signal.aborted ? purser`overview` : error.failure.fix });
		return undefined;
	}
}

/** Maximum number of entries under one heading. */
const maxShown = 5;

/** What could not be looked at. */
interface Unread {
	what: string;
	why: string;
	fix?: Advice;
}

interface Local {
	profile: Pick<Profile, "name" | "environment"> & { host: string };
	doubts: (IntentRecord & Parties)[];
	batches: BatchRecord[];
	drafts: DraftRow[];
	unread: Unread[];
}

interface Home extends Partial<Local> {
	/** Absent where the service could not be asked, and where nothing is set up. */
	cases?: WaitingCases;
}

/** The part that is known at once. */
function localText({ profile, doubts, batches, drafts, unread }: Local, style: Style): string {
	const kind = profile.environment === "live" ? style.bad("LIVE") : style.good(profile.environment);
	const doubt = (one: (typeof doubts)[number]): string => `Intent ${one.intent}: ${subject(one, style)}`;
	const batch = (one: BatchRecord): string => `Batch ${one.batch} (${whatOf(one, style)}): ${standing(one)}; ${rowsText(one)}`;
	const draft = ({ company, name, trouble, nextQuestion = "review and send" }: DraftRow): string =>
		`${company ?? name}: ${trouble ?? `next: ${nextQuestion}`}`;
	return [
		`${style.dim("Profile")} ${profile.name}  ${kind}  ${style.dim(profile.host)}`,
		...listed(style, "In doubt", doubts, (one) => [doubt(one), settling(one)], purser`pay doubts`),
		...listed(style, "Batches not finished", batches, (one) => [batch(one), purser`pay batch status ${one.batch}`], purser`pay batch list`),
		...listed(style, "Onboardings not finished", drafts, (one) => [draft(one), purser`onboard resume ${one.name}`], purser`onboard list`),
		...unreadText(unread, style),
	].join("\n");
}

/** `payroll.csv, from Main account of Example Bakery SAS` */
function whatOf({ plan }: BatchRecord, style: Style): string {
	const ledgers = [...new Set(plan.totals.map(({ ledgerFromId }) => ledgerFromId))];
	const from = ledgers.length > 1 ? `${ledgers.length} ledgers` : style.called("ledger", ledgers[0]);
	return from === undefined ? sourceOf(plan) : `${sourceOf(plan)}, from ${from}`;
}

/** A heading with entries, each with its command on a line of its own. */
function listed<T>(style: Style, title: string, all: readonly T[], entry: (one: T) => [string, Advice], rest: Advice): string[] {
	if (all.length === 0) return [];
	const rows = all.slice(0, maxShown).map(entry);
	const lines = rows.flatMap(([text, command]) => [`  ${text}`, `    ${style.accent(style.shown(command))}`]);
	return ["", style.bold(title), ...lines, ...(all.length > maxShown ? [`  More: ${style.shown(rest)}`] : [])];
}

const unreadText = (unread: readonly Unread[], style: Style): string[] =>
	unread.flatMap(({ what, why, fix = "" }) => {
		const lines = [`${why.charAt(0).toUpperCase()}${why.slice(1)}`, ...style.shown(fix).split("\n")].filter(Boolean);
		return ["", `${style.warn("Not checked:")} ${what}`, ...lines.map((line) => `  ${line}`)];
	});

/** The part that the service was asked for. */
function casesText({ profile, cases, doubts = [], batches = [], drafts = [], unread = [] }: Home, style: Style): string {
	if (profile === undefined) return "";
	if (cases === undefined) return unreadText(unread.slice(-1), style).join("\n");
	const { yours, others, checked, open, more, incomplete } = cases;
	const nothing = [yours, doubts, batches, drafts].every(({ length }) => length === 0);
	const remarks = [
		others > 0 ? `${others === 1 ? "1 company waits" : `${others} companies wait`} for somebody else` : "",
		open > checked || more ? `${checked} of ${more ? "more than " : ""}${open} companies were checked, those that cannot pay first` : "",
		incomplete > 0 ? `the persons of ${incomplete} could not all be read` : "",
	].filter(Boolean);
	return [
		...listed(style, "Companies that wait for you", yours, (row) => [waitingText(row, style), commandOf(row)], purser`overview`),
		...(nothing ? ["", "Nothing waits for you."] : []),
		...(remarks.length > 0
			? ["", `${remarks.join("; ")}: ${style.shown(purser`overview`)}`.replace(/^./, (first) => first.toUpperCase())]
			: []),
	].join("\n");
}
