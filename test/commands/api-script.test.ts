/**
 * From a foreign document to a payment without a terminal: a script answers each open question by its key, and the sandbox speaks as the
 * service does.
 */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Journal } from "../../src/ports/journal.js";
import type { Profile } from "../../src/ports/profiles.js";
import { newFolder, open, removeFolders } from "../journal/journals.js";
import { bindingOf, documentPath } from "../openapi/documents/foreign.js";
import { documentOf, type Line } from "../openapi/documents.js";
import { makeWorld, type World } from "../support/purser.js";

interface Question {
	field: string;
	message: string;
	answers?: string[];
	other?: string;
}

let world: World;
let journal: Promise<Journal> | undefined;

/** A service that speaks as the document's author says, and a profile that knows nothing of it. */
async function service(name: "kebab"): Promise<void> {
	const folder = newFolder();
	world = await makeWorld({
		dialect: bindingOf(name, "http://127.0.0.1:4010").bindings,
		openJournal: (clock, profile) => {
			journal ??= open(folder, { clock: clock as never, profile, settings: profile.settings });
			return journal;
		},
	});
	world.identity = undefined;
	const { service: _service, ...profile } = world.profiles.get("sandbox") as Profile;
	world.profiles.set("sandbox", { ...profile, overrides: {} });
}

afterEach(async () => {
	await (await journal)?.close();
	journal = undefined;
	removeFolders();
});

const run = (...argv: string[]) => world.purser([...argv, "--json"], { env: { CI: "1" } });
const errorOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;
const profile = (): Profile => world.profiles.get("sandbox") as Profile;
const answering = (answers: Readonly<Record<string, string>>): string[] =>
	Object.entries(answers).flatMap(([key, answer]) => ["--answer", `${key}=${answer}`]);

test("a script imports a document, confirms its payments by their digests, and pays", async () => {
	await service("kebab");
	const file = "kebab.yaml";
	world.files.set(file, readFileSync(documentPath(file)));
	const before = structuredClone(profile());
	// What somebody answers who knows the service; an operation is the first one that is proposed.
	const known: Record<string, string> = { amounts: "minor-units", "constant:terms.get:query:customer-type": "corporate" };
	const given: Record<string, string> = {};
	let rounds = 0;
	let ran = await run("api", "import", file);
	for (; ran.exit === 2; rounds++) {
		expect([profile(), rounds < 5]).toEqual([before, true]);
		const questions: Question[] = errorOf(ran).details;
		for (const { field, answers = [] } of questions) {
			const answer = known[field] ?? answers[0];
			expect([field, given[field], answers.length > 0]).toEqual([field, undefined, true]);
			given[field] = answer as string;
		}
		ran = await run("api", "import", file, ...answering(given));
	}
	expect([ran.exit, ran.json().unconfirmed, ran.json().left]).toEqual([0, ["transaction.interLedger", "transaction.beneficiary"], []]);
	expect(rounds).toBe(1);
	expect(profile().overrides["transaction.interLedger"]).toMatchObject({
		path: "/internal-transfers",
		request: { fields: { amount: { codec: "minor-units" } } },
	});
	expect(profile().confirmations).toBeUndefined();
	const [from, to] = world.sandbox.state.ledgers.filter(({ currency, status }) => currency === "EUR" && status === "ACTIVE");
	const parties = ["--from", from?.id as string, "--to", to?.id as string];
	const pay = ["pay", "ledger", ...parties, "--amount", "0.75", "--reference", "First", "--currency", "EUR", "--yes"];
	const made = world.sandbox.state.transactions.length;
	const held = await run(...pay);
	expect([held.exit, errorOf(held).code, world.sandbox.state.transactions.length]).toEqual([10, "BINDING_UNCONFIRMED", made]);
	const { digest } = (await run("api", "confirm", "transaction.interLedger", "--dry-run")).json();
	expect((await run("api", "confirm", "transaction.interLedger", "--confirm-binding", digest)).exit).toBe(0);
	const paid = await run(...pay);
	expect(paid.exit === 0 || paid.exit === 8 ? "sent" : paid.stderr).toBe("sent");
	expect(world.sandbox.state.transactions.slice(made)).toMatchObject([
		{ type: "INTER_LEDGER", fromLedgerId: from?.id, toLedgerId: to?.id, amount: "75", reference: "First" },
	]);
});

