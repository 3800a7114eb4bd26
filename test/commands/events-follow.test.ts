/**
 * `events follow` by polls: what is told, once each, over restarts, after a gap, and what ends it. The clock stands still while a run waits for
 * its next round.
 */
import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { unusableInbox } from "../../src/inbox/inbox.js";
import type { ServiceEvent } from "../../src/ports/events.js";
import { seeds } from "../../src/sandbox/service/seed.js";
import { answered, makeWorld, type Ran, type World } from "../support/purser.js";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

/** The events of a run, as it told them. */
const toldBy = ({ stdout }: Pick<Ran, "stdout">): ServiceEvent[] =>
	stdout
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));

/** Transitions, for comparing: `transaction PENDING APPROVED`. */
const steps = (ran: Ran): string[] => toldBy(ran).map(({ subject, from, to }) => `${subject?.kind} ${from} ${to}`);

/** Starts a run, and waits until its first round is over. */
async function following() {
	const { clock } = world;
	const stop = new AbortController();
	const waiting: { until: number; go: () => void }[] = [];
	clock.sleep = (milliseconds) =>
		new Promise((resolve) => {
			// A pause within a round.
			if (milliseconds < 5_000) {
				clock.advance(milliseconds);
				return resolve();
			}
			waiting.push({ until: clock.now().getTime() + milliseconds, go: resolve });
		});
	let isOver = false;
	const end = world.purser("events follow -o ndjson", { signal: stop.signal }).finally(() => {
		isOver = true;
	});
	const rest = async (): Promise<void> => {
		while (waiting.length === 0 && !isOver) await turn();
	};
	await rest();
	return {
		/** Of a run that ends by itself. */
		end,
		/** Moves the clock to the next round, and waits until that round is over. */
		next: async (): Promise<void> => {
			const [first] = waiting.splice(0);
			if (first === undefined) throw new Error("nothing is waited for");
			clock.advance(first.until - clock.now().getTime());
			first.go();
			await rest();
		},
		/** Ctrl-C. */
		stop: (): Promise<Ran> => {
			stop.abort("SIGINT");
			return end;
		},
	};
}

/** One run with one round. */
const followOnce = async (): Promise<Ran> => (await following()).stop();

/** @returns the id of the transaction */
async function paid(amount: string, reference = "Invoice"): Promise<string> {
	const parties = `--ledger-from-id ${seeds.mainLedger} --beneficiary-id ${seeds.supplier}`;
	const { id } = await world.json(`pay beneficiary ${parties} --amount ${amount} --reference "${reference}" --yes`);
	// It ends when the test says so.
	for (const one of world.sandbox.state.transactions) if (one.id === id) one.settles = Number.POSITIVE_INFINITY;
	return id;
}

/** Changes a transaction of the sandbox, as the service does by itself. */
function becomes(id: string, status: string): void {
	const found = world.sandbox.state.transactions.find((one) => one.id === id);
	if (found === undefined) throw new Error(`no transaction ${id}`);
	found.status = status as typeof found.status;
}

it("tells what changes while it runs, once each; what was there before is no news", async () => {
	const before = await paid("10.00");
	becomes(before, "APPROVED");
	const run = await following();
	const id = await paid("11.00");
	await run.next();
	becomes(id, "APPROVED");
	await run.next();
	await run.next();
	const ran = await run.stop();
	expect(ran.exit, ran.stderr).toBe(130);
	expect(steps(ran)).toEqual(["transaction null PENDING", "transaction PENDING APPROVED"]);
	const [, last] = toldBy(ran);
	expect(Object.keys(last ?? {})).toEqual(["id", "type", "at", "subject", "from", "to", "source", "verified", "confirmed"]);
	expect(last).toMatchObject({ type: "transaction.approved", subject: { kind: "transaction", id }, source: "poll", verified: true });
	expect(last?.confirmed?.status).toBe("APPROVED");
});

it("off for two hours: every final change is told once, over restarts", async () => {
	const pending = await paid("10.00");
	expect(toldBy(await followOnce())).toEqual([]);
	// A payment of an hour before the run that began at two, one that was final and became another, and twelve that nobody saw begin.
	becomes(pending, "DECLINED");
	world.clock.advance(3_600_000);
	const ids: string[] = [];
	for (let number = 0; number < 12; number += 1) ids.push(await paid(`20.${10 + number}`, `Invoice ${number}`));
	for (const id of ids) becomes(id, "APPROVED");
	world.clock.advance(3_600_000);
	const second = await followOnce();
	expect(
		toldBy(second)
			.map(({ subject }) => subject?.id)
			.sort(),
	).toEqual([pending, ...ids].sort());
	expect(new Set(steps(second))).toEqual(new Set(["transaction PENDING DECLINED", "transaction null APPROVED"]));
	expect(toldBy(await followOnce())).toEqual([]);
	// Control: without a place to begin at, it begins now.
	world = await makeWorld();
	becomes(await paid("10.00"), "APPROVED");
	expect(toldBy(await followOnce())).toEqual([]);
});

it("errors do not end it: it says so once, waits as long as it is asked to, and catches up", async () => {
	const run = await following();
	const id = await paid("10.00");
	world.wire = async () => answered(503, "", { "retry-after": "600" });
	await run.next();
	const asked = world.requests.length;
	const began = world.clock.now().getTime();
	await run.next();
	expect(world.clock.now().getTime() - began).toBeGreaterThanOrEqual(600_000);
	expect(world.requests.length - asked).toBeLessThanOrEqual(3);
	becomes(id, "APPROVED");
	world.wire = undefined;
	await run.next();
	const ran = await run.stop();
	expect(ran.exit).toBe(130);
	expect(ran.stderr.match(/it is tried again/g)).toHaveLength(1);
	expect(ran.stderr).toContain("The service answers again: 1 event since");
	expect(steps(ran)).toEqual(["transaction null APPROVED"]);
});

