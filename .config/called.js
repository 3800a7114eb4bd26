// Which functions a road calls: the build has them compiled with their file, where one after the other would be
// compiled when it is first called, and Node's compile cache, which keeps what is compiled with a file, would never have them.
// Found out by running the program once: help, Tab and a payment to a service that is only here.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RolldownMagicString } from "rolldown";

const one = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";
const payment = ["pay", "ledger", "--ledger-from-id", one, "--ledger-to-id", other, "--amount", "10", "--yes", "--json"];
/** From what loads least to what loads most. */
const roads = [["--help"], ["complete", "ledger", ""], [...payment, "--reference", "two"]];

/** Runs the program; resolves whether it was content. */
function run(file, argv, env, input = "") {
	return new Promise((resolve) => {
		const child = execFile(process.execPath, [file, ...argv], { env }, (error) => resolve(error === null));
		child.stdin?.on("error", () => {}).end(input);
	});
}

/** The name of a file without the hash of what is in it. */
const nameOf = (file) => file.replace(/(-.{8})?\.cjs$/, "");

/** Where the functions begin that a run called, by file. */
async function calledIn(folder) {
	const files = new Map();
	for (const name of await readdir(folder)) {
		const { result } = JSON.parse(await readFile(join(folder, name), "utf8"));
		for (const { url, functions } of result.filter((script) => script.url.endsWith(".cjs"))) {
			const wholes = functions.map(({ ranges: [whole] }) => whole).filter(({ count }) => count > 0);
			files.set(nameOf(url.slice(url.lastIndexOf("/") + 1)), new Set(wholes.map(({ startOffset }) => startOffset)));
		}
	}
	return files;
}

/**
 * Runs the roads of a program as built, but not minified.
 * @param modules the folder where its libraries are
 * @returns by file, where the functions begin that the last of the roads calls which loads the file; undefined where a road did not work
 */
export async function calledOnRoads(main, modules) {
	const folder = await mkdtemp(join(tmpdir(), "purser-roads-"));
	const server = createServer(
		(_, response) => void response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ id: randomUUID() })),
	);
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	const env = {
		// Windows makes no connection without it.
		SystemRoot: process.env.SystemRoot,
		PURSER_CONFIG_DIR: join(folder, "config"),
		PURSER_STATE_DIR: join(folder, "state"),
		PURSER_NO_KEYRING: "1",
		NODE_DISABLE_COMPILE_CACHE: "1",
		NODE_PATH: modules,
		CI: "1",
	};
	try {
		const url = `http://127.0.0.1:${server.address().port}`;
		const login = ["auth", "login", "--profile", "road", "--base-url", url, "--environment", "sandbox", "--token-stdin"];
		// The profile and the journal are made once, and that is not every payment's work.
		if (!(await run(main, login, env, "a-token"))) return undefined;
		if (!(await run(main, [...payment, "--reference", "one"], env))) return undefined;
		const called = new Map();
		for (const [at, argv] of roads.entries()) {
			const seen = join(folder, `called-${at}`);
			if (!(await run(main, argv, { ...env, NODE_V8_COVERAGE: seen }))) return undefined;
			for (const [file, starts] of await calledIn(seen)) called.set(file, starts);
		}
		return called;
	} finally {
		server.close();
		await rm(folder, { recursive: true, force: true });
	}
}

/** Every function of a program, with what it stands in, and what that stands in. */
function functionsIn(node, parent, around, found = []) {
	if (Array.isArray(node)) for (const one of node) functionsIn(one, parent, around, found);
	else if (typeof node?.type === "string") {
		if (/^(Arrow)?Function(Expression|Declaration)$/.test(node.type)) found.push({ node, parent, around });
		for (const value of Object.values(node)) if (typeof value === "object") functionsIn(value, node, parent, found);
	}
	return found;
}

/** Methods have no place for a parenthesis. */
const isMethod = ({ type, method, kind }) => type === "MethodDefinition" || (type === "Property" && (method || kind !== "init"));

/** Whether a method of a class is the same as a function that its prototype is given. `__proto__` in an object is no property of it. */
function isGivable({ type, kind, static: ofClass, computed, key, value }, code) {
	if (type !== "MethodDefinition" || kind !== "method" || ofClass || computed || key.type === "PrivateIdentifier" || value.generator)
		return false;
	if ((key.name ?? key.value) === "__proto__") return false;
	return !/\b(super|new\.target)\b/.test(code.slice(value.start, value.end));
}

/** As methods are: not listed among what an object has. */
const giving =
	"var giveMethods=(function(to,methods){for(const name in methods)Object.defineProperty(to,name,{value:methods[name],writable:true,configurable:true})});\n";

/** Has a class give its prototype these methods as functions in parentheses, before anything else in it. They see what is private to it as before. */
function given(text, code, { start }, methods) {
	text.appendLeft(start + 1, "static{giveMethods(this.prototype,{");
	for (const { start: from, end, key, value } of methods) {
		text.overwrite(from, value.start, `${code.slice(key.start, key.end)}:(${value.async ? "async " : ""}function`);
		text.appendLeft(end, "),").move(from, end, start + 1);
	}
	text.appendRight(start + 1, "})}");
}

/** Where the first line begins: a directive is one only before everything else. */
const startOf = ({ body }) => body.findLast(({ directive }) => directive !== undefined)?.end ?? 0;

/** Has a function be in parentheses. */
function parenthesised(text, { node, parent }, program) {
	if (node.type !== "FunctionDeclaration") text.appendRight(node.start, "(").appendLeft(node.end, ")");
	else if (parent === program) {
		const start = startOf(program);
		text.appendRight(node.start, `var ${node.id.name} = (`).appendLeft(node.end, ");\n");
		// Its name is the variable's: one of its own would hide from it what else the variable is given.
		text.remove(node.id.start, node.id.end);
		// A declared function is there before the first line.
		if (node.start > start) text.move(node.start, node.end, start);
	}
}

/**
 * The plugin that puts these functions in parentheses, which is how V8 is asked to compile them at once.
 * @param called as {@link calledOnRoads} found it
 */
export function compiledAtOnce(called) {
	return {
		name: "compiled-at-once",
		renderChunk(code, { name }) {
			const starts = called.get(name);
			if (starts === undefined) return null;
			const text = new RolldownMagicString(code);
			const program = this.parse(code, { sourceType: "script" });
			const classes = new Map();
			for (const one of functionsIn(program.body, program)) {
				if (!isMethod(one.parent)) {
					if (starts.has(one.node.start)) parenthesised(text, one, program);
				} else if (starts.has(one.parent.start) && isGivable(one.parent, code))
					classes.set(one.around, [...(classes.get(one.around) ?? []), one.parent]);
			}
			for (const [body, methods] of classes) given(text, code, body, methods);
			if (classes.size > 0) text.appendLeft(startOf(program), giving);
			return text;
		},
	};
}
