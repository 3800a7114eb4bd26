/**
 * What a run is allowed to send: changes, on a live profile once a person or the flags said so; the acceptance of terms on every profile,
 * since it is a legal act in the account owner's name; payments once they were shown. What nobody asked about here is not sent.
 */

import { confirmers } from "../../api/operations/terms.js";
import { sanitizeLine } from "../../api/text/sanitize.js";
import { PurserError } from "../../errors.js";
import type { About, AcceptedTerms, Changes } from "../../ports/changes.js";
import type { JournalIntent } from "../../ports/intent.js";
import { type Asking, askToSend, declinedError, liveGuardError, needsYesError, requireLiveFlags, showBanner } from "./shown.js";

type ConfirmedBy = NonNullable<JournalIntent["confirmedBy"]>;

/** @param asking is called once something has to be asked: the context is still being made */
export function createChanges(asking: () => Asking): Changes {
	let granted = false;
	let mayPay = false;
	const accepted = new Map<string, ConfirmedBy>();
	const grant = (terms: readonly AcceptedTerms[], confirmedBy: ConfirmedBy = "operator"): void => {
		granted = true;
		for (const { version } of terms) accepted.set(version, confirmedBy);
	};
	return {
		begin: async (asksItself = false) => {
			const { context } = asking();
			if (!context.settings.flags.dryRun) await requireLiveFlags(context, asksItself || context.settings.flags.interactive);
		},
		change: async (about, { terms: all = [], confirmedBy, always = false } = {}) => {
			const { context, prompted } = asking();
			const { profile, dryRun, yes, interactive } = await context.settings.read();
			const isLive = profile.environment === "live";
			let terms: readonly AcceptedTerms[] = all.filter(({ version }) => !accepted.has(version));
			if (dryRun || (granted && terms.length === 0)) return;
			if (isLive) await requireLiveFlags(context, interactive);
			const mayAsk = isLive || always || prompted;
			const isGiven = yes && (terms.length === 0 || confirmedBy !== undefined);
			if (!isGiven && (mayAsk || terms.length > 0)) {
				if (terms.length === 0 && !interactive) throw needsYesError(true);
				const shown = typeof about === "function" ? await about() : about;
				if (terms.length > 0) terms = shown.terms ?? terms;
				if (terms.length > 0 && (yes || !interactive)) throw wordMissing(confirmedBy, yes);
				if (!yes && (mayAsk || terms.length > 0)) await askToSend(withTerms(shown, terms, confirmedBy), asking());
			}
			if (yes && isLive) showBanner(profile, asking());
			grant(terms, confirmedBy);
		},
		confirm: async (question) => {
			const { context } = asking();
			const { yes, dryRun, interactive } = context.settings.flags;
			if (yes || dryRun) return;
			if (!interactive) throw needsYesError(false);
			const prompts = await context.ask.prompts();
			if (!(await prompts.confirm({ message: sanitizeLine(question), fallback: false })))
				throw declinedError("Cancelled. Nothing was changed");
		},
		payment: async (preview, asked = {}) => {
			const { askForPayment } = await import("./payment.js");
			const confirmed = await askForPayment(preview, asked, asking());
			mayPay = true;
			return confirmed;
		},
		requirePayment: () => {
			if (!mayPay) throw new Error("a command sends a payment that it did not ask about");
		},
		review: async ({ choices, otherwise, title, ...question }, { terms = [], confirmedBy } = {}) => {
			const { context } = asking();
			const { profile } = await context.settings.read();
			const isLive = profile.environment === "live";
			if (isLive) {
				showBanner(profile, asking());
				const order = await title?.();
				if (order !== undefined) asking().line(`\n${order}`);
			}
			const label = isLive ? "Send it now, LIVE" : "Send it now";
			const prompts = await context.ask.prompts();
			const chosen = await prompts.choose({
				...question,
				choices: [{ value: "send", label: terms.length === 0 ? label : `${label}: ${acceptanceOf(terms).statement}` }, ...choices],
				fallback: isLive ? otherwise : "send",
				sends: true,
			});
			if (chosen === "send") grant(terms, confirmedBy);
			return chosen;
		},
		require: async (version) => {
			const { profile } = await asking().context.settings.read();
			if (profile.environment === "live" && !granted) throw liveGuardError(profile, false);
			if (!granted) throw new Error("a command changes something that it did not ask about");
			if (version === undefined) return undefined;
			const word = accepted.get(version);
			if (word === undefined) throw unaskedError(version);
			return word;
		},
	};
}

/** The legal question, once for everything that is shown, and what a Yes does beside it. */
function withTerms(
	{ rows = [], acceptsOnly, ...about }: About,
	terms: readonly AcceptedTerms[],
	confirmedBy: ConfirmedBy = "operator",
): About {
	if (terms.length === 0) return { ...about, rows };
	const named = acceptsOnly ? [] : terms.map((one) => ["Terms", termsText(one, terms.length > 1)] as const);
	const { question } = acceptanceOf(terms);
	const order = `${about.title.charAt(0).toLowerCase()}${about.title.slice(1)}`;
	return {
		...about,
		rows: [...rows, ...named, ["On the word of", confirmers[confirmedBy]]],
		question: acceptsOnly ? question : `${question} If so, ${order}?`,
	};
}

function termsText({ version, owner, company }: AcceptedTerms, several: boolean): string {
	const by = owner === undefined ? "by the account owner" : `by ${owner}`;
	return `version ${version}, accepted ${by}${several && company !== undefined ? ` of ${company}` : ""}`;
}

/** Who has accepted what: a question, and a statement. */
function acceptanceOf(terms: readonly AcceptedTerms[]): { question: string; statement: string } {
	const [{ owner, company, version }] = terms as [AcceptedTerms];
	const what = `seen and accepted ${terms.every((one) => one.version === version) ? `version ${version}` : "these versions of the terms"}`;
	const one = owner === undefined ? `the account owner${company === undefined ? "" : ` of ${company}`}` : `${owner}, the account owner,`;
	const [who, has] = terms.length > 1 ? [`the ${terms.length} account owners`, "have"] : [one, "has"];
	return { question: `${has.replace("h", "H")} ${who} ${what}?`, statement: `${who} ${has} ${what}` };
}

function wordMissing(confirmedBy: string | undefined, yes: boolean): PurserError {
	const missing = [...(yes ? [] : ["yes"]), ...(confirmedBy === undefined ? ["confirmedBy"] : [])];
	const word = "--confirmed-by account-owner where the owner said so, or --confirmed-by operator where you say so.";
	const act = "it accepts the terms, a legal act in the account owner's name, and nobody is asked here";
	return new PurserError("guard", {
		code: "CONFIRMATION_NEEDED",
		message: `This needs a confirmation: ${act}; nothing was sent`,
		fix: confirmedBy === undefined ? `Add${yes ? "" : " --yes and"} ${word}` : "Add --yes.",
		details: missing.map((field) => ({ field, message: "is required without a question" })),
	});
}

/** The acceptance came by a way on which the command did not see it, such as a field renamed in the profile. */
function unaskedError(version: string): PurserError {
	return new PurserError("guard", {
		code: "ACCEPTANCE_NOT_ASKED",
		message: `This would accept version ${version} of the terms in the account owner's name, and nobody was asked about it; nothing was sent`,
		fix: "Give the version by its own field, so that it is asked about: --last-terms-accepted, or `terms:` in a case file.",
	});
}
