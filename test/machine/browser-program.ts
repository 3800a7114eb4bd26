import { browser } from "../../src/machine/browser.js";

/** Opens the address with this process's environment, and prints what became of it. */
process.stdout.write(await browser(process.argv[2] as string, process.env, process.platform));
