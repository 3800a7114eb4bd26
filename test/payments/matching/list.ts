/**
 * How a service lists payments: what it shows, cuts, rewrites and leaves out.
 */

import type { TransactionView } from "../../../src/api/operations/transaction.js";
import { type Line, lineOf } from "../../../src/payments/matching/fits.js";
import type { Random } from "../simulation/random.js";
import type { Made } from "./world.js";

type Rewriting = (reference: string) => string;

/** Letters that a rail writes in another way. */
const rewritings: readonly Rewriting[] = [
	(text) => text.normalize("NFKD").replace(/\p{M}/gu, ""),
	(text) => text.replace(/[^\p{ASCII}]/gu, "?"),
	(text) => text.replace(/[^\p{ASCII}]/gu, ""),
	(text) =>
		text
			.replace(/ß/g, "SS")
			.replace(/ö/g, "oe")
			.replace(/Ö/g, "OE")
			.replace(/[^\p{ASCII}]/gu, "."),
	(text) => text.normalize("NFD"),
];

/** What one kind of payment looks like in the list. */
export interface Check {
	upper: boolean;
	/** Characters left of a reference; 0: it is dropped. */
	cut?: number;
	rewriting?: Rewriting;
	beneficiary: boolean;
	receiverLedger: boolean;
	name: "shown" | "upper" | "renamed" | "dropped";
	currency: boolean;
}

export interface Style {
	ledger: Check;
	beneficiary: Check;
	sender: boolean;
	/** It lists every ledger's, whichever was asked for. */
	allLedgers: boolean;
	times: "exact" | "without zone" | "date" | "none";
	/** Minutes by which its times without a zone are ahead of UTC. */
	zone: number;
	isZoneKnown: boolean;
	minus: boolean;
	capitals: boolean;
	ids: boolean;
	/** By what the rates are told. */
	shows: "reference and party id" | "hosting ledger or name" | "cut references" | "less";
}

function checkOf(random: Random): Check {
	const reference = random.fraction();
	return {
		upper: random.often(0.3),
		cut: reference < 0.65 ? undefined : reference < 0.9 ? 2 + random.below(8) : 0,
		rewriting: random.often(0.4) ? random.pick(rewritings) : undefined,
		beneficiary: random.often(0.5),
		receiverLedger: random.often(0.75),
		name: random.pick(["shown", "shown", "upper", "renamed", "dropped"] as const),
		currency: random.often(0.8),
	};
}

export function styleOf(random: Random): Style {
	const ledger = checkOf(random);
	const beneficiary = random.often(0.7) ? ledger : checkOf(random);
	const times = random.fraction();
	const style = {
		ledger,
		beneficiary,
		sender: random.often(0.95),
		allLedgers: random.often(0.3),
		times: times < 0.85 ? "exact" : times < 0.92 ? "without zone" : times < 0.97 ? "date" : "none",
		zone: random.pick([0, 60, 120, -300, 330]),
		isZoneKnown: random.often(0.5),
		minus: random.often(0.2),
		capitals: random.often(0.1),
		ids: random.often(0.98),
	} as const;
	return { ...style, shows: shownBy(ledger, beneficiary) };
}

function shownBy(ledger: Check, beneficiary: Check): Style["shows"] {
	const cuts = [ledger.cut, beneficiary.cut];
	if (cuts.every((cut) => cut === undefined)) {
		if (ledger.receiverLedger && beneficiary.beneficiary) return "reference and party id";
		const named = beneficiary.name === "shown" || beneficiary.name === "upper";
		return (ledger.receiverLedger && beneficiary.receiverLedger) || named ? "hosting ledger or name" : "less";
	}
	return cuts.every((cut) => cut !== undefined && cut > 0) ? "cut references" : "less";
}

/** A reference as the list shows it. */
export function referenceShown(reference: string | undefined, { upper, cut, rewriting }: Check): string | undefined {
	if (reference === undefined || cut === 0) return undefined;
	const rewritten = rewriting === undefined ? reference : rewriting(reference);
	const cased = upper ? rewritten.toUpperCase() : rewritten;
	return cut === undefined ? cased : cased.slice(0, cut);
}

function timeShown(at: number, { times, zone }: Style): string | undefined {
	if (times === "none") return undefined;
	if (times === "exact") return new Date(at).toISOString();
	const local = new Date(at + zone * 60_000).toISOString();
	return local.slice(0, times === "date" ? 10 : 19);
}

/** A payment as the service lists it. */
export function lineIn(style: Style, made: Made): Line {
	const { to, from, exchanged } = made;
	const look = style[to.kind];
	const { amount, currency } = exchanged ?? made;
	const view: TransactionView = {
		id: style.ids && !made.nameless ? (style.capitals ? made.id.toUpperCase() : made.id) : undefined,
		createdAt: timeShown(made.at, style),
		amount: style.minus ? `-${amount}` : amount,
		// An amount after an exchange that nothing says to be one is no amount of ours, and nobody could tell.
		currency: look.currency || exchanged !== undefined ? currency : undefined,
		reference: referenceShown(made.reference, look),
		senderLedgerId: style.sender ? from : undefined,
		receiverName: nameShown(to.name, look),
		receiverLedgerId: look.receiverLedger ? to.ledger : undefined,
		beneficiaryId: look.beneficiary && to.kind === "beneficiary" ? to.id : undefined,
	};
	return lineOf(view, style.isZoneKnown ? style.zone : undefined);
}

function nameShown(name: string, { name: how }: Check): string | undefined {
	if (how === "dropped") return undefined;
	return how === "upper" ? name.toUpperCase() : how === "renamed" ? "Holding of others" : name;
}
