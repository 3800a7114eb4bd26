import { describe, expect, test } from "vitest";
import { commands } from "../../src/commands/index.js";
import { clock } from "../../src/system/machine.js";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering } from "./answers.js";

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
	id: person,
	firstName: "Ada",
	lastName: "Example",
	email: { emailAddress: "ada@example.com", verified },
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
	argv: readonly string[];
	/** What is looked at again and again. */
	line: string;
	open: object;
	final: object;
}

/** Every command that can wait. */
const waiting: Readonly<Record<string, Waiting>> = {
	"kyb status": {
		argv: [corporate, "--wait"],
		line: corporateLine,
		open: ofCorporate("PENDING_VERIFICATION"),
		final: ofCorporate("VALIDATED"),
	},
	"email status": {
		argv: [person, "--wait"],
		line: personLine,
		open: ofPerson(false, "NOT_STARTED"),
		final: ofPerson(true, "NOT_STARTED"),
	},
	"kyc status": { argv: [person, "--wait"], line: personLine, open: ofPerson(true, "PENDING"), final: ofPerson(true, "VALIDATED") },
	"pay show": { argv: [made, "--wait"], line: paymentLine, open: ofPayment("PENDING"), final: ofPayment("APPROVED") },
	"pay ledger": {
		argv: ["--ledger-from-id", from, "--ledger-to-id", to, "--amount", "10.10", "--yes", "--wait"],
		line: paymentLine,
		open: ofPayment("PENDING"),
		final: ofPayment("APPROVED"),
	},
	"pay beneficiary": {
		argv: ["--ledger-from-id", from, "--beneficiary-id", to, "--amount", "10.10", "--yes", "--wait"],
		line: paymentLine,
		open: ofPayment("PENDING"),
		final: ofPayment("APPROVED"),
	},
};

const argvOf = (name: string, { argv }: Waiting): string[] => [...name.split(" "), ...argv, "--json"];

async function worldOf(looks: readonly object[], { line }: Waiting): Promise<{ world: World; slept: number[] }> {
	const world = await makeWorld();
	world.wire = answering({ ...rest, [line]: looks.map((body) => ({ body })) });
	const slept: number[] = [];
	const { sleep } = world.clock;
	world.clock.sleep = (milliseconds) => {
		slept.push(milliseconds);
		return sleep(milliseconds);
	};
	return { world, slept };
}

test("these are all the commands that wait", async () => {
	const found: string[] = [];
	for (const [path, load] of Object.entries(commands)) if ("waitTimeout" in (await load()).default.input.shape) found.push(path);
	expect(found.sort()).toEqual(Object.keys(waiting).sort());
});

describe.each(Object.entries(waiting))("%s --wait", (name, one) => {
	test("looks again, each pause longer and of a length left to chance, until it is final: exit 0", async () => {
		const { world, slept } = await worldOf([...new Array<object>(8).fill(one.open), one.final], one);
		expect((await world.purser(argvOf(name, one))).exit).toBe(0);
		expect(slept).toHaveLength(8);
		for (const [at, usual] of [500, 750, 1125, 1687.5, 2531, 3797, 5695, 8543].entries()) {
			expect(slept[at]).toBeGreaterThanOrEqual(usual * 0.74);
			expect(slept[at]).toBeLessThanOrEqual(usual * 1.26);
		}
		const shares = slept.map((pause, at) => (pause / (500 * 1.5 ** at)).toFixed(2));
		expect(new Set(shares).size).toBeGreaterThan(4);
	});

	test("ends at its limit: exit 8, with what was seen last", async () => {
		const { world, slept } = await worldOf([one.open], one);
		const ran = await world.purser([...argvOf(name, one), "--wait-timeout", "30"]);
		expect(ran.exit).toBe(8);
		expect(Object.keys(ran.json()).length).toBeGreaterThan(0);
		expect(slept.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(29_900);
		expect(slept.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(30_100);
	});

	test("Ctrl-C ends it at once, with nothing more sent", async () => {
		const { world } = await worldOf([one.open], one);
		const stop = new AbortController();
		let then = 0;
		world.clock.sleep = (milliseconds) => {
			then = world.requests.length;
			stop.abort("SIGINT");
			return clock(stop.signal).sleep(milliseconds);
		};
		const ran = await world.purser(argvOf(name, one), { signal: stop.signal });
		expect(world.requests).toHaveLength(then);
		expect(ran.stderr.trim().split("\n").length).toBeLessThanOrEqual(1);
		expect([ran.exit, ran.stdout]).toEqual([130, ""]);
		const { error } = JSON.parse(ran.stderr);
		expect(error.kind).toBe("interrupted");
		// A payment that was accepted is told, whatever became of the waiting.
		if (name === "pay ledger" || name === "pay beneficiary") expect(error.message).toContain(`accepted as transaction ${made}`);
	});
});

test("a pause that the service asks for is kept, and no longer than the limit", async () => {
	const one = waiting["kyb status"] as Waiting;
	const { world, slept } = await worldOf([one.open], one);
	const { wire } = world;
	let looks = 0;
	world.wire = async (request) => {
		if (!request.url.endsWith(corporate) || ++looks !== 2) return wire?.(request) as never;
		return { kind: "answer", status: 429, headers: { "retry-after": "90" }, body: new Uint8Array() };
	};
	expect((await world.purser([...argvOf("kyb status", one), "--wait-timeout", "120"])).exit).toBe(8);
	expect(slept[1]).toBe(90_000);
	looks = 0;
	slept.length = 0;
	expect((await world.purser([...argvOf("kyb status", one), "--wait-timeout", "30"])).exit).toBe(8);
	expect(slept.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(30_100);
});
