/**
 * One seeded run: readings of the list as time passes, what the engine decides of them, and a person who does everything that the tool
 * permits and never says what is untrue. Whatever comes of it is compared with the truth.
 */

import { isPaid } from "../../../src/api/operations/transfer.js";
import { plainId } from "../../../src/api/text/ids.js";
import type { Decision, Group } from "../../../src/payments/matching/decide.js";
import type { Line } from "../../../src/payments/matching/fits.js";
import type { Engine } from "./engine.js";
import { lineIn, type Style } from "./list.js";
import { Truth } from "./truth.js";
import { day, hour, type Made, minute, type Ours, World } from "./world.js";

/** What the runs counted. */
export interface Counts {
	worlds: number;
	/** Doubts that were made, and those of them settled without a person, by what the list shows. */
	doubts: Record<Style["shows"], [made: number, settled: number]>;
	notCreated: number;
	sentAgain: number;
	held: number;
	/** What `--accept-listed` would take, and how often it would be wrong. */
	acceptListed: [taken: number, wrong: number];
	/** Faults where somebody else's payment was the same. */
	excused: Record<"identical" | "alike", number>;
}

export const noCounts = (): Counts => ({
	worlds: 0,
	doubts: { "reference and party id": [0, 0], "hosting ledger or name": [0, 0], "cut references": [0, 0], less: [0, 0] },
	notCreated: 0,
	sentAgain: 0,
	held: 0,
	acceptListed: [0, 0],
	excused: { identical: 0, alike: 0 },
});

interface Decided {
	groups: readonly Group[];
	decisions: readonly Decision[];
	/** It shows all that there is, as far as the tool can see. */
	whole: boolean;
}

export class Run {
	readonly #world: World;
	readonly #truth: Truth;
	/** The line of each payment in the list, and back. */
	readonly #line = new Map<Made, Line>();
	readonly #source = new Map<Line, Made>();
	/** The payments that the last list showed. */
	#listed: readonly Made[] = [];
	#now: number;
	/** By debited ledger. */
	#seen = new Map<string, Decided>();

	constructor(
		seed: number,
		private readonly engine: Engine,
		private readonly counts: Counts,
		private readonly trace?: string[],
	) {
		this.#world = new World(seed);
		this.#truth = new Truth(this.#world, counts.excused);
		this.#now = Math.max(...this.#world.ours.map(({ at }) => at));
		if (trace !== undefined) this.#tell();
	}

	/** What of it is not as it must be; empty where all is well. */
	go(): string[] {
		const { random } = this.#world;
		this.counts.worlds += 1;
		for (const passed of [10 * minute, 25 * hour]) {
			this.#now += passed;
			this.#read(true);
		}
		this.#rate();
		const steps = 2 + random.below(4);
		for (let step = 0; step < steps && this.#truth.faults.length === 0; step++) {
			this.#now += random.often(0.5) ? random.below(2 * hour) : random.below(30 * hour);
			this.#endSending();
			const isLacking = random.often(0.12);
			this.#read(!isLacking);
			// A person does not act on a list that lacks lines without a sign of it: nobody could see that.
			if (!isLacking) this.#act();
		}
		return this.#truth.faults;
	}

