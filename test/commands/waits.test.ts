import { describe, expect, test } from "vitest";
import { commands } from "../../src/commands/index.js";
import { clock } from "../../src/system/clock.js";
import type { World } from "../support/purser.js";
import { type Answers, type answering, worldAnswering } from "./answers.js";

const corporate = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const person = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const from = "11111111-1111-4111-8111-111111111111";
const to = "22222222-2222-4222-8222-222222222222";
const made = "44444444-4444-4444-8444-444444444444";

const corporateLine = `GET /api/partner/corporates/${corporate}`;
const personLine = `GET /api/partner/corporates/related/${person}`;
const paymentLine = `GET /api/partner/transactions/${made}`;

const ofCorporate = (kybStatus: string) => ({ id: corporate, corporateName: "Example Trading SAS", kybStatus, termsAccepted: true });
const ofPerson = (verified: boolean, status: string) => ({
	...{ id: person, firstName: "Ada", lastName: "Example", email: { emailAddress: "ada@example.com", verified } },
	kycInfo: { status, type: "FULL_KYC" },
});
const ofPayment = (status: string) => ({ id: made, status, amount: 10.1, currency: "EUR" });
const rest: Answers = {
	[`${corporateLine}/related`]: { body: [] },
	[`GET /api/partner/ledgers/${from}`]: { body: { id: from, status: "ACTIVE", currency: "EUR", availableAmount: 1000 } },
	[`GET /api/partner/ledgers/${to}`]: { body: { id: to, status: "ACTIVE", currency: "EUR" } },
	[`GET /api/partner/beneficiaries/${to}`]: { body: { id: to, name: "Sample GmbH", currency: "EUR", active: true } },
	"POST /api/partner/transactions/inter-ledger": { status: 201, body: { id: made } },
	"POST /api/partner/transactions/beneficiary": { status: 201, body: { id: made } },
};

interface Waiting {
	words: string;
	/** What is looked at again and again. */
	line: string;
	open: object;
	final: object;
}
const payment = { line: paymentLine, open: ofPayment("PENDING"), final: ofPayment("APPROVED") };

/** Every command that can wait. */
const waiting: Readonly<Record<string, Waiting>> = {
	"kyb status": { words: corporate, line: corporateLine, open: ofCorporate("PENDING_VERIFICATION"), final: ofCorporate("VALIDATED") },
	"email status": { words: person, line: personLine, open: ofPerson(false, "NOT_STARTED"), final: ofPerson(true, "NOT_STARTED") },
	"kyc status": { words: person, line: personLine, open: ofPerson(true, "PENDING"), final: ofPerson(true, "VALIDATED") },
	"pay show": { words: made, ...payment },
	"pay ledger": { words: `--ledger-from-id ${from} --ledger-to-id ${to} --amount 10.10 --yes`, ...payment },
	"pay beneficiary": { words: `--ledger-from-id ${from} --beneficiary-id ${to} --amount 10.10 --yes`, ...payment },
};

const run = (world: World, name: string, more = "", options = {}) =>
	world.purser(`${name} ${waiting[name]?.words} --wait --json ${more}`, options);
async function worldOf(name: string, ...looks: readonly object[]): Promise<{ world: World; slept: number[]; total(): number }> {
	const world = await worldAnswering({ ...rest, [waiting[name]?.line as string]: looks.map((body) => ({ body })) });
	const slept: number[] = [];
	const { sleep } = world.clock;
	world.clock.sleep = (milliseconds) => {
		slept.push(milliseconds);
		return sleep(milliseconds);
	};
	return { world, slept, total: () => slept.reduce((sum, pause) => sum + pause, 0) };
}

test("these are all the commands that wait", async () => {
	const found: string[] = [];
	for (const [path, load] of Object.entries(commands)) if ("waitTimeout" in (await load()).default.input.shape) found.push(path);
	expect(found.sort()).toEqual(Object.keys(waiting).sort());
});

describe.each(Object.entries(waiting))("%s --wait", (name, { open, final }) => {
	test("looks again, each pause longer and of a length left to chance, until it is final: exit 0", async () => {
		const { world, slept } = await worldOf(name, ...new Array<object>(8).fill(open), final);
		expect([(await run(world, name)).exit, slept.length]).toEqual([0, 8]);
		const shares = slept.map((pause, at) => pause / (500 * 1.5 ** at));
		for (const share of shares) expect([share > 0.74, share < 1.26]).toEqual([true, true]);
		expect(new Set(shares.map((share) => share.toFixed(2))).size).toBeGreaterThan(4);
	});

	test("ends at its limit: exit 8, with what was seen last", async () => {
		const { world, total } = await worldOf(name, open);
		const ran = await run(world, name, "--wait-timeout 30");
		expect([ran.exit, Object.keys(ran.json()).length > 0]).toEqual([8, true]);
		expect(Math.abs(total() - 30_000)).toBeLessThan(100);
	});

	test("Ctrl-C ends it at once, with nothing more sent", async () => {
		const { world } = await worldOf(name, open);
		const stop = new AbortController();
		let then = 0;
		world.clock.sleep = (milliseconds) => {
			then = world.requests.length;
			stop.abort("SIGINT");
			return clock(stop.signal).sleep(milliseconds);
		};
		const ran = await run(world, name, "", { signal: stop.signal });
		expect([ran.exit, ran.stdout, world.requests.length, ran.error().kind]).toEqual([130, "", then, "interrupted"]);
		expect(ran.stderr.trim().split("\n")).toHaveLength(1);
		// A payment that was accepted is told, whatever became of the waiting.
		if (name === "pay ledger" || name === "pay beneficiary") expect(ran.error().message).toContain(`accepted as transaction ${made}`);
	});
});

test("a pause that the service asks for is kept, and no longer than the limit", async () => {
	for (const limit of [120, 30]) {
		const { world, slept, total } = await worldOf("kyb status", ofCorporate("PENDING_VERIFICATION"));
		const { wire } = world;
		let looks = 0;
		world.wire = async (request) => {
			if (!request.url.endsWith(corporate) || ++looks !== 2) return (wire as ReturnType<typeof answering>)(request);
			return { kind: "answer", status: 429, headers: { "retry-after": "90" }, body: new Uint8Array() };
		};
		expect((await run(world, "kyb status", `--wait-timeout ${limit}`)).exit).toBe(8);
		if (limit === 120) expect(slept[1]).toBe(90_000);
		else expect(total()).toBeLessThan(30_100);
	}
});
