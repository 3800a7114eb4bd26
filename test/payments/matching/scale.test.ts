import { expect, test } from "vitest";
import { decide, groupsOf } from "../../../src/payments/matching/decide.js";
import type { Line, Payment } from "../../../src/payments/matching/fits.js";
import { idOf, ledgerA, line, paymentOf, settleAfter } from "./examples.js";

/** Each comparison asks once for the debited ledger of the line, and nothing else asks for it. */
function counted(lines: readonly Line[]): { lines: Line[]; comparisons(): number } {
	let asked = 0;
	const watched = lines.map((one) =>
		Object.defineProperty({ ...one }, "senderLedgerId", {
			get: () => {
				asked += 1;
				return ledgerA;
			},
		}),
	);
	return { lines: watched, comparisons: () => asked };
}

const many = <T>(count: number, one: (number: number) => T): T[] => Array.from({ length: count }, (_, number) => one(number));

/** What the engine needs, and how many of the payments got a line. */
function found(payments: readonly Payment[], all: readonly Line[]) {
	const { lines, comparisons } = counted(all);
	const decisions = groupsOf(payments, lines, settleAfter).map((group) => decide(group, true));
	const settled = decisions.flatMap(({ findings }) => findings).filter((one) => one.line !== undefined).length;
	return { comparisons: comparisons(), settled, unexplained: decisions.flatMap(({ unexplained }) => unexplained).length };
}

test("20,000 payments of one amount with references of their own are each compared with their line", () => {
	const reference = (number: number): string => `Invoice ${String(number).padStart(6, "0")}`;
	const payments = many(20_000, (number) => paymentOf({ reference: reference(number) }));
	const lines = many(20_000, (number) => line({ id: idOf(number), reference: reference(number) }));
	expect(found(payments, lines)).toEqual({ comparisons: 20_000, settled: 20_000, unexplained: 0 });
});

test("numbered references, of which one may be the beginning of another, are compared with their beginnings", () => {
	const payments = many(4_000, (number) => paymentOf({ reference: `Invoice ${number}` }));
	const lines = many(4_000, (number) => line({ id: idOf(number), reference: `Invoice ${number}` }));
	// With itself, and with up to four shorter ones.
	expect(found(payments, lines)).toEqual({ comparisons: 14_890, settled: 4_000, unexplained: 0 });
});

test("1,000 payments and lines of one amount without references are compared each with each", () => {
	const payments = many(1_000, () => paymentOf({ reference: undefined }));
	const lines = many(1_000, (number) => line({ id: idOf(number), reference: undefined }));
	expect(found(payments, lines)).toEqual({ comparisons: 1_000_000, settled: 1_000, unexplained: 0 });
});

test("of 20,000 of one amount without references nothing is compared and nothing decided", () => {
	const payments = many(20_000, () => paymentOf({ reference: undefined }));
	const lines = many(20_000, (number) => line({ id: idOf(number), reference: undefined }));
	expect(found([...payments, paymentOf({ amount: "11.00" })], [...lines, line({ id: idOf(20_000), amount: "11.00" })])).toEqual({
		comparisons: 1,
		settled: 1,
		unexplained: 20_000,
	});
});

test("one payment in another currency does not make all be compared with all", () => {
	const payments = many(4_000, (number) => paymentOf({ amount: `${number}.10`, reference: `E ${String(number).padStart(5, "0")}` }));
	const lines = many(4_000, (number) =>
		line({ id: idOf(number), amount: `${number}.10`, reference: `E ${String(number).padStart(5, "0")}` }),
	);
	const dollars = paymentOf({ amount: "7.00", currency: "USD", reference: "D 1" });
	const itsLine = line({ id: idOf(4_000), amount: "7.00", currency: "USD", reference: "D 1" });
	expect(found([...payments, dollars], [...lines, itsLine])).toEqual({ comparisons: 4_001, settled: 4_001, unexplained: 0 });
});
