/**
 * One seeded run: a few transfers, processes that are killed, a network that loses, a person who tries again, and time. The
 * production code does everything that decides: `call`, the classification, the journal's writes, the rules, the settling.
 */

import type { AnyOperation } from "../../../src/api/operation.js";
import { createInterLedger } from "../../../src/api/operations/transaction.js";
import type { Transfer } from "../../../src/api/operations/transfer.js";
import { PurserError } from "../../../src/errors.js";
import { call } from "../../../src/http/call.js";
import { journalOver } from "../../../src/journal/store.js";
import type { StoredIntent } from "../../../src/journal/tables/tables.js";
import { readNamed } from "../../../src/payments/matching/events.js";
import { prepareNotCreated, reopen, settleByTransaction } from "../../../src/payments/matching/person.js";
import { type SettleResult, settleBy } from "../../../src/payments/matching/settle.js";
import type { Tools } from "../../../src/payments/matching/sides.js";
import { moneyRules } from "../../../src/payments/rules/rules.js";
import { recheckNotCreated } from "../../../src/payments/single/single.js";
import type { JournalIntent } from "../../../src/ports/intent.js";
import type { Journal } from "../../../src/ports/journal.js";
import type { Reading } from "../../../src/ports/service.js";
import type { Transport } from "../../../src/ports/wire.js";
import { changed, smallContext } from "../../support/context.js";
import { centsOf, type Exit, type Row, type State, violations } from "../../support/invariants.js";
import { Events } from "./events.js";
import { Disk } from "./memory.js";
import type { Plant } from "./plants.js";
import { type Death, deaths, Process } from "./process.js";
import { Random } from "./random.js";
import { Service as Bank } from "./service.js";

const minute = 60_000;
const hour = 60 * minute;
const ledgerA = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const ledgerB = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";

/** Payments alike are held back for longer than a run lasts, whatever the clock is set to. */
const rules = moneyRules({ "duplicate-days": "60" });

interface Item {
	key: string;
	amount: string;
}

/** A payment that goes well, as the client writes it down. */
const knownIntent: Omit<JournalIntent, "transfer"> = {
	operation: createInterLedger.id,
	effect: "money",
	profile: "test",
	origin: "https://api.example.com",
	service: "https://api.example.com",
	method: "POST",
	path: "/transactions",
	digest: "",
};

const transferOf = ({ key, amount }: Item): Transfer => ({
	kind: "ledger",
	ledgerFromId: ledgerA,
	counterpartyId: ledgerB,
	amount,
	currency: "EUR",
	reference: key,
});

const outside = smallContext({
	credential: { kind: "header", value: "x" },
	profile: { auth: { kind: "header", header: "x-key" } },
}).context;

export class Run {
	readonly trace: string[] = [];
	readonly #random: Random;
	readonly #service: Bank;
	readonly #events: Events;
	readonly #disk: Disk;
	readonly #items: Item[];
	/** How often each key was asked for, deliberate repetitions included. */
	readonly #asked: string[] = [];
	readonly #exits: Exit[] = [];
	/** The service's clock, and how far this machine's is ahead of it. */
	#now = Date.parse("2026-03-01T10:00:00Z");
	#ahead = 0;
	#clockSet = false;
	/**
	 * Whether the person who settles takes what the tool permits for true, and lists are wrong only in ways that it can see. Otherwise the person
	 * knows what was made, and lists are wrong in any way.
	 */
	readonly #trusts: boolean;
	/**
	 * Whether a person who knows is wrong once about a payment that the list hides. From then on the list shows everything and nobody sets the
	 * clock: of a payment whose time is not known a check may miss the moment, and a person who is wrong about that one too is stopped by nothing.
	 */
	readonly #errs: boolean;
	/** Intents whose attempts began while nobody knew how the clocks stand. */
	readonly #untimed = new Set<string>();
	/** Intents of which a person said wrongly that they were not created. */
	readonly #wrong = new Set<string>();
	#processes = 0;
	#deaths = 0;
	#doubtsTold = 0;
	#full = false;
	#known = 0;
	readonly #found: string[] = [];
	readonly #cents: Map<string, bigint>;

