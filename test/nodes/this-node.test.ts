/**
 * Which Node runs these tests, and with which drivers of SQLite: a run on a newer Node must be one.
 */
import { isBuiltin } from "node:module";
import { expect, test } from "vitest";
import { loadDriver } from "../../src/sqlite/drivers.js";
import { allDrivers } from "../journal/journals.js";

test("this is the Node that was asked for, and the journal takes the SQLite built into it where there is one", async () => {
	const { node } = process.versions;
	const wanted = process.env.PURSER_THIS_NODE;
	const builtIn = isBuiltin("node:sqlite");
	process.stdout.write(`this Node: ${node}, SQLite of ${allDrivers.join(" and ")}\n`);
	if (wanted !== undefined) expect(node).toBe(wanted);
	expect(builtIn).toBe(Number(node.split(".")[0]) >= 22);
	// The tool's own choice, without a word of the tests'.
	const storage = (await loadDriver())(":memory:", { wait: 0 });
	expect(storage.prepare("SELECT sqlite_version() AS version").get()?.version).toMatch(/^3\./);
	storage.close();
});
