import { advice, purser, quoted, quotedPath } from "../../api/advice.js";
import { withDecimals } from "../../api/amount.js";
import { isLoopback, serviceAddress } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { PaymentAsked, Preview } from "../../ports/changes.js";
import type { Profile } from "../../ports/profiles.js";
import { sanitizeData } from "../output/render.js";
import { timeAgo } from "../output/times.js";
import { type Asking, declinedError, needsYesError, refuseLiveFlag, showBanner, showPreview, stoppedError } from "./shown.js";

/** @returns what the person confirmed; undefined where nobody was asked @throws PurserError guard; usage */
export async function askForPayment<S>(
	shownOf: () => Promise<Preview & { confirms?: S }>,
	asked: PaymentAsked,
	asking: Asking,
): Promise<S | undefined> {
	const { context } = asking;
	const { profile, dryRun, yes, live, interactive } = await context.settings.read();
	if (dryRun) return undefined;
	await requireOwnConfiguration(profile, context);
	await requireNoLiveMoney(profile, context);
	refuseLiveFlag(profile, live);
	if (!yes && !interactive) throw needsYesError(true);
	showBanner(profile, asking);
	if (yes && profile.environment === "live" && !live)
		throw new PurserError("guard", {
			code: "LIVE_GUARD",
			message: `The profile ${profile.name} moves live money and --live is missing; nothing was sent`,
			fix: "To confirm, add --live to --yes.",
		});
	const adopt = await requireJournal(profile, asked, asking);
	if (yes) return undefined;
	const { confirms, ...shown } = await shownOf();
	const preview = sanitizeData(shown);
	showPreview(preview, asking);
	const prompts = await context.ask.prompts();
	try {
		if (!(await prompts.confirm({ message: questionOf(preview, asking), fallback: false })))
			throw declinedError(asked.signsOnly && "Cancelled. Nothing was signed");
		if (profile.environment === "live") await confirmAmount(preview, context);
	} catch (error) {
		throw preview.before === undefined ? error : stoppedError(error, preview.before);
	}
	await adopt?.("confirmed at the terminal to be a new journal");
	return confirms as S | undefined;
}

/** What would be paid twice is asked about as that. */
function questionOf({ title, already }: Preview, { style }: Asking): string {
	if (already === undefined) return `${title}?`;
	const time = already.at === undefined ? "" : ` ${timeAgo(already.at, style.now)}`;
	return `Already paid${time} as ${already.as}. ${title} AGAIN?`;
}

/**
 * Live money must leave by the same journal as before. The journal checks that itself before a payment; it is checked here too, so that
 * nobody is asked to confirm a payment that would then be refused.
 * @returns for a new journal without --new-journal: adopts it, to be called once a person has confirmed
 * @throws PurserError guard, where it may be another journal, or where it is new and --yes is given without --new-journal
 */
async function requireJournal(
	profile: Profile,
	{ newJournal: isDeclaredNew = false, signsOnly }: PaymentAsked,
	{ context }: Asking,
): Promise<((reason: string) => Promise<unknown>) | undefined> {
	// Whoever approves only signs: no payment leaves by that machine's journal, which may well be new.
	if (profile.environment !== "live" || signsOnly) return undefined;
	const journal = await context.journal.of(profile);
	if ((await journal.guard(isDeclaredNew || !context.settings.flags.yes)) !== "new") return undefined;
	const unknown = "no earlier payment is known: nothing blocks one that was already made from another place";
	context.report.warn(`the journal is new, so ${unknown} (${journal.file})`);
	if (!isDeclaredNew) return (reason) => journal.adopt(reason);
	await journal.adopt("confirmed by --new-journal to be a new journal");
	return undefined;
}

async function confirmAmount(preview: Preview, context: Context): Promise<void> {
	const prompts = await context.ask.prompts();
	const { amount, currency } = preview;
	const shown = currency === undefined ? amount : withDecimals(amount, currency);
	const typed = await prompts.text({ message: `This is live money. Type the amount to confirm (${shown})` });
	// It may be typed as it is shown above the question, with its digits in groups.
	if (![shown, amount].includes(typed.replace(/\s/g, ""))) throw declinedError(`The amounts do not match`);
}

/**
 * Refuses to pay by a configuration that somebody else may have written. Its claim to be for a sandbox cannot be trusted then; only an
 * address of this machine certainly moves no live money.
 * @throws PurserError guard
 */
async function requireOwnConfiguration(profile: Profile, context: Context): Promise<void> {
	if (profile.environment !== "live" && isLoopback(profile.baseUrl)) return;
	const profiles = await context.config.profiles();
	const distrust = await profiles.distrust();
	if (distrust === undefined) return;
	throw new PurserError("guard", {
		code: "CONFIG_NOT_OWN",
		message: `Somebody else may have written the configuration for this payment (${profiles.file}); nothing was sent`,
		why: distrust.why,
		fix: advice`Check whether address, limits and approvers are yours with ${purser`profile show`}, then: ${distrust.fix}`,
	});
}

/**
 * Refuses a sandbox profile for a service at which live money was paid. A sandbox profile has a journal of its own, so earlier live
 * payments and doubts would not block the same payment.
 * @throws PurserError guard
 */
async function requireNoLiveMoney(profile: Profile, context: Context): Promise<void> {
	if (profile.environment === "live") return;
	const service = serviceAddress(profile.baseUrl);
	const found = await (await context.config.profiles()).liveAt(service);
	if (found === undefined) return;
	const own = found.profile === profile.name;
	throw new PurserError("guard", {
		code: "LIVE_SERVICE",
		message: `The profile ${profile.name} is a ${profile.environment} profile, but live money was paid at ${service} ${own ? "with it" : `with the profile ${found.profile}`}; nothing was sent`,
		why: "A sandbox profile has a journal of its own: what was paid live, or is in doubt there, would not block the same payment",
		fix: advice`${own ? advice`Make it live again: ${purser`profile set ${profile.name} --environment live`}` : `Pay with that profile: --profile ${quoted(found.profile)}`}
If there is no live money there, remove the file that says so, then run this again: rm ${quotedPath(found.file)}`,
	});
}
