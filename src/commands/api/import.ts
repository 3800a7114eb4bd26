import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { catalog } from "../../api/operations/catalog.js";
import { field } from "../../api/schema.js";
import { refuseOpenDoubts } from "../../config/in-doubt.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import {
	adopted,
	adoptionFaults,
	type Candidate,
	documentMatch,
	type ImportReport,
	isHeld,
	picked,
	questionsOf,
} from "../../openapi/import.js";
import type { Profile } from "../../ports/profiles.js";
import type { Style } from "../../ports/style.js";
import { defineCommand } from "../../shell/command.js";

type Imported = ImportReport & {
	/** Where something was stored, and for which operations; absent in a dry run. */
	profile?: string;
	stored?: string[];
};

const operationIds = catalog.map((one) => one.id) as [string, ...string[]];

export default defineCommand({
	path: "api import",
	summary: "Find the operations in a deployment's OpenAPI document and bind them",
	details:
		"Reads OpenAPI 3.0 and 3.1, as JSON or YAML. Nothing of the document is run or contacted; its servers are an offer. What has the right name, the right shape and no rival is sure and can be stored; the rest is asked for, with candidates and the reasons for each. Payments, and a PUT that replaces a record, are never sure: they are shown and not stored. An import adds to what is bound; several documents make one service.",
	examples: [
		{ run: "api import openapi.yaml --dry-run", note: "What would be bound, and why; nothing is stored" },
		{ run: "api import openapi.json --accept sure", note: "Store what is sure; exit 9 while some are left" },
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
		accept: z.optional(field(z.enum(["sure"]), { description: "Store what is sure without asking" })),
		server: z.optional(
			field(z.string(), {
				description: "The base address that the document's paths are below, of the profile's origin",
				placeholder: "url",
			}),
		),
	}),
	outcomes: ["partial"],
	run: async (context, { document, only, pick = [], accept, server }): Promise<Imported> => {
		const profile = await profileOf(context);
		const { value, sha256 } = await context.documents.readDescription(document);
		const found = documentMatch(value, sha256, { only, server, profile });
		const picks = picked(pick, found);
		for (const one of found.remarks) context.reporter.warn(one);
		const report = withPicks(found.report, picks);
		if (context.flags.dryRun) return report;
		if (profile === undefined) throw noProfileError();
		const faults = picks.flatMap((one) => adoptionFaults(one, profile.baseUrl));
		const held = picks.filter(({ fit, proposal }) => isHeld(fit.operation, proposal.binding));
		if (held.length > 0) throw heldError(held);
		if (faults.length > 0) throw openError("A pick leaves something open; nothing was stored", faults);
		const left = questionsOf(report).filter(({ field: id }) => !picks.some(({ fit }) => fit.operation.id === id));
		if (accept === undefined && left.length > 0)
			throw openError(`${left.length} of ${report.operations.length} operations are not sure; nothing was stored`, left);
		const sure = found.sure.filter(({ fit }) => !picks.some((one) => one.fit.operation === fit.operation));
		const stored = [...sure, ...picks];
		const profiles = await context.profiles();
		const before = await profiles.get(profile.name);
		if (before === undefined) throw noProfileError();
		await refuseOpenDoubts(context, before);
		await profiles.save({ ...before, ...adopted(before, stored, found.matched) });
		const ids = stored.map(({ fit }) => fit.operation.id);
		const operations = report.operations.map((one) => (ids.includes(one.operation) ? { ...one, state: "bound" as const } : one));
		return { ...report, operations, profile: profile.name, stored: ids };
	},
	text: (data, style) =>
		[
			heading(data, style),
			...data.operations.filter(({ state }) => state !== "none").map((one) => paragraph(one, style)),
			closing(data, style),
		].join("\n"),
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
	next: (data, { document }) => [data.stored === undefined ? purser`api import ${document} --accept sure` : purser`api list`],
});

/** The stored profile in use; a dry run needs none. */
async function profileOf(context: Context): Promise<Profile | undefined> {
	try {
		return (await context.settings()).profile;
	} catch (error) {
		if (context.flags.dryRun && error instanceof PurserError && error.failure.code === "NO_PROFILE") return undefined;
		throw error;
	}
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

function heading({ document, operations }: Imported, style: Style): string {
	const count = (state: string): number => operations.filter((one) => one.state === state).length;
	const parts = [
		`${count("sure")} sure`,
		`${count("ask")} to ask`,
		...(count("bound") > 0 ? [`${count("bound")} bound`] : []),
		`${count("none")} not found`,
	];
	return `${style.bold(document.title || "Untitled")} ${document.version}: ${parts.join(", ")}`;
}

function paragraph({ operation, state, candidates }: Imported["operations"][number], style: Style): string {
	const [best, ...others] = candidates;
	const word = state === "ask" ? style.warn("ask  ") : state === "sure" ? style.good("sure ") : style.dim("bound");
	return [
		`  ${word} ${style.accent(operation.padEnd(26))} ${best === undefined ? "" : `${best.method} ${best.path}`}`,
		...(best === undefined || state === "bound" ? [] : [`        ${best.evidence.join(" · ")}`]),
		...(state === "ask"
			? others.map(({ method, path, evidence }) => style.dim(`        or ${method} ${path}: ${evidence.join(" · ")}`))
			: []),
	].join("\n");
}

function closing({ profile, stored, operations }: Imported, style: Style): string {
	const missing = operations.filter(({ state }) => state === "none").map(({ operation }) => operation);
	const told = missing.length === 0 ? [] : [`Not found: ${missing.join(", ")}.`];
	if (profile === undefined) return [...told, "Nothing was stored."].join("\n");
	return [...told, `${style.good("Stored")} in the profile ${style.bold(profile)}: ${stored?.length ?? 0} operations.`].join("\n");
}

function openError(message: string, details: { field: string; message: string }[]): PurserError {
	return new PurserError("usage", {
		code: "IMPORT_OPEN",
		message,
		fix: advice`Store what is sure with --accept sure, or say which it is: ${purser`api import FILE --pick OPERATION='METHOD /path'`}`,
		details,
	});
}

function heldError(held: readonly Candidate[]): PurserError {
	const names = held.map(({ fit }) => fit.operation.id);
	return new PurserError("guard", {
		code: "BINDING_UNCONFIRMED",
		message: `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} not stored by an import: it moves money or replaces a record, and nobody has confirmed the exact request. Nothing was stored`,
		fix: advice`Look at the proposal with ${purser`api import FILE --dry-run --json`}, and leave the pick out.`,
	});
}

function noProfileError(): PurserError {
	return new PurserError("usage", {
		code: "PROFILE_NOT_STORED",
		message: "There is no stored profile to keep this in",
		fix: advice`Create it first: ${purser`profile add NAME --base-url URL`}, or look at what would be bound with --dry-run.`,
	});
}
