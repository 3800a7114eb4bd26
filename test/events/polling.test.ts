/**
 * The difference of two polls: what is told, and what is only noted.
 */
import { describe, expect, it } from "vitest";
import {
	differenceOf,
	isMoving,
	type Known,
	nothingSeen,
	type PolledKind,
	type Records,
	type Seen,
	withoutOlder,
} from "../../src/events/polling.js";

const records = (known: Partial<Record<PolledKind, Record<string, Known>>>): Records => ({
	transaction: new Map(Object.entries(known.transaction ?? {})),
	corporate: new Map(Object.entries(known.corporate ?? {})),
	related: new Map(Object.entries(known.related ?? {})),
});

/** What is told when one record goes from one status to another. */
const told = (kind: PolledKind, from: string | undefined, to: string) =>
	differenceOf(records({ [kind]: { a: { status: from } } }), [{ kind, id: "a", status: to }]).changes;

describe("a change", () => {
	it("is told with both states, in the words of the service", () => {
		for (const [kind, from, to, type] of [
			["transaction", "PENDING", "APPROVED", "transaction.approved"],
			["corporate", "PENDING_VERIFICATION", "NEED_ADDITIONAL_INFORMATION", "corporate.kyb.need.additional.information"],
			["related", "PROCESSING", "VALIDATED", "corporate.related.kyc.validated"],
		] as const)
			expect(told(kind, from, to)).toEqual([{ type, subject: { kind, id: "a" }, from, to }]);
	});

	it("is none where the status is the same, or the service does not tell it this time; what it told before is not forgotten", () => {
		const before = records({ transaction: { a: { status: "PENDING" } } });
		expect(differenceOf(before, [{ kind: "transaction", id: "a", status: "PENDING" }]).changes).toEqual([]);
		const silent = differenceOf(before, [{ kind: "transaction", id: "a" }]);
		expect(silent.changes).toEqual([]);
		expect(differenceOf(silent.after, [{ kind: "transaction", id: "a", status: "APPROVED" }]).changes).toMatchObject([{ from: "PENDING" }]);
	});
});

describe("a record that nobody saw before", () => {
	const seen: Seen = { kind: "transaction", id: "a", status: "APPROVED", created: "2026-03-01T10:00:00Z" };

	it("is told where it was made since the last poll, and noted where it was there before", () => {
		expect(differenceOf(nothingSeen, [{ ...seen, isNew: true }]).changes).toMatchObject([{ from: null, to: "APPROVED" }]);
		const noted = differenceOf(nothingSeen, [seen]);
		expect(noted.changes).toEqual([]);
		expect(noted.after.transaction.get("a")).toEqual({ status: "APPROVED", created: "2026-03-01T10:00:00Z" });
	});

	it("is not told where nothing happened to it yet", () => {
		expect(differenceOf(nothingSeen, [{ kind: "corporate", id: "c", status: "NOT_STARTED", isNew: true }]).changes).toEqual([]);
		expect(differenceOf(nothingSeen, [{ kind: "related", id: "p", status: "NOT_STARTED", isNew: true }]).changes).toEqual([]);
	});
});

describe("terms of a company", () => {
	it("are told where they are no longer accepted, and where they are again: no webhook says either", () => {
		const accepted = differenceOf(nothingSeen, [{ kind: "corporate", id: "c", status: "VALIDATED", terms: true }]);
		expect(accepted.changes).toEqual([]);
		const outdated = differenceOf(accepted.after, [{ kind: "corporate", id: "c", status: "VALIDATED", terms: false }]);
		const subject = { kind: "corporate", id: "c" };
		expect(outdated.changes).toEqual([
			{ type: "corporate.terms.outdated", subject, from: "termsAccepted: true", to: "termsAccepted: false" },
		]);
		expect(differenceOf(outdated.after, [{ kind: "corporate", id: "c", terms: false }]).changes).toEqual([]);
		expect(differenceOf(outdated.after, [{ kind: "corporate", id: "c", terms: true }]).changes).toMatchObject([
			{ type: "corporate.terms.accepted" },
		]);
	});
});

describe("what is kept", () => {
	it("a record can change until it is final; one of an unknown status can", () => {
		const moving = ["PENDING", "SOMETHING_NEW", undefined, "REVERSED"].map((status) => isMoving("transaction", { status }));
		expect(moving).toEqual([true, true, true, false]);
		expect(["NEED_ADDITIONAL_INFORMATION", "DECLINED"].map((status) => isMoving("corporate", { status }))).toEqual([true, false]);
	});

	it("final transactions that are not listed any more are left out, and only those", () => {
		const all = records({
			transaction: {
				old: { status: "APPROVED", created: "2026-03-01T07:59:59Z" },
				recent: { status: "APPROVED", created: "2026-03-01T08:00:00Z" },
				moving: { status: "PENDING", created: "2026-01-01T00:00:00Z" },
			},
			corporate: { c: { status: "VALIDATED", terms: true } },
		});
		const left = withoutOlder(all, "2026-03-01T08:00:00Z");
		expect([...left.transaction.keys()]).toEqual(["recent", "moving"]);
		expect([...left.corporate.keys()]).toEqual(["c"]);
	});
});
