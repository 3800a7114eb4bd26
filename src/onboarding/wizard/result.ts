/**
 * The result of a wizard as text.
 */
import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { type Advice, type Kind, PurserError } from "../../errors.js";
import { casesOutcome } from "../case/result.js";
import { runText } from "../case/text.js";
import type { WizardResult } from "./send.js";

type Style = Parameters<typeof runText>[1];

/** The run, the file, and the command that does the same again. */
export function wizardText({ file, command, sent, run }: WizardResult, style: Style): string {
	const head = run === undefined ? style.good("Case written; nothing was sent") : runText({ cases: [run] }, style);
	const same = sent ? "To repeat it, or after a change in the file" : "Send it";
	return [head, "", `Case file (personal data): ${file}`, `${same}: ${style.accent(command)}`].join("\n");
}

/** The outcome for the exit code: that of the case; none where only the file was written. */
export function wizardOutcome({ run }: WizardResult): Kind | undefined {
	return run === undefined ? undefined : casesOutcome({ cases: [run] });
}

/** The next commands. */
export function wizardNext({ run, command, sent, draft }: WizardResult): Advice[] {
	if (!sent) return [command];
	if (run?.state !== "applied" && run?.state !== "incomplete") return [purser`onboard resume ${draft}`];
	const was = (name: string, word: string): boolean => run.steps.some(({ what, state }) => what === name && state === word);
	const code = was("phone code", "asked for") && !was("phone", "verified");
	return [
		...(code ? [purser`phone verify ${typed(run.accountOwnerId, "RELATED")}`] : []),
		purser`corporate status ${typed(run.corporateId, "CORPORATE")}`,
	];
}

/** How a wizard looks for existing records: in doubt it asks. */
export const defaultLookup = { isNew: false, settleAfter: 30_000 };

/** @throws PurserError usage, where nobody can be asked */
export function requireTerminal({ interactive, dryRun }: { interactive: boolean; dryRun: boolean }): void {
	if (interactive && !dryRun) return;
	throw new PurserError("usage", {
		code: "NEEDS_A_TERMINAL",
		message: dryRun ? "A wizard has no dry run: it shows everything before it sends" : "This asks questions and needs a terminal",
		fix: advice`Write a case file (${purser`onboard plan --print-template`} > case.yaml), look with \`${purser`onboard plan case.yaml`}\`, then \`${purser`onboard apply case.yaml`}\`.`,
	});
}
