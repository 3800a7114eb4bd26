/**
 * Any command line is either read or refused with a fix.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { fromFile, plain } from "../../src/api/fields.js";
import { field } from "../../src/api/schema.js";
import type { AnyCommand } from "../../src/cli/command.js";
import { parse } from "../../src/cli/input/program.js";
import { PurserError } from "../../src/errors.js";
import { advised } from "../support/advice.js";
import { seedOfRun } from "../support/seed.js";
import { made } from "./command-to-try.js";

const seed = seedOfRun("command lines");

const flags = {
	id: z.optional(plain("An id", { positional: true, placeholder: "id" })),
	reference: z.optional(plain("A text")),
	amount: z.optional(plain("An amount")),
	fast: z._default(field(z.boolean(), { description: "On or off" }), true),
	plainly: z._default(field(z.boolean(), { description: "Off or on" }), false),
	tags: z._default(field(z.array(plain("A tag")), { description: "Several" }), []),
	owner: z.optional(
		field(z.strictObject({ firstName: z.optional(plain("A name")), noFly: z.optional(field(z.boolean(), { description: "x" })) }), {
			description: "Somebody",
		}),
	),
	metadata: z.optional(field(z.record(z.string(), z.unknown()), { description: "Anything" })),
};

const likeGlobal = {
	set: z._default(field(z.array(plain("x")), { description: "x" }), []),
	...{ from: z.optional(plain("x")), profile: z.optional(plain("x")) },
	live: z._default(field(z.boolean(), { description: "x" }), false),
};

const commands: [string, AnyCommand][] = [
	["a command with a document", made(fromFile(z.strictObject(flags)))],
	["a command whose flags are called like global ones and those of a document", made(z.strictObject({ ...flags, ...likeGlobal }))],
	[
		"a command with several arguments",
		made(z.strictObject({ files: z.optional(field(z.array(plain("A file")), { description: "x", positional: true })) })),
	],
	["a command without flags", made(z.strictObject({}))],
];

const names = [
	..."reference amount fast no-fast plainly no-plainly tags owner.first-name owner.no-fly owner.no-no-fly metadata".split(" "),
	..."from set print-template".split(" "),
	..."profile base-url json output no-input input yes no-yes live no-live dry-run quiet verbose debug color no-color timeout".split(" "),
	..."referense no-reference no-tags token password help constructor __proto__ toString".split(" "),
];
const values = [
	"",
	..."x - -1 -- --yes --no-fast --reference -x a=b always never {} owner.firstName=Ada --set=a=b == --= ---yes".split(" "),
];

const word = fc.oneof(
	{ weight: 5, arbitrary: fc.constantFrom(...names).map((name) => `--${name}`) },
	{ weight: 3, arbitrary: fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values)).map(([name, value]) => `--${name}=${value}`) },
	{ weight: 4, arbitrary: fc.constantFrom(...values) },
	{ weight: 1, arbitrary: fc.constantFrom(...names).map((name) => `-${name.charAt(0)}`) },
	{ weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
);

/** What comes of a command line, errors in words. */
function read(command: AnyCommand, argv: readonly string[]): unknown {
	try {
		const { given, ...rest } = parse(command, argv);
		return { ...rest, values: [...given.values], set: given.set };
	} catch (error) {
		if (error instanceof PurserError) return { kind: error.kind, failure: error.failure };
		throw error;
	}
}

describe.each(commands)("%s", (_, command) => {
	test(`reads any line, or says what is wrong with it (seed ${seed})`, () => {
		let [taken, refused] = [0, 0];
		fc.assert(
			fc.property(fc.array(word, { maxLength: 5 }), (argv) => {
				const { kind, failure } = read(command, argv) as { kind?: string; failure?: { fix?: string } };
				if (kind === undefined) taken += 1;
				else refused += 1;
				if (kind !== undefined) expect([kind, Boolean(failure?.fix)]).toEqual(["usage", true]);
			}),
			{ seed, numRuns: 500 },
		);
		// Lines of both kinds were among them.
		expect(Math.min(taken, refused)).toBeGreaterThan(20);
	});
});

test.each<[string[], object]>([
	[["--reference=--yes", "--yes"], { values: [["reference", "--yes"]], global: { yes: true } }],
	[["--no-fast"], { values: [["fast", false]] }],
	[["--", "--yes"], { values: [["id", "--yes"]], global: { yes: undefined } }],
	[["--color", "--yes"], { global: { color: true, yes: true } }],
	[["--reference", "a", "--reference", "b"], { failure: { code: "GIVEN_TWICE", fix: 'Give --reference once: "a" or "b".' } }],
	[["--referense", "a"], { failure: { code: "USAGE", fix: advised(expect.stringContaining("--reference")) } }],
	[["--password", "x"], { failure: { code: "SECRET_AS_FLAG" } }],
	[["--fast", "--no-fast"], { failure: { code: "GIVEN_TWICE", message: "--fast and --no-fast contradict each other" } }],
	[["--set", "a=1", "--set", "a=2"], { failure: { code: "GIVEN_TWICE", fix: "Give --set 'a=…' once." } }],
	[["--fast=no"], { kind: "usage", failure: { message: "Unknown option '--fast=no'" } }],
	[["--refrence=x"], { failure: { code: "USAGE", fix: advised(expect.stringContaining("--reference")) } }],
	[["--reference"], { failure: { message: "--reference needs a value" } }],
])("%j is read as it stands", (argv, expected) => {
	expect(read(commands[0]?.[1] as AnyCommand, argv)).toMatchObject(expected);
});

test.each([
	["--reference --dry-run --yes", "--reference needs a value, but --dry-run follows"],
	["--yes --profile --dry-run", "--profile needs a value, but --dry-run follows"],
	["--reference --amount=5", "--reference needs a value, but --amount=5 follows"],
	["--set --yes", "--set needs a value, but --yes follows"],
	["--reference -- x", "--reference needs a value, but -- follows"],
	// A value that is meant is taken.
	["--reference=--dry-run", undefined],
	["--reference -x", undefined],
	["-- --reference", undefined],
])("a flag whose value was forgotten does not take the next one for it: %s", (line, message) => {
	const { failure } = read(commands[0]?.[1] as AnyCommand, line.split(" ")) as { failure?: { message: string } };
	expect(failure?.message).toBe(message);
});

test("a list as positional takes every argument, among flags and behind --; one that is no list still takes one argument only", () => {
	const taking = (positional: z.ZodMiniType) => made(z.strictObject({ files: positional as never }));
	const several = taking(z.optional(field(z.array(plain("A file")), { description: "Files", positional: true, placeholder: "file" })));
	const values = (argv: string[]) => parse(several, argv).given.values.get("files");
	expect(values(["a.yaml", "b.yaml", "--json", "c.yaml"])).toEqual(["a.yaml", "b.yaml", "c.yaml"]);
	expect([values(["--", "-a.yaml"]), values([])]).toEqual([["-a.yaml"], undefined]);
	const single = taking(plain("A file", { positional: true }));
	expect(parse(single, ["a.yaml"]).given.values.get("files")).toBe("a.yaml");
	expect(() => parse(single, ["a.yaml", "b.yaml"])).toThrow(/Unexpected argument: "b.yaml"/);
});

test("the words after -- go to the argument that takes them, whatever they look like, and to no other", () => {
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