it("a credential that is refused ends it, and says what to do", async () => {
	const run = await following();
	world.wire = async () => answered(401);
	await run.next();
	const ran = await run.end;
	expect(ran.exit).toBe(4);
	expect(ran.stderr).toContain("purser auth login");
	world = await makeWorld({ wire: async () => answered(403) });
	expect((await (await following()).end).exit).toBe(4);
});

it("terms that must be accepted again, KYB and KYC of open companies are told; a company that is decided is asked for no more", async () => {
	const { corporates, related } = world.sandbox.state;
	const [[company], [person]] = [corporates as [(typeof corporates)[0]], related];
	const kyc = { status: "PROCESSING", type: "FULL_KYC" as const };
	const open = { ...structuredClone(company), id: "11111111-1111-4111-8111-111111111112", kyb: { status: "PENDING_VERIFICATION" } };
	const owner = { ...person, id: "22222222-2222-4222-8222-222222222223", corporateId: open.id, kyc };
	corporates.push(open);
	related.push(owner as never);
	const run = await following();
	owner.kyc.status = "VALIDATED";
	open.kyb.status = "VALIDATED";
	company.accepted = undefined;
	await run.next();
	const asked = world.requests.length;
	await run.next();
	expect(world.requests.slice(asked).filter(({ line }) => line.includes("/related"))).toEqual([]);
	const ran = await run.stop();
	expect(toldBy(ran).map(({ type, from, to }) => [type, from, to])).toEqual([
		["corporate.terms.outdated", "termsAccepted: true", "termsAccepted: false"],
		["corporate.kyb.validated", "PENDING_VERIFICATION", "VALIDATED"],
		["corporate.related.kyc.validated", "PROCESSING", "VALIDATED"],
	]);
	expect(toldBy(ran)[0]?.subject?.id).toBe(seeds.corporate);
});

it("exits 6 where the service was away for all of --for, and 0 where it answered once", async () => {
	/** Runs with --for 1h, which is over after three rounds; in each a test may change something. */
	const threeRounds = (during: () => void = () => {}): Promise<Ran> => {
		let rounds = 0;
		let over = (): void => {};
		world.wire = async () => answered(503);
		world.clock.sleep = (milliseconds) =>
			new Promise((resolve) => {
				if (milliseconds === 3_600_000) {
					over = resolve;
					return;
				}
				world.clock.advance(milliseconds);
				if (milliseconds >= 5_000) {
					rounds += 1;
					during();
				}
				if (rounds === 3) over();
				else resolve();
			});
		return world.purser("events follow --for 1h -o ndjson");
	};
	const away = await threeRounds();
	expect([away.exit, away.stderr]).toEqual([6, expect.stringContaining('"kind":"unavailable"')]);
	world = await makeWorld();
	expect((await threeRounds(() => Object.assign(world, { wire: undefined }))).exit).toBe(0);
});

it("ends with 6 where there is no room for what it hears", async () => {
	const inbox = await world.inbox();
	const run = await following();
	const full = unusableInbox(Object.assign(new Error("full"), { code: "SQLITE_FULL" }), "inbox.db");
	Object.assign(inbox, { receive: () => Promise.reject(full) });
	await paid("10.00");
	await run.next();
	const ran = await run.end;
	expect([ran.exit, ran.stderr]).toEqual([6, expect.stringContaining('"INBOX_FULL"')]);
});

it("asks again for what a deployment refused, and tells that once", async () => {
	const [company] = world.sandbox.state.corporates;
	expect((await world.purser("sandbox simulate fault corporate.list=404:x2")).exit).toBe(0);
	world.clock.advance(3_600_000);
	const run = await following();
	await run.next();
	await run.next();
	if (company !== undefined) company.accepted = undefined;
	await run.next();
	const ran = await run.stop();
	expect(ran.stderr.match(/Companies cannot be listed/g)).toHaveLength(1);
	expect(toldBy(ran).map(({ type }) => type)).toEqual(["corporate.terms.outdated"]);
});

it("where neither payments nor companies can be read it says why, and goes on", async () => {
	world.wire = async () => answered(404);
	const run = await following();
	await run.next();
	world.wire = undefined;
	await run.next();
	const { stderr } = await run.stop();
	const places = ["so payments are not followed", "it is tried again", "answers again"].map((text) => stderr.indexOf(text));
	expect(places).not.toContain(-1);
	expect(places).toEqual([...places].sort((one, other) => one - other));
	expect(stderr.match(/it is tried again/g)).toHaveLength(1);
});

it("a time without a zone may be of any: a payment that may be new is told, without saying when it was made", async () => {
	const run = await following();
	const id = await paid("10.00");
	const made = world.sandbox.state.transactions.find((one) => one.id === id);
	if (made !== undefined) made.createdAt = "2026-03-01T09:30:00.000";
	await run.next();
	const ran = await run.stop();
	expect(steps(ran)).toEqual(["transaction null PENDING"]);
	expect(toldBy(ran)[0]?.at.slice(11, 16)).not.toBe("09:30");
});

it("a list that cannot be asked for a period is not read whole in every round", async () => {
	const list = { method: "GET", path: "/api/partner/transactions", fields: { startDate: "none" } } as const;
	world = await makeWorld({ profile: { mapping: { operations: { "transaction.list": list } } } });
	const run = await following();
	await run.next();
	const { stderr } = await run.stop();
	expect(stderr.match(/so payments are not followed: startDate has no place/g)).toHaveLength(1);
	expect(world.requests.filter(({ line }) => line.includes("/transactions"))).toEqual([]);
});
