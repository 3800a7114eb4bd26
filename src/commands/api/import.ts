import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { catalog } from "../../api/operations/catalog.js";
import { field } from "../../api/schema.js";
import { withoutClaim } from "../../api/text/claim.js";
import { unconfirmedAmong } from "../../binding/confirmation.js";
import type { Context } from "../../context.js";
import { type Fault, PurserError } from "../../errors.js";
import { describedEvents } from "../../events/described.js";
import { adopted, type Candidate, documentMatch, type ImportReport, type Imports, picked, proposalFaults } from "../../openapi/import.js";
import { type Given, givenAnswers } from "../../openapi/walk/answers.js";
import { type Scripted, saidOperations, scripted } from "../../openapi/walk/script.js";
import { chosenText, foundText, type Imported, importedText } from "../../openapi/walk/text.js";
import { toldOf, wantedLines, withWanted } from "../../openapi/walk/told.js";
import { type Walked, walk } from "../../openapi/walk/walk.js";
import type { Profile } from "../../ports/profiles.js";
import { defineCommand } from "../../shell/command.js";

const operationIds = catalog.map((one) => one.id) as [string, ...string[]];

export default defineCommand({
	path: "api import",
	summary: "Find the operations in a deployment's OpenAPI document and bind them",
	details:
		"Reads OpenAPI 3.0 and 3.1, as JSON or YAML. Nothing of the document is run or contacted; its servers are an offer. What has the right name, the right shape and no rival is sure; the rest is asked at a terminal, with candidates and the reasons for each, and nothing is stored before the last answer. A script gets the questions as an error, each with a key by which --answer answers it. Payments, and a PUT that replaces a record, are never sure: they are asked about or picked, and nothing is sent by them before `purser api confirm`. An import adds to what is bound; several documents make one service.",
	examples: [
		{ run: "api import openapi.yaml", note: "At a terminal: bind what is sure, and be asked for the rest" },
		{ run: "api import openapi.yaml --dry-run", note: "What would be bound, and why; nothing is stored" },
		{ run: "api import openapi.json --accept sure", note: "Store what is sure; exit 9 while some are left" },
		{
			run: "api import openapi.json --answer amounts=minor-units --answer corporate.create='POST /companies'",
			note: "In a script: the keys and answers are those of the error, or of --dry-run --json",
		},
		{ run: "api import openapi.json --only terms.get --pick terms.get='GET /legal/terms'", note: "Bind one operation by hand" },
	],
	effect: "read",
	operations: [],
	standalone: "optional",
	input: z.strictObject({
		document: field(z.string(), {
			description: "The document, JSON or YAML, up to 20 MB; - for standard input",
			positional: true,
			placeholder: "file|-",
		}),
		only: z.optional(field(z.enum(operationIds), { description: "Only this operation", placeholder: "operation" })),
		pick: z.optional(
			field(z.array(field(z.string(), { description: "OPERATION='METHOD /path'", placeholder: "op='POST /path'" })), {
				description: "Which operation of the document it is",
			}),
		),
		answer: z.optional(
			field(z.array(field(z.string(), { description: "KEY=ANSWER", placeholder: "key=answer" })), {
				description: "The answer to an open question, by its key",
			}),
		),
		accept: z.optional(field(z.enum(["sure"]), { description: "Store what is sure without asking" })),
		server: z.optional(
			field(z.string(), {
				description: "The base address that the document's paths are below, of the profile's origin",
				placeholder: "url",
			}),
		),
	}),
	outcomes: ["partial"],
	run: async (context, { document, only, pick = [], answer = [], accept, server }): Promise<Imported> => {
		const profile = await profileOf(context);
		const { picks: chosen, refused, rest } = saidOperations(givenAnswers(answer), operationIds);
		const { value, sha256 } = await context.documents.readDescription(document);
		const found = documentMatch(value, sha256, { only, server, profile });
		const picks = picked([...pick, ...chosen], found);
		for (const one of found.remarks) context.reporter.warn(one);
		const events = describedEvents(value);
		const report = { ...withPicks(found.report, picks), ...(events === undefined ? {} : { events }) };
		const isAsked = context.flags.interactive && accept === undefined && !context.flags.dryRun;
		if (isAsked && profile !== undefined) {
			const again = only === undefined ? [] : [only];
			return stored(context, profile, found, report, await walked(context, found, picks, { profile, again, given: rest, refused }));
		}
		const baseUrl = profile?.baseUrl ?? "https://service.invalid";
		const script = scripted(found, { picks, refused, given: rest, baseUrl });
		for (const key of script.unused) context.reporter.warn(`${key} is not asked here, so its answer says nothing`);
		if (context.flags.dryRun)
			return {
				...report,
				questions: script.open.map(({ flag: _, ...question }) => question),
				told: wantedLines(withWanted(best(found, picks, baseUrl), found)),
			};
		if (profile === undefined) throw noProfileError();
		return stored(context, profile, found, report, given(script, accept));
	},
	text: (data, style) => importedText(data, style),
	table: (data, style) =>
		style.table(
			["operation", "state", "method", "path", "score"],
			data.operations.map(({ operation, state, candidates: [best] }) => [
				operation,
				state,
				best?.method ?? "",
				best?.path ?? "",
				best === undefined ? "" : String(best.score),
			]),
		),
	lines: (data) => data.operations,
	outcome: (data) => (data.stored !== undefined && data.operations.some(({ state }) => state === "ask") ? "partial" : undefined),
	next: (data, { document }) => {
		const secret = data.events?.scheme ? [purser`events secret add NAME --scheme ${data.events.scheme}`] : [];
		if (data.stored === undefined) return [purser`api import ${document} --accept sure`, ...secret];
		const unconfirmed = (data.unconfirmed ?? []).map((id) => purser`api confirm ${id}`);
		const byHand = { ...purser`api export --save binding.yaml`, remark: "say there what was left out, then: purser api use binding.yaml" };
		const more = (data.left ?? []).length > 0 ? [byHand] : unconfirmed.length > 0 ? [] : [purser`api list`];
		return [...unconfirmed, purser`doctor --probe`, ...more, ...secret];
	},
});