	constructor(
		seed: number,
		private readonly plant: Plant,
		diskOf: (...given: ConstructorParameters<typeof Disk>) => Disk = (...given) => new Disk(...given),
	) {
		this.#random = new Random(seed);
		this.#events = new Events(seed, () => this.#now);
		this.#trusts = !this.#random.often(0.3);
		this.#errs = !this.#trusts && this.#random.often(0.5);
		this.#disk = diskOf(
			() => this.#machine(),
			plant.synchronous ?? "FULL",
			() => this.#full,
		);
		this.#service = new Bank(
			this.#random,
			() => this.#now,
			() => [...this.#disk.content.intents.values()].flatMap(({ createdId }) => createdId ?? []),
			!this.#trusts,
			(id) => this.#events.happened(id),
		);
		this.#items = Array.from({ length: 1 + this.#random.below(3) }, (_, index) => ({
			key: `Item ${index}`,
			amount: this.#random.pick(["10.10", "5", "0.07"]),
		}));
		this.#cents = new Map(this.#items.map(({ key, amount }) => [key, centsOf(amount)]));
	}

	/** What is on record at the end. */
	get content(): Disk["content"] {
		return this.#disk.content;
	}

	/** @returns the violations found, at the first moment where there is one */
	async go(): Promise<string[]> {
		const steps = 2 + this.#random.below(5);
		for (const item of this.#items) this.#asked.push(item.key);
		await this.#payKnown();
		for (let step = 0; step < steps; step++) {
			await this.#step();
			const found = this.#check();
			if (found.length > 0) return found;
		}
		return this.#end();
	}

	async #step(): Promise<void> {
		this.#pass(this.#random.below(this.#random.often(0.5) ? 2 * hour : 5 * minute));
		if (this.#events.come(0.3)) await this.#hear();
		if (this.#random.often(0.3)) this.#disk.sync();
		if (this.#random.often(this.#ahead === 0 ? 0.08 : 0.3)) this.#setClock();
		if (this.#random.often(0.3)) await this.#payKnown();
		const item = this.#random.pick(this.#items);
		const choice = this.#random.fraction();
		if (choice < 0.5) await this.#pay(item, this.#random.often(0.4) ? this.#random.pick(deaths) : undefined);
		else if (choice < 0.6) await Promise.all([this.#pay(item), this.#pay(item)]);
		else if (choice < 0.65) await this.#withFullDisk(item);
		else if (choice < 0.7 && this.#service.untold().length > 0) await this.#payMixed(item);
		else if (choice < 0.75) await this.#payAnother(item);
		else {
			this.#pass(this.#random.below(30 * hour));
			await this.#settle(false);
		}
	}

	/** Two days of looking, and a last try of what may be sent again. */
	async #end(): Promise<string[]> {
		// Between the payments and the looks too.
		if (this.#random.often(0.15)) this.#setClock();
		for (const hours of [2, 2, 22, 14]) {
			this.#pass(hours * hour);
			if (this.#events.come(0.5)) await this.#hear();
			await this.#settle(false);
		}
		this.#pass(14 * hour);
		await this.#settle(true);
		this.#found.push(...this.#leftByList());
		await this.#correct();
		this.#found.push(...this.#leftByPerson());
		// What is accepted or in doubt is held back, as it was in the steps before: seldom tried once more.
		for (const item of this.#items) if (this.#mayLeave(item.key) || this.#random.often(0.2)) await this.#pay(item);
		this.#pass(25 * hour);
		return this.#check();
	}

	/** What stays in doubt although it is listed and nothing else of its kind was ever sent: that needs no person. */
	#leftByList(): string[] {
		if (this.#service.mixed.size > 0) return [];
		const created = this.#service.created();
		const kept = [...this.#disk.content.intents.values()];
		return kept.flatMap((one) => {
			const key = one.intent.transfer?.reference as string;
			const isAlone = kept.every(({ number, intent }) => number === one.number || intent.transfer?.reference !== key);
			if (this.#disk.stateOf(one) !== "in-doubt" || one.attempt > 1 || !isAlone) return [];
			if (this.#untimed.has(String(one.number)) || created.get(key)?.length !== 1) return [];
			return [`3: ${key} stays in doubt although the list shows it`];
		});
	}

	/** Somebody who knows names the transaction of each doubt that became one, and opens again what has another's id. */
	async #correct(): Promise<void> {
		const tools = this.#tools(true);
		const isWrong = ({ createdId, intent }: StoredIntent): boolean =>
			createdId !== undefined && !this.#idsOf(intent.transfer?.reference).includes(createdId);
		for (const one of [...this.#disk.content.intents.values()].filter(isWrong)) {
			this.trace.push(`a person opens ${one.number} again, which has another's id`);
			await reopen(tools, String(one.number), "it is another payment");
		}
		for (const { number } of [...this.#disk.content.intents.values()]) {
			const one = this.#disk.content.intents.get(number) as StoredIntent;
			const intent = String(number);
			const [free] = this.#free(one.intent.transfer?.reference);
			if (free === undefined || !(this.#disk.stateOf(one) === "in-doubt" || this.#wrong.has(intent))) continue;
			await settleByTransaction(tools, intent, free, "the bank says so");
			this.#wrong.delete(intent);
			this.trace.push(`a person says that ${intent} is ${free}`);
		}
	}

	#idsOf(key: string | undefined): readonly string[] {
		return this.#service.created().get(key ?? "") ?? [];
	}

	/** The ids of what was made under a key and that nobody holds, but for those of what was accepted without an id. */
	#free(key: string | undefined): string[] {
		const kept = [...this.#disk.content.intents.values()];
		const held = new Set(kept.map(({ createdId }) => createdId));
		const isUnnamed = ({ state, createdId, intent }: StoredIntent): boolean =>
			(state === "accepted" || state === "waiting") && createdId === undefined && intent.transfer?.reference === key;
		return this.#idsOf(key)
			.filter((id) => !held.has(id))
			.slice(kept.filter(isUnnamed).length);
	}

	/** Who is still in doubt although what became of it belongs to nobody, and who still has another's id. */
	#leftByPerson(): string[] {
		return [...this.#disk.content.intents.values()].flatMap((one) => {
			const key = one.intent.transfer?.reference as string;
			if (one.createdId !== undefined && !this.#idsOf(key).includes(one.createdId)) return [`2: ${key} keeps another's id`];
			return this.#disk.stateOf(one) === "in-doubt" && this.#free(key).length > 0
				? [`3: ${key} stays in doubt, and nobody has its id`]
				: [];
		});
	}

	/** By this machine's clock. */
	#machine(): Date {
		return new Date(this.#now + this.#ahead);
	}

	/** Somebody or something sets this machine's clock, rightly or wrongly. */
	#setClock(): void {
		if (this.#wrong.size > 0) return;
		this.#clockSet = true;
		this.#ahead = this.#ahead === 0 ? this.#random.pick([-48 * hour, -hour, -6 * minute, 6 * minute, hour, 30 * hour, 48 * hour]) : 0;
		this.trace.push(`the clock is ${this.#ahead / minute} minutes ahead`);
	}

	/** A payment that goes well: what lists are checked by. It is written down as the others are, and nothing of it is put to the test. */
	async #payKnown(): Promise<void> {
		this.#known += 1;
		const item = { key: `Known ${this.#known}`, amount: "1.00" };
		this.#cents.set(item.key, centsOf(item.amount));
		this.#processes += 1;
		const process = new Process(`process ${this.#processes}`, this.#disk);
		const journal = journalOver(this.#disk.store(process), rules);
		const intent = await journal.begin({ ...knownIntent, transfer: transferOf(item), skew: -this.#ahead });
		this.#asked.push(item.key);
		const id = this.#service.makeKnown(transferOf(item));
		this.#pass(this.#random.below(minute));
		await journal.end(intent, { state: "accepted", id, status: 201 });
		process.end();
		this.#exits.push({ code: 0, states: [this.#stateOf(intent)] });
		this.trace.push(`${process.name} pays ${item.key}: accepted`);
	}

	/** Somebody runs the command for an item: again, where it was run before. */
	async #pay(item: Item, death?: Death, despite?: readonly string[]): Promise<void> {
		this.#processes += 1;
		const process = new Process(`process ${this.#processes}`, this.#disk, death);
		this.plant.recover?.(this.#disk);
		const transport: Transport = {
			send: async (request) => {
				process.check();
				await Promise.resolve();
				const outcome = this.#service.exchange(request, () => death === "while sending");
				// It may be told of before its own answer is there.
				if (!this.#full && this.#events.come(0.2)) await this.#hear();
				this.#pass(this.#random.below(minute));
				if (death === "while sending") process.die();
				return outcome;
			},
			close: async () => {},
		};
		const journal = journalOver(this.#disk.store(process), this.plant.rules?.(rules) ?? rules);
		const planted = this.plant.journal?.(journal) ?? journal;
		const clocked = this.#random.often(0.9);
		const named: Journal = {
			...planted,
			begin: async (given) => {
				const { skew: _, ...unknown } = given;
				// Without an answer of the same run nobody knows how the clocks stand.
				const intent = clocked ? { ...unknown, skew: -this.#ahead } : unknown;
				const another = despite !== undefined || this.#isAnother(item.key);
				const begun = planted.begin(despite ? { ...intent, despite: { intents: despite, reason: "owed twice" } } : intent);
				try {
					const name = await begun;
					if (!clocked) this.#untimed.add(name);
					if (another) this.#asked.push(item.key);
					return name;
				} catch (error) {
					// It died with the record written: asked it was.
					if (another && process.recorded) this.#asked.push(item.key);
					throw error;
				}
			},
		};
		const wire = this.plant.transport?.(transport) ?? transport;
		const now = () => this.#machine();
		const parts = { clock: { now }, system: { transport: async () => wire }, journal: { of: async () => named } };
		const context = changed(outside, parts);
		const body = { ledgerFromId: ledgerA, ledgerToId: ledgerB, amount: item.amount, reference: item.key };
		const look = this.plant.lookedAgain ?? recheckNotCreated;
		let exit: Exit;
		try {
			const expected = await look(context, this.#reading(false), transferOf(item), despite ?? []);
			const { waiting, intent } = await call(context, createInterLedger, { body }, { currency: "EUR", expected });
			exit = { code: waiting ? 8 : 0, states: [this.#stateOf(intent)] };
		} catch (error) {
			if (!(error instanceof PurserError)) throw error;
			const nothing = error.kind === "guard" || (error.kind === "usage" && error.failure.intent === undefined);
			exit = { code: error.exit, states: nothing ? ["planned"] : [this.#stateOf(error.failure.intent)] };
		}
		if (process.dead) {
			exit = { code: "killed", states: [] };
			this.#deaths += 1;
			if (this.#random.often(0.3)) {
				this.#disk.losePower();
				this.trace.push("the power fails");
			}
		} else process.end();
		if (exit.code === 7) this.#doubtsTold += 1;
		this.#exits.push(exit);
		this.trace.push(`${process.name} pays ${item.key}${death ? `, killed ${death}` : ""}: exit ${exit.code}, ${exit.states.join()}`);
	}

	/** Whether nothing is on record of it that holds it back. */
	#mayLeave(key: string): boolean {
		const held: readonly State[] = ["accepted", "waiting", "in-doubt"];
		return this.#rows().every((row) => row.key !== key || !held.includes(row.state));
	}

	/** After a refusal, or when nothing was sent, whoever runs the command again asks for another transfer. */
	#isAnother(key: string): boolean {
		const states = this.#rows().flatMap((row) => (row.key === key ? [row.state] : []));
		return states.every((state) => state === "refused" || state === "not-sent");
	}

	/** A second, identical transfer that is meant: what stands in the way is named. */
	async #payAnother(item: Item): Promise<void> {
		const journal = journalOver(this.#disk.store(new Process("reader", this.#disk)), rules);
		const alike = (await journal.list({})).filter(
			({ transfer, state }) => transfer?.reference === item.key && state !== "refused" && state !== "not-sent",
		);
		if (alike.length === 0 || alike.some(({ state }) => state === "sending" || state === "not-created")) return;
		await this.#pay(
			item,
			undefined,
			alike.map(({ intent }) => intent),
		);
	}

	/** Two payments alike that are meant: the first is answered with another payment's id, the second is lost before it is made. */
	async #payMixed(item: Item): Promise<void> {
		this.#service.next = "another's id";
		await this.#pay(item);
		this.#service.next = "lost before";
		await this.#payAnother(item);
		this.#service.next = undefined;
	}

	async #withFullDisk(item: Item): Promise<void> {
		this.#full = true;
		const before = this.#service.requests;
		await this.#pay(item);
		this.#full = false;
		if (this.#service.requests > before) this.#found.push("4: something was sent that could not be written down");
	}

	/** Somebody settles by what events named until now. */
	async #hear(): Promise<void> {
		const tools = this.#tools(true);
		const ids = this.#events.named();
		const held = await tools.journal.holders(ids);
		const named = await readNamed(
			tools.service,
			ids.filter((id) => !held.has(id)),
		);
		const settled = await settleBy(tools, {}, { ...named, source: "events" });
		for (const { intent, state } of settled)
			if (state === "not-created") this.#found.push(`1: ${intent} counts as not created because no event named it`);
		this.trace.push(`settling by events: ${settled.map(({ intent, state }) => `${intent} ${state}`).join(", ") || "nothing"}`);
	}

	#tools(calm: boolean): Tools {
		const process = new Process("settler", this.#disk);
		const tools: Tools = {
			journal: journalOver(this.#disk.store(process), rules),
			service: this.#reading(calm),
			place: { baseUrl: "https://api.example.com" },
			now: () => this.#machine(),
			settleAfter: 24 * hour,
			dry: false,
		};
		return this.plant.tools?.(tools) ?? tools;
	}

	async #settle(calm: boolean): Promise<void> {
		const tools = this.#tools(calm);
		const settled = await settleBy(tools);
		this.trace.push(`settling: ${settled.map(({ intent, state }) => `${intent} ${state}`).join(", ") || "nothing"}`);
		for (const one of settled) await this.#decide(tools, one);
	}

	/** The service as settling, and the look before a payment is sent again, read it. */
	#reading(calm: boolean): Reading {
		return {
			mappingOf: () => undefined,
			get: async (_operation, { params }) => {
				const { transactionId } = params as { transactionId?: string };
				return transactionId === undefined ? { id: ledgerA } : this.#service.get(transactionId);
			},
			list: async () => {
				throw new Error("a list that settles is walked by its pages");
			},
			page: async (_operation: AnyOperation, { startDate }: Record<string, unknown>, page: number) => {
				if (page > 0) return { found: [], whole: true };
				if (!calm && !this.#service.showsAll && this.#random.often(0.05))
					throw new PurserError("unavailable", { code: "NO_ANSWER", message: "no answer", fix: "Run this again." });
				const { records, complete, at } = this.#service.list(calm, String(startDate));
				return { found: records, whole: complete, at };
			},
		};
	}

	/** A person who tries to say that it was not created: by each check, also where the tool does not suggest it. */
	async #decide(tools: Tools, one: SettleResult): Promise<void> {
		const check = one.state === "in-doubt" ? one.check?.number : undefined;
		if (check === undefined) return;
		const key = one.transfer?.reference as string;
		const isRight = !this.#service.mayBe(key);
		const errs = !isRight && this.#errs && !this.#clockSet && this.#isListedWhenShown(key);
		// Where nobody knows how the clocks stood, the settling time is a person's to judge.
		const trusts = this.#trusts && !(this.#clockSet && this.#untimed.has(one.intent));
		if (!(this.plant.person?.() ?? (isRight || errs || trusts))) return;
		const settled = await this.#notCreated(tools, one.intent, check, key);
		if (settled && errs) {
			this.#wrong.add(one.intent);
			this.#service.showAll();
		}
		if (settled) this.trace.push(`a person says that ${one.intent} was not created by check ${check}`);
	}

	/** @returns whether the tool permits it; what it asks about is named as another payment where it is one */
	async #notCreated(tools: Tools, intent: string, check: number, key: string, notThis: readonly string[] = []): Promise<boolean> {
		const reason = "asked the bank";
		try {
			const prepared = await prepareNotCreated(tools, { intent }, { check, reason, notThis });
			if (prepared.confirm !== undefined) return false;
			await prepared.settle();
			return true;
		} catch (error) {
			if (!(error instanceof PurserError) || error.kind !== "guard") throw error;
			if (error.failure.code !== "LISTED_MAY_BE_IT" || notThis.length > 0) return false;
			const listed = (error.failure.details ?? []).map(({ message }) => /^transaction (\S+?),/.exec(message)?.[1] as string);
			const isOther = (id: string): boolean => this.plant.names?.() ?? !this.#idsOf(key).includes(id);
			return listed.length > 0 && listed.every(isOther) && this.#notCreated(tools, intent, check, key, listed);
		}
	}

	/** Whether the one payment of this key was made, and stands in a list that hides nothing. */
	#isListedWhenShown(key: string): boolean {
		return this.#rows().filter((row) => row.key === key).length === 1 && this.#service.isListed(key);
	}

	#pass(milliseconds: number): void {
		this.#now += milliseconds;
		this.#service.settle();
	}

	#stateOf(intent: string | undefined): State {
		const kept = this.#disk.content.intents.get(Number(intent));
		return kept ? this.#disk.stateOf(kept) : "planned";
	}

	#rows(): Row[] {
		const rows = [...this.#disk.content.intents.values()].map((kept): Row => {
			const { transfer } = kept.intent;
			return {
				key: transfer?.reference as string,
				amount: transfer?.amount as string,
				// What a person says wrongly is no truth: it is as much in doubt as it was, and must not be sent again.
				state: isNotCreated(kept) && this.#wrong.has(String(kept.number)) ? "in-doubt" : this.#disk.stateOf(kept),
				// Which transaction it is, is found when it is seen again.
				id: this.#service.mixed.has(kept.createdId ?? "") ? undefined : kept.createdId,
			};
		});
		const planned = this.#items.filter(({ key }) => !rows.some((row) => row.key === key));
		return [...rows, ...planned.map(({ key, amount }): Row => ({ key, amount, state: "planned" }))];
	}

	#check(): string[] {
		const cents = this.#asked
			.reduce((sum, key) => sum + (this.#cents.get(key) as bigint), 0n)
			.toString()
			.padStart(3, "0");
		return [
			...this.#found,
			...violations({
				rows: this.#rows(),
				asked: this.#asked,
				total: `${cents.slice(0, -2)}.${cents.slice(-2)}`,
				created: this.#service.created(),
				deaths: this.#deaths,
				inFlight: 1,
				otherDoubts: this.#doubtsTold,
				faults: [],
				exits: this.#exits,
			}),
		];
	}
}

const isNotCreated = ({ state }: { state: State }): boolean => state === "not-created";
