import * as z from "zod/mini";
import { advice, purser, shownIn } from "../api/advice.js";
import { type Received, typed } from "../api/answer.js";
import { filePath, flag, span } from "../api/fields.js";
import { listCorporates, viewCorporate } from "../api/operations/corporate.js";
import { listRelated } from "../api/operations/related.js";
import { secondsOf } from "../api/quantity.js";
import { field, withRecords } from "../api/schema.js";
import { type Answer, defineCommand } from "../cli/command.js";
import type { Context } from "../context.js";
import type { Advice } from "../errors.js";
import { Budget, type BudgetBounds, everyPage } from "../http/pages.js";
import { entryOf } from "../mapping/request/applied.js";
import { withoutUnplaced } from "../mapping/request/paging.js";
import { readSince } from "../onboarding/checklist/journal.js";
import {
	factsFrom,
	isOpen,
	mapConcurrently,
	maskedFacts,
	type OverviewFacts,
	type OverviewRow,
	openStatuses,
	overviewOf,
	overviewRow,
	type ReachedOverview,
} from "../onboarding/checklist/overview.js";
import { mostRows, overviewPage } from "../onboarding/checklist/overview-page.js";
import { overviewText } from "../onboarding/checklist/text.js";
import { uboThreshold } from "../onboarding/records/read-ownership.js";
import { pageBytes } from "../pages/page.js";
import { requirePlace, type WrittenPage, writePage } from "../pages/write.js";
import { warnOfJournal } from "../payments/rules/journal-here.js";
import type { Service } from "../ports/service.js";
import { waitingCompany, writtenPage } from "./families/answers.js";

/** Maximum number of requests at the same time. */
const concurrency = 8;
/** Maximum number of companies in one overview. */
const maxCorporates = 20_000;
/** The bounds of one overview in all. */
const allowed: BudgetBounds = { requests: 20_000, milliseconds: 600_000, bytes: 256 * 1024 * 1024 };

const seconds = z._default(span("With --watch: time between refreshes, in seconds or like 5m", 99_999, "30"), "30");

export default defineCommand({
	path: "overview",
	summary: "Show every open company with what blocks it, the most urgent first",
	details:
		"A company is open until its KYB is decided. What compliance asked for comes first, then what waits for you, then the rest, each with the oldest first. One request per page and per open company, up to eight at a time, 20 000 at most and for ten minutes at most: it says what was not checked by then, and --kyb-status narrows it down. Validated companies with new terms to accept: `purser terms audit`.",
	examples: [
		{ run: "overview", note: "Who we are waiting for, and the next command" },
		{ run: "overview --watch --every 60", note: "Kept up to date on a terminal, until Ctrl-C" },
		{ run: "overview -o ndjson", note: "One line per company, for a dashboard" },
		{ run: "overview --html open.html --quiet", note: "A page for a team lead; a timer may renew it" },
	],
	effect: "read",
	operations: [listCorporates.id, listRelated.id],
	input: z
		.strictObject({
			watch: flag("Refresh until Ctrl-C"),
			every: seconds,
			kybStatus: z.optional(field(z.array(z.enum(openStatuses)), { description: "Only these KYB statuses" })),
			html: z.optional(filePath("Also write a page to this file, renewed at each refresh", { placeholder: "file" })),
			unmasked: flag("Show names of persons and reasons on the page; otherwise they are masked"),
			force: flag("Replace the file of --html, whatever it is"),
		})
		.check(
			z.superRefine(({ html, unmasked, force }, check) => {
				if (html === "" || html === "-")
					check.addIssue({ code: "custom", path: ["html"], message: "is the name of a file, like open.html" });
				if (html !== undefined) return;
				if (unmasked) check.addIssue({ code: "custom", path: ["unmasked"], message: "goes with --html" });
				if (force) check.addIssue({ code: "custom", path: ["force"], message: "goes with --html" });
			}),
		),
	answer: () =>
		withRecords(
			z.strictObject({
				...{ at: z.string(), rows: z.array(waitingCompany()), counts: z.record(z.string(), z.number()) },
				...{ complete: z.boolean(), notChecked: z.number(), stoppedAfter: z.optional(z.string()), html: z.optional(writtenPage()) },
			}),
			waitingCompany(),
		),
	async run(context, input): Promise<Answer<ReachedOverview & { html?: WrittenPage }>> {
		const { html, force, unmasked, kybStatus, watch, every } = input;
		const again = watch ? (secondsOf(every) as number) * 1000 : undefined;
		if (html === undefined) return answerOf((await readOverview(context, kybStatus, false)).overview, again);
		// Reading may take minutes.
		await requirePlace(context.files, html, force);
		const { overview, masks } = await readOverview(context, kybStatus, !unmasked);
		const { profile, dryRun } = await context.settings.read();
		if (dryRun) {
			context.report.warn("Dry run: nothing was written");
			return answerOf(overview, again);
		}
		const options = {
			masked: masks,
			of: `${profile.name} (${profile.environment})`,
			madeBy: `purser ${context.system.version}`,
			only: kybStatus,
			shown: context.report.shown,
		};
		const bytes = pageBytes(overviewPage(overview, options), mostRows);
		return answerOf({ ...overview, html: await writePage(context.files, html, bytes, force) }, again);
	},
	text: ({ html, ...overview }, style) =>
		html === undefined ? overviewText(overview, style) : `${overviewText(overview, style)}\n\nPage written to ${html.path}`,
});