/**
 * What would be bound of each operation that is not bound yet: what was picked, and else the first candidate. One without a place for a
 * field of ours is left out: what the document requires there may be that field.
 */
function best({ matched, report }: Imports, picks: readonly Candidate[], baseUrl: string): Candidate[] {
	const found = matched.operations.flatMap(({ operation, candidates }) => {
		const pick = picks.find(({ fit }) => fit.operation === operation);
		const isBound = report.operations.some((one) => one.operation === operation.id && one.state === "bound");
		return pick ?? (isBound ? undefined : candidates[0]) ?? [];
	});
	return found.filter(({ fit, proposal }) => proposalFaults(fit.operation, proposal.binding, baseUrl).length === 0);
}

/** The stored profile in use; a dry run needs none. */
async function profileOf(context: Context): Promise<Profile | undefined> {
	try {
		return (await context.settings()).profile;
	} catch (error) {
		if (context.flags.dryRun && error instanceof PurserError && error.failure.code === "NO_PROFILE") return undefined;
		throw error;
	}
}

/** What the command line says alone. @throws PurserError, where it leaves something open */
function given({ walked: done, unfit, open }: Scripted, accept: string | undefined): Walked {
	if (unfit.length > 0) throw openError("A pick leaves something open; nothing was stored", unfit);
	if (accept !== undefined || open.length === 0) return done;
	throw openError(`${open.length} ${open.length === 1 ? "question is" : "questions are"} open; nothing was stored`, open);
}

