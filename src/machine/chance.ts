import type { Chance } from "../context.js";

/** The machine's randomness. */
export const chance: Chance = { uuid: () => crypto.randomUUID(), fraction: () => Math.random() };
