/**
 * What lists and statements can be wrong in. In each the transfer in doubt was made, so that *not created* would pay it twice.
 */
import { csv, hour, type Line, ledgerA, ledgerB, ledgerC, ledgerD, paged, type StatementLine, type Variant } from "./world.js";

const isDoubt = ({ of }: { of: string }): boolean => of === "doubt";
const isKnown = ({ of }: { of: string }): boolean => of === "known";
const without =
	(...ids: number[]) =>
	(lines: readonly Line[]): Line[] =>
		lines.filter(({ id }) => !ids.includes(Number(id.slice(-2))));
const each =
	(change: (line: Line) => Partial<Line>) =>
	(lines: readonly Line[]): Line[] =>
		lines.map((line) => ({ ...line, ...change(line) }));
const doubtAlone = (change: Partial<Line>) => each((line) => (isDoubt(line) ? change : {}));
const cents = (amount: string): string => amount.replace(".", "").replace(/^0+/, "");
const hidden = (lines: readonly Line[]): Line[] => lines.filter((line) => !isDoubt(line));
const twice = (lines: readonly Line[]): Line[] =>
	lines.flatMap((line) => [line, { ...line, id: line.id.replace("00000000-", "ffffffff-"), of: "other" }]);

/** The service's list. The transfer in doubt has the id 4, the known ones 1 to 3, 6 and 7. */
export const lists: readonly Variant[] = [
	{ name: "nothing is listed", list: () => [] },
	{ name: "only strangers' transactions are listed", list: (lines) => lines.filter(({ of }) => of === "other") },
	{ name: "one known payment is missing", list: without(4, 1) },
	{ name: "the known payment beside it is missing", list: without(4, 6) },
	{ name: "every known payment but one is missing", list: without(4, 1, 2, 3, 7) },
	{ name: "every second is missing", list: without(2, 4, 6) },
	{ name: "amounts in cents", list: each(({ amount }) => ({ amount: cents(amount) })) },
	{ name: "amounts in cents, of the service's own form", list: each(({ amount }) => ({ amount: `${cents(amount)}.00` })) },
	{ name: "a fee is added", list: each(({ amount }) => ({ amount: `${amount.slice(0, -2)}99` })) },
	{ name: "a fee is added to this one alone", list: doubtAlone({ amount: "10.60" }) },
	{ name: "another currency, and its amounts", list: each(({ amount }) => ({ amount: `1${amount}`, currency: "USD" })) },
	{ name: "the amount text is in a dialect", list: each(({ amount }) => ({ amount: amount.replace(".", ",") })) },
	{ name: "other ids of senders", list: each(() => ({ sender: ledgerD })) },
	{ name: "other ids of receivers", list: each(() => ({ receiver: ledgerD, beneficiary: ledgerD })) },
	{ name: "senders and receivers are swapped", list: each(({ sender, receiver }) => ({ sender: receiver, receiver: sender })) },
	{ name: "the receiver is the account's holder", list: each(() => ({ receiver: ledgerA })) },
	{ name: "references of the service's own", list: each(({ id }) => ({ reference: `FT${id.slice(-6)}` })) },
	{ name: "one reference for all", list: each(() => ({ reference: "PAYMENT" })) },
	{ name: "the references of others", list: each(({ reference }) => ({ reference: [...reference].reverse().join("") })) },
	{ name: "another reference for this one alone", list: doubtAlone({ reference: "FT26060AAA" }) },
	{
		name: "references of the service's own, and amounts in cents",
		list: each(({ id, amount }) => ({ reference: id, amount: cents(amount) })),
	},
	{ name: "all times are six hours late", list: each(({ at }) => ({ at: at + 6 * hour })) },
	{ name: "all times are thirty hours early", list: each(({ at }) => ({ at: at - 30 * hour })) },
	{ name: "all times are of another year", list: each(({ at }) => ({ at: at + 365 * 24 * hour })) },
	{ name: "another date for this one alone", list: doubtAlone({ at: Date.parse("2026-03-09T14:00:00.000Z") }) },
	{
		name: "another date for this one alone, a week before",
		list: doubtAlone({ at: Date.parse("2026-03-03T10:00:00.000Z") }),
		wholeList: true,
	},
	{
		name: "another date for this one alone, before the time that is asked for",
		list: doubtAlone({ at: Date.parse("2026-03-03T10:00:00.000Z") }),
		unseen: true,
	},
	{ name: "all are listed twice", list: twice },
	{ name: "all are listed twice, but this one not at all", list: (lines) => twice(hidden(lines)) },
	{ name: "all are listed twice under one id, but this one not at all", list: (lines) => hidden(lines).flatMap((line) => [line, line]) },
	{ name: "another ledger's list", list: each(() => ({ sender: ledgerC, receiver: ledgerB })) },
	{
		name: "another ledger's list, of other payments",
		list: (lines) => lines.map((line) => ({ ...line, id: `1${line.id.slice(1)}`, sender: ledgerC })),
	},
	{ name: "the newest are cut off", list: (lines) => lines.slice(0, 3) },
	{ name: "the oldest are cut off", list: (lines) => lines.slice(4) },
	{ name: "what is older than a day is cut off", list: (lines, look) => lines.filter(({ at }) => look - at < 25 * hour) },
	{ name: "it is given two days late", list: (lines, look) => lines.filter(({ at }) => look - at > 48 * hour) },
	{ name: "the total is that of the first two, and they are all", page: (records) => paged(records.slice(0, 2), 0, 100) },
	{ name: "the total is nought, and nothing is listed", page: () => ({ content: [], totalElements: 0 }) },
	{
		name: "the total is larger than what is listed",
		list: without(4),
		page: (records, page) => (page === 0 ? { content: records, totalElements: 900 } : { content: [], totalElements: 900 }),
	},
	{ name: "a bare list of the first three", page: (records) => records.slice(0, 3) },
	{
		name: "the list holds what is no record",
		list: without(4),
		page: (records, page) => (page === 0 ? { content: [...records, null] } : { content: [] }),
	},
	{
		name: "statuses that are under way are hidden",
		list: (lines) => lines.filter(({ id }) => !/[46]$/.test(id)),
		statuses: { known: "PENDING" },
	},
	{
		name: "ids of the service's own in the list",
		list: (lines) => hidden(lines).map((line) => ({ ...line, id: `TX-${line.id.slice(-3)}` })),
	},
	{ name: "ids in capitals", record: (record) => ({ ...record, id: String(record.id).toUpperCase() }) },
	{ name: "no references are told", record: (record) => ({ ...record, information: {} }) },
	{ name: "no receivers are told", record: (record) => ({ ...record, receiver: {} }) },
	{ name: "no senders are told", record: (record) => ({ ...record, sender: {} }) },
	{ name: "no times are told", record: (record) => ({ ...record, creationDate: undefined }) },
	{ name: "no amounts are told", record: (record) => ({ ...record, amount: undefined }) },
	{ name: "days before months", record: (record) => ({ ...record, creationDate: "10/03/2026 10:00" }) },
	{ name: "fields of other names", record: ({ id, amount }) => ({ id, value: amount }) },
	{ name: "times without a zone", record: (record) => ({ ...record, creationDate: String(record.creationDate).replace("Z", "") }) },
	{ name: "it cannot be read", page: () => "<html>" },
	{ name: "there is none", page: () => 404 },
	{ name: "our clock at the payment is not known", list: hidden, unknownClock: true },
	{ name: "our clock was a year ahead, unnoticed", ahead: 365 * 24 * hour, unknownClock: true },
	{ name: "our clock was two days ahead, unnoticed", ahead: 48 * hour, unknownClock: true },
	{ name: "our clock was two days ahead, and is right now", list: hidden, ahead: 48 * hour },
	{ name: "our clock was six minutes ahead, and is right now", list: hidden, ahead: 6 * 60_000 },
	{ name: "the service does not say when it gave the list", list: hidden, undated: true },
	{ name: "only this one is hidden", list: hidden, unseen: true },
	{
		name: "this one appears after three days, others at once",
		list: (lines, look) => lines.filter((line) => !isDoubt(line) || look - line.at > 72 * hour),
		unseen: true,
	},
	{
		name: "this one alone has another reference and another amount",
		list: doubtAlone({ reference: "FT26060AAA", amount: "10.60" }),
		unseen: true,
	},
	{ name: "this one alone has another payee", list: doubtAlone({ receiver: ledgerD }), unseen: true },
	{
		name: "payments that were declined are hidden, and this one too",
		list: (lines) => lines.filter(({ id }) => !/[46]$/.test(id)),
		statuses: { known: "DECLINED" },
		unseen: true,
	},
];

