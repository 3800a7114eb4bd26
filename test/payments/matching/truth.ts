/**
 * What was said of payments, compared with what is true. Payments with nothing to distinguish them in what was sent are counted, not
 * identified: it does not matter which of them a line is.
 */

import { isPaid } from "../../../src/api/operations/transfer.js";
import { folded, lettersOf } from "../../../src/payments/matching/fits.js";
import { canonicalAmount } from "../../../src/payments/rules/decimal.js";
import { lineIn, referenceShown } from "./list.js";
import { classOf, day, type Made, minute, type Ours, type World } from "./world.js";

export class Truth {
	readonly faults: string[] = [];
	/** How many of a class were made in vain before anything was sent again here: intents that were made twice. */
	readonly #before = new Map<string, number>();
	/** Whose answer carried another's id: of it an answer said what is untrue, not the engine. */
	readonly #misled: ReadonlySet<Ours>;
	readonly #settled = new Map<Made, Ours>();

	constructor(
		private readonly world: World,
		private readonly excused: Record<"identical" | "alike", number>,
	) {
		const intents = new Set<string>();
		for (const one of world.ours) {
			const { intent } = one.payment;
			if (one.made !== undefined && intents.has(intent)) this.#before.set(classOf(one), (this.#before.get(classOf(one)) ?? 0) + 1);
			if (one.made !== undefined) intents.add(intent);
		}
		this.#misled = new Set(world.ours.filter(({ payment, made }) => isPaid(payment.state) && made === undefined));
	}

	/** A line was said to be a payment. */
	created(one: Ours, line: Made): void {
		const { owner } = line;
		// A line without an id is held by nobody, so it may be counted for another of its kind later.
		if (lineIn(this.world.style, line).id !== undefined) this.#isNobodysElse(one, line);
		this.#settled.set(line, one);
		if (owner === one) return;
		if (owner === undefined) this.#fault(one, `created as ${line.id}, which somebody else made`);
		else if (classOf(owner) === classOf(one)) {
			const like = this.world.ours.filter((each) => classOf(each) === classOf(one));
			const said = like.filter((each) => each === one || (isPaid(each.payment.state) && !this.#misled.has(each)));
			if (said.length > like.filter(({ made }) => made !== undefined).length) this.#fault(one, "more of its kind created than were made");
		} else if (one.made === undefined) this.#fault(one, `created as ${line.id}, which is another payment of ours`);
		else if (!isSameInEffect(owner, one) && !this.#isHeldByAnother(one.made) && this.#shown(one.made) !== this.#shown(line))
			this.#fault(one, `created as ${line.id}, and its own line shows another`);
	}

	#isNobodysElse(one: Ours, line: Made): void {
		const other = this.#settled.get(line);
		if (other !== undefined && isPaid(other.payment.state))
			this.#fault(one, `the line ${line.id} is both this payment and ${other.payment.intent}`);
		if (this.world.ours.some(({ payment }) => payment !== one.payment && payment.id === line.id))
			this.#fault(one, `${line.id} is held by another payment`);
	}

	/** A person could say, without naming its line as another payment, that it was not created. */
	notCreated(one: Ours): void {
		const like = this.world.ours.filter((each) => each !== one && classOf(each) === classOf(one));
		const hasTaken = like.some(({ payment, made }) => isPaid(payment.state) && made === undefined);
		if (one.made !== undefined && !hasTaken) this.#fault(one, `not created, and it was made as ${one.made.id}`);
	}

	sentAgain(one: Ours): void {
		if (one.made !== undefined && this.#excess(one) > (this.#before.get(classOf(one)) ?? 0)) this.#fault(one, "paid twice");
	}

	/** Whether an answer had given the line to another payment: then the id stays there. */
	#isHeldByAnother(made: Made): boolean {
		return this.world.ours.some((each) => each !== made.owner && each.payment.id === made.id);
	}

	/** How many more were made of the kind of a payment than there are intents of it. */
	#excess(one: Ours): number {
		const like = this.world.ours.filter((each) => classOf(each) === classOf(one));
		const made = like.filter((each) => each.made !== undefined);
		return Math.max(0, made.length - new Set(like.map(({ payment }) => payment.intent)).size);
	}

	/** All that the list shows of a payment but id and time. */
	#shown(made: Made): string {
		const { reference, beneficiaryId, receiverLedgerId, receiverName, senderLedgerId, value, currency } = lineIn(this.world.style, made);
		return JSON.stringify([reference ?? "", beneficiaryId, receiverLedgerId, receiverName, senderLedgerId, value, currency]);
	}

	#fault(one: Ours, what: string): void {
		const foreign = this.#foreign(one);
		if (foreign === undefined) this.faults.push(`payment ${one.payment.intent}/${one.payment.attempt}: ${what}`);
		else this.excused[foreign] += 1;
	}

	/** Whether somebody else's payment is the same as this one, or as one of ours like it, in all that a list may show. */
	#foreign(one: Ours): "identical" | "alike" | undefined {
		const like = this.world.ours.filter((each) => each === one || this.#isSimilar(this.#sent(each), this.#sent(one)));
		const isInTime = ({ at }: Made, { payment, at: sent }: Ours): boolean =>
			this.world.style.times !== "exact" || !payment.timed || (at > sent - 15 * minute && at < sent + day + 15 * minute);
		const pairs = this.world.made
			.filter(({ owner }) => owner === undefined)
			.flatMap((made) =>
				like.filter((each) => isInTime(made, each) && this.#isSimilar(made, this.#sent(each))).map((each) => ({ made, each })),
			);
		if (pairs.length === 0) return undefined;
		const isSame = (made: Made, { to, payment }: Ours): boolean =>
			made.to === to && (made.reference ?? "") === (payment.transfer.reference ?? "");
		return pairs.some(({ made, each }) => isSame(made, each)) ? "identical" : "alike";
	}

	#sent({ payment: { transfer }, to }: Ours): Sent {
		return { from: transfer.ledgerFromId, to, amount: transfer.amount, reference: transfer.reference };
	}

	#isSimilar(one: Sent, other: Sent): boolean {
		const lettersIn = ({ reference, to }: Sent): string[] =>
			[reference, referenceShown(reference, this.world.style[to.kind])].map(lettersOf);
		const isOneAccount =
			one.to === other.to ||
			(one.to.ledger !== undefined && one.to.ledger === other.to.ledger) ||
			folded(one.to.name) === folded(other.to.name);
		const letters = lettersIn(other);
		return (
			isOneAccount &&
			one.from === other.from &&
			canonicalAmount(one.amount) === canonicalAmount(other.amount) &&
			lettersIn(one).some((each) => letters.includes(each))
		);
	}
}

/** What was asked for. */
type Sent = Pick<Made, "from" | "to" | "amount" | "reference">;

/** Whether two credit one account with one reference: a payment to a ledger, and one to a beneficiary that it hosts. */
const isSameInEffect = (one: Ours, other: Ours): boolean =>
	one.to.ledger !== undefined &&
	one.to.ledger === other.to.ledger &&
	(one.payment.transfer.reference ?? "") === (other.payment.transfer.reference ?? "");
