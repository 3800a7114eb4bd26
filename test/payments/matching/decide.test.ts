import { expect, test } from "vitest";
import type { TransactionView } from "../../../src/api/operations/transaction.js";
import { decide, groupsOf, linesToName, mayHaveArrived } from "../../../src/payments/matching/decide.js";
import type { Payment } from "../../../src/payments/matching/fits.js";
import { beneficiary, type Given, idOf, ledgerB, ledgerC, line, paymentOf, sentAt, settleAfter, toBeneficiary } from "./examples.js";

/** All decisions, and for each payment the number of its line or why it is open, with the numbers of the lines that may be it. */
function decided(ours: readonly Given[], theirs: readonly TransactionView[], whole = true) {
	const payments = ours.map((one) => paymentOf(one));
	const lines = theirs.map((one, place) => line({ id: idOf(place + 1), ...one }));
	const decisions = groupsOf(payments, lines, settleAfter).map((group) => decide(group, whole));
	const number = (one: (typeof lines)[number]): number => lines.indexOf(one) + 1;
	const findings = decisions.flatMap((one) => one.findings);
	const shown = payments.map((payment) => {
		const finding = findings.find((one) => one.payment === payment);
		if (finding?.line !== undefined) return number(finding.line);
		return [finding?.why, ...(finding?.lines ?? []).map(number)].join(" ");
	});
	const unexplained = decisions.flatMap((one) => one.unexplained).map(number);
	return { payments, decisions, shown, unexplained: unexplained.sort(), number };
}

const at = (hours: number): string => new Date(Date.parse(sentAt) + hours * 3_600_000).toISOString();
const sent = (hours: number): Given => ({ begun: Date.parse(at(hours)) });
const held = (number: number): Given => ({ state: "accepted", id: idOf(number) });
const small = { reference: "invoice 12" };
const capitals = { reference: "INVOICE 12" };
const cut = { reference: "Invoice" };
const refused: Given = { state: "refused" };
const hosted: Given = { ...toBeneficiary, payee: { alone: [], hostedLedgerId: ledgerB } };
const third: Given = { reference: "Invoice 13" };
const later = { createdAt: at(1) };
const unknown = "unknown-which 1";
const contested = "contested 1";

/** What it is, the payments, the lines, what is shown of each payment, and the lines that nothing explains. */
type Row = [what: string, ours: Given[], theirs: TransactionView[], shown: (number | string)[], unexplained: number[]];

const rows: Row[] = [
	["one and its line", [{}], [{}], [1], []],
	["one and another's line", [{}], [{ amount: "11.00" }], ["not-listed"], [1]],
	["one and a line with a cut reference", [{}], [cut], ["possible 1"], [1]],
	["one and two lines", [{}], [{}, {}], ["too-many 1 2"], [1, 2]],
	["a line without an id", [{}], [{ id: undefined }], [1], []],
	["two alike and two lines: by time", [sent(1), {}], [later, {}], [1, 2], []],
	["twins by case, each with its own line, whatever the time", [capitals, small], [small, capitals], [2, 1], []],
	[
		"twins by case where the list has capitals: by time",
		[{ ...small, ...sent(1) }, capitals],
		[{ ...capitals, ...later }, capitals],
		[1, 2],
		[],
	],
	["three twins and the line of one", [{}, small, capitals], [small], [unknown, unknown, unknown], [1]],
	["two alike and one line: to the older", [sent(1), {}], [later], ["not-listed", 1], []],
	["alike, of one of which a person stated the currency", [sent(1), { currency: undefined }], [later], ["not-listed", 1], []],
	["alike, and the id of the newer one: no line of the older", [held(9), { ...held(1), ...sent(1) }], [later], ["not-listed", 1], []],
	["alike, and the older one holds the second line", [held(2), sent(1)], [later, later], [2, 1], []],
	[
		"a line that fits one alone, which holds another line",
		[held(2), third, { reference: "Invoice 14" }],
		[{}, cut],
		[2, "possible 2", "possible 2"],
		[1],
	],
	[
		"an earlier attempt of what has a line comes after what was refused",
		[
			{ ...refused, intent: "x" },
			{ ...held(2), intent: "x", attempt: 2 },
			{ ...refused, ...sent(1) },
		],
		...([[later, later], ["not-listed", 2, 1], []] as [TransactionView[], (number | string)[], number[]]),
	],
	["a line goes to what was accepted before a doubt", [{}, { ...sent(1), state: "accepted" }], [later], ["not-listed", 1], []],
	["a line goes to a doubt before what was refused", [refused, sent(1)], [later], ["not-listed", 1], []],
	["a line goes to what holds it", [{}, held(1)], [{}], ["not-listed", 1], []],
	["alike but for their time", [{}, sent(20)], [{}], [1, "not-listed"], []],
	["alike, with clocks unknown", [{ timed: false }, { timed: false, ...sent(1) }], [{}], ["possible 1", "possible 1"], [1]],
	["a cut line that only one is left for stays open", [{}, third], [{}, cut], ["possible 1 2", "possible 2"], [1, 2]],
	["fewer lines: one fits one alone", [{}, third, refused], [third], ["not-listed", 1, "not-listed"], []],
	["refused, and made: a twin does not get its line", [{ ...refused, ...small }, capitals], [small], [unknown, unknown], [1]],
	["a ledger, and a beneficiary that it hosts: one line", [{}, hosted], [{}], [unknown, unknown], [1]],
	["both, told apart by the beneficiary's id", [{}, hosted], [{ beneficiaryId: beneficiary }, {}], [2, 1], []],
	["in another currency", [{}], [{ currency: "USD", amount: "11.58" }], ["possible 1"], [1]],
	["being sent is never decided", [{ state: "sending" }], [{}], ["possible 1"], [1]],
	["being sent explains no line", [{}, { state: "sending" }], [{}], [unknown, unknown], [1]],
	["two lines of one that is being sent and one in doubt", [{}, { ...sent(1), state: "sending" }], [{}, later], [1, "possible 2"], [2]],
	["an id whose line it does not fit", [{}, { ...held(1), amount: "11.00" }], [{}], [contested, contested], [1]],
	["an id that two hold", [held(1), held(1)], [{}], [contested, contested], [1]],
	["an id that a reopened payment held", [{ formerIds: [idOf(1)] }], [{}], [contested], [1]],
	["an id that a reopened payment held and another holds", [{ formerIds: [idOf(1)] }, held(1)], [{}], [contested, contested], [1]],
	["an id in capitals", [held(1)], [{ id: idOf(1).toUpperCase() }], [1], []],
	["held, with something missing", [held(1)], [cut], [1], []],
	["held by one that it may be, and rather another's", [{ ...held(1), ...third }, {}], [cut], [1, "possible 1"], []],
	["declared to be another payment", [{ notThis: [idOf(1)] }], [{}], ["not-listed"], [1]],
	["a payment of another ledger that holds the id", [{}, { ...held(1), ledgerFromId: ledgerC }], [{}], [contested, contested], [1]],
	["as many lines as payments, and one of them cut", [small, capitals], [small, cut], ["possible 1 2", "possible 1 2"], [1, 2]],
];

