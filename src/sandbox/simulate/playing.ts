/**
 * The control operations at work.
 */
import { Decimal } from "../../api/json.js";
import { corporateOf, type Desk, latestTerms, ledgerOf, relatedOf, transactionOf } from "../desk.js";
import { invalid, Refusal } from "../message.js";
import { openEmailLink } from "../service/contact.js";
import { decideDue, settleKyb } from "../service/kyb.js";
import { decideKyc } from "../service/kyc.js";
import { minorOf } from "../service/ledgers.js";
import { finish, settleDue } from "../service/settling.js";
import type { ControlId } from "./control.js";
import { type Fault, formatFault, parseFault } from "./faults.js";

type Body = Record<string, unknown>;
type Play = (desk: Desk, faults: Fault[], body: Body, query: URLSearchParams) => unknown;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const optional = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** One of a few values; without a value the first. @throws Refusal 400 */
function outcomeOf(value: unknown, outcomes: readonly string[]): string {
	const outcome = value ?? outcomes[0];
	if (outcomes.includes(outcome as string)) return outcome as string;
	throw invalid({ field: "outcome", rejectedValue: value, message: `must be one of ${outcomes.join(", ")}` });
}

export const plays: Readonly<Record<ControlId, Play>> = {
	"sandbox.outbox": (desk, _, __, query) => {
		const related = query.get("relatedId")?.toLowerCase();
		return { messages: desk.state.outbox.filter((message) => related === undefined || message.relatedId === related) };
	},
	"sandbox.email": (desk, _, body) => {
		if (!openEmailLink(desk, relatedOf(desk, text(body.relatedId))))
			throw new Refusal(
				409,
				"NO_LINK",
				"No valid verification link: none was sent to this address, it was opened already, or 48 hours have passed",
			);
		return { done: "email verified" };
	},
	"sandbox.kyc": (desk, _, body) => {
		const outcome = outcomeOf(body.outcome, ["VALIDATED", "DECLINED", "PROCESSING", "PENDING_REVIEW"]);
		decideKyc(desk, relatedOf(desk, text(body.relatedId)), outcome, optional(body.reason));
		return { done: `KYC ${outcome}` };
	},
	"sandbox.kyb": (desk, _, body) => {
		const outcome = outcomeOf(body.outcome, ["VALIDATED", "NEED_ADDITIONAL_INFORMATION", "DECLINED"]);
		settleKyb(desk, corporateOf(desk, text(body.corporateId)), outcome, optional(body.reason));
		return { done: `KYB ${outcome}` };
	},
	"sandbox.terms": (desk, _, body) => {
		const version = text(body.version) || nextVersion(latestTerms(desk));
		if (desk.state.terms.some((terms) => terms.version === version))
			throw new Refusal(409, "TERMS_EXIST", `The terms ${version} are published already`);
		desk.state.terms.push({ version, publishedAt: desk.now().toISOString() });
		return { done: `terms ${version} published`, version };
	},
	"sandbox.transaction": (desk, _, body) => {
		const transaction = transactionOf(desk, text(body.transactionId));
		const outcome = outcomeOf(body.outcome, ["APPROVED", "DECLINED", "ABORTED", "RELEASED", "REVERSED"]);
		finish(desk, transaction, outcome, optional(body.reason));
		return { done: `transaction ${transaction.status}` };
	},
	"sandbox.clock": (desk, _, body) => {
		const seconds = body.seconds instanceof Decimal ? Number(body.seconds.text) : Number.NaN;
		if (!(seconds > 0 && seconds < 1e9))
			throw invalid({ field: "seconds", rejectedValue: body.seconds, message: "must be a number greater than 0" });
		desk.state.ahead += Math.round(seconds * 1000);
		settleDue(desk);
		decideDue(desk);
		return { done: `the sandbox's clock is at ${desk.now().toISOString()}` };
	},
	"sandbox.fund": (desk, _, body) => {
		const ledger = ledgerOf(desk, text(body.ledgerId));
		const typed = body.amount instanceof Decimal ? body.amount.text : "";
		if (!/^\d{1,15}(\.\d{1,15})?$/.test(typed) || !/[1-9]/.test(typed))
			throw invalid({ field: "amount", rejectedValue: body.amount, message: "must be a decimal number greater than 0" });
		ledger.total = (BigInt(ledger.total) + minorOf(typed, ledger.currency)).toString();
		return { done: `${typed} ${ledger.currency} on ${ledger.id}` };
	},
	"sandbox.fault": (_, faults, body) => {
		if (body.clear === true) faults.length = 0;
		if (body.fault !== undefined) {
			try {
				faults.push(parseFault(text(body.fault)));
			} catch (cause) {
				throw invalid({ field: "fault", rejectedValue: body.fault, message: (cause as Error).message });
			}
		}
		return { faults: faults.filter(({ times }) => times !== 0).map(formatFault) };
	},
	"sandbox.summary": (desk) => ({
		corporates: desk.state.corporates.length,
		related: desk.state.related.length,
		ledgers: desk.state.ledgers.length,
		transactions: desk.state.transactions.length,
		terms: latestTerms(desk),
	}),
};

/** `1.0` → `2.0`, `2026-03` → `2026-03.1`. */
function nextVersion(version: string): string {
	const match = /^(\d+)\.0$/.exec(version);
	return match ? `${Number(match[1]) + 1}.0` : `${version}.1`;
}
