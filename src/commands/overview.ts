import * as z from "zod/mini";
import { advice, purser, shownIn } from "../api/advice.js";
import { typed } from "../api/answer.js";
import { filePath, fitting, flag, span } from "../api/fields.js";
import { listCorporates } from "../api/operations/corporate.js";
import { listRelated } from "../api/operations/related.js";
import { secondsOf } from "../api/quantity.js";
import { field, withRecords } from "../api/schema.js";
import { type Answer, defineCommand } from "../cli/command.js";
import { unlessDryRun } from "../config/named.js";
import type { Context } from "../context.js";
import { Budget, type BudgetBounds, everyPage } from "../http/pages.js";
import { entryOf } from "../mapping/request/applied.js";
import { withoutUnplaced } from "../mapping/request/paging.js";
import { type CompaniesRead, type Overview, overviewStatuses, readCompanies, unreadWords } from "../onboarding/checklist/overview.js";
import { mostRows, overviewPage, overviewText } from "../onboarding/checklist/text.js";
import { pageBytes } from "../pages/page.js";
import { requirePlace, type WrittenPage, writePage } from "../pages/write.js";
import { warnOfJournal } from "../payments/rules/journal-here.js";
import type { Service } from "../ports/service.js";
import { waitingCompany, writtenPage } from "./families/answers.js";

/** Maximum number of companies in one overview. */
const maxCorporates = 20_000;
/** The bounds of one overview in all. */
const allowed: BudgetBounds = { requests: 20_000, milliseconds: 600_000, bytes: 256 * 1024 * 1024 };

const seconds = z._default(span("With --watch: time between refreshes, in seconds or like 5m", 99_999, "30"), "30");

type Shown = Overview & { html?: WrittenPage };

export default defineCommand({
	path: "overview",
	summary: "Show every company that needs something, what stops payments first",
	details:
		"A company is here until its KYB is decided, and once validated until nothing is missing: terms, email, phone, a person's KYC. A validated company that cannot pay comes first, then what compliance asked for, then what waits for you, then the rest, each with the oldest first. One request per page and per company, up to eight at a time, 20 000 at most and for ten minutes at most: it says what was not checked by then, and --kyb-status narrows it down.",
	examples: {
		overview: "Who we are waiting for, and the next command",
		"overview --watch --every 60": "Kept up to date on a terminal, until Ctrl-C",
		"overview -o ndjson": "One line per company, for a dashboard",
		"overview --html open.html --quiet": "A page for a team lead; a timer may renew it",
	},
	operations: [listCorporates.id, listRelated.id],
	input: fitting(
		z.strictObject({
			watch: flag("Refresh until Ctrl-C"),
			every: seconds,
			kybStatus: z.optional(field(z.array(z.enum(overviewStatuses)), { description: "Only these KYB statuses" })),
			html: z.optional(filePath("Also write a page to this file, renewed at each refresh", { placeholder: "file" })),
			unmasked: flag("With --html: show names of persons and reasons; otherwise they are masked, in the answer too"),
			force: flag("Replace the file of --html, whatever it is"),
		}),
		({ html, unmasked, force }) => [
			html === "-" && ["html", "is the name of a file, like open.html"],
			html === undefined && unmasked && ["unmasked", "goes with --html"],
			html === undefined && force && ["force", "goes with --html"],
		],
	),
	answer: () =>
		withRecords(
			z.strictObject({
				...{ at: z.string(), rows: z.array(waitingCompany()), counts: z.record(z.string(), z.number()) },
				...{ complete: z.boolean(), notChecked: z.number(), stoppedAfter: z.optional(z.string()), html: z.optional(writtenPage()) },
			}),
			waitingCompany(),
		),
	async run(context, input): Promise<Answer<Shown>> {
		const { html, force, unmasked, kybStatus, watch, every } = input;
		const again = watch ? (secondsOf(every) as number) * 1000 : undefined;
		// Reading may take minutes.
		if (html !== undefined) await requirePlace(context.files, html, force);
		const masked = html !== undefined && !unmasked;
		const read = await readOverview(context, kybStatus, masked);
		if (html === undefined) return answerOf(read, context, again);
		const { profile } = await context.settings.read();
		const about = { of: `${profile.name} (${profile.environment})`, madeBy: `purser ${context.system.version}` };
		const options = { ...about, masked, only: kybStatus, shown: context.report.shown };
		const write = () => writePage(context.files, html, pageBytes(overviewPage(read, options), mostRows), force);
		return answerOf(read, context, again, await unlessDryRun(context, write, "written"));
	},
	text: ({ html, ...overview }, style) =>
		html === undefined ? overviewText(overview, style) : `${overviewText(overview, style)}\n\nPage written to ${html.path}`,
});

/** For programs, commands are texts. */
function answerOf(read: CompaniesRead, { report }: Context, again: number | undefined, html?: WrittenPage): Answer<Shown> {
	const { at, counts, complete, notChecked, stoppedAfter } = read;
	const rows = read.rows.map((row) => ({ ...row, blocker: row.blocker && shownIn(row.blocker, ["command"], report.shown) }));
	const next = rows.slice(0, 3).map(({ corporateId }) => purser`corporate status ${typed(corporateId, "CORPORATE")}`);
	return {
		data: { at, counts, rows, complete, notChecked, stoppedAfter, ...(html && { html }) },
		lines: rows,
		again,
		next: next.length === 0 ? [purser`onboard start`] : next,
	};
}

/** Reads the companies, and warns of what was not read. */
async function readOverview(context: Context, kybStatus: readonly string[] = overviewStatuses, masking = false): Promise<CompaniesRead> {
	const { profile } = await context.settings.read();
	await warnOfJournal(context, profile);
	const budget = new Budget(context.clock, allowed);
	const list: Service["list"] = (operation, asked, limit) => {
		const query = withoutUnplaced({ ...asked.query }, entryOf(operation, profile.mapping)) as typeof asked.query;
		return everyPage(context, operation, { ...asked, query }, { limit, budget });
	};
	const read = await readCompanies(
		context,
		{ ...context.service, list },
		{
			groups: [kybStatus],
			listed: maxCorporates,
			spent: () => budget.spent,
			masking,
			listing: (walk) => context.report.during("Listing the companies", walk),
			reading: (count, work) => context.report.during(`Reading ${count} companies`, work),
		},
	);
	for (const words of unreadWords(read, false)) context.report.warn(words);
	if (read.stoppedAfter !== undefined) context.report.warn(advice`Check fewer at a time: ${purser`overview --kyb-status STATUS`}`);
	return read;
}
