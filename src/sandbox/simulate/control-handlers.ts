/**
 * The handlers of the control operations.
 */
import { Decimal } from "../../api/json.js";
import { type Backend, findBeneficiary, findCorporate, findLedger, findRelated, findTransaction } from "../backend.js";
import { HttpError, invalidFields } from "../message.js";
import { openEmailLink } from "../service/contact.js";
import { minorOf } from "../service/ledgers.js";
import { endTransaction, settleDue } from "../service/payments.js";
import { decideDueKybs, decideKyc, settleKyb } from "../service/verification.js";
import { beneficiaryChange } from "../webhooks.js";
import type { ControlId } from "./control.js";
import { formatFault, parseFault, type SimulatedFault } from "./faults.js";

type Body = Record<string, unknown>;
type ControlHandler = (backend: Backend, faults: SimulatedFault[], body: Body) => unknown;

/** The commands check what is typed. */
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const optional = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const controlHandlers: Readonly<Record<ControlId, ControlHandler>> = {
	"sandbox.email": (backend, _, body) => {
		if (!openEmailLink(backend, findRelated(backend, text(body.relatedId))))
			throw new HttpError(409, "NO_LINK", "No valid link: none was sent to this address, it was opened already, or 48 hours have passed");
		return { done: "email verified" };
	},
	"sandbox.kyc": (backend, _, body) => {
		const outcome = text(body.outcome) || "VALIDATED";
		decideKyc(backend, findRelated(backend, text(body.relatedId)), outcome, optional(body.reason));
		return { done: `KYC ${outcome}` };
	},
	"sandbox.kyb": (backend, _, body) => {
		const outcome = text(body.outcome) || "VALIDATED";
		settleKyb(backend, findCorporate(backend, text(body.corporateId)), outcome, optional(body.reason));
		return { done: `KYB ${outcome}` };
	},
	"sandbox.terms": (backend) => {
		const version = `${backend.state.terms.length + 1}.0`;
		backend.state.terms.push({ version, publishedAt: backend.now().toISOString() });
		return { done: `terms ${version} published`, version };
	},
	"sandbox.transaction": (backend, _, body) => {
		const transaction = findTransaction(backend, text(body.transactionId));
		endTransaction(backend, transaction, text(body.outcome) || "APPROVED", optional(body.reason));
		return { done: `transaction ${transaction.status}` };
	},
	"sandbox.clock": (backend, _, body) => {
		const seconds = body.seconds instanceof Decimal ? Number(body.seconds.text) : Number.NaN;
		if (!(seconds > 0 && seconds < 1e9))
			throw invalidFields({ field: "seconds", rejectedValue: body.seconds, message: "must be a number greater than 0" });
		backend.state.ahead += Math.round(seconds * 1000);
		settleDue(backend);
		decideDueKybs(backend);
		return { done: `the sandbox's clock is at ${backend.now().toISOString()}` };
	},
	"sandbox.fund": (backend, _, body) => {
		const ledger = findLedger(backend, text(body.ledgerId));
		const typed = body.amount instanceof Decimal ? body.amount.text : "";
		if (!/^\d{1,15}(\.\d{1,15})?$/.test(typed) || !/[1-9]/.test(typed))
			throw invalidFields({ field: "amount", rejectedValue: body.amount, message: "must be a decimal number greater than 0" });
		ledger.total = (BigInt(ledger.total) + minorOf(typed, ledger.currency)).toString();
		return { done: `${typed} ${ledger.currency} on ${ledger.id}` };
	},
	"sandbox.fault": (_, faults, body) => {
		if (body.clear === true) faults.length = 0;
		if (body.fault !== undefined) {
			try {
				faults.push(parseFault(text(body.fault)));
			} catch (cause) {
				throw invalidFields({ field: "fault", rejectedValue: body.fault, message: (cause as Error).message });
			}
		}
		return { faults: faults.filter(({ times }) => times !== 0).map(formatFault) };
	},
	"sandbox.beneficiary": (backend, _, body) => {
		const beneficiary = findBeneficiary(backend, text(body.beneficiaryId));
		const outcome = text(body.outcome) || "VALID";
		Object.assign(beneficiary, { status: outcome, active: outcome === "VALID" });
		backend.webhooks.add(beneficiaryChange(beneficiary, "UPDATED"));
		return { done: `beneficiary ${outcome}` };
	},
	"sandbox.webhook-secret": ({ webhooks }) => ({ secret: webhooks.secret }),
	"sandbox.identity": ({ state }) => ({ identity: state.identity }),
	"sandbox.summary": ({ state }) => ({ transactions: state.transactions.length }),
};
