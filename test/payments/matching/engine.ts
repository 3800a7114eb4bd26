/**
 * The engine as the simulation calls it, and faults put into it on purpose, each where a careless change would put it.
 */

import { plainId } from "../../../src/api/text/ids.js";
import { decide, type Group, groupsOf, linesToName, mayHaveArrived } from "../../../src/payments/matching/decide.js";
import { type Comparison, compare, type Fit, type Line, type Payment } from "../../../src/payments/matching/fits.js";

export interface Engine {
	groupsOf: typeof groupsOf;
	decide: typeof decide;
	linesToName: typeof linesToName;
	mayHaveArrived: typeof mayHaveArrived;
	/** Whether a list that lacks lines counts as complete. */
	incompleteIsWhole?: boolean;
	/** Whether a payment is sent again after a reading that was not complete. */
	incompleteIsEnough?: boolean;
	/** Whether what no complete list shows counts as not created by itself. */
	absenceIsAutomatic?: boolean;
}

export const real: Engine = { groupsOf, decide, linesToName, mayHaveArrived };

const settleAfter = 24 * 3_600_000;

/** Fits of every payment and every line by another idea of the same, grouped as the engine groups. */
function fittingBy(fitOf: (comparison: Comparison) => Fit): Engine {
	const widened = (payment: Payment, line: Line): Fit => {
		const declared = line.id !== undefined && payment.notThis?.includes(plainId(line.id)) === true;
		return declared ? "no" : fitOf(compare(payment, line, settleAfter));
	};
	const isBound = ({ id, formerIds = [] }: Payment, line: Line): boolean =>
		line.id !== undefined && [id, ...formerIds].includes(plainId(line.id));
	const belongs = (payment: Payment, line: Line): boolean => isBound(payment, line) || widened(payment, line) !== "no";
	const grouped: typeof groupsOf = (payments, lines) => joined(payments, lines, belongs, widened);
	return { ...real, groupsOf: grouped };
}

/** Payments and lines that `belongs` joins, directly or through others. */
function joined(
	payments: readonly Payment[],
	lines: readonly Line[],
	belongs: (payment: Payment, line: Line) => boolean,
	fit: Group["fit"],
): Group[] {
	const linesOf: Group["linesOf"] = (payment) => lines.filter((line) => belongs(payment, line));
	const paymentsOf: Group["paymentsOf"] = (line) => payments.filter((payment) => belongs(payment, line));
	const groups: Group[] = [];
	const seen = new Set<Payment>();
	for (const first of payments) {
		if (seen.has(first)) continue;
		const members = new Set([first]);
		for (const payment of members) for (const line of linesOf(payment)) for (const other of paymentsOf(line)) members.add(other);
		for (const payment of members) seen.add(payment);
		const shown = lines.filter((line) => paymentsOf(line).some((payment) => members.has(payment)));
		groups.push({ payments: [...members], lines: shown, fit, linesOf, paymentsOf, tooMany: false });
	}
	const alone = lines.filter((line) => paymentsOf(line).length === 0);
	return [...groups, ...alone.map((line) => ({ payments: [], lines: [line], fit, linesOf, paymentsOf, tooMany: false }))];
}

function fitOf({ ledger, party, amount, reference, time }: Comparison, ignored: Partial<Comparison>): Fit {
	const fields = Object.values({ ledger, party, amount, reference, time, ...ignored });
	return fields.includes("different") ? "no" : fields.includes("missing") ? "possibly" : "surely";
}

/** The engine over some of the payments only. */
const without = (isLeftOut: (payment: Payment, lines: readonly Line[]) => boolean): Engine => ({
	...real,
	groupsOf: (payments, lines, after) =>
		groupsOf(
			payments.filter((one) => !isLeftOut(one, lines)),
			lines,
			after,
		),
	mayHaveArrived: (payment, decisions) =>
		decisions.some(({ findings }) => findings.some((one) => one.payment === payment)) && mayHaveArrived(payment, decisions),
});

export const plants: Readonly<Record<string, Engine>> = {
	/** The engine itself with its groups found in another way: in it nothing may be caught. */
	control: fittingBy((one) => fitOf(one, {})),
	"a cut or missing reference counts as the same": fittingBy((one) => fitOf(one, one.reference === "missing" ? { reference: "same" } : {})),
	"the party is ignored": fittingBy((one) => fitOf(one, { party: "same" })),
	"the debited ledger is ignored": fittingBy((one) => fitOf(one, { ledger: "same" })),
	"another currency, or an amount that cannot be compared, counts as the same": fittingBy((one) =>
		fitOf(one, one.amount === "missing" ? { amount: "same" } : {}),
	),
	"the time is ignored": fittingBy((one) => fitOf(one, { time: "same" })),
	"a line is counted for two groups": {
		...real,
		groupsOf: (payments, lines, after) =>
			payments.flatMap((one) => groupsOf([one], lines, after).filter((group) => group.payments.length > 0)),
	},
	"held lines are taken out first": {
		...real,
		groupsOf: (payments, lines, after) => {
			const held = new Set(payments.map(({ id }) => id));
			const shown = new Set(lines.map(({ id }) => id));
			return groupsOf(
				payments.filter(({ id }) => id === undefined || !shown.has(id)),
				lines.filter(({ id }) => id === undefined || !held.has(id)),
				after,
			);
		},
	},
	"what was refused is left out of the picture": without(({ state }) => state === "refused" || state === "not-created"),
	"what was accepted without an id is left out of the picture": without(
		({ state, id }) => (state === "accepted" || state === "waiting") && id === undefined,
	),
	"an incomplete list is taken as complete": { ...real, incompleteIsWhole: true },
	"an incomplete list is enough to send again": { ...real, incompleteIsEnough: true },
	"absence is decided automatically": { ...real, absenceIsAutomatic: true },
	"nobody has to name the lines that nothing explains": { ...real, linesToName: () => [] },
	"nothing is held before it is sent again": { ...real, mayHaveArrived: () => false },
	"more lines than payments are shared out": {
		...real,
		decide: (group, whole) => {
			const lines = group.lines.slice(0, group.payments.length);
			return decide({ ...group, lines, linesOf: (payment) => group.linesOf(payment).filter((line) => lines.includes(line)) }, whole);
		},
	},
};
