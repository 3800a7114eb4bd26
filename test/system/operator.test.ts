import { expect, test } from "vitest";
import { currentOperator } from "../../src/system/operator.js";

const system = (): string => "alice";
const nobody = (): string => {
	throw Object.assign(new Error("A system error occurred: uv_os_get_passwd returned ENOENT"), { code: "ERR_SYSTEM_ERROR" });
};

test("the variable says who asks, else the system's user does, else the user's number", () => {
	expect(currentOperator({ PURSER_OPERATOR: "anna" }, 1001, system)).toBe("anna");
	expect(currentOperator({ PURSER_OPERATOR: " Zoë Ågren " }, 1001, system)).toBe("Zoë Ågren");
	expect(currentOperator({ PURSER_OPERATOR: "" }, 1001, system)).toBe("alice");
	expect(currentOperator({}, 1001, system)).toBe("alice");
	expect(currentOperator({}, 1001, nobody)).toBe("uid 1001");
	expect(currentOperator({}, undefined, nobody)).toBeUndefined();
	expect(currentOperator({}, 1001)).toMatch(/./);
});

test("what the variable or the system says is cut to what can be read", () => {
	expect(currentOperator({ PURSER_OPERATOR: `\u001b[31manna\u202e${"x".repeat(100)}` }, 1)).toBe(`[31manna${"x".repeat(56)}`);
	expect(currentOperator({ PURSER_OPERATOR: " \n" }, 1, () => "alice")).toBe("alice");
	expect(currentOperator({}, 1, () => `a\u0007b${"c".repeat(100)}`)).toBe(`ab${"c".repeat(62)}`);
	expect(currentOperator({}, 1, () => "\u0007")).toBe("uid 1");
});
