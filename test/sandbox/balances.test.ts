/**
 * Balances against a second bookkeeping, kept here by whole cents: whatever is paid, ended or reversed in whatever order.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ids, makeService, payBeneficiary, payLedger, type Service } from "./service.js";

const ledgers = [ids.main, ids.savings] as const;
const cents = (amount: bigint): string => `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;

type Step =
	| { do: "ledger"; from: number; amount: bigint }
	| { do: "beneficiary"; to: "supplier" | "slow" | "hosted"; amount: bigint }
	| { do: "fund"; on: number; amount: bigint }
	| { do: "pass"; milliseconds: number }
	| { do: "end"; which: number; outcome: string };

const amount = fc.oneof(fc.bigInt(1n, 300n), fc.bigInt(1n, 1_200_000n), fc.constant(10_000_00n));
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ do: fc.constant("ledger" as const), from: fc.nat(1), amount }),
	fc.record({ do: fc.constant("beneficiary" as const), to: fc.constantFrom("supplier", "slow", "hosted"), amount }),
	fc.record({ do: fc.constant("fund" as const), on: fc.nat(1), amount }),
	fc.record({ do: fc.constant("pass" as const), milliseconds: fc.nat(1600) }),
	fc.record({
		do: fc.constant("end" as const),
		which: fc.nat(),
		outcome: fc.constantFrom("APPROVED", "DECLINED", "ABORTED", "RELEASED", "REVERSED"),
	}),
);

interface Booked {
	id: string;
	from: number;
	/** Where it arrives here, if it does. */
	to?: number;
	amount: bigint;
	status: string;
	due: number;
}

interface Book {
	now: number;
	total: [bigint, bigint];
	held: [bigint, bigint];
	/** What has left the house. */
	outside: bigint;
	made: Booked[];
}

function end(book: Book, one: Booked, outcome: string): boolean {
	if (one.status === "PENDING" && outcome !== "REVERSED") {
		book.held[one.from] = (book.held[one.from] as bigint) - one.amount;
		if (outcome === "APPROVED") move(book, one, one.amount);
	} else if (one.status === "APPROVED" && outcome === "REVERSED") {
		if (one.to !== undefined && (book.total[one.to] as bigint) - (book.held[one.to] as bigint) < one.amount) return false;
		move(book, one, -one.amount);
	} else return false;
	one.status = outcome;
	return true;
}

function move(book: Book, { from, to }: Booked, change: bigint): void {
	book.total[from] = (book.total[from] as bigint) - change;
	if (to === undefined) book.outside += change;
	else book.total[to] = (book.total[to] as bigint) + change;
}

async function pay(service: Service, book: Book, one: Step & { do: "ledger" | "beneficiary" }): Promise<void> {
	const from = one.do === "ledger" ? one.from : 0;
	const said =
		one.do === "ledger"
			? await payLedger(service, cents(one.amount), ledgers[from], ledgers[1 - from])
			: await payBeneficiary(service, cents(one.amount), ids[one.to]);
	const covered = (book.total[from] as bigint) - (book.held[from] as bigint) >= one.amount;
	expect(said.status).toBe(covered ? 201 : 400);
	if (!covered) return;
	book.held[from] = (book.held[from] as bigint) + one.amount;
	const to = one.do === "ledger" ? 1 - from : one.to === "hosted" ? 1 : undefined;
	const takes = one.do === "beneficiary" && one.to === "slow" ? 1500 : 500;
	book.made.push({ id: said.data.id, from, to, amount: one.amount, status: "PENDING", due: book.now + takes });
}

async function take(service: Service, book: Book, one: Step): Promise<void> {
	if (one.do === "ledger" || one.do === "beneficiary") await pay(service, book, one);
	else if (one.do === "fund") {
		await service.control("fund", `{"ledgerId":"${ledgers[one.on]}","amount":${cents(one.amount)}}`);
		book.total[one.on] = (book.total[one.on] as bigint) + one.amount;
	} else if (one.do === "pass") {
		service.pass(one.milliseconds);
		book.now += one.milliseconds;
		for (const made of book.made) if (made.status === "PENDING" && made.due <= book.now) end(book, made, "APPROVED");
	} else if (book.made.length > 0) {
		const made = book.made[one.which % book.made.length] as Booked;
		const { status } = await service.control("transaction", { transactionId: made.id, outcome: one.outcome });
		expect(status).toBe(end(book, made, one.outcome) ? 200 : 409);
	}
}

async function compare(service: Service, book: Book): Promise<void> {
	const { text } = await service.call("GET ledgers?pageSize=100");
	for (const [at, id] of ledgers.entries()) {
		const [total, held] = [book.total[at] as bigint, book.held[at] as bigint];
		const amounts = `"totalAmount":${cents(total)},"availableAmount":${cents(total - held)},"reservedAmount":${cents(held)}`;
		const record = new RegExp(`\\{"id":"${id}"[^}]*\\}`).exec(text)?.[0];
		expect(record).toContain(amounts);
	}
	for (const { id, status } of book.made) expect(await service.get(`transactions/${id}`)).toMatchObject({ id, status });
}

const seed = Number(process.env.PURSER_BALANCES_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`no cent appears or vanishes, whatever happens in whatever order (PURSER_BALANCES_SEED=${seed})`, async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
			const service = await makeService();
			const book: Book = { now: 0, total: [10_000_00n, 0n], held: [0n, 0n], outside: 0n, made: [] };
			let funded = 0n;
			for (const one of steps) {
				await take(service, book, one);
				if (one.do === "fund") funded += one.amount;
				expect(book.total[0] + book.total[1] + book.outside).toBe(10_000_00n + funded);
			}
			await compare(service, book);
		}),
		{ seed, numRuns: 150 },
	);
});

test("two clients at once: as many payments are accepted as are covered, and not one more", async () => {
	const service = await makeService();
	const answers = await Promise.all(
		Array.from({ length: 40 }, (_, at) => (at % 2 ? payLedger(service, "333.33") : payBeneficiary(service, "333.33"))),
	);
	expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
	expect(answers.filter(({ data }) => data.errorCode === "INSUFFICIENT_FUNDS")).toHaveLength(10);
	expect(new Set(answers.map(({ data }) => data.id).filter(Boolean)).size).toBe(30);
	service.pass(500);
	const { text } = await service.call(`GET ledgers/${ids.main}`);
	expect(text).toContain('"totalAmount":0.10,"availableAmount":0.10,"reservedAmount":0.00');
	expect((await service.call(`GET ledgers/${ids.savings}`)).text).toContain('"totalAmount":4999.95');
});