describe("answers to open questions", () => {
	const uuid = { schema: { type: "string", format: "uuid" } };
	const transfers: Line[] = [
		{
			at: "POST /transfers/internal",
			id: "createInternalTransfer",
			body: { "accountA!": "string", "accountB!": "string", "amount!": "integer", "reference!": "string" },
			answer: { transferId: uuid },
		},
	];
	const picked = ["--only", "transaction.interLedger", "--answer", "transaction.interLedger=POST /transfers/internal"];
	const document = JSON.stringify(documentOf("Books", transfers));
	const importing = (...argv: string[]) => world.purser(["api", "import", "-", ...argv, "--json"], { input: document, env: { CI: "1" } });
	const keysOf = (questions: Question[]) => questions.map(({ field }) => field);
	beforeEach(async () => {
		world = await makeWorld({ loggedIn: false });
		await world.purser(["profile", "add", "box", "--base-url", "https://api.example.com"]);
	});
	const box = () => world.profiles.get("box")?.overrides["transaction.interLedger"];

	test("each has a key and its answers; one leads to the next", async () => {
		const which = await importing("--only", "transaction.interLedger");
		expect([which.exit, errorOf(which).details]).toMatchObject([
			2,
			[{ field: "transaction.interLedger", answers: ["POST /transfers/internal", "none"], other: expect.any(String) }],
		]);
		const read = await world.purser(["api", "import", "-", ...picked], { input: document, env: { CI: "1" } });
		expect(read.stderr.replace(/\s+/g, " ")).toContain(
			"--answer place:transaction.interLedger:ledgerToId=…: POST /transfers/internal: no field was recognised as ledgerToId.",
		);
		const places = await importing(...picked);
		expect([places.exit, errorOf(places).details]).toEqual([
			2,
			[
				{
					field: "place:transaction.interLedger:ledgerFromId",
					message:
						"POST /transfers/internal: no field was recognised as ledgerFromId. Which field says who is debited: the ledger that the money leaves? Answers: body /accountA (required), body /accountB (required), none (None of these: leave the operation out)",
					answers: ["body /accountA", "body /accountB", "none"],
				},
				expect.objectContaining({ field: "place:transaction.interLedger:ledgerToId" }),
				expect.objectContaining({ field: "amount:transaction.interLedger:amount" }),
			],
		]);
		const sides = {
			"place:transaction.interLedger:ledgerFromId": "body /accountB",
			"place:transaction.interLedger:ledgerToId": "body /accountA",
		};
		const minor = { ...sides, "amount:transaction.interLedger:amount": "minor-units" };
		const currency = await importing(...picked, ...answering(minor));
		expect([currency.exit, errorOf(currency).details]).toMatchObject([
			2,
			[{ field: "currency", answers: ["unknown"], other: "Which currency, such as EUR?" }],
		]);
		expect(box()).toBeUndefined();
		const stored = await importing(...picked, ...answering({ ...minor, currency: "EUR" }));
		expect([stored.exit, stored.json().unconfirmed]).toEqual([0, ["transaction.interLedger"]]);
		expect(box()?.request?.fields).toEqual({
			ledgerFromId: { place: "body", at: "/accountB" },
			ledgerToId: { place: "body", at: "/accountA" },
			amount: { place: "body", at: "/amount", codec: "minor-units", currency: "EUR" },
			reference: { place: "body", at: "/reference" },
		});
	});

	test("a key that no import asks for, an answer that is none, and two answers store nothing and name what may be said", async () => {
		const side = "place:transaction.interLedger:ledgerFromId";
		for (const [answers, detail] of [
			[["amonts=number"], { field: "answer", message: '"amonts" is the key of no question' }],
			[["number"], { field: "answer", message: '"number" must be KEY=ANSWER' }],
			[["reference=none", "reference=none"], { field: "answer", message: "reference is given twice" }],
			[
				[`${side}=body /nowhere`],
				{
					field: side,
					message: '"body /nowhere" is none of the answers: body /accountA, body /accountB, none',
					answers: ["body /accountA", "body /accountB", "none"],
				},
			],
		] as const) {
			const ran = await importing(...picked, ...answers.flatMap((one) => ["--answer", one]));
			expect([ran.exit, errorOf(ran).code, errorOf(ran).details]).toEqual([2, "ANSWER_INVALID", [detail]]);
		}
		expect(box()).toBeUndefined();
	});

	test("`none` leaves the operation out; an answer that is not asked for is told, and a run that is repeated stays good", async () => {
		const none = await importing("--answer", "transaction.interLedger=none", "--answer", "ids=uuid");
		expect([
			none.exit,
			none.json().operations.find((one: { operation: string }) => one.operation === "transaction.interLedger").state,
		]).toEqual([0, "none"]);
		expect(none.stderr).toContain("ids is not asked here, so its answer says nothing");
		const left = await importing(...picked, "--answer", "place:transaction.interLedger:ledgerFromId=none");
		expect([left.exit, left.json().left]).toEqual([
			9,
			[{ operation: "transaction.interLedger", why: "ledgerFromId has no place in POST /transfers/internal" }],
		]);
	});

	test("a dry run shows the open questions, and at a terminal what was answered is not asked", async () => {
		const dry = await importing(...picked, "--dry-run");
		expect(dry.json().questions[0]).not.toHaveProperty("flag");
		expect([dry.exit, keysOf(dry.json().questions)]).toEqual([
			0,
			["place:transaction.interLedger:ledgerFromId", "place:transaction.interLedger:ledgerToId", "amount:transaction.interLedger:amount"],
		]);
		world.files.set("openapi.json", new TextEncoder().encode(document));
		const text = await world.purser(["api", "import", "openapi.json", ...picked, "--dry-run"], { answers: [], terminal: true });
		expect(text.stdout.replace(/\s+/g, " ")).toContain("A script has 3 open questions to answer: --json shows each with its key");
		const given = answering({ "place:transaction.interLedger:ledgerFromId": "body /accountB" });
		await world.purser(["api", "import", "openapi.json", ...picked, ...given], {
			answers: ["body /accountA", "number"],
			terminal: true,
		});
		expect(world.asked.map(({ message }) => message)).toEqual([
			"Which field says who is credited: the ledger where the money arrives?",
			"How is an amount of 12.34 written there?",
		]);
		expect(box()?.request?.fields?.ledgerFromId?.at).toBe("/accountB");
	});
});

