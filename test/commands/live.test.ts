/**
 * On a live profile every change is asked once at a terminal, and needs --yes --live in a script.
 */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { sendEmailLink } from "../../src/api/operations/verification.js";
import { createChanges } from "../../src/cli/ask/ask.js";
import type { AnyCommand } from "../../src/cli/command.js";
import { makeStyle } from "../../src/cli/output/style.js";
import { commands } from "../../src/commands/index.js";
import type { Context } from "../../src/context.js";
import { call } from "../../src/http/call.js";
import { harbourLights } from "../support/companies.js";
import { answered, changed, smallContext } from "../support/context.js";
import { everyGate } from "../support/gates.js";
import { makeWorld, type World } from "../support/purser.js";

const asksItself = ({ path }: AnyCommand): boolean => ["onboard resume", "onboard start"].includes(path);
const isSandboxOnly = ({ path }: AnyCommand): boolean => path.startsWith("sandbox ");

interface Ids {
	corporate: string;
	owner: string;
	grace: string;
}

/** Each command that changes something at the service, in an order in which the sandbox takes them. */
const changes: Readonly<Record<string, (ids: Ids) => string[]>> = {
	"corporate create": () => ["--file", "new.json"],
	"corporate update": ({ corporate }) => [corporate, "--website", "https://www.example.com"],
	"terms accept": ({ corporate }) => [corporate, "--confirmed-by", "account-owner"],
	"email send-link": ({ owner }) => [owner],
	"related add": ({ corporate }) => [corporate, "--first-name", "Linus", "--last-name", "Placeholder", "--is-ubo"],
	"related update": ({ grace }) => [grace, "--email-address", "grace@example.com"],
	"phone send-code": ({ owner }) => [owner],
	"phone verify": ({ owner }) => [owner, "--code", "123456"],
	"kyc link": ({ owner }) => [owner],
	"related remove": ({ grace }) => [grace],
	"kyb request": ({ corporate }) => [corporate, ...everyGate],
	"onboard apply": () => ["case.yaml", "--send-email-link", "--confirmed-by", "operator"],
};

const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default as AnyCommand));
const guarded = loaded.filter((command) => command.effect === "write" && !asksItself(command) && !isSandboxOnly(command));

let world: World;
let ids: Ids;
beforeEach(async () => {
	world = await makeWorld({ profile: { baseUrl: "https://api.example.com" } });
	const put = (path: string, text: string) => world.files.set(path, new TextEncoder().encode(text));
	put("corporate.json", JSON.stringify(harbourLights));
	put("new.json", JSON.stringify({ ...harbourLights, externalId: "crm-2042" }));
	put("case.yaml", readFileSync(new URL("../cases/sole-owner.yaml", import.meta.url), "utf8"));
	const json = async (...argv: string[]) => (await world.purser([...argv, "--json"])).json();
	const { corporateId, accountOwnerId } = await json("corporate", "create", "--file", "corporate.json");
	const { id } = await json("related", "add", corporateId, "--first-name", "Grace", "--last-name", "Sample", "--is-director");
	ids = { corporate: corporateId, owner: accountOwnerId, grace: id };
	Object.assign(world.profiles.get("sandbox") ?? {}, { environment: "live" });
	world.requests.length = 0;
});

const changing = () => world.requests.filter(({ method }) => method !== "GET").map(({ line }) => line);
const words = (path: string): string[] => [...path.split(" "), ...(changes[path]?.(ids) ?? [])];
/** What has to be there before. */
async function prepared(path: string): Promise<void> {
	if (path !== "phone verify") return;
	await world.purser(["phone", "send-code", ids.owner, "--yes", "--live"]);
	world.requests.length = 0;
}

test("every command that changes something is walked here; payments have tests of their own", () => {
	expect(guarded.map(({ path }) => path).sort()).toEqual(Object.keys(changes).sort());
	expect(loaded.filter(({ effect }) => effect === "money").map(({ path }) => path)).toEqual([
		"pay ledger",
		"pay beneficiary",
		"pay batch send",
		"pay batch resume",
		"pay batch approve",
	]);
});

test("a command that calls a changing operation says so in its effect, or guards the inputs by which it does", () => {
	const effects = new Map<string, string>(catalog.map(({ id, effect }) => [id, effect]));
	const quiet = loaded.filter(
		({ path, effect, operations: called }) =>
			effect === "read" && path !== "pay settle" && called.some((id) => (effects.get(id) ?? "read") !== "read"),
	);
	expect(quiet.map(({ path }) => path)).toEqual([]);
});

describe.each(Object.keys(changes))("%s on a live profile", (path) => {
	test("a script without --yes --live is held back before anything is sent", async () => {
		await prepared(path);
		for (const flags of [[], ["--yes"], ["--live"]]) {
			const ran = await world.purser([...words(path), ...flags, "--json"]);
			expect([flags, ran.exit, JSON.parse(ran.stderr).error.code]).toEqual([flags, 10, "LIVE_GUARD"]);
			expect(JSON.parse(ran.stderr).error.fix).toContain("--live");
		}
		expect(changing()).toEqual([]);
	});

	test("with them it is sent, and nobody is asked", async () => {
		await prepared(path);
		const ran = await world.purser([...words(path), "--yes", "--live"]);
		expect([ran.exit, ran.stderr]).toEqual([0, expect.stringContaining("Profile sandbox  LIVE  api.example.com\n")]);
		expect(changing().length).toBeGreaterThan(0);
	});

	test("at a terminal it asks once, and No sends nothing", async () => {
		await prepared(path);
		const ran = await world.purser(words(path), { answers: [false] });
		expect([ran.exit, world.asked.map(({ kind }) => kind)]).toEqual([10, ["confirm"]]);
		expect(ran.stderr).toMatch(/^Profile sandbox {2}LIVE {2}api\.example\.com\n\n\S.*\n( {2}\S.*\n)+/m);
		expect(ran.stderr).toContain("Cancelled. Nothing was sent");
		expect(changing()).toEqual([]);
	});

	test("Yes sends it, and a dry run asks nothing", async () => {
		await prepared(path);
		expect((await world.purser([...words(path), "--dry-run"])).exit).toBe(0);
		expect(changing()).toEqual([]);
		const ran = await world.purser(words(path), { answers: [true] });
		expect(ran.exit, ran.stderr).toBe(0);
		expect(changing().length).toBeGreaterThan(0);
	});

	test("on a sandbox profile --live is refused", async () => {
		Object.assign(world.profiles.get("sandbox") ?? {}, { environment: "sandbox" });
		const ran = await world.purser([...words(path), "--yes", "--live", "--json"]);
		expect([ran.exit, JSON.parse(ran.stderr).error.code]).toEqual([10, "NOT_A_LIVE_PROFILE"]);
		expect(changing()).toEqual([]);
	});
});