function answerOf<O extends ReachedOverview>(data: O, again: number | undefined): Answer<O> {
	const ids = data.rows.slice(0, 3).map(({ corporateId }) => typed(corporateId, "CORPORATE"));
	return {
		data,
		lines: data.rows,
		again,
		next: ids.length === 0 ? [purser`corporate create`] : ids.map((id) => purser`corporate status ${id}`),
	};
}

/** `masks`: the rows' blockers without personal data, in their order, where they are wanted. */
interface ReadOverview {
	overview: ReachedOverview;
	masks?: OverviewRow["blocker"][];
}

async function readOverview(context: Context, kybStatus: readonly string[] | undefined, masking: boolean): Promise<ReadOverview> {
	const { profile } = await context.settings.read();
	await warnOfJournal(context, profile);
	const now = context.clock.now();
	const budget = new Budget(context.clock, allowed);
	const { corporates, complete, cut } = await openCorporates(context, kybStatus ?? openStatuses, budget);
	const recorded = await readSince(context, context.service);
	const list: Service["list"] = (operation, asked, limit) => everyPage(context, operation, asked, { limit, budget });
	const read = within(budget, factsFrom({ list }));
	// Only the row of a company is kept: what was read of tens of thousands would not fit into memory.
	const blockers = new Map<OverviewRow, OverviewRow["blocker"]>();
	const row = async (corporate: Received): Promise<OverviewRow> => {
		const facts = await read(corporate);
		const options = { threshold: uboThreshold(profile), ...recorded, now };
		const made = overviewRow(facts, options);
		if (masking) blockers.set(made, overviewRow(maskedFacts(facts), options).blocker);
		return made;
	};
	const found = await context.report.during(`Reading ${countOf(corporates.length)}`, (update) =>
		mapConcurrently(corporates, concurrency, row, (done) => update(`Reading companies: ${done} of ${corporates.length}`)),
	);
	const notChecked = found.filter(({ trouble }) => trouble === unread).length;
	const stoppedAfter = cut ?? (notChecked > 0 ? budget.spent : undefined);
	if (stoppedAfter !== undefined) context.report.warn(stopped(stoppedAfter, corporates.length, notChecked));
	const incomplete = found.filter(({ trouble }) => trouble !== undefined && trouble !== unread);
	if (incomplete[0]) context.report.warn(`The persons of ${countOf(incomplete.length)} could not all be read: ${incomplete[0].trouble}`);
	const overview = overviewOf(found, now);
	const masks = masking ? overview.rows.map((one) => blockers.get(one)) : undefined;
	const rows = overview.rows.map((row) => ({ ...row, blocker: row.blocker && shownIn(row.blocker, ["command"], context.report.shown) }));
	const reach = { complete: complete && incomplete.length + notChecked === 0, notChecked, stoppedAfter };
	return { overview: { ...overview, rows, ...reach }, masks };
}

/** Why the related entities of a company are not known, once a bound of the overview is reached. */
const unread = "not checked: the overview had to stop before";

function stopped(after: string, listed: number, notChecked: number): Advice {
	const others = notChecked === 0 ? "" : `, and ${notChecked} of them were not checked`;
	return advice`Stopped after ${after}: ${countOf(listed)} listed${others}; there may be more. Check fewer at a time: ${purser`overview --kyb-status STATUS`}, or at one: ${purser`corporate status CORPORATE`}`;
}

/** Lists the open companies. The answer is filtered here too, because a deployment may not know the filter. */
async function openCorporates(
	context: Context,
	statuses: readonly string[],
	budget: Budget,
): Promise<{ corporates: Received[]; complete: boolean; cut?: string }> {
	const { profile } = await context.settings.read();
	const query = withoutUnplaced({ kybStatus: [...statuses] }, entryOf(listCorporates, profile.mapping));
	const { records, more, complete, cut } = await context.report.during("Listing the open companies", () =>
		everyPage(context, listCorporates, { query }, { limit: maxCorporates, budget }),
	);
	const whole = complete && !more;
	if (!whole && cut === undefined) context.report.warn(`Not all companies were listed: ${records.length} are shown`);
	const left = (openStatuses as readonly string[]).filter((one) => !statuses.includes(one));
	const corporates = records.filter((record) => isOpen(record) && !left.includes(viewCorporate(record).kybStatus ?? ""));
	return { corporates, complete: whole, cut };
}

type ReadFacts = (corporate: Received) => Promise<OverviewFacts>;

/** A company that was only partly read when a bound was reached counts as not read. */
function within(budget: Budget, read: ReadFacts): ReadFacts {
	return async (corporate) => {
		const facts = budget.spent === undefined ? await read(corporate) : undefined;
		if (facts !== undefined && (facts.partial !== true || budget.spent === undefined)) return facts;
		return { corporate, related: undefined, trouble: unread };
	};
}

const countOf = (count: number): string => `${count} compan${count === 1 ? "y" : "ies"}`;
