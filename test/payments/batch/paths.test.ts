import { expect, test } from "vitest";
import { PurserError } from "../../../src/errors.js";
import { namingPaths } from "../../../src/payments/batch/paths.js";

const failing = (source: string) => () =>
	namingPaths("march/payroll.csv.plan.json", { source }, () => {
		throw new PurserError("guard", {
			code: "APPROVAL_MISSING",
			message: "no approval; nothing was sent",
			fix: "purser pay batch approve PLAN\npurser pay batch send PLAN\npurser pay batch plan FILE",
		});
	});
const fixOf = (act: () => unknown): string[] => {
	try {
		act();
	} catch (error) {
		if (error instanceof PurserError) return [error.kind, error.failure.code, ...error.failure.fix.split("\n")];
	}
	return [];
};

test("what to type names the plan and the file beside it", () => {
	expect(fixOf(failing("payroll.csv"))).toEqual([
		"guard",
		"APPROVAL_MISSING",
		"purser pay batch approve march/payroll.csv.plan.json",
		"purser pay batch send march/payroll.csv.plan.json",
		"purser pay batch plan march/payroll.csv",
	]);
	expect(fixOf(failing("-")).at(-1)).toBe("purser pay batch plan FILE");
	expect(namingPaths("p", { source: "-" }, () => 7)).toBe(7);
});
