/**
 * Confirmations and the live guard, decided by a command's effect. They are part of the frame, so that no command can forget them.
 */
import { formatJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import type { About, Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";
import type { AnyCommand, Preview } from "../command.js";
import { flagOf } from "../names.js";
import { sanitizeLine } from "../output/sanitize.js";
import { sanitizeData } from "../output/sanitize-data.js";
import { type Asking, askLeave, declinedError, needsYesError, refuseLiveFlag, showBanner, showPreview } from "./leave.js";
import { liveWithoutProfileError, requireNoLiveMoney, requireOwnConfiguration } from "./money-guards.js";

/**
 * Resolves when the change may be sent.
 * @returns what the person confirmed, as the preview names it; undefined where nobody was asked
 * @throws PurserError guard, where it is declined or forbidden; PurserError usage, where nobody can be asked and --yes is missing
 */
export async function permit(command: AnyCommand, input: unknown, asking: Asking): Promise<unknown> {
	if (command.effect === "money") return permitMoney(command, input, asking);
	if (command.effect === "write") return permitWrite(command, input, asking);
	const question = command.confirm?.(input as never);
	if (question === undefined || asking.context.flags.yes || asking.context.flags.dryRun) return undefined;
	if (!asking.context.flags.interactive) throw needsYesError(command);
	const prompts = await asking.context.prompts();
	if (!(await prompts.confirm({ message: sanitizeLine(question), fallback: false }))) throw declinedError();
	return undefined;
}

/** A change that moves no money: asked on a live profile, and on any profile where the command has a question of its own. */
async function permitWrite(command: AnyCommand, input: unknown, asking: Asking): Promise<undefined> {
	const { context } = asking;
	const { profile, dryRun, yes, interactive } = await context.settings();
	if (dryRun || command.asksItself || command.sandboxOnly) return;
	const question = command.confirm?.(input as never);
	const live = profile.environment === "live";
	if (!live && (question === undefined || yes)) return;
	if (!live && !interactive) throw needsYesError(command);
	// With --yes nobody reads it.
	const about = yes ? { title: command.summary } : await aboutOf(command, input, context);
	if (live) await context.changes.permit({ ...about, question });
	else await askLeave({ ...about, question }, asking);
}

async function aboutOf({ about, summary }: AnyCommand, input: unknown, context: Context): Promise<About> {
	return about === undefined ? { title: summary, rows: fieldRows(input) } : about(context, input as never);
}

/** Each field that was given, by its flag. */
function fieldRows(value: unknown, path: readonly string[] = []): [string, string][] {
	if (value === undefined || value === false) return [];
	if (isRecord(value)) return Object.entries(value).flatMap(([name, inner]) => fieldRows(inner, [...path, name]));
	return [[flagOf(path.join(".")), typeof value === "string" ? value : formatJson(value)]];
}

async function permitMoney(command: AnyCommand, input: unknown, asking: Asking): Promise<unknown> {
	const { context } = asking;
	const { profile, dryRun, yes, live, interactive, unnamed } = await context.settings();
	if (dryRun) return undefined;
	if (unnamed && profile.environment === "live") throw liveWithoutProfileError(profile);
	await requireOwnConfiguration(profile, context);
	await requireNoLiveMoney(profile, context);
	refuseLiveFlag(profile, live);
	if (!yes && !interactive) throw needsYesError(command);
	showBanner(profile, asking);
	if (yes) {
		if (profile.environment === "live" && !live)
			throw new PurserError("guard", {
				code: "LIVE_GUARD",
				message: `The profile ${profile.name} moves live money and --live is missing; nothing was sent`,
				fix: "Add --live beside --yes when this is meant.",
			});
		await permitJournal(profile, input, asking);
		return undefined;
	}
	const adopt = await permitJournal(profile, input, asking);
	const { confirms, ...shown } = await (command.preview as NonNullable<AnyCommand["preview"]>)(context, input as never);
	const preview = sanitizeData(shown);
	showPreview(preview, asking);
	const prompts = await context.prompts();
	if (!(await prompts.confirm({ message: `${preview.title}?`, fallback: false }))) throw declinedError();
	if (profile.environment === "live") await confirmAmount(preview, context);
	await adopt?.("said at the terminal to be a new journal");
	return confirms;
}

/**
 * Live money must leave by the same journal as before. The journal checks that itself before a payment; it is checked here too, so that
 * nobody is asked to confirm a payment that would then be refused.
 * @returns for a new journal without --new-journal: adopts it, to be called once a person has confirmed
 * @throws PurserError guard, where it may be another journal, or where it is new and --yes is given without --new-journal
 */
async function permitJournal(
	profile: Profile,
	input: unknown,
	{ context }: Asking,
): Promise<((reason: string) => Promise<unknown>) | undefined> {
	if (profile.environment !== "live") return undefined;
	const journal = await context.journal(profile);
	const isDeclaredNew = (input as { newJournal?: boolean }).newJournal === true;
	if ((await journal.guard(isDeclaredNew || !context.flags.yes)) !== "new") return undefined;
	context.reporter.warn(
		`the journal is new, so no earlier payment is known: nothing holds back one that was made from another place (${journal.file})`,
	);
	if (!isDeclaredNew) return (reason) => journal.adopt(reason);
	await journal.adopt("said by --new-journal to be a new journal");
	return undefined;
}

async function confirmAmount(preview: Preview, context: Context): Promise<void> {
	const prompts = await context.prompts();
	const typed = await prompts.text({ message: `This is live money. Type the amount to confirm (${preview.amount})` });
	if (typed.trim() !== preview.amount) throw declinedError(`The amounts do not match`);
}
