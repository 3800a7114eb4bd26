/**
 * Case files: read, checked, planned, and applied one after another.
 */

import { advice, purser, shownIn } from "../../api/advice.js";
import { check, doubtsAbout } from "../../api/check/check.js";
import { describe, withOptional, withoutEmpty } from "../../api/schema.js";
import { futureFaults } from "../../api/typed.js";
import type { Context } from "../../context.js";
import { type Fault, PurserError } from "../../errors.js";
import type { About } from "../../ports/changes.js";
import type { Service } from "../../ports/service.js";
import { askReviewed, canAskReviewed } from "../kyb/review.js";
import { uboThreshold } from "../records/read-ownership.js";
import { quietly } from "../records/reading.js";
import { applyCase, inspectCase } from "./apply.js";
import { type Case, caseSchema, companyName, unplacedInCase } from "./case.js";
import { type Finder, type LookupOptions, newFinder } from "./find.js";
import type { FollowUps } from "./follow-ups.js";
import { ownershipNotes } from "./ownership.js";
import { acceptedTerms, acceptsTerms, notNamedRows } from "./plan.js";
import { type AppliedCase, type CaseRun, type CasesRun, caseError, throwSingle } from "./result.js";
import { type CasePlan, countsText, summaryOf } from "./text.js";

/** A file of a run: its case, or why it is not one. */
export interface CaseFile {
	file: string;
	of?: Case;
	error?: PurserError;
}

/** Reads and checks every file, and every document in it, before anything is sent; an invalid one does not stop the others. */
export async function readCases(context: Context, files: readonly string[]): Promise<CaseFile[]> {
	const read: CaseFile[] = [];
	const fileOf = new Map<string, string>();
	const unplaced = await unplacedInCase(context);
	const attempt = (file: string, act: () => Case): void => {
		try {
			const of = act();
			const before = fileOf.get(of.corporate.externalId);
			if (before !== undefined) throw duplicateError(file, before, of.corporate.externalId);
			fileOf.set(of.corporate.externalId, file);
			read.push({ file, of });
		} catch (error) {
			if (!(error instanceof PurserError)) throw error;
			read.push({ file, error });
		}
	};
	for (const file of files) {
		const documents = await context.files.documents.readAll(file).catch((error: unknown) => {
			attempt(file, () => {
				throw error;
			});
			return [];
		});
		for (const { name, read: content } of documents)
			attempt(name, () => checkCase(context, withoutEmpty(caseSchema, content()), name, { unplaced }));
	}
	return read;
}

function duplicateError(file: string, before: string, externalId: string): PurserError {
	return new PurserError("validation", {
		code: "CASE_TWICE",
		message: `${file} has the externalId ${externalId}, as ${before} has; nothing of it was sent`,
		fix: "Leave one of them out, or give each company its own externalId.",
	});
}

/**
 * The case of a document; what is valid but odd is warned about.
 * @param by `warns`: false where the same case is checked again; `unplaced`: what may be left out
 * @throws PurserError validation, listing every fault
 */
export function checkCase(
	context: Context,
	document: unknown,
	file: string,
	{ warns = true, unplaced = new Set() }: { warns?: boolean; unplaced?: ReadonlySet<string> } = {},
): Case {
	const { data, faults, warnings } = check(withOptional(caseSchema, unplaced), document);
	if (data === undefined) throw invalidCase(file, faults);
	const future = futureFaults(describe(caseSchema), data, context.clock.now());
	if (future.length > 0) throw invalidCase(file, future);
	refuseFuture(context, data, file);
	if (!warns) return data;
	for (const { field, message } of warnings) context.report.warn(`${file}: ${field} ${message}`);
	return data;
}

/**
 * Asks a person about values that are valid and hardly meant, once for all cases.
 * @throws PurserError guard, at a No
 */
export async function confirmDoubts(context: Context, files: readonly CaseFile[]): Promise<void> {
	const { interactive, yes, dryRun } = await context.settings.read();
	if (!interactive || yes || dryRun) return;
	const doubts = files.flatMap(({ file, of }) => doubtsAbout(describe(caseSchema), of).map((doubt) => `${file}: ${doubt.field}`));
	if (doubts.length === 0) return;
	const prompts = await context.ask.prompts();
	const shown = `${doubts.slice(0, 3).join(", ")}${doubts.length > 3 ? ` and ${doubts.length - 3} more` : ""}`;
	if (await prompts.confirm({ message: `Send what was warned about as it is (${shown})?`, fallback: false })) return;
	throw new PurserError("guard", {
		code: "DECLINED_BY_OPERATOR",
		message: "Cancelled",
		fix: "Correct the file and run this again.",
	});
}

function invalidCase(file: string, faults: readonly Fault[]): PurserError {
	return new PurserError("validation", {
		code: "INVALID_CASE",
		message: `${file}: ${faults.length === 1 ? "one field of the case is wrong" : `${faults.length} fields of the case are wrong`}; nothing was sent`,
		fix: advice`Correct the file and run this again. A file to start from: ${purser`onboard plan --print-template`}`,
		details: faults.map(({ field, message }) => ({ field: field || "case", message: message.replace(" (send it with --set)", "") })),
	});
}

/** Milliseconds from UTC of the easternmost time zone, in which a time without a zone may have been written. */
const easternmost = 14 * 60 * 60 * 1000;