test.each(rows)("%s", (_, ours, theirs, shown, unexplained) => {
	const found = decided(ours, theirs);
	expect(found.shown).toEqual(shown);
	expect(found.unexplained).toEqual(unexplained);
});

test("by what is not all that there is, only a line that can be one payment alone says something", () => {
	expect(decided([{}], [{}], false).shown).toEqual([1]);
	expect(decided([{}, sent(1)], [{ createdAt: at(1) }], false).shown).toEqual(["unknown-which 1", "unknown-which 1"]);
	expect(decided([{}], [{}, {}], false).shown).toEqual(["too-many 1 2"]);
	expect(decided([{}, {}], [{}, {}], false).shown).toEqual(["possible 1 2", "possible 1 2"]);
});

test.each<[what: string, ours: Given[], theirs: TransactionView[], named: number[]]>([
	["a line of the amount, whatever its party and reference", [{}], [{ receiverLedgerId: ledgerC, reference: "Rent" }], [1]],
	["a line of another amount", [{}], [{ amount: "11.00" }], []],
	["a line of another payment of ours", [{ reference: "Rent" }, {}], [{}], []],
	["a line in another currency", [{}], [{ currency: "USD", amount: "11.58", receiverLedgerId: ledgerC }], [1]],
	["a line without an id", [{}], [{ id: undefined, reference: "Rent" }], [1]],
	["a contested line", [{}, { ...held(1), amount: "11.00" }], [{}], [1]],
	["a line that another holds, and that may be this one", [{}, { ...held(1), reference: "Invoice 13" }], [cut], [1]],
	["a line that is named already", [{ notThis: [idOf(1)] }], [{ reference: "Rent" }], []],
])("to be named before a payment counts as not created: %s", (_, ours, theirs, named) => {
	const { payments, decisions, number } = decided(ours, theirs);
	expect(linesToName(payments[0] as Payment, decisions).map(number)).toEqual(named);
});

test.each<[what: string, ours: Given[], theirs: TransactionView[], held: boolean]>([
	["nothing listed", [refused], [], false],
	["its line", [refused], [{}], true],
	["a line that may be it, and that somebody else holds", [refused, { ...held(1), reference: "Invoice 13" }], [cut], true],
	["a line that is another's", [refused, held(1)], [{}], false],
	["the line of a twin in doubt", [{ ...refused, ...small }, capitals], [small], true],
	["a line of another party", [refused], [{ receiverLedgerId: ledgerC }], false],
	["a line that was declared to be another payment", [{ ...refused, notThis: [idOf(1)] }], [{}], false],
	["a line that one may be that is being sent", [refused, { state: "sending" }], [{}], true],
])("held before it is sent again: %s", (_, ours, theirs, isHeld) => {
	const { payments, decisions } = decided(ours, theirs);
	expect(mayHaveArrived(payments[0] as Payment, decisions)).toBe(isHeld);
	// What the decisions do not tell of is held.
	expect(mayHaveArrived(paymentOf(), decisions)).toBe(true);
});