async function walked(
	context: Context,
	found: Imports,
	picks: readonly Candidate[],
	{ profile, ...said }: { profile: Profile; again: readonly string[]; given: Given; refused: readonly string[] },
): Promise<Walked> {
	await context.reporter.part(found.report, (report, style) => `${foundText(report, style)}\n`);
	const walking = walk(found, picks, {
		prompts: await context.prompts(),
		baseUrl: profile.baseUrl,
		...said,
		warn: (message) => context.reporter.warn(message),
		show: (candidate) => context.reporter.part(candidate, chosenText),
	});
	return walking.catch(rethrowUnstored);
}

/** An import sends nothing anyway: what matters is that nothing was stored. */
function rethrowUnstored(error: unknown): never {
	if (!(error instanceof PurserError)) throw error;
	throw new PurserError(error.kind, { ...error.failure, message: `${withoutClaim(error.message)}; nothing was stored` });
}

async function stored(context: Context, profile: Profile, found: Imports, report: ImportReport, done: Walked): Promise<Imported> {
	const profiles = await context.profiles();
	const before = await profiles.get(profile.name);
	if (before === undefined) throw noProfileError();
	const chosen = withWanted(done.chosen, found);
	const after = adopted(before, chosen, done.service);
	await profiles.save({ ...before, ...after });
	const ids = done.chosen.map(({ fit }) => fit.operation.id);
	const stateOf = (id: string, state: ImportReport["operations"][number]["state"]) =>
		ids.includes(id) ? "bound" : done.refused.includes(id) ? "none" : state;
	const first = ({ fit: { operation, theirs } }: Candidate): boolean =>
		report.operations.some(
			({ operation: id, candidates: [best] }) => id === operation.id && best?.method === theirs.method && best.path === theirs.path,
		);
	const others = done.chosen.filter((one) => !first(one));
	const operations = withPicks(report, others).operations.map((one) => ({
		...one,
		state: stateOf(one.operation, report.operations.find(({ operation }) => operation === one.operation)?.state ?? one.state),
	}));
	const left = [...done.dropped].map(([operation, why]) => ({ operation, why }));
	const unconfirmed = unconfirmedAmong(catalog, { ...before, ...after }).map(({ id }) => id);
	const told = [...toldOf(found, done.chosen, before, after), ...wantedLines(chosen)];
	const imported = { ...report, operations, profile: profile.name, stored: ids, left, told };
	return unconfirmed.length > 0 ? { ...imported, unconfirmed } : imported;
}

function withPicks(report: ImportReport, picks: readonly Candidate[]): ImportReport {
	if (picks.length === 0) return report;
	const operations = report.operations.map((one) => {
		const pick = picks.find(({ fit }) => fit.operation.id === one.operation);
		if (pick === undefined) return one;
		const { theirs, score, evidence } = pick.fit;
		const first = {
			method: theirs.method,
			path: theirs.path,
			score: Math.round(Math.max(0, score) * 100) / 100,
			evidence: [...evidence, ...pick.proposal.open.map(({ text }) => `to be asked: ${text}`), "picked"],
		};
		const others = one.candidates.filter(({ method, path }) => method !== first.method || path !== first.path).slice(0, 2);
		return { ...one, state: "ask" as const, candidates: [first, ...others], fields: pick.proposal.fields };
	});
	return { ...report, operations };
}

function openError(message: string, details: readonly Fault[]): PurserError {
	return new PurserError("usage", {
		code: "IMPORT_OPEN",
		message,
		fix: advice`Answer each by its key, as --json shows them: ${purser`api import FILE --answer KEY=ANSWER`}
Or store what is sure and leave the rest: ${purser`api import FILE --accept sure`}`,
		details: [...details],
	});
}

function noProfileError(): PurserError {
	return new PurserError("usage", {
		code: "PROFILE_NOT_STORED",
		message: "There is no stored profile to keep this in",
		fix: advice`Create it first: ${purser`profile add NAME --base-url URL`}, or look at what would be bound with --dry-run.`,
	});
}