	/** @param isTrue whether a list that says it is all that there is lacks nothing */
	#read(isTrue: boolean): void {
		const { random, style, made, ledgers, ours } = this.#world;
		const isEnded = !isTrue ? random.often(0.5) : random.often(0.92);
		this.#listed = made.filter(({ listedFrom }) => listedFrom <= this.#now && ((isTrue && isEnded) || random.often(0.7)));
		const lines = this.#listed.map((one) => this.#lineOf(one));
		this.#seen = new Map(
			ledgers.map((ledger) => {
				const listed = lines.filter((line) => style.allLedgers || this.#source.get(line)?.from === ledger);
				const ids = new Set(listed.map(({ id }) => plainId(id)));
				const isShown = (id: string | undefined): boolean => id !== undefined && ids.has(id);
				const all = ours.map(({ payment }) => payment);
				const own = all.filter(({ transfer }) => transfer.ledgerFromId === ledger);
				const payments = all.filter((one) => own.includes(one) || [one.id, ...(one.formerIds ?? [])].some(isShown));
				const whole = (isEnded && own.every(({ id }) => id === undefined || isShown(id))) || this.engine.incompleteIsWhole === true;
				const groups = this.engine.groupsOf(payments, listed, day);
				return [ledger, { groups, decisions: groups.map((group) => this.engine.decide(group, whole)), whole }];
			}),
		);
		this.trace?.push(
			`read at ${new Date(this.#now).toISOString()}, ${lines.length} lines, whole: ${[...this.#seen.values()].map((one) => one.whole)}`,
		);
		for (const { decisions, whole } of this.#seen.values()) for (const decision of decisions) this.#record(decision, whole);
	}

