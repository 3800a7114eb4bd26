/**
 * An agent's screen says nothing of the specification. Pages and commands for whoever connects a service may say where a fact is known from.
 */
import { expect, test } from "vitest";
import { commands } from "../../src/commands/index.js";
import { makeWorld } from "../support/purser.js";

const line = "Fields marked * are not confirmed for your service: purser api list";
/** What they show is where each fact is known from. */
const connecting = ["api list"];

test.each(Object.keys(commands))("the help of %s has no word about the specification, and explains a *", async (path) => {
	const { stdout } = await (await makeWorld()).purser([...path.split(" "), "--help"], { columns: 200 });
	if (!connecting.includes(path)) expect(stdout).not.toMatch(/specification|\[assumed\]|\bassumed\b/i);
	const marked = /^ +(-|[A-Z]).* \*( \[.*)?$/m.test(stdout);
	expect(
		stdout
			.trimEnd()
			.split("\n")
			.filter((one) => one.startsWith("Fields marked")),
	).toEqual(marked ? [line] : []);
	if (marked) expect(stdout.trimEnd().endsWith(line)).toBe(true);
});
