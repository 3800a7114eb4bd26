/**
 * The build gives prototypes their methods and puts functions in parentheses: the program says the same with it as without it, of a
 * class that has all that could differ, and what throws is told with the same names and the same lines of the source.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "purser-called-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = `
const told: unknown[] = [];
class Base {
	name() { return "base"; }
	later() { return "base's"; }
}
class Named extends Base {
	#secret = 7;
	static made = new Named().early();
	static own() { return "static"; }
	field = () => this.#secret;
	constructor() { super(); told.push("constructor"); }
	early() { return "early " + this.#secret; }
	name() { return "named over " + super.name(); }
	later(by = this.#secret, ...rest: number[]) { return [by, arguments.length, ...rest]; }
	get value() { return this.#secret; }
	set value(to) { this.#secret = to; }
	#hidden() { return this.#secret + 1; }
	hidden() { return this.#hidden(); }
	async waits(for_ = Promise.resolve(this.value)) { return await for_; }
	*all() { yield* [1, 2]; }
	async *slow() { yield 3; }
	["com" + "puted"]() { return "computed"; }
	"with space"() { return "space"; }
	12() { return "twelve"; }
	get() { return "get"; }
	static() { return "static of an object"; }
	async() { return "async"; }
	constructorOf() { return new.target; }
	__proto__() { return "no parent"; }
	bare() { const self = function (this: unknown) { return this; }; return self() === undefined; }
	nested() { return new (class Inner { deep() { return (() => [this.deep.name])(); } })().deep(); }
}
let changed = 0;
function changing() { changed += 1; return changed; }
// What a helper does that is there only until it is first called.
let becomes = (): string => { becomes = () => "another"; return becomes(); };
function replaced(): string {
	// @ts-expect-error a function may be given another one
	replaced = () => "another function";
	return replaced();
}
const Expression = class Own { self() { return Own.name + typeof Own; } };
function* generated() { yield changing(); }
const wrong = () => { (Object.freeze({ one: 1 }) as { one: number }).one = 2; };
export class Failing {
	fails() {
		throw new Error("here");
	}
	async later() {
		await null;
		this.fails();
	}
}
function failing() {
	new Failing().fails();
}
const attempt = (what: () => unknown) => { try { return what(); } catch (error) { return (error as Error).name; } };
const where = (error: unknown) => String((error as Error).stack).split("\\n").filter((line) => /fail|later|Error/i.test(line));
async function main() {
	const one = new Named();
	const any = one as any;
	told.push(Named.made, Named.own(), one.field(), one.early(), one.name(), one.later(), one.later(1, 2), one.value, (one.value = 9));
	told.push(one.hidden(), await one.waits(), [...one.all()], any.computed(), one["with space"](), one[12](), one.get(), one.static());
	told.push(one.async(), one.constructorOf(), one.nested(), one.bare(), new Expression().self(), [...generated()], becomes(), replaced(), replaced());
	for await (const part of one.slow()) told.push(part);
	told.push(Object.keys(Named.prototype), any.toString(), Object.getOwnPropertyNames(Named.prototype).sort());
	told.push(Object.getPrototypeOf(Named.prototype) === Base.prototype, attempt(() => (any as { __proto__(): string }).__proto__()));
	told.push(attempt(wrong), Object.getOwnPropertyDescriptor(Named.prototype, "early"), one.later.length, one.early.name, any[12].name, any["with space"].name);
	for (const name in one) told.push(name);
	const traces = [];
	try { failing(); } catch (error) { traces.push(...where(error)); }
	traces.push(...where(await new Failing().later().catch((error: unknown) => error)));
	process.stdout.write(JSON.stringify({ told, traces }));
}
void main();
`;

interface Said {
	told: unknown[];
	traces: string[];
}

interface Called {
	compiledAtOnce(called: { get(name: string): { has(start: number): boolean } | undefined }): Plugin;
}

/** Builds as .config/build.js does; with everything as though it were called, or with nothing. */
async function built(name: string, all: boolean): Promise<string> {
	const script = new URL("../../.config/called.js", import.meta.url).href;
	const { compiledAtOnce } = (await import(script)) as Called;
	const plugins = all ? [compiledAtOnce({ get: () => ({ has: () => true }) })] : [];
	const bundle = await rolldown({ input: join(folder, "source.ts"), platform: "node", transform: { target: "node20" }, plugins });
	const file = join(folder, name, "main.cjs");
	const minify = { compress: true, mangle: false, codegen: { removeWhitespace: true } };
	const { output } = await bundle.write({ file, format: "cjs", strict: true, sourcemap: true, minify });
	return output[0].code;
}

const said = (name: string, ...flags: string[]): Said =>
	JSON.parse(execFileSync(process.execPath, [...flags, join(folder, name, "main.cjs")], { encoding: "utf8" }));

let plain = "";
let rewritten = "";
beforeAll(async () => {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "source.ts"), source);
	plain = await built("plain", false);
	rewritten = await built("rewritten", true);
});

test("a program says the same with it", () => {
	expect(rewritten).toMatch(/^"use strict";/);
	expect(rewritten.match(/giveMethods\(this\.prototype/g)?.length).toBeGreaterThan(3);
	expect(plain).not.toContain("giveMethods");
	const before = said("plain");
	expect(said("rewritten").told).toEqual(before.told);
	// And that is what the source says.
	expect(before.told).toContain("early 7");
	expect(before.told).toContain("no parent");
	expect(before.told).toContain("TypeError");
	expect(before.told.slice(-1)).toEqual(["field"]);
});

test("what throws in such a method is told by its name, and by its line of the source where Node is asked for that", () => {
	const lineOf = (text: string) => source.split("\n").findIndex((line) => line.includes(text)) + 1;
	const names = (traces: string[]) => traces.map((line) => /^\s*at (?:async )?(\S+)/.exec(line)?.[1] ?? line);
	expect(names(said("rewritten").traces)).toEqual(names(said("plain").traces));
	expect(names(said("rewritten").traces)).toEqual([
		"Error: here",
		"Failing.fails",
		"failing",
		"Error: here",
		"Failing.fails",
		"Failing.later",
	]);
	const lines = said("rewritten", "--enable-source-maps").traces.map((line) => Number(/source\.ts:(\d+):/.exec(line)?.[1]));
	const [thrown, called, later] = [lineOf('throw new Error("here")'), lineOf("new Failing().fails()"), lineOf("this.fails()")];
	expect(lines).toEqual([Number.NaN, thrown, called, Number.NaN, thrown, later]);
});
