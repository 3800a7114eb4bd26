/**
 * The control operations at work.
 */
import { toMinor } from "../api/amount.js";
import { Decimal } from "../api/json.js";
import { corporateOf, type Desk, latestTerms, ledgerOf, relatedOf, transactionOf } from "./desk.js";
import { type Fault, parseFault } from "./faults.js";
import { decideKyc, verifyEmail } from "./hosted.js";
import { Refusal } from "./message.js";
import { missingForKyb } from "./onboarding.js";
import { openAccounts } from "./opening.js";
import { finish, settleDue } from "./payments.js";

type Body = Record<string, unknown>;
type Play = (desk: Desk, faults: Fault[], body: Body, query: URLSearchParams) => unknown;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** By operation id. */
export const plays: Readonly<Record<string, Play>> = {
	"sandbox.outbox": (desk, _, __, query) => {
		const related = query.get("relatedId");
		return { messages: desk.state.outbox.filter((message) => related === null || message.relatedId === related) };
	},
	"sandbox.email": (desk, _, body) => {
		const related = relatedOf(desk, text(body.relatedId));
		if (!related.emailLink) throw new Refusal(409, "NO_LINK", "No verification link was sent to this person, or it was opened already");
		verifyEmail(related);
		return { done: "email verified" };
	},
	"sandbox.kyc": (desk, _, body) => {
		const related = relatedOf(desk, text(body.relatedId));
		const outcome = text(body.outcome) || "VALIDATED";
		decideKyc(related, outcome, body.reason === undefined ? undefined : text(body.reason));
		return { done: `KYC ${outcome}` };
	},
	"sandbox.kyb": (desk, _, body) => {
		const corporate = corporateOf(desk, text(body.corporateId));
		const outcome = text(body.outcome) || "VALIDATED";
		if (corporate.kyb.status !== "PENDING_VERIFICATION") throw new Refusal(409, "KYB_NOT_PENDING", `The KYB is ${corporate.kyb.status}`);
		const missing = missingForKyb(desk, corporate);
		if (outcome === "VALIDATED" && missing.length > 0) throw new Refusal(409, "KYB_NOT_COMPLETE", missing.join("; "));
		corporate.kyb = { status: outcome, reason: body.reason === undefined ? undefined : text(body.reason) };
		corporate.updatedAt = desk.now().toISOString();
		if (outcome === "VALIDATED") openAccounts(desk, corporate);
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
		settleDue(desk);
		const transaction = transactionOf(desk, text(body.transactionId));
		finish(desk, transaction, text(body.outcome) || "APPROVED", body.reason === undefined ? undefined : text(body.reason));
		return { done: `transaction ${transaction.status}` };
	},
	"sandbox.clock": (desk, _, body) => {
		const seconds = body.seconds instanceof Decimal ? Number(body.seconds.text) : Number.NaN;
		if (!(seconds > 0 && seconds < 1e9)) throw new Refusal(400, "VALIDATION_FAILED", "seconds must be a number greater than 0");
		desk.state.ahead += Math.round(seconds * 1000);
		return { done: `the sandbox's clock is at ${desk.now().toISOString()}` };
	},
	"sandbox.fund": (desk, _, body) => {
		const ledger = ledgerOf(desk, text(body.ledgerId));
		if (!(body.amount instanceof Decimal)) throw new Refusal(400, "VALIDATION_FAILED", "amount must be a decimal number");
		ledger.total = (BigInt(ledger.total) + toMinor(body.amount.text, ledger.currency === "JPY" ? 0 : 2)).toString();
		return { done: `${body.amount.text} ${ledger.currency} on ${ledger.id}` };
	},
	"sandbox.fault": (_, faults, body) => {
		if (body.clear === true) faults.length = 0;
		if (body.fault !== undefined) {
			try {
				faults.push(parseFault(text(body.fault)));
			} catch (cause) {
				throw new Refusal(400, "VALIDATION_FAILED", (cause as Error).message);
			}
		}
		return { faults: faults.map((fault) => `${fault.operation}=${fault.kind}`) };
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
