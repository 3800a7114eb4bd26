import type { Chance } from "../ports/machine.js";

/** The machine's randomness. */
export const chance: Chance = { uuid: () => crypto.randomUUID(), fraction: () => Math.random() };
