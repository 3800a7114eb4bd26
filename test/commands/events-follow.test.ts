/**
 * `events follow` by polls: what is told, once each, over restarts, after a gap, and what ends it.
 */
import { expect, it } from "vitest";
import { unusableInbox } from "../../src/inbox/inbox.js";
import { seeds } from "../../src/sandbox/service/seed.js";
import { answered, makeWorld, type Ran, type World } from "../support/purser.js";
import { becomes, following, followOnce, paid, steps, toldBy } from "./follow-world.js";

/** A run in a world of its own, after its first round. */
async function begun(): Promise<{ world: World; run: Awaited<ReturnType<typeof following>> }> {
	const world = await makeWorld();
	return { world, run: await following(world) };
}

it("tells what changes while it runs, once each; what was there before is no news", async () => {
	const world = await makeWorld();
	const before = await paid(world, "10.00");
	becomes(world, before, "APPROVED");
	const run = await following(world);
	const id = await paid(world, "11.00");
	await run.next();
	becomes(world, id, "APPROVED");
	await run.next();
	await run.next();
	const ran = await run.stop();
	expect(ran.exit, ran.stderr).toBe(130);
	expect(steps(toldBy(ran))).toEqual(["transaction null PENDING", "transaction PENDING APPROVED"]);
	const [, last] = toldBy(ran);
	expect(Object.keys(last ?? {})).toEqual(["id", "type", "at", "subject", "from", "to", "source", "verified", "confirmed"]);
	expect(last).toMatchObject({ type: "transaction.approved", subject: { kind: "transaction", id }, source: "poll", verified: true });
	expect(last?.confirmed?.status).toBe("APPROVED");
});

it("off for two hours: every final change is told once, over restarts", async () => {
	const world = await makeWorld();
	const pending = await paid(world, "10.00");
	const first = await followOnce(world);
	expect(toldBy(first)).toEqual([]);
	// A payment of an hour before the run that began at two, one that was final and became another, and twelve that nobody saw begin.
	becomes(world, pending, "DECLINED");
	world.clock.advance(3_600_000);
	const ids: string[] = [];
	for (let number = 0; number < 12; number += 1) ids.push(await paid(world, `20.${10 + number}`, `Invoice ${number}`));
	for (const id of ids) becomes(world, id, "APPROVED");
	world.clock.advance(3_600_000);
	const second = await followOnce(world);
	const told = toldBy(second);
	expect(told.map(({ subject }) => subject?.id).sort()).toEqual([pending, ...ids].sort());
	expect(new Set(steps(told))).toEqual(new Set(["transaction PENDING DECLINED", "transaction null APPROVED"]));
	expect(toldBy(await followOnce(world))).toEqual([]);
	// Control: without a place to begin at, it begins now.
	const other = await makeWorld();
	becomes(other, await paid(other, "10.00"), "APPROVED");
	expect(toldBy(await followOnce(other))).toEqual([]);
});

it("errors do not end it: it says so once, waits as long as it is asked to, and catches up", async () => {
	const { world, run } = await begun();
	const id = await paid(world, "10.00");
	world.wire = async () => answered(503, "", { "retry-after": "600" });
	await run.next();
	const asked = world.requests.length;
	const began = world.clock.now().getTime();
	await run.next();
	expect(world.clock.now().getTime() - began).toBeGreaterThanOrEqual(600_000);
	expect(world.requests.length - asked).toBeLessThanOrEqual(3);
	becomes(world, id, "APPROVED");
	world.wire = undefined;
	await run.next();
	const ran = await run.stop();
	expect(ran.exit).toBe(130);
	expect(ran.stderr.match(/it is tried again/g)).toHaveLength(1);
	expect(ran.stderr).toContain("The service answers again: 1 event since");
	expect(steps(toldBy(ran))).toEqual(["transaction null APPROVED"]);
});

it("a credential that is refused ends it, and says what to do", async () => {
	const { world, run } = await begun();
	world.wire = async () => answered(401);
	await run.next();
	const ran = await run.end;
	expect(ran.exit).toBe(4);
	expect(ran.stderr).toContain("purser auth login");
	const other = await following(await makeWorld({ wire: async () => answered(403) }));
	expect((await other.end).exit).toBe(4);
});

