/**
 * A batch at real terminals: one sends it, another watches, and both leave a clean screen.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { programTerminal } from "../support/built.js";
import { screenOf } from "../support/screen.js";
import { type Service, seeded, startService } from "./service.js";

let service: Service;
beforeAll(async () => {
	// Slow enough to be seen, and to be stopped half way.
	service = await startService([], "transaction.interLedger=delay:80ms");
	return service.stop;
});

const interrupt = "\u0003";
const columns = 60;

test("a line at the sender's terminal, none in a pipe; whoever watches sees it go on, stop and end", async () => {
	const rows = Array.from({ length: 200 }, (_, at) => `${seeded.main},${seeded.savings},0.01,Row ${at}`);
	const file = join(service.folder, "payroll.csv");
	await writeFile(file, ["ledgerFromId,ledgerToId,amount,reference", ...rows].join("\n"));
	expect((await service.purser(["pay", "batch", "plan", file])).exit).toBe(0);

	const sender = programTerminal(["pay", "batch", "send", `${file}.plan.json`, "--yes", "--jobs", "2"], service.env, columns);
	await sender.sees(/\b[1-9]\d* of 200 rows/);
	const watcher = programTerminal(["pay", "batch", "status", "1", "--watch"], service.env, columns);
	await watcher.sees("Batch 1 is being sent");
	await watcher.sees(/Accepted +\d+/);
	sender.type(interrupt);
	expect(await sender.exit).toBe(130);
	const { lines, broken } = await screenOf(sender.raw, columns);
	expect([broken, lines.filter((line) => line.includes("of 200 rows ·"))]).toEqual([[], []]);
	expect(lines.join("\n")).toContain("Stopped           it was interrupted\nNext: purser pay batch resume 1");

	await watcher.sees(/of 200 rows are still to be sent/);
	await watcher.sees("Next: purser pay batch resume 1");
	await service.purser(["sandbox", "simulate", "fault", "--clear"]);
	const resumed = await service.purser(["pay", "batch", "resume", "1", "--yes"]);
	expect([resumed.exit, resumed.stderr]).toEqual([0, expect.not.stringContaining("of 200 rows")]);
	await watcher.sees("Batch 1: every row was accepted");
	expect(await watcher.exit).toBe(0);
	const seen = await screenOf(watcher.raw, columns);
	expect(seen.lines[0]).toBe("Batch 1: every row was accepted");
	expect(seen.broken).toEqual([]);
});