const lines =
	(change: (lines: readonly StatementLine[]) => readonly StatementLine[], fields?: readonly (keyof StatementLine)[]) =>
	(all: readonly StatementLine[]): { text: string } => ({ text: csv(change(all), fields) });
const eachLine = (change: (line: StatementLine) => Partial<StatementLine>) =>
	lines((all) => all.map((one) => ({ ...one, ...change(one) })));
const notDoubt = (one: StatementLine): boolean => !isDoubt(one);
const shifted = (date: string, days: number): string => new Date(Date.parse(date) + days * 24 * hour).toISOString().slice(0, 10);

/** Statements of the ledger. */
export const statements: readonly Variant[] = [
	{ name: "no payment of ours is shown", statement: lines((all) => all.filter(({ of }) => of === "frame")) },
	{ name: "a known payment is missing", statement: lines((all) => all.filter((one) => notDoubt(one) && one.reference !== "Invoice 7")) },
	{
		name: "all known payments but one are missing",
		statement: lines((all) => all.filter((one) => !isKnown(one) || one.reference === "Invoice 9").filter(notDoubt)),
	},
	{ name: "amounts in cents", statement: eachLine(({ amount }) => ({ amount: cents(amount) })) },
	{ name: "a fee is added", statement: eachLine(({ amount }) => ({ amount: `${amount.slice(0, -2)}99` })) },
	{ name: "a fee is added to this one alone", statement: eachLine((one) => (isDoubt(one) ? { amount: "10.60" } : {})) },
	{ name: "another currency", statement: eachLine(({ amount }) => ({ amount: `1${amount}`, currency: "USD" })) },
	{ name: "references of the bank's own", statement: eachLine(({ id }) => ({ reference: `FT26060${id}` })) },
	{ name: "another reference for this one alone", statement: eachLine((one) => (isDoubt(one) ? { reference: "FT26060AAA" } : {})) },
	{
		name: "one reference for all, and this one is missing",
		statement: lines((all) => all.filter(notDoubt).map((one) => ({ ...one, reference: "Transfer" }))),
	},
	{
		name: "debits without a sign, credits with a minus",
		statement: eachLine((one) => (one.of === "frame" ? { amount: `-${one.amount}` } : {})),
	},
	{ name: "debits with a plus", statement: eachLine(({ amount }) => ({ amount: `+${amount}` })) },
	{ name: "payees of another kind of id", statement: eachLine(() => ({ payeeLedger: ledgerD })) },
	{ name: "the payee is always the account itself", statement: eachLine(() => ({ payeeLedger: ledgerA })) },
	{ name: "payees are not told", statement: lines((all) => all, ["id", "date", "amount", "currency", "reference"]) },
	{ name: "payees and references are not told", statement: lines((all) => all, ["id", "date", "amount"]) },
	{ name: "dates are three days late", statement: eachLine(({ date, of }) => (of === "frame" ? {} : { date: shifted(date, 3) })) },
	{ name: "dates are five days early", statement: eachLine(({ date, of }) => (of === "frame" ? {} : { date: shifted(date, -5) })) },
	{
		name: "all are shown twice, but this one not at all",
		statement: lines((all) => all.filter(notDoubt).flatMap((one) => [one, { ...one, id: `${one.id}x` }])),
	},
	{
		name: "payments of a day are booked as one",
		statement: lines((all) => [
			...all.filter(({ of }) => of === "frame"),
			{ ...(all[1] as StatementLine), amount: "136.60", reference: "Collective" },
		]),
	},
	{ name: "it begins with the day of the payment", statement: lines((all) => all.filter(({ id }) => id !== "F1").filter(notDoubt)) },
	{ name: "it ends with the day of the payment", statement: lines((all) => all.filter(({ id }) => id !== "F2").filter(notDoubt)) },
	{ name: "it has lines of days to come", statement: eachLine((one) => (one.id === "F2" ? { date: "2027-01-01" } : {})) },
	{ name: "our clock at the payment is not known", statement: lines((all) => all.filter(notDoubt)), unknownClock: true },
	{ name: "our clock was two days ahead, unnoticed", statement: lines((all) => all), ahead: 48 * hour, unknownClock: true },
	{ name: "it is empty but for its header", statement: lines(() => []) },
	{ name: "only this one is missing", statement: lines((all) => all.filter(notDoubt)), unseen: true },
	{
		name: "this one alone has another reference and another amount",
		statement: eachLine((one) => (isDoubt(one) ? { reference: "FT26060AAA", amount: "10.60" } : {})),
		unseen: true,
	},
];
