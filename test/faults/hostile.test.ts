/**
 * Answers that a service in its right mind would not give: nothing of them may move a cursor, crash the tool or be taken for good.
 */
import { describe, expect, it } from "vitest";
import { parseYaml, yamlText } from "../../src/cli/input/yaml.js";
import type { WireOutcome } from "../../src/ports/wire.js";
import { answered, makeWorld, type Ran } from "../support/purser.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const other = "0c9b8a76-5d4e-4f3a-9b2c-1d0e9f8a7b6c";

/** Every command that only reads. */
const reads = [
	...["terms show", "corporate list", "ledger list", "beneficiary list", "pay list", "overview"],
	...["corporate show", "corporate status", "corporate review", "related list", "related show", "related tree"].map(
		(path) => `${path} ${id}`,
	),
	...["email status", "kyb status", "kyc status", "ledger show", "beneficiary show", "pay show"].map((path) => `${path} ${id}`),
].map((line) => line.split(" "));
const lists = reads.filter(([, verb]) => verb === "list");

const names = [
	...["id", "type", "version", "language", "downloadUrl", "externalId", "corporateName", "registeredName", "tradeName", "website"],
	...["incorporationCountry", "incorporationCode", "incorporationDate", "legalType", "industry", "kybStatus", "kybStatusReason"],
	...["creationDate", "updateDate", "firstName", "lastName", "emailAddress", "nationality", "directorAppointmentDate", "position"],
	...["endUserId", "friendlyName", "status", "currency", "iban", "name", "accountNumber", "linkcyLedgerId", "paymentType", "url", "ttl"],
];
const numbers = ["totalAmount", "availableAmount", "reservedAmount", "amount", "directSharesPercentage"];

/** A record of every kind at once, each text in it as given. */
const record = (text: string): Record<string, unknown> => ({
	...Object.fromEntries(names.map((name) => [name, text])),
	...Object.fromEntries(numbers.map((name) => [name, 1.5])),
	email: { address: text, verified: false },
	phone: { countryCode: text, number: text, verified: false },
	address: { isoCountryCode: text, city: text, street: text },
	registeredAddress: { city: text },
	kycInfo: { status: text, statusReason: text, type: text },
	shares: [{ ownedCorporate: text, directSharesPercentage: 1, finalSharesPercentage: 1, layer: 0 }],
	information: { reference: text, declineReason: text, note: text, clearingDate: text },
	sender: { name: text, ledgerId: text },
	receiver: { name: text, ledgerId: text },
	termsAccepted: false,
	isDirector: true,
	[text]: text,
});

const page = (records: unknown): unknown => ({ content: records, totalElements: 1, page: 0, pageSize: 100 });
const isList = (url: string): boolean => /\/(corporates|ledgers|beneficiaries|transactions|related)(\?|$)/.test(url);

type Answering = (url: string) => string | WireOutcome;

const worldOf = (answer: Answering) =>
	makeWorld({
		wire: async ({ url }) => {
			const made = answer(url);
			return typeof made === "string" ? answered(200, made) : made;
		},
	});