it("terms that must be accepted again, KYB and KYC of open companies are told; a company that is decided is asked for no more", async () => {
	const world = await makeWorld();
	const { corporates, related } = world.sandbox.state;
	const [company] = corporates;
	const [person] = related;
	if (company === undefined || person === undefined) throw new Error("the sandbox has no company");
	const kyc = { status: "PROCESSING", type: "FULL_KYC" as const };
	const open = { ...structuredClone(company), id: "11111111-1111-4111-8111-111111111112", kyb: { status: "PENDING_VERIFICATION" } };
	const owner = { ...person, id: "22222222-2222-4222-8222-222222222223", corporateId: open.id, kyc };
	corporates.push(open);
	related.push(owner as never);
	const run = await following(world);
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

/** Runs with --for 1h, which is over after three rounds; before each a test may change something. */
async function threeRounds(world: World, before: () => void = () => {}): Promise<Ran> {
	let rounds = 0;
	let over = (): void => {};
	world.clock.sleep = (milliseconds) =>
		new Promise((resolve) => {
			if (milliseconds === 3_600_000) {
				over = resolve;
				return;
			}
			world.clock.advance(milliseconds);
			if (milliseconds >= 5_000) {
				rounds += 1;
				before();
			}
			if (rounds === 3) over();
			else resolve();
		});
	return world.purser("events follow --for 1h -o ndjson");
}

it("exits 6 where the service was away for all of --for, and 0 where it answered once", async () => {
	const away = await makeWorld({ wire: async () => answered(503) });
	const ran = await threeRounds(away);
	expect([ran.exit, ran.stderr]).toEqual([6, expect.stringContaining('"kind":"unavailable"')]);
	const back = await makeWorld();
	back.wire = async () => answered(503);
	expect((await threeRounds(back, () => Object.assign(back, { wire: undefined }))).exit).toBe(0);
});

it("ends with 6 where there is no room for what it hears", async () => {
	const world = await makeWorld();
	const inbox = await world.inbox();
	const run = await following(world);
	const full = unusableInbox(Object.assign(new Error("full"), { code: "SQLITE_FULL" }), "inbox.db");
	Object.assign(inbox, { receive: () => Promise.reject(full) });
	await paid(world, "10.00");
	await run.next();
	const ran = await run.end;
	expect([ran.exit, ran.stderr]).toEqual([6, expect.stringContaining('"INBOX_FULL"')]);
});

it("asks again for what a deployment refused, and tells that once", async () => {
	const world = await makeWorld();
	const [company] = world.sandbox.state.corporates;
	const fault = ["sandbox", "simulate", "fault", "corporate.list=404:x2"];
	expect((await world.purser(fault)).exit).toBe(0);
	world.clock.advance(3_600_000);
	const run = await following(world);
	await run.next();
	await run.next();
	if (company !== undefined) company.accepted = undefined;
	await run.next();
	const ran = await run.stop();
	expect(ran.stderr.match(/Companies cannot be listed/g)).toHaveLength(1);
	expect(toldBy(ran).map(({ type }) => type)).toEqual(["corporate.terms.outdated"]);
});

it("where neither payments nor companies can be read it says why, and goes on", async () => {
	const world = await makeWorld();
	world.wire = async () => answered(404);
	const run = await following(world);
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
	const { world, run } = await begun();
	const id = await paid(world, "10.00");
	const made = world.sandbox.state.transactions.find((one) => one.id === id);
	if (made !== undefined) made.createdAt = "2026-03-01T09:30:00.000";
	await run.next();
	const told = toldBy(await run.stop());
	expect(steps(told)).toEqual(["transaction null PENDING"]);
	expect(told[0]?.at.slice(11, 16)).not.toBe("09:30");
});

it("a list that cannot be asked for a period is not read whole in every round", async () => {
	const list = { method: "GET", path: "/api/partner/transactions", fields: { startDate: "none" } } as const;
	const world = await makeWorld({ profile: { mapping: { operations: { "transaction.list": list } } } });
	const run = await following(world);
	await run.next();
	const { stderr } = await run.stop();
	expect(stderr.match(/so payments are not followed: startDate has no place/g)).toHaveLength(1);
	expect(world.requests.filter(({ line }) => line.includes("/transactions"))).toEqual([]);
});
