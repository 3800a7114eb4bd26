import { expect, it } from "vitest";
import * as z from "zod/mini";
import { plain } from "../../src/api/fields.js";
import { field } from "../../src/api/schema.js";
import { parse } from "../../src/cli/input/program.js";
import { made } from "./command-to-try.js";

const command = (positional: z.ZodMiniType) => made(z.strictObject({ files: positional as never }));

const several = command(z.optional(field(z.array(plain("A file")), { description: "Files", positional: true, placeholder: "file" })));

it("a list as positional takes every argument, among flags and behind --", () => {
	const values = (argv: string[]) => parse(several, argv).given.values.get("files");
	expect(values(["a.yaml", "b.yaml", "--json", "c.yaml"])).toEqual(["a.yaml", "b.yaml", "c.yaml"]);
	expect(values(["--", "-a.yaml"])).toEqual(["-a.yaml"]);
	expect(values([])).toBeUndefined();
});

it("one that is no list still takes one argument only", () => {
	const single = command(plain("A file", { positional: true }));
	expect(parse(single, ["a.yaml"]).given.values.get("files")).toBe("a.yaml");
	expect(() => parse(single, ["a.yaml", "b.yaml"])).toThrow(/Unexpected argument: "b.yaml"/);
});

it("the words after -- go to the argument that takes them, whatever they look like, and to no other", () => {
	const words = field(z.array(z.string()), { description: "Words", positional: true, afterDashes: true, placeholder: "-- arg" });
	const program = made(
		z.strictObject({
			events: z.optional(field(z.array(plain("Event")), { description: "Events", positional: true, placeholder: "event" })),
			words: z.optional(words),
			exec: z.optional(plain("Program")),
		}),
	);
	const { values, typed } = parse(program, ["a", "--exec", "run", "b", "--", "--json", "-x", "--", "--exec=no"]).given;
	expect(values.get("events")).toEqual(["a", "b"]);
	expect(values.get("exec")).toBe("run");
	expect(values.get("words")).toEqual(["--json", "-x", "--", "--exec=no"]);
	expect(typed?.get("words")).toBe("-- ARG");
	expect(parse(program, ["a", "--"]).given.values.has("words")).toBe(false);
	expect(parse(program, ["a", "--", "--json"]).global.json).toBeUndefined();
});