	#record({ findings }: Decision, whole: boolean): void {
		for (const finding of findings) {
			const { payment, line } = finding;
			if (payment.state !== "in-doubt") continue;
			const one = this.#ours(finding);
			if (line !== undefined) {
				this.#truth.created(one, this.#madeOf(line));
				payment.id = plainId(line.id);
				payment.state = "accepted";
				this.trace?.push(`created: ${label(one)} as ${line.id}`);
			} else if (this.engine.absenceIsAutomatic && finding.why === "not-listed" && whole) this.#notCreated(one);
		}
	}

	#rate(): void {
		const { style, ours } = this.#world;
		// Told of services that show moments and ledgers, and of payments with known clocks.
		if (style.times !== "exact" || !style.sender) return;
		const rate = this.counts.doubts[style.shows];
		for (const { untouched, made, payment } of ours) {
			if (!untouched || made === undefined || !payment.timed) continue;
			rate[0] += 1;
			if (isPaid(payment.state)) rate[1] += 1;
		}
	}

	#endSending(): void {
		const { random, ours } = this.#world;
		for (const { payment, made } of ours) {
			if (payment.state !== "sending" || random.often(0.4)) continue;
			payment.state = random.often(0.4) ? "in-doubt" : made === undefined ? "refused" : "accepted";
			if (payment.state === "accepted") payment.id = made?.id;
		}
	}

	#act(): void {
		const acts = [() => this.#absence(), () => this.#again(), () => this.#transaction(), () => this.#acceptListed(), () => this.#reopen()];
		const chance = this.#world.random.fraction();
		acts[chance < 0.3 ? 0 : chance < 0.6 ? 1 : chance < 0.75 ? 2 : chance < 0.9 ? 3 : 4]?.();
	}

	/** `--not-created`, where every line to be named is truly another payment. */
	#absence(): void {
		for (const one of this.#latest(["in-doubt"])) {
			const { payment, at } = one;
			const seen = this.#seenOf(one);
			if (!seen.whole || this.#now - at < day) continue;
			const lines = this.engine.linesToName(payment, seen.decisions);
			if (lines.some((line) => line.id === undefined || this.#madeOf(line).owner?.payment.intent === payment.intent)) continue;
			for (const each of this.#world.ours)
				if (each.payment.intent === payment.intent)
					each.payment.notThis = [...(each.payment.notThis ?? []), ...lines.map(({ id }) => plainId(id) as string)];
			this.#notCreated(one);
		}
	}

	#notCreated(one: Ours): void {
		this.counts.notCreated += 1;
		this.#truth.notCreated(one);
		one.payment.state = "not-created";
		this.trace?.push(`not created: ${label(one)}`);
	}

	/** What certainly was not created is sent again, unless it is held. */
	#again(): void {
		for (const one of this.#latest(["refused", "not-created", "not-sent"])) {
			const seen = this.#seenOf(one);
			if (!(seen.whole || this.engine.incompleteIsEnough) || this.#world.random.often(0.3)) continue;
			if (this.engine.mayHaveArrived(one.payment, seen.decisions)) {
				this.counts.held += 1;
				continue;
			}
			this.counts.sentAgain += 1;
			const next = this.#world.attempt(one.payment, one.to, this.#now);
			this.trace?.push(`sent again: ${label(next)}, made: ${next.made?.id}`);
			this.#truth.sentAgain(next);
		}
	}

	/** `--transaction`, with the line that truly is it. */
	#transaction(): void {
		for (const one of this.#latest(["in-doubt"])) {
			const { made } = one;
			if (made === undefined || !this.#listed.includes(made) || this.#lineOf(made).id === undefined) continue;
			const { id } = made;
			if (this.#isHeld(id) || one.payment.notThis?.includes(id)) continue;
			Object.assign(one.payment, { state: "accepted", id });
			this.trace?.push(`--transaction: ${label(one)} is ${id}`);
		}
	}

	/** `--accept-listed`: one payment and one line; the person confirms where that is true. */
	#acceptListed(): void {
		for (const { groups, decisions } of this.#seen.values()) {
			for (const [place, group] of groups.entries()) {
				const [finding] = decisions[place]?.findings ?? [];
				const [line] = group.lines;
				if (group.payments.length !== 1 || group.lines.length !== 1 || finding === undefined || line?.id === undefined) continue;
				const { payment } = finding;
				if (payment.state !== "in-doubt" || group.fit(payment, line) !== "possibly" || this.#isHeld(plainId(line.id))) continue;
				const one = this.#ours(finding);
				this.counts.acceptListed[0] += 1;
				if (this.#madeOf(line).owner === one) Object.assign(payment, { state: "accepted", id: plainId(line.id) });
				else this.counts.acceptListed[1] += 1;
			}
		}
	}

	#reopen(): void {
		const { random } = this.#world;
		for (const { payment } of this.#latest(["accepted", "not-created"])) {
			if (random.often(0.6)) continue;
			this.trace?.push(`reopened: ${payment.intent}/${payment.attempt}, which held ${payment.id}`);
			if (payment.id !== undefined) payment.formerIds = [...(payment.formerIds ?? []), payment.id];
			payment.id = undefined;
			payment.state = "in-doubt";
		}
	}

	/** The last attempts of intents that are in one of the states. */
	#latest(states: readonly string[]): Ours[] {
		const { ours } = this.#world;
		return ours.filter(
			({ payment }) =>
				states.includes(payment.state) &&
				!ours.some((other) => other.payment.intent === payment.intent && other.payment.attempt > payment.attempt),
		);
	}

	#isHeld(id: string): boolean {
		return this.#world.ours.some(({ payment }) => payment.id === id);
	}

	#ours({ payment }: Decision["findings"][number]): Ours {
		return this.#world.ours.find((one) => one.payment === payment) as Ours;
	}

	#lineOf(made: Made): Line {
		const known = this.#line.get(made);
		if (known !== undefined) return known;
		const line = lineIn(this.#world.style, made);
		this.#line.set(made, line);
		this.#source.set(line, made);
		return line;
	}

	#madeOf(line: Line): Made {
		return this.#source.get(line) as Made;
	}

	#seenOf({ payment }: Ours): Decided {
		return this.#seen.get(payment.transfer.ledgerFromId) as Decided;
	}

	#tell(): void {
		const { style, ours, made } = this.#world;
		const told = JSON.stringify(style, (_, value) => (typeof value === "function" ? String(value) : value));
		const payments = ours.map((one) => `${label(one)} ${JSON.stringify(one.payment)} made as ${one.made?.id}`);
		const others = made.map(
			(one) => `${one.id} ${one.owner === undefined ? "somebody else's" : label(one.owner)} ${JSON.stringify(lineIn(style, one))}`,
		);
		this.trace?.push(told, ...payments, ...others);
	}
}

const label = ({ payment }: Ours): string => `payment ${payment.intent}/${payment.attempt} (${payment.state})`;
