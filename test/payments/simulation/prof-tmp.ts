import { none } from "./plants.js";
import { firstFailure } from "./seeds.js";
const t = performance.now();
const f = await firstFailure(none, { from: 0, to: 5000 });
console.log(f, performance.now() - t);