test.each([
	["email send-link", "Send Ada Example the email verification link?", "  Email           ada@example.com\n"],
	["kyb request", "Request the KYB of Harbour Lights Catering SAS?", "  To       the compliance team\n"],
	[
		"onboard apply",
		"Has Ada Solo, the account owner, seen and accepted version 1.0? If so, create and update Example Solo SARL?",
		"  Example Solo SARL (case-sole)  3 to create, 1 to update, 0 unchanged",
	],
	["corporate create", "Create Harbour Lights Catering SAS?", "Email address"],
])("%s says what is sent to whom", async (path, question, row) => {
	const ran = await world.purser(words(path), { answers: [false] });
	expect(world.asked).toMatchObject([{ message: question }]);
	expect(ran.stderr).toContain(row);
});

test("what was answered at prompts is asked about once, below the banner", async () => {
	const answers = ["PHYSICAL", "Sample", "", false, true, false, ""];
	const add = ["related", "add", ids.corporate, "--first-name", "Hedy"];
	const declined = await world.purser(add, { answers: [...answers, false] });
	expect([declined.exit, changing()]).toEqual([10, []]);
	expect(declined.stderr).toContain("Profile sandbox  LIVE  api.example.com\n\nDeclare Hedy Sample for Harbour Lights Catering SAS\n");
	const sent = await world.purser(add, { answers: [...answers, true] });
	expect([sent.exit, world.asked.length, world.asked.at(-1)?.kind]).toEqual([0, answers.length + 1, "confirm"]);
	expect(changing()).toHaveLength(1);
});

test("everybody's links are one question that names each person", async () => {
	const ran = await world.purser(["kyc", "link", "--all", "--corporate-id", ids.corporate], { answers: [true] });
	expect([ran.exit, world.asked.map(({ message }) => message)]).toEqual([0, ["Create 2 KYC links for Harbour Lights Catering SAS?"]]);
	expect(ran.stderr).toContain("  1  Ada Example · ada@example.com\n");
	expect(ran.stderr).toContain(`  2  Grace Sample · ${ids.grace}\n`);
	expect(changing()).toHaveLength(2);
});

test("the play of the other side is for a sandbox, whatever the flags", async () => {
	for (const flags of [[], ["--yes", "--live"]]) {
		const ran = await world.purser(["sandbox", "simulate", "email", ids.owner, ...flags, "--json"]);
		expect([ran.exit, JSON.parse(ran.stderr).error.code]).toEqual([10, "SANDBOX_ONLY"]);
	}
	expect(changing()).toEqual([]);
});

test("the wizard needs a terminal, whatever the flags", async () => {
	for (const flags of [[], ["--yes", "--live"]]) {
		const ran = await world.purser(["onboard", "start", ...flags, "--json"]);
		expect([ran.exit, JSON.parse(ran.stderr).error.code]).toEqual([2, "NEEDS_A_TERMINAL"]);
	}
	expect(world.requests).toEqual([]);
});

describe("a command that forgets to ask", () => {
	const sent = { relatedPhysicalPersonId: "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80" };
	const small = (environment: "live" | "sandbox") => {
		const made = smallContext({ profile: { environment }, answers: [answered(200, { ttl: "PT1H" })] });
		const style = makeStyle({ paint: {} as never, columns: 80, now: new Date(), shown: String });
		const context: Context = changed(made.context, { ask: createChanges(() => ({ context, style, prompted: false, line: () => {} })) });
		return { ...made, context };
	};

	test("is held back by the client", async () => {
		const { context, requests } = small("live");
		await expect(call(context, sendEmailLink, { body: sent })).rejects.toMatchObject({ failure: { code: "LIVE_GUARD" } });
		expect(requests).toEqual([]);
	});

	test("on a sandbox profile too, and control: once it asked it sends", async () => {
		const { context, requests } = small("sandbox");
		await expect(call(context, sendEmailLink, { body: sent })).rejects.toThrow("did not ask about");
		expect(requests).toEqual([]);
		await context.ask.change({ title: "Send the link" });
		await call(context, sendEmailLink, { body: sent });
		expect(requests).toHaveLength(1);
	});

	test("a payment does not leave", async () => {
		const { context, requests } = small("sandbox");
		const [ledgerFromId, ledgerToId] = ["aaaaaaaa-0001-4000-8000-000000000001", "aaaaaaaa-0001-4000-8000-000000000002"];
		const pay = call(context, createInterLedger, { body: { ledgerFromId, ledgerToId, amount: "10.10" } });
		await expect(pay).rejects.toThrow("did not ask about");
		expect(requests).toEqual([]);
	});
});