/** Refuses an acceptance in the future. @throws PurserError validation */
function refuseFuture(context: Context, { terms }: Case, file: string): void {
	if (terms === undefined) return;
	const zoned = /(Z|[+-]\d{2}:\d{2})$/.test(terms.acceptedAt);
	// One hour is allowed for clocks that differ.
	const latest = context.clock.now().getTime() + (zoned ? 3_600_000 : easternmost);
	const written = zoned ? terms.acceptedAt : `${terms.acceptedAt.includes(":") ? terms.acceptedAt : `${terms.acceptedAt}T00:00`}Z`;
	if (Date.parse(written) <= latest) return;
	throw new PurserError("validation", {
		code: "INVALID_CASE",
		message: `${file}: the terms are accepted in the future; nothing was sent`,
		fix: "Write when the account owner accepted them, and run this again.",
		details: [{ field: "terms.acceptedAt", message: `is in the future: ${terms.acceptedAt}` }],
	});
}

/** Warns about who owns and directs the company of a case. */
export async function warnOfOwnership(context: Context, of: Case, file: string): Promise<void> {
	const { profile } = await context.settings.read();
	for (const message of ownershipNotes(of, uboThreshold(profile))) context.report.warn(`${file}: ${message}`);
}

/**
 * Plans one file of several; sends nothing.
 * @param count of the files: the failure of one of several is part of its plan
 * @throws PurserError of a single file, and Ctrl-C
 */
export async function planFile(
	context: Context,
	service: Service,
	finder: Finder,
	{ file, of, error }: CaseFile,
	count: number,
): Promise<CasePlan> {
	const named = { file, externalId: of?.corporate.externalId, name: of && companyName(of) };
	try {
		if (of === undefined) throw error;
		await warnOfOwnership(context, of, file);
		const { found, steps } = await inspectCase(context, service, finder, of);
		return {
			...named,
			corporateId: found.corporateId,
			summary: summaryOf(steps),
			steps: steps.map((step) => shownIn(step, ["why"], context.report.shown)),
			notNamed: notNamedRows(found),
		};
	} catch (cause) {
		if (!(cause instanceof PurserError) || count === 1 || cause.kind === "interrupted") throw cause;
		return { ...named, error: caseError(cause, context.report.shown) };
	}
}

/** Each case with the counts of its plan, and what is asked for afterwards. */
export async function aboutCases(
	context: Context,
	service: Service,
	options: LookupOptions,
	followUps: FollowUps,
	files: readonly CaseFile[],
): Promise<About> {
	// Applying warns of the same again.
	const quiet = quietly(context);
	const finder = newFinder(quiet, service, options, false);
	const plans: CasePlan[] = [];
	for (const file of files) plans.push(await planFile(quiet, service, finder, file, files.length));
	const [only] = plans;
	return {
		title:
			plans.length === 1 && only?.name !== undefined ? `Create and update ${only.name}` : `Create and update ${plans.length} companies`,
		rows: [...plans.map(planRow), ["Then", thenText(followUps)]],
		// Of a case that cannot be planned it is not known whether it would accept them.
		terms: plans.flatMap(({ steps }, at) => {
			const of = files[at]?.of;
			return of === undefined || (steps !== undefined && !acceptsTerms(steps)) ? [] : acceptedTerms(of);
		}),
	};
}

function planRow({ file, name, externalId, summary, error }: CasePlan): [string, string] {
	const label = [name, externalId === undefined ? undefined : `(${externalId})`].filter(Boolean).join(" ") || file;
	return [label, error === undefined ? countsText(summary) : `cannot be applied: ${error.message}`];
}

function thenText({ sendEmailLink, requestKyb, kycLinks }: FollowUps): string | undefined {
	const asked = [sendEmailLink && "email verification links", requestKyb && "KYB requests", kycLinks && "KYC links"].filter(Boolean);
	return asked.length === 0 ? undefined : asked.join(", ");
}

/** Failures after which the other cases are not started: they would fail too, or the person stopped the run. */
const stoppingKinds: readonly string[] = ["interrupted", "auth", "bug"];

/**
 * Applies every case, one after another. A failed one does not stop the others; Ctrl-C and a refused login do.
 * @throws PurserError of a single case that changed nothing
 */
export async function applyCases(
	context: Context,
	service: Service,
	finder: Finder,
	followUps: FollowUps,
	files: readonly CaseFile[],
): Promise<CasesRun> {
	const errors = new Map<CaseRun, PurserError>();
	const cases: CaseRun[] = [];
	let ended = false;
	for (const [place, { file, of, error }] of files.entries()) {
		const named = { file, externalId: of?.corporate.externalId, name: of && companyName(of) };
		if (of === undefined || ended) {
			const run: CaseRun = { ...named, state: error === undefined ? "not started" : "failed", steps: [] };
			if (error !== undefined) {
				run.error = caseError(error, context.report.shown);
				errors.set(run, error);
			}
			cases.push(run);
			continue;
		}
		const label = files.length === 1 ? companyName(of) : `${place + 1} of ${files.length}: ${companyName(of)}`;
		const applied = await context.report.during(label, () => applyCase(context, service, finder, followUps, of, file));
		const { run, stopped } = await afterReading(context, applied, label);
		cases.push(run);
		if (stopped !== undefined) errors.set(run, stopped);
		ended = stopped !== undefined && stoppingKinds.includes(stopped.kind);
	}
	throwSingle({ cases }, errors);
	return { cases: cases.map((run) => ({ ...run, steps: run.steps.map((step) => shownIn(step, ["why"], context.report.shown)) })) };
}

/** Asks a person whether the review was read, and goes on after a Yes. Not while a spinner turns. */
async function afterReading(context: Context, applied: AppliedCase, label: string): Promise<AppliedCase> {
	const { unread } = applied;
	if (unread === undefined || !(await canAskReviewed(context))) return applied;
	try {
		if (!(await askReviewed(context, unread.company, unread.review))) return applied;
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		// What was declared by then stands in the answer.
		Object.assign(applied.run, { state: "failed", error: caseError(error, context.report.shown) });
		return { run: applied.run, stopped: error };
	}
	return context.report.during(label, unread.resume);
}
