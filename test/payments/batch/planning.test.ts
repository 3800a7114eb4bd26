import { expect, test } from "vitest";
import { namedError } from "../../../src/payments/batch/plan/planning.js";

test.each<[string, NodeJS.ErrnoException, string, string]>([
	["a folder", Object.assign(new Error("x"), { code: "EISDIR", syscall: "read" }), "FILE_UNREADABLE", "pay.csv cannot be read"],
	["another fault", Object.assign(new Error("x"), { code: "EIO", syscall: "read" }), "FILE_UNREADABLE", "pay.csv cannot be read"],
	[
		"a report in a folder that is closed",
		Object.assign(new Error("x"), { code: "EACCES", syscall: "open", path: "pay.csv.errors.csv.1.tmp" }),
		"FILE_NOT_WRITTEN",
		"Cannot write pay.csv.errors.csv",
	],
	[
		"a report on a full disk",
		Object.assign(new Error("x"), { code: "ENOSPC", syscall: "write" }),
		"DISK_FULL",
		"Some rows have errors, and pay.csv.errors.csv cannot be written: the disk is full",
	],
])("%s is told by its name", async (_, error, code, words) => {
	const told = namedError(error, { file: "pay.csv", faultsTo: "pay.csv.errors.csv" });
	expect(told).toMatchObject({
		kind: words.includes("disk is full") ? "unavailable" : "usage",
		failure: { code, message: expect.stringContaining(words) },
	});
});
