import type { Random } from "../ports/machine.js";

/** The machine's randomness. */
export const random: Random = { uuid: () => crypto.randomUUID(), fraction: () => Math.random() };
