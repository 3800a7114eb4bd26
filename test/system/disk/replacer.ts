/** A program that replaces a file, at once and in parts: `replacer FILE`. */
import { openReplacement, replaceFile } from "../../../src/system/disk/replace-file.js";

const [file = ""] = process.argv.slice(2);
replaceFile(file, "one", 0o600);
const replacement = await openReplacement(file, 0o600);
await replacement.write("tw");
await replacement.write("o");
await replacement.finish();
