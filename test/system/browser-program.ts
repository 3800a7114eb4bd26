import { browser } from "../../src/system/browser.js";
import { show } from "../../src/system/shown-document.js";

/** Opens the page of that path, or shows the text in it, with this process's environment; prints what became of it. */
const [what, value = ""] = process.argv.slice(2);
const open = (file: string) => browser(file, process.env, process.platform);
const page = { bytes: new TextEncoder().encode(value), contentType: "text/html; charset=utf-8" };
const showing = { open, home: process.env.HOME as string, signal: new AbortController().signal };
process.stdout.write(await (what === "show" ? show(page, showing) : open(value)));