describe("what a service requires and purser has nothing for", () => {
	const document = documentOf("Books", [
		{
			at: "POST /transfers/internal",
			id: "createInternalTransfer",
			body: { "fromAccountId!": "string", "toAccountId!": "string", "amount!": "number", "reference!": "string", "purpose!": "string" },
			answer: { transferId: { schema: { type: "string", format: "uuid" } } },
		},
	]) as { paths: Record<string, { post: { parameters?: object[] } }> };
	const schema = { type: "string" };
	const required = ["X-Tenant-Id", "Idempotency-Key"].map((name) => ({ name, in: "header", required: true, schema }));
	(document.paths["/transfers/internal"] as { post: { parameters?: object[] } }).post.parameters = required;
	const start = "POST /transfers/internal (transaction.interLedger)";
	const key = `${start} requires an idempotency key (Idempotency-Key), which is not sent: the service will refuse every payment. A constant cannot serve: each payment would count as the first one, sent again`;
	const both = `${start} also wants X-Tenant-Id, /purpose, for which purser has nothing: the service may refuse it. A header that is always the same: purser api set transaction.interLedger --header 'X-Tenant-Id: VALUE'. A value that is always the same: among the constants in the file of purser api export, then purser api use`;
	const argv = ["api", "import", "-", "--only", "transaction.interLedger", "--answer", "transaction.interLedger=POST /transfers/internal"];
	const options = { input: JSON.stringify(document), env: { CI: "1" } };

	test("is told before it is stored, when it is stored, and before it is confirmed, until it is sent", async () => {
		world = await makeWorld({ loggedIn: false });
		await world.purser(["profile", "add", "box", "--base-url", "https://api.example.com"]);
		const dry = await world.purser([...argv, "--dry-run", "--json"], options);
		expect([dry.exit, dry.json().told]).toEqual([0, [key, both]]);
		const stored = await world.purser([...argv, "--answer", "ids=uuid", "--json"], options);
		expect([stored.exit, stored.json().told.filter((one: string) => one.startsWith(start))]).toEqual([0, [key, both]]);
		const shown = async () => (await world.purser(["api", "confirm", "transaction.interLedger", "--dry-run", "--json"])).json();
		const before = await shown();
		expect(before.wants).toEqual([key, both]);
		const text = (await world.purser(["api", "confirm", "transaction.interLedger", "--dry-run"])).stdout;
		expect(text.replace(/\s+/g, " ")).toContain(`Missing: ${key}.`);
		const header = ["api", "set", "transaction.interLedger", "--header"];
		expect((await world.purser([...header, "X-Tenant-Id: 7"])).exit).toBe(0);
		expect((await shown()).wants).toEqual([key, expect.stringContaining("also wants /purpose, for which")]);
		const refused = await world.purser([...header, "Idempotency-Key: 7", "--json"]);
		expect([refused.exit, errorOf(refused).details[0].message]).toEqual([
			3,
			"Idempotency-Key is an idempotency key: with one for all payments, each would count as the first",
		]);
		// Where a binding comes from, and what it lacks, is no part of what is confirmed.
		const { source: _, ...binding } = world.profiles.get("box")?.overrides["transaction.interLedger"] ?? {};
		const box = world.profiles.get("box") as Profile;
		const digest = (await shown()).digest;
		world.profiles.set("box", { ...box, overrides: { "transaction.interLedger": binding } });
		expect([(await shown()).digest, digest === before.digest]).toEqual([digest, false]);
	});
});
