/**
 * What can be done, in the words of the person who does it, with the command that does it.
 */
import { purser } from "../../api/advice.js";
import type { SuggestedCommand } from "../../errors.js";

export interface Task {
	/** As a list shows it; the words by which it is found. */
	label: string;
	command: SuggestedCommand;
}

/** In the order of a day's work. */
export const tasks: readonly Task[] = [
	{ label: "Onboard a company", command: purser`onboard start` },
	{ label: "Onboard many companies from a spreadsheet", command: purser`onboard import` },
	{ label: "Write a company as a case file", command: purser`onboard export` },
	{ label: "Who is waiting for whom: all open companies", command: purser`overview` },
	{ label: "What a company still needs, and its next step", command: purser`corporate status` },
	{ label: "Find a company", command: purser`corporate list` },
	{ label: "Pay a supplier, an invoice, anybody elsewhere", command: purser`pay beneficiary` },
	{ label: "Pay another ledger", command: purser`pay ledger` },
	{ label: "Send a file of payments, such as salaries", command: purser`pay batch plan` },
	{ label: "Was it paid? Follow a payment", command: purser`pay show --wait` },
	{ label: "Find a payment", command: purser`pay list` },
	{ label: "Settle a doubt: did a payment arrive?", command: purser`pay settle` },
	{ label: "Look at balances", command: purser`ledger list` },
	{ label: "Look at payees", command: purser`beneficiary list` },
	{ label: "Resend a link: the email's", command: purser`email send-link` },
	{ label: "Resend a link: the KYC's, or create it", command: purser`kyc link` },
	{ label: "Request the KYB of a company", command: purser`kyb request` },
	{ label: "Add an owner or a director", command: purser`related add` },
	{ label: "Correct an email, a phone, a name, shares", command: purser`related update --help` },
	{ label: "Correct a company", command: purser`corporate update --help` },
	{ label: "Record that a company accepts the terms", command: purser`terms accept` },
	{ label: "Send a code to a phone", command: purser`phone send-code` },
	{ label: "Hand over a case: pack its evidence", command: purser`onboard bundle` },
	{ label: "See what was changed from this machine", command: purser`history list` },
	{ label: "Use another profile", command: purser`profile use` },
	{ label: "Read help about a topic", command: purser`help` },
	{ label: "All commands", command: purser`--help` },
];

/** Where nothing is set up yet. */
export const firstTasks: readonly Task[] = [
	{ label: "Watch the whole job on a sandbox", command: purser`demo` },
	{ label: "Try it yourself: start a sandbox here", command: purser`sandbox serve --save-profile sandbox` },
	{ label: "Log in to your service", command: purser`auth login` },
	{ label: "All commands", command: purser`--help` },
];
