/**
 * A clock that moves only by sleeping or by being advanced, and randomness that is the same in every run.
 */
import { createHash } from "node:crypto";
import type { Clock, Random } from "../../src/ports/machine.js";

export function makeClock(): Clock & { advance(milliseconds: number): void } {
	let now = Date.parse("2026-03-01T10:00:00Z");
	return {
		now: () => new Date(now),
		monotonic: () => now,
		sleep: async (milliseconds: number) => {
			now += milliseconds;
		},
		advance: (milliseconds: number) => {
			now += milliseconds;
		},
	};
}

export function makeChance(): Random {
	let chances = 1;
	let uuids = 0;
	return {
		// Lehmer's generator: the same sequence in every run.
		fraction: () => {
			chances = (chances * 48271) % 2147483647;
			return chances / 2147483647;
		},
		uuid: () => {
			const text = createHash("sha256").update(`uuid ${uuids++}`).digest("hex");
			return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-8${text.slice(17, 20)}-${text.slice(20, 32)}`;
		},
	};
}
