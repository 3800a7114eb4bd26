/**
 * What a change was sent through stays on record: once for each binding, through a purge, and with what it proved.
 */
import { afterEach, describe, expect, test } from "vitest";
import type { IntentBinding, KeptBinding } from "../../src/ports/binding.js";
import { loadDriver } from "../../src/sqlite/drivers.js";
import { change, drivers, newFolder, open, payment, removeFolders, testClock } from "./journals.js";

afterEach(removeFolders);

const own: KeptBinding = { digest: "a".repeat(64), operations: { "transaction.interLedger": { path: "/transfers" } } };
const lookUps: KeptBinding = { digest: "b".repeat(64), operations: { "transaction.list": { path: "/movements" } } };
const binding: IntentBinding = { digest: own.digest, lookUps: lookUps.digest };
const kept = [own, lookUps];
const idOf = (last: number): string => `0b9f6f0e-5d3c-4d1e-8a3f-3c2b1a09080${last}`;

describe.each(drivers)("with %s", (driver) => {
	test("a binding is recorded once, before the first change that was sent through it", async () => {
		const journal = await open(newFolder(), { driver });
		await journal.begin(payment({}, { binding: null }), { kept: [] });
		const one = await journal.begin(payment({ reference: "one" }, { binding }), { kept });
		await journal.begin(payment({ reference: "two" }, { binding }), { kept });
		const kinds: string[] = [];
		for await (const { kind } of journal.events(0)) kinds.push(kind);
		expect(kinds).toEqual(["installed", "settings", "begun", "binding", "binding", "begun", "begun"]);
		const found = (await journal.show(one))?.record;
		expect(found?.binding).toEqual(binding);
		expect(await journal.through(found as never)).toEqual(binding);
		expect(await journal.binding(lookUps.digest)).toEqual(lookUps);
		expect(await journal.binding("c".repeat(64))).toBeUndefined();
		expect((await journal.verify()).faults).toEqual([]);
		await journal.close();
	});

	test("a payment that was accepted and seen final through a binding says so of that binding alone", async () => {
		const journal = await open(newFolder(), { driver });
		const told = () => journal.paidThrough("transaction.interLedger", own.digest);
		const one = await journal.begin(payment({ reference: "one" }, { binding }), { kept });
		expect(await told()).toEqual({ accepted: false, final: false });
		await journal.recordFinal(one, "APPROVED");
		expect(await told()).toEqual({ accepted: false, final: false });
		await journal.end(one, { state: "accepted", id: idOf(1), status: 201 });
		expect(await told()).toEqual({ accepted: true, final: false });
		const before = (await journal.verify()).events;
		await journal.recordFinal(one, "APPROVED");
		await journal.recordFinal(one, "APPROVED");
		expect(await told()).toEqual({ accepted: true, final: true });
		expect((await journal.verify()).events).toBe(before + 1);
		expect(await journal.paidThrough("transaction.interLedger", "c".repeat(64))).toEqual({ accepted: false, final: false });
		await journal.close();
	});

	test("a payment seen final at one service proves nothing of the same binding at another", async () => {
		const journal = await open(newFolder(), { driver });
		const [here, there] = ["https://here.example.com", "https://there.example.com"];
		const finalAt = async (service: string) => (await journal.paidThrough("transaction.interLedger", own.digest, service)).final;
		const one = await journal.begin(payment({ reference: "one" }, { binding, service: here }), { kept });
		await journal.end(one, { state: "accepted", id: idOf(4), status: 201 });
		await journal.recordFinal(one, "APPROVED");
		expect([await finalAt(here), await finalAt(there)]).toEqual([true, false]);
		const two = await journal.begin(payment({ reference: "two" }, { binding, service: there }), { kept });
		await journal.end(two, { state: "accepted", id: idOf(5), status: 201 });
		await journal.recordFinal(two, "APPROVED");
		expect([await finalAt(here), await finalAt(there)]).toEqual([true, true]);
		await journal.close();
	});

	test("what was sent as described, or is no payment, proves no binding", async () => {
		const journal = await open(newFolder(), { driver });
		const described = await journal.begin(payment({}, { binding: null }));
		await journal.end(described, { state: "accepted", id: idOf(2), status: 201 });
		const other = await journal.begin(change({ binding }), { kept });
		await journal.end(other, { state: "accepted", status: 201 });
		const { events } = await journal.verify();
		for (const intent of [described, other]) await journal.recordFinal(intent, "APPROVED");
		expect((await journal.verify()).events).toBe(events);
		expect(await journal.paidThrough("transaction.interLedger", own.digest)).toEqual({ accepted: false, final: false });
		await journal.close();
	});

	test("a purge keeps the bindings and what they proved", async () => {
		const clock = testClock("2026-03-01T10:00:00.000Z");
		const journal = await open(newFolder(), { driver, clock });
		const one = await journal.begin(payment({ reference: "one" }, { binding }), { kept });
		await journal.end(one, { state: "accepted", id: idOf(3), status: 201 });
		await journal.recordFinal(one, "APPROVED");
		clock.set("2026-03-05T10:00:00.000Z");
		const two = await journal.begin(payment({ reference: "two" }, { binding }), { kept });
		await journal.purge(new Date("2026-03-04T00:00:00.000Z"));
		expect(await journal.show(one)).toBeUndefined();
		expect((await journal.show(two))?.record.binding).toEqual(binding);
		expect(await journal.binding(lookUps.digest)).toEqual(lookUps);
		expect(await journal.paidThrough("transaction.interLedger", own.digest)).toEqual({ accepted: true, final: true });
		expect((await journal.verify()).faults).toEqual([]);
		await journal.close();
	});

	test("a binding that is not on record is a fault of the journal", async () => {
		const journal = await open(newFolder(), { driver });
		await journal.begin(payment({ reference: "one" }, { binding }), { kept: [own] });
		expect((await journal.verify()).faults).toEqual([`the binding ${"b".repeat(64)}, through which something was sent, is not on record`]);
		const storage = (await loadDriver(driver))(journal.file, { wait: 0 });
		expect(() => storage.exec("UPDATE event SET content = '{}' WHERE kind = 'binding'")).toThrow(/never changed/);
		storage.close();
		await journal.close();
	});
});
