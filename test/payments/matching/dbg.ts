import { control, plants } from "./engine.js";
import { firstFailure } from "./worlds.js";
import { noCounts } from "./run.js";
const [name, a, b] = process.argv.slice(2);
console.log(firstFailure(name === "control" ? control : plants[name!]!, Number(a), Number(b), noCounts()));
