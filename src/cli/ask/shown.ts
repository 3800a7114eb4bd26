/**
 * What a confirmation shows, the live guard of changes that move no money, and the errors where a Yes or a flag is missing.
 */
import { sanitizeLine } from "../../api/text/sanitize.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { About, Preview } from "../../ports/changes.js";
import type { Profile } from "../../ports/profiles.js";
import type { Style } from "../../ports/style.js";
import { sanitizeData } from "../output/render.js";
import { wrapLines, wrapSentence } from "../output/wrap.js";

export interface Asking {
	context: Context;
	style: Style;
	/** What is sent was answered to prompts: it is shown and asked about on every profile. */
	prompted: boolean;
	/** On standard error; programs, which read it too, get no banner. */
	line(text: string): void;
}

/**
 * Shows where something will be sent and what, then asks.
 * @throws PurserError guard, where it is declined
 */
export async function askToSend(about: About, asking: Asking): Promise<void> {
	const { context } = asking;
	const { profile } = await context.settings.read();
	const { title, rows = [], warnings = [], question = `${title}?` } = sanitizeData(about);
	showBanner(profile, asking);
	showPreview({ title, rows: rows.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const])), warnings }, asking);
	const prompts = await context.ask.prompts();
	if (!(await prompts.confirm({ message: sanitizeLine(question), fallback: false }))) throw declinedError();
}

/** @param asks whether a person will be asked */
export async function requireLiveFlags(context: Context, asks: boolean): Promise<void> {
	const { profile, yes, live } = await context.settings.read();
	refuseLiveFlag(profile, live);
	if (profile.environment === "live" && (yes ? !live : !asks)) throw liveGuardError(profile, yes);
}

/** @throws PurserError guard, where --live was given for a profile that is not live */
export function refuseLiveFlag({ name, environment }: Profile, live: boolean): void {
	if (!live || environment === "live") return;
	throw new PurserError("guard", {
		code: "NOT_A_LIVE_PROFILE",
		message: `--live was given, but the profile ${name} is a ${environment} profile; nothing was sent`,
		fix: "Choose the live profile with --profile NAME, or leave --live out.",
	});
}

export function liveGuardError({ name, baseUrl }: Profile, yes: boolean): PurserError {
	return new PurserError("guard", {
		code: "LIVE_GUARD",
		message: `The profile ${name} is LIVE, and this changes something at ${new URL(baseUrl).host}; nothing was sent`,
		fix: yes ? "To confirm, add --live to --yes." : "To confirm, add --yes --live. At a terminal it shows what will be sent and asks.",
	});
}

export function showBanner(profile: Profile, { line, style }: Asking): void {
	const kind = profile.environment === "live" ? style.bad("LIVE") : style.good(profile.environment);
	line(`${style.dim("Profile")} ${sanitizeLine(profile.name)}  ${kind}  ${style.dim(new URL(profile.baseUrl).host)}`);
}

export function showPreview(preview: Pick<Preview, "title" | "rows" | "tables" | "warnings">, { line, style }: Asking): void {
	line("");
	line(style.bold(preview.title));
	const rows = style
		.pairs(preview.rows.map(([label, value]) => [label, typeof value === "string" ? value : style.time(value.time)]))
		.split("\n")
		.map((row) => `  ${row}`);
	line(wrapLines(rows.join("\n"), style.columns));
	for (const { columns, rows, below } of preview.tables ?? []) {
		line("");
		line(style.table(columns, rows));
		if (below !== undefined) line(style.dim(below));
	}
	if (preview.tables !== undefined && preview.warnings.length > 0) line("");
	for (const warning of preview.warnings) line(`  ${style.warn("Note:")} ${wrapSentence(style.shown(warning), style.columns, 8)}`);
	line("");
}

/** @param sends whether a dry run could show what would be sent */
export function needsYesError(sends: boolean): PurserError {
	return new PurserError("usage", {
		code: "CONFIRMATION_NEEDED",
		message: "This needs a confirmation and nobody can be asked here; nothing was changed",
		fix: `To confirm, add --yes${sends ? ", or look first with --dry-run" : ""}.`,
		details: [{ field: "yes", message: "is required without a terminal" }],
	});
}

/** A No; what the run has sent by then, or that it sent nothing, is added at its end. */
export function declinedError(message = "Cancelled"): PurserError {
	return new PurserError("guard", { code: "DECLINED_BY_OPERATOR", message, fix: "Run the command again if you want to go on." });
}

/** A No or a stop at the question, of what an earlier run did in part. */
export function stoppedError(error: unknown, before: NonNullable<Preview["before"]>): unknown {
	if (!(error instanceof PurserError)) return error;
	const message = `Stopped. Done: ${before.done.join(", ") || "nothing"}. Not done: ${before.notDone.join(", ")}`;
	return new PurserError(error.kind, { ...error.failure, ...before, message, fix: "Run the same command to continue.", cause: error });
}
