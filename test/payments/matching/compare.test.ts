import { expect, test } from "vitest";
import type { TransactionView } from "../../../src/api/operations/transaction.js";
import { type Agreement, type Comparison, compare, type Fit } from "../../../src/payments/matching/fits.js";
import {
	beneficiary,
	type Given,
	idOf,
	ledgerB,
	ledgerC,
	line,
	otherBeneficiary,
	paymentOf,
	sentAt,
	settleAfter,
	toBeneficiary,
} from "./examples.js";

type Field = Exclude<keyof Comparison, "fit">;
/** What it is, the payment, its line, and the expectation: the fit, and the one field that is not "same". */
type Row = [what: string, ours: Given, theirs: TransactionView, fit: Fit, field?: Field, agreement?: Agreement];

const unnamed = { receiverLedgerId: undefined };
const payee = { alone: ["example supplies ltd"] };
const shared = { alone: [] };
const byName = { ...unnamed, receiverName: "Example Supplies  LTD" };
const hosted = { ...payee, hostedLedgerId: ledgerB };

const inCurrency = (currency: string): Given => ({ ...toBeneficiary, payee: { ...hosted, currency } });
const dollars = { amount: "11.58" };
const none = { reference: undefined };

const rows: Row[] = [
	["all agrees", {}, {}, "surely"],
	["ids in capitals", {}, { senderLedgerId: "3F1C9A52-7F0E-4B6E-9D2A-5A1B8C7D6E4F" }, "surely"],
	["another debited ledger", {}, { senderLedgerId: ledgerC }, "no", "ledger", "different"],
	["no debited ledger", {}, { senderLedgerId: undefined }, "possibly", "ledger", "missing"],
	// Party
	["another credited ledger", {}, { receiverLedgerId: ledgerC }, "no", "party", "different"],
	["no credited ledger", {}, unnamed, "possibly", "party", "missing"],
	["a ledger by name only", {}, byName, "possibly", "party", "missing"],
	["a ledger, and a beneficiary that it hosts", {}, { beneficiaryId: beneficiary }, "possibly", "party", "missing"],
	["the beneficiary's id", toBeneficiary, { ...unnamed, beneficiaryId: beneficiary }, "surely"],
	["another beneficiary's id", toBeneficiary, { ...unnamed, beneficiaryId: otherBeneficiary }, "no", "party", "different"],
	["the hosting ledger", { ...toBeneficiary, payee: hosted }, {}, "surely"],
	["another hosting ledger", { ...toBeneficiary, payee: hosted }, { receiverLedgerId: ledgerC }, "no", "party", "different"],
	["a ledger, and no hosting one on record", { ...toBeneficiary, payee }, {}, "possibly", "party", "missing"],
	["a ledger, and no record", toBeneficiary, {}, "possibly", "party", "missing"],
	["a name that one alone has", { ...toBeneficiary, payee }, byName, "surely"],
	["a name that two have", { ...toBeneficiary, payee: shared }, byName, "possibly", "party", "missing"],
	["another name", { ...toBeneficiary, payee }, { ...unnamed, receiverName: "Example Holding" }, "possibly", "party", "missing"],
	["no name at all", { ...toBeneficiary, payee }, unnamed, "possibly", "party", "missing"],
	["a name, no reference", { ...toBeneficiary, payee, ...none }, { ...byName, ...none }, "possibly", "party", "missing"],
	// Amount and currency
	["zeros that say nothing", { amount: "10" }, { amount: "10.0" }, "surely"],
	["with a sign", {}, { amount: "-10.00" }, "surely"],
	["another amount", {}, { amount: "10.01" }, "no", "amount", "different"],
	["an amount that cannot be read", {}, { amount: "10,00" }, "possibly", "amount", "missing"],
	["no amount", {}, { amount: undefined }, "possibly", "amount", "missing"],
	["another currency", {}, { currency: "USD" }, "possibly", "amount", "missing"],
	["no currency in the line", {}, { currency: undefined }, "surely"],
	["no currency known of ours", { currency: undefined }, {}, "surely"],
	["the account's currency before what was stated", inCurrency("USD"), {}, "possibly", "amount", "missing"],
	["recognised, after an exchange", toBeneficiary, { ...unnamed, beneficiaryId: beneficiary, ...dollars }, "possibly", "amount", "missing"],
	["recognised, and the account is in this currency", inCurrency("EUR"), dollars, "no", "amount", "different"],
	["to a ledger nothing is exchanged", {}, { amount: "11.58" }, "no", "amount", "different"],
	// Reference
	["in capitals", {}, { reference: "INVOICE 12" }, "surely"],
	["without space and signs", {}, { reference: "invoice.12" }, "surely"],
	["both without a reference", { reference: undefined }, { reference: undefined }, "surely"],
	["signs only count as none", { reference: ".." }, { reference: undefined }, "surely"],
	["dropped", {}, { reference: undefined }, "possibly", "reference", "missing"],
	["one where we sent none", { reference: undefined }, {}, "possibly", "reference", "missing"],
	["cut", {}, { reference: "Invoice" }, "possibly", "reference", "missing"],
	["longer than ours", {}, { reference: "Invoice 123" }, "no", "reference", "different"],
	["another", {}, { reference: "Invoice 13" }, "no", "reference", "different"],
	["without its accent", { reference: "Café 7" }, { reference: "CAFE 7" }, "surely"],
	["its accent in a character of its own", { reference: "Café 7" }, { reference: "Cafe\u0301 7" }, "surely"],
	["an accented letter as ?", { reference: "Café 7" }, { reference: "CAF? 7" }, "possibly", "reference", "missing"],
	["an accented letter left out", { reference: "Café 7" }, { reference: "CAF 7" }, "possibly", "reference", "missing"],
	["ß as SS", { reference: "Straße 5" }, { reference: "STRASSE 5" }, "surely"],
	["Ö as O", { reference: "Öl 4" }, { reference: "OL 4" }, "surely"],
	["Ö as OE", { reference: "Öl 4" }, { reference: "OEL 4" }, "possibly", "reference", "missing"],
	["two accents, one left out, cut", { reference: "Noël à Évry 3" }, { reference: "NOEL A VR" }, "possibly", "reference", "missing"],
	["an accent does not excuse other letters", { reference: "Café 712" }, { reference: "CAFE 812" }, "no", "reference", "different"],
	// Time
	["ten minutes before the attempt", {}, { createdAt: "2026-11-20T09:50:00Z" }, "surely"],
	["earlier", {}, { createdAt: "2026-11-20T09:49:59Z" }, "no", "time", "different"],
	["six hours before, with clocks unknown", { timed: false }, { createdAt: "2026-11-20T04:00:00Z" }, "possibly", "time", "missing"],
	["at its time, with clocks unknown", { timed: false }, {}, "possibly", "time", "missing"],
	["at the end of the settling time", {}, { createdAt: "2026-11-21T10:00:00Z" }, "surely"],
	["thirty hours after", {}, { createdAt: "2026-11-21T16:00:00Z" }, "possibly", "time", "missing"],
	["with an offset", {}, { createdAt: "2026-11-20T11:00:05+01:00" }, "surely"],
	["without a zone", {}, { createdAt: "2026-11-20T10:00:05" }, "possibly", "time", "missing"],
	["without a zone, ten hours before", {}, { createdAt: "2026-11-20T00:00:00" }, "possibly", "time", "missing"],
	["without a zone, thirteen hours before", {}, { createdAt: "2026-11-19T21:00:00" }, "no", "time", "different"],
	["a date", {}, { createdAt: "2026-11-20" }, "possibly", "time", "missing"],
	["the date two days before", {}, { createdAt: "2026-11-18" }, "no", "time", "different"],
	["no time", {}, { createdAt: undefined }, "possibly", "time", "missing"],
	["a time that can be read in two ways", {}, { createdAt: "20/11/2026 10:00" }, "possibly", "time", "missing"],
	// A person's word
	["declared to be another payment", { notThis: [idOf(1)] }, {}, "no"],
	["declared, in capitals in the list", { notThis: [idOf(1)] }, { id: idOf(1).toUpperCase() }, "no"],
	["another line declared", { notThis: [idOf(2)] }, {}, "surely"],
];

test.each(rows)("%s", (_, ours, theirs, fit, field, agreement) => {
	const found = compare(paymentOf(ours), line(theirs), settleAfter);
	const all = { ledger: "same", party: "same", amount: "same", reference: "same", time: "same" };
	expect(found).toEqual({ ...all, fit, ...(field && { [field]: agreement }) });
});

test.each<[what: string, createdAt: string, offset: number, fit: Fit]>([
	["a time in the zone that is known", "2026-11-20T11:00:05", 60, "surely"],
	["ten hours before, in the zone that is known", "2026-11-20T01:00:00", 60, "no"],
	["a date in the zone that is known", "2026-11-20", 60, "possibly"],
	["a time that names its own zone", sentAt, 330, "surely"],
])("%s", (_, createdAt, offset, fit) => {
	expect(compare(paymentOf(), line({ createdAt }, offset), settleAfter).fit).toBe(fit);
});
