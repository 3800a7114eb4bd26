/** Plans for tests: invented ledgers, literal totals. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { plannedBytes } from "../../../src/payments/batch/approval/approval.js";
import type { BatchPlan } from "../../../src/ports/batch-plan.js";

export const ledgerA = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";

/** A person with a key, the same in every run. @param seed any byte */
export function person(seed: number): { key: string; secret: KeyObject } {
	const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, seed)]);
	const secret = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
	return { key: createPublicKey(secret).export({ format: "jwk" }).x as string, secret };
}

/** How many rows of a batch are in which state, where there is none. */
export const none = {
	planned: 0,
	sending: 0,
	accepted: 0,
	waiting: 0,
	refused: 0,
	"not-sent": 0,
	"in-doubt": 0,
	"not-created": 0,
	abandoned: 0,
};

/** The code of the guard that stops it; undefined where nothing does. */
export function refusal(run: () => unknown): string | undefined {
	try {
		run();
		return undefined;
	} catch (error) {
		const { kind, failure } = error as { kind: string; failure: { code: string } };
		if (kind !== "guard") throw error;
		return failure.code;
	}
}

/** Whoever made the plans below. */
export const planner = person(1);

/** The plan as its planner signs it. */
export function signed({ signature: _, ...of }: BatchPlan, by = planner): BatchPlan {
	const whole = { ...of, planner: by.key };
	return { ...whole, signature: sign(null, plannedBytes(whole), by.secret).toString("base64url") };
}

/** Signed by its planner. */
export const plan = (more: Partial<BatchPlan> = {}, by = planner): BatchPlan => signed(unsigned(more), by);

/** Without a planner. */
export const unsigned = (more: Partial<BatchPlan> = {}): BatchPlan => ({
	version: 1,
	batch: "7",
	installation: "11111111-0000-4000-8000-000000000001",
	profile: "sandbox",
	environment: "sandbox",
	origin: "http://127.0.0.1:4010",
	source: "payroll.csv",
	sourceDigest: "c".repeat(64),
	count: 3,
	digest: { rows: "a".repeat(64), sequence: "b".repeat(64) },
	totals: [{ ledgerFromId: ledgerA, currency: "EUR", rows: 3, amount: "18230.55" }],
	largest: [{ currency: "EUR", amount: "9000" }],
	settings: { approval: "always" },
	duplicates: { inside: 0, earlier: 0 },
	planned: "2026-03-01T10:00:00.000Z",
	expires: "2026-03-02T10:00:00.000Z",
	...more,
});
