import { randomUUID } from "node:crypto";
import type { Chance } from "../context.js";

/** The machine's randomness. */
export const chance: Chance = { uuid: () => randomUUID(), fraction: () => Math.random() };
