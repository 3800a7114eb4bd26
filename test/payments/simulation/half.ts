/**
 * The program behind one half of the seeds: `half.mjs 0` or `half.mjs 1` prints what failed, or nothing.
 */
import { failureOf } from "./seeds.js";

process.stdout.write(await failureOf(process.argv[2] === "1" ? 1 : 0));
