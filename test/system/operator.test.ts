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

test.each([
	["a blank", " ", "is blank"],
	["a line break", "anna\nben", "has control characters in it"],
	["an escape", "\u001b[31manna", "has control characters in it"],
	["a change of direction", "anna\u202enala", "has control characters in it"],
	["65 characters", "x".repeat(65), "is longer than 64 characters"],
])("%s is no name, and nothing is sent under it", (_, given, fault) => {
	const read = () => currentOperator({ PURSER_OPERATOR: given }, 1001, system);
	expect(read).toThrowError(
		expect.objectContaining({
			kind: "usage",
			failure: expect.objectContaining({ code: "OPERATOR_INVALID" }),
			message: `PURSER_OPERATOR ${fault}; nothing was sent`,
		}),
	);
	// The control: as long as it may be, it is taken.
	expect(currentOperator({ PURSER_OPERATOR: "😀".repeat(64) }, 1001, system)).toBe("😀".repeat(64));
});

test("what the system says is cut to what can be read", () => {
	expect(currentOperator({}, 1, () => `a\u0007b${"c".repeat(100)}`)).toBe(`ab${"c".repeat(62)}`);
	expect(currentOperator({}, 1, () => "\u0007")).toBe("uid 1");
});