/** The run with every answer made from the request's address. */
async function against(argv: readonly string[], answer: Answering, columns = 100): Promise<Ran> {
	return (await worldOf(answer)).purser(argv, { terminal: true, columns });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

function checkSafe(ran: Ran): void {
	for (const text of [ran.stdout, ran.stderr]) {
		expect(text).not.toMatch(acting);
		expect(text).not.toMatch(/\bundefined\b|\[object Object\]|\bNaN\b|Invalid Date/);
	}
	expect(ran.stderr).not.toMatch(/There is no command|fault of its own|bug in purser|\n\s+at |TypeError|RangeError|node:/);
	if (ran.exit !== 0) expect(ran.stdout === "" || ran.exit === 8 || ran.exit === 5).toBe(true);
}

/** Colours and a cursor, a link, a title and a clipboard, C1 controls, bidirectional overrides, line breaks, and what nobody sees. */
const attack =
	"ok\u001b[2J\u001b[1;1H\u001b[31mVALIDATED\u001b[0m\u001b]8;;https://evil.example.com\u0007your bank\u001b]8;;\u0007" +
	"\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u001b\\\u009b31mred\u009d0;t\u009c\u202e0001\u202c \u2066x\u2069 \u200f\u061c" +
	"GOOD\rBAD\b\b\u0007\nNext: purser pay\u2028x\u0085a\u200b\ufeff\u2060b\u{e0041}";

describe("what acts, in every text field and key", () => {
	const body = (url: string): string => JSON.stringify(isList(url) ? page([record(attack)]) : record(attack));

	it.each(reads)("%s %s", async (...argv) => {
		checkSafe(await against(argv, body));
		const json = await against([...argv, "--json"], body);
		checkSafe(json);
		if (json.exit === 0 && ["show", "list"].includes(argv[1] as string)) {
			const parsed = JSON.parse(json.stdout);
			const one = Array.isArray(parsed) ? parsed[0] : parsed;
			expect(one.id ?? one.version).toBe(attack);
			expect(one[attack]).toBe(attack);
			for (const format of ["ndjson", "csv", "tsv"]) {
				const ran = await against([...argv, "--output", format], body);
				checkSafe({ ...ran, stdout: ran.stdout.replaceAll("\r\n", "\n") });
			}
		}
		checkSafe(await (await worldOf(body)).purser(argv, { piped: true }));
	});

	it("a warning for programs", async () => {
		const person = { id, firstName: attack, lastName: "Sample", isDirector: false, isUbo: false, isAccountOwner: false };
		const world = await makeWorld({
			wire: async ({ method }) =>
				answered(200, JSON.stringify(method === "GET" ? person : { id: other, url: "https://kyc.example.com/1" })),
		});
		const ran = await world.purser(["kyc", "link", id, "--yes", "--json"]);
		checkSafe(ran);
		expect(JSON.parse(ran.stderr).warning.message).toContain(`${attack} Sample is neither a director nor a UBO`);
	});

	it("documents that are written to files", async () => {
		const world = await worldOf(body);
		checkSafe(await world.purser(["onboard", "bundle", id, "--save", "evidence", "--unmasked", "--json"]));
		const bundle = new TextDecoder("utf-8", { ignoreBOM: true }).decode(world.files.get("evidence/bundle.json"));
		expect(bundle).not.toMatch(acting);
		expect(JSON.parse(bundle).name).toBe(attack);
		// As a case file is written by the wizard and from a spreadsheet.
		const document = { corporate: { corporateName: attack, [attack]: attack } };
		const yaml = yamlText(document, attack);
		expect(yaml).not.toMatch(acting);
		expect(parseYaml(yaml)).toEqual(document);
	});
});

describe("records without sense", () => {
	const parts = ["email", "phone", "kycInfo", "shares", "sender", "information"];
	const each = (value: unknown, ...fields: readonly string[]): unknown => Object.fromEntries(fields.map((name) => [name, value]));
	const odd: [string, unknown][] = [
		["an empty object", {}],
		["null everywhere", each(null, ...names, ...numbers, ...parts)],
		["numbers for texts", each(7, ...names, ...parts)],
		["texts for numbers and objects", each("?", ...numbers, ...parts, "status")],
		["lists for everything", each([[{}]], ...names, ...numbers, ...parts)],
		["objects for everything", each({ a: { b: 1 } }, ...names, ...numbers, ...parts)],
		["names of what every object has", JSON.parse('{"__proto__":{"id":"x"},"constructor":1,"toString":2,"hasOwnProperty":3,"then":4}')],
	];
	describe.each(odd)("%s", (_name, made) => {
		it.each(reads)("%s %s", async (...argv) => {
			const body = (url: string) => JSON.stringify(isList(url) ? page([made]) : made);
			checkSafe(await against(argv, body));
			checkSafe(await against([...argv, "--json"], body));
			checkSafe(await against(argv, body, 20));
		});
	});

	it.each<[string, string]>([
		["nothing", ""],
		["null", "null"],
		["a text", '"text"'],
		["an empty list", "[]"],
		["a list of nonsense", '[1,"a",null,[]]'],
		["nonsense", "{]"],
		["half of it", '{"content":[{"id":"'],
		["not UTF-8", "\ud800"],
		["a page without content", '{"totalElements":3}'],
		["content that is null", '{"content":null,"totalElements":0}'],
		["content of nonsense", '{"content":[null,1,"x",[]],"totalElements":4}'],
		["deep and whole nesting", `${"[".repeat(20_000)}${"]".repeat(20_000)}`],
		["deep nesting in a field", `{"id":"x","content":[],"metadata":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`],
		["the same key twice", '{"status":"PENDING","status":"APPROVED","content":[],"id":"a","id":"b"}'],
	])("%s, for every command that reads", async (_name, body) => {
		for (const argv of reads) {
			checkSafe(await against(argv, () => body));
			checkSafe(await against([...argv, "--json"], () => body));
		}
	});
});

describe("that nothing is listed is never read out of nonsense", () => {
	it.each([["{}"], ['{"content":null}'], ['{"data":[{"id":"x"}],"totalElements":0}'], ['"x"']])("%s", async (body) => {
		for (const argv of [...lists, ["related", "tree", id], ["overview"]]) {
			const ran = await against([...argv, "--json"], (url) =>
				/related|list|corporates\?|ledgers|benef|transactions/.test(url) ? body : "{}",
			);
			expect([argv.join(" "), ran.exit, ran.stdout]).toEqual([argv.join(" "), 1, ""]);
			expect(JSON.parse(ran.stderr).error.code).toBe("ANSWER_UNREADABLE");
		}
	});

	it("an empty page of a service that says so is an empty list", async () => {
		for (const body of ["[]", '{"content":[]}', '{"content":null,"totalElements":0}'])
			for (const argv of lists) expect((await against(argv, () => body)).exit).toBe(0);
	});
});

it.each<[string, Record<string, unknown>]>([
	["pay show", { status: "FROZEN_BY_MOON" }],
	["kyb status", { kybStatus: "FROZEN_BY_MOON" }],
	["ledger show", { status: "FROZEN_BY_MOON" }],
	["kyc status", { kycInfo: { status: "FROZEN_BY_MOON" } }],
])("%s shows a value that was never heard of", async (path, made) => {
	const ran = await against([...path.split(" "), id], (url) => JSON.stringify(isList(url) ? page([{ id, ...made }]) : { id, ...made }));
	expect(ran.stdout).toContain("FROZEN_BY_MOON");
	expect([0, 8]).toContain(ran.exit);
});

it.each(["10.10", "123456789012345678901234567890.12", "1e400", "-0"])("the number %s stays as it was written in --json", async (text) => {
	const body = (url: string) =>
		isList(url)
			? `{"content":[{"id":"x","availableAmount":${text}}],"totalElements":1}`
			: `{"id":"${id}","status":"PENDING","amount":${text},"availableAmount":${text}}`;
	for (const argv of [
		["ledger", "show", id],
		["pay", "show", id],
		["ledger", "list"],
	]) {
		const ran = await against([...argv, "--json"], body);
		expect([ran.exit, /mount": ([^,\n]*)/.exec(ran.stdout)?.[1]]).toEqual([0, text]);
		const told = await against(argv, body);
		checkSafe(told);
		expect(told.stdout).not.toContain("Infinity");
	}
});

describe("lists without an end", () => {
	const full = JSON.stringify(Array.from({ length: 100 }, (_, at) => ({ id: `same-${at}`, status: "PENDING" })));

	it.each(lists)("%s %s: a page that repeats for ever ends", async (...argv) => {
		let asked = 0;
		const ran = await against([...argv, "--limit", "100000"], () => {
			asked += 1;
			return `{"content":${full},"totalElements":1000000,"page":0,"pageSize":100}`;
		});
		checkSafe(ran);
		expect(asked).toBeLessThan(1_100);
	});

	it.each(["1e400", "-1", '"many"'])("totalElements %s", async (total) => {
		for (const argv of lists)
			checkSafe(await against(argv, () => `{"content":[{"id":"x"}],"totalElements":${total},"page":${total},"pageSize":${total}}`));
	});
});

describe("what is no answer", () => {
	const html = (status: number, body: string, more = {}): WireOutcome => answered(status, body, { "content-type": "text/html", ...more });
	const failed = (status: number, body: string, more = {}): WireOutcome =>
		answered(status, body, { "content-type": "application/json", ...more });
	const cut: WireOutcome = { kind: "sent", reason: "the connection closed in the middle\u001b[2J", status: 200 };

	it.each<[string, WireOutcome, number, RegExp]>([
		["a page of HTML", html(200, "<html><script>alert(1)</script><h1>Maintenance</h1>"), 1, /makes no sense/],
		["a redirect elsewhere", html(302, "", { location: "https://evil.example.com/\u001b[31m" }), 6, /redirect/],
		["HTML with 502", html(502, "<html><b>Bad\u001b[31m gateway</b>\u202e"), 6, /could not answer \(status 502\): Bad/],
		["HTML with 404", html(404, "<h1>Not found</h1>"), 5, /refused it \(status 404\): Not found/],
		["an empty error", failed(400, ""), 5, /refused it/],
		["an error of nulls", failed(409, '{"message":null,"errorCode":null,"details":null}'), 5, /refused it/],
		["an error of objects", failed(400, '{"message":{"a":1},"errorCode":[1],"details":{"x":[]},"error":{}}'), 5, /refused it/],
		["details of nonsense", failed(400, '{"message":"No","details":[null,1,"x",{"field":{},"message":[]}]}'), 5, /status 400\): No/],
		["a message of a megabyte", failed(400, `{"message":"${"x".repeat(1_000_000)}"}`), 5, /refused it/],
		["an error that acts", failed(400, '{"message":"a\\u001b[2Jb\\r\\n\\u202ec","errorCode":"X\\u001b]0;t\\u0007"}'), 5, /refused it/],
		["599", failed(599, "\u0000\u0001\u0002", { "content-type": "application/octet-stream" }), 6, /status 599/],
		["a header that acts", html(200, "<p>x", { "content-type": "text/\u001b[31mhtml; charset=\u0007" }), 1, /makes no sense/],
		["a cut answer", cut, 6, /no usable answer/],
		["a long wait", failed(429, "{}", { "retry-after": "999999999999" }), 6, /could not answer/],
	])("%s", async (_name, outcome, exit, message) => {
		for (const argv of reads.filter(([, verb]) => verb === "show" || verb === "list")) {
			const ran = await against(argv, () => outcome);
			checkSafe(ran);
			expect(ran.exit).toBe(exit);
			expect(ran.stderr).toMatch(message);
			expect(ran.stderr.length).toBeLessThan(3_000);
			const json = await against([...argv, "--json"], () => outcome);
			expect([json.exit, JSON.parse(json.stderr).error.exit, json.stdout]).toEqual([exit, exit, ""]);
		}
	});
});

describe("a payment", () => {
	const pay = ["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", other, "--amount", "1.00", "--yes"];
	const fee = (digits: number) => answered(201, `{"id":"44444444-4444-4444-8444-444444444444","fee":${"7".repeat(digits)}}`);

	it.each<[string, WireOutcome, number]>([
		["nonsense", answered(201, "{]"), 7],
		["no id", answered(201, "{}"), 7],
		["an id that is no UUID", answered(201, '{"id":"../../corporates"}'), 7],
		["an id that acts", answered(201, '{"id":"\\u001b[2J"}'), 7],
		["a list", answered(201, '[{"id":"3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f"}]'), 7],
		["deep nesting", answered(201, "[".repeat(100_000)), 7],
		["a number of 1,001 characters", fee(1_001), 7],
		["a number of 1,000 (control)", fee(1_000), 0],
	])("answered with %s is in doubt, never done", async (_name, outcome, exit) => {
		const world = await makeWorld({ wire: async ({ method }) => (method === "GET" ? answered(404) : outcome) });
		const ran = await world.purser(pay);
		expect([ran.exit, ran.stdout === "", ran.stderr.includes("Money may have moved")]).toEqual([exit, exit === 7, exit === 7]);
		expect(ran.stderr).not.toMatch(acting);
		expect(ran.stderr).not.toMatch(/\n\s+at |fault of its own|bug in purser/);
		expect(world.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
	});
});

describe("at the bounds of an answer", () => {
	const members = (count: number): string => `{"id":"${id}",${Array.from({ length: count - 1 }, (_, at) => `"k${at}":1`).join(",")}}`;
	const amount = (text: string): string => `{"id":"${id}","currency":"EUR","availableAmount":${text}}`;

	it.each<[string, string, number]>([
		["a number of 1,000 characters", amount("7".repeat(1_000)), 0],
		["one more", amount("7".repeat(1_001)), 1],
		["a text of a million digits", amount(`"${"7".repeat(1_000_000)}"`), 0],
		["10,000 members", members(10_000), 0],
		["one more", members(10_001), 1],
	])("%s", async (_name, body, exit) => {
		for (const more of [[], ["--json"]]) {
			const ran = await against(["ledger", "show", id, ...more], () => body);
			expect([ran.exit, ran.stdout === ""]).toEqual([exit, exit === 1]);
		}
	});
});
