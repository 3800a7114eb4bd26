import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { typed } from "../../../src/payments/batch/paths.js";

test.each([
	["payroll.csv", "payroll.csv"],
	["./a/b-c_d,e+f@g=h:i%.csv", "./a/b-c_d,e+f@g=h:i%.csv"],
	["Gehälter.csv", "Gehälter.csv"],
	["C:\\pay\\roll.csv", "C:\\pay\\roll.csv"],
	["-", "-"],
	["-x.csv", "./-x.csv"],
	["my file.csv", "'my file.csv'"],
	["a'b.csv", "'a'\\''b.csv'"],
	["$(x);*.csv", "'$(x);*.csv'"],
])("%s is typed as %s", (path, wanted) => {
	expect(typed(path)).toBe(wanted);
});

test.skipIf(process.platform === "win32")("what a shell reads of it is the path again (not on Windows, which has no sh)", () => {
	for (const path of ["my file.csv", 'a\'b "c".csv', "$(x);*`y`\\z.csv", "new\nline.csv", "Gehälter 2026.csv"])
		expect(execFileSync("sh", ["-c", `printf %s ${typed(path)}`], { encoding: "utf8" })).toBe(path);
});
