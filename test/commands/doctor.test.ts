/**
 * `doctor`: what it says of configuration, login, journal and service, and that it changes nothing.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { createProfiles } from "../../src/config/profiles.js";
import { checkConfiguration, reads } from "../../src/doctor/doctor.js";
import { PurserError } from "../../src/errors.js";
import type { Anchor } from "../../src/ports/anchor.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Profile } from "../../src/ports/profiles.js";
import { anchorOfAnother, testPlace } from "../journal/anchors.js";
import { newFolder, open, removeFolders } from "../journal/journals.js";
import { answered, makeWorld, type Wire, type World } from "../support/purser.js";

interface Line {
	check: string;
	state: string;
	found: string;
	mend?: string;
}

let opened: Journal | undefined;
afterEach(async () => {
	await opened?.close();
	opened = undefined;
	await removeFolders();
});

/** Every list is empty, and every record is found. */
const wire: Wire = async ({ url }) =>
	answered(200, url.endsWith("terms-and-conditions?type=CORPORATE&language=EN") ? '{"version":"3"}' : '{"content":[],"totalElements":0}');

/** What `doctor --json` says, by check. */
async function linesOf(world: World, options: Parameters<World["purser"]>[1] = {}) {
	const ran = await world.purser("doctor --json", options);
	const told = ran.json();
	const line = (name: string): Line | undefined => told.checks.find(({ check }: Line) => check === name);
	return { ran, told, line };
}

describe("one page", () => {
	test("says each thing once, in order, and asks each read once", async () => {
		const world = await makeWorld();
		const { ran, told } = await linesOf(world);
		expect([ran.exit, told.state, told.node]).toEqual([0, "ok", "20.19.0"]);
		expect(told.profile).toEqual({ name: "sandbox", environment: "sandbox", baseUrl: "http://127.0.0.1:4010" });
		const answering =
			"terms.get corporate.list ledger.list beneficiary.list related.list related.get corporate.diligenceReview corporate.get ledger.get beneficiary.get";
		const found = told.checks.map(({ check, found }: Line) => [check, found]).slice(3);
		const other: string[][] = [
			["transaction.list", "Answers; the list is empty"],
			["transaction.get", "Not asked: transaction.list names no record"],
		];
		expect(found.filter(([check = ""]: string[]) => !check.startsWith("transaction"))).toEqual(
			answering.split(" ").map((check) => [check, "Answers"]),
		);
		expect(found.filter(([check = ""]: string[]) => check.startsWith("transaction"))).toEqual(other);
		expect(world.requests.map(({ method }) => method)).toEqual(new Array(11).fill("GET"));
	});

	test("no read is forgotten", () => {
		const read = catalog.filter(({ effect, auth }) => effect === "read" && auth !== "none").map(({ id }) => id);
		expect(reads.map(({ operation }) => operation.id).sort()).toEqual([...read].sort());
	});

	test("without a profile it says how to begin", async () => {
		const { ran, told, line } = await linesOf(await makeWorld({ loggedIn: false }));
		expect([ran.exit, told.profile]).toEqual([0, null]);
		expect(line("configuration")).toMatchObject({
			state: "warning",
			mend: "Start on a sandbox of your own: purser sandbox serve --save-profile sandbox (or just watch: purser demo). Or add your service: purser profile add NAME --base-url https://…",
		});
	});

	test("nobody logged in is a fault, and then nothing is sent", async () => {
		const world = await makeWorld({ wire });
		await world.purser("auth logout");
		const { ran, line } = await linesOf(world);
		expect(ran.exit).toBe(9);
		const [found, mend] = ["Nobody is logged in to the profile sandbox", "Log in: purser auth login --profile sandbox"];
		expect(line("login")).toEqual({ check: "login", state: "fault", found, mend });
		expect(line("service")?.found).toBe("Not asked, because of the fault above");
		expect(world.requests).toEqual([]);
		// For people each line has its mend below it, and a sum is at the end.
		const lines = (await world.purser("doctor", { columns: 80, terminal: true })).stdout.trimEnd().split("\n");
		expect(lines).toContain("fault    login          Nobody is logged in to the profile sandbox");
		expect(lines).toContain("                        Log in: purser auth login --profile sandbox");
		expect(lines.at(-1)).toBe("1 fault, 1 warning.");
		expect(Math.max(...lines.filter((line) => !line.includes("purser ")).map(({ length }) => length))).toBeLessThanOrEqual(80);
	});
});

describe("the service", () => {
	const at = (url: string): string => new URL(url).pathname.replace("/api/partner", "");
	/** A world in which one path is answered otherwise. */
	const worldWith = (path: string, ...answer: Parameters<typeof answered>) =>
		makeWorld({ wire: async (request) => (at(request.url) === path ? answered(...answer) : wire(request)) });

	test("what it does not have is a warning, what it cannot say is a fault, and the others are asked all the same", async () => {
		const world = await makeWorld({
			wire: async (request) => {
				if (at(request.url) === "/ledgers") return answered(404, '{"message":"No such path"}');
				if (at(request.url) === "/beneficiaries") return answered(500, '{"message":"No"}');
				return wire(request);
			},
		});
		const { ran, line } = await linesOf(world);
		const found = "List ledgers: the service refused it (status 404): No such path";
		const mend = "Your service may not have this operation, or have it at another path: purser api list, purser help mapping";
		expect([ran.exit, line("ledger.list")]).toEqual([9, { check: "ledger.list", state: "warning", found, mend }]);
		expect(line("beneficiary.list")).toMatchObject({ state: "fault", mend: "Run this again later" });
		expect(line("transaction.list")?.found).toBe("Answers; the list is empty");
	});

	test.each([
		[401, "List corporates: the service did not accept the credential (status 401). The other reads were not asked"],
		[429, "List corporates: the service could not answer (status 429): The service asks to wait 600 s. The other reads were not asked"],
	])("after %s the rest is not asked", async (status, found) => {
		const world = await worldWith("/corporates", status, "{}", { "retry-after": "600" });
		const { ran, told } = await linesOf(world);
		expect(ran.exit).toBe(9);
		expect(told.checks.at(-1)).toMatchObject({ check: "corporate.list", state: "fault", found });
		expect(world.requests.map(({ url }) => at(url))).toEqual(["/terms-and-conditions", "/corporates"]);
	});

	test("what the mapping calls none is not asked, nor what is read by another method than GET", async () => {
		const operations = { "ledger.list": "none", "beneficiary.list": { method: "POST", path: "/v2/payees" } } as const;
		const world = await makeWorld({ wire, profile: { mapping: { operations } } });
		const { line } = await linesOf(world);
		expect(line("ledger.list")).toBeUndefined();
		expect(line("ledger.get")?.found).toBe("Not asked: ledger.list names no record");
		expect(line("beneficiary.list")?.found).toBe("Not asked: this service reads it by POST");
		expect(world.requests.filter(({ url }) => /v2|ledgers/.test(url))).toEqual([]);
	});

	test("no secret and nothing of an answer's content is in a ticket", async () => {
		const secret = "Mme Example, FR76 3000 6000 0112 3456 7890 189";
		const records = { content: [{ id: "11111111-1111-4111-8111-111111111111", friendlyName: secret }], totalElements: 1 };
		const world = await worldWith("/ledgers", 200, JSON.stringify(records));
		const { ran } = await linesOf(world);
		expect(ran.stdout + ran.stderr).not.toMatch(/Mme Example|token-1/);
	});
});

describe("the configuration", () => {
	const profile: Profile = {
		...{ name: "box", baseUrl: "https://api.example.com", environment: "sandbox", settings: {} },
		auth: { kind: "none" },
	};

	test.skipIf(process.platform === "win32")("who can change it, and one that is broken, with its own words", async () => {
		const folder = mkdtempSync(join(tmpdir(), "purser-doctor-"));
		onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
		const file = join(folder, "profiles.json");
		const config = {
			directories: async () => ({ config: folder, state: folder }),
			profiles: async () => createProfiles({ directory: folder, uid: process.geteuid?.() }),
		};
		const found = () => checkConfiguration({ system: { platform: process.platform }, config } as never, profile);
		writeFileSync(file, "{}", { mode: 0o600 });
		expect(await found()).toMatchObject({ state: "ok" });
		chmodSync(file, 0o666);
		expect(await found()).toMatchObject({ state: "fault", mend: `Check what is in it, then: chmod go-w ${file}` });
		chmodSync(file, 0o600);
		writeFileSync(file, "{");
		await expect(found()).rejects.toBeInstanceOf(PurserError);
		const world = await makeWorld({ wire });
		world.profiles.get = () => {
			throw new PurserError("usage", { code: "CONFIG_BROKEN", message: "The configuration is broken", fix: "Correct it" });
		};
		const { ran, line } = await linesOf(world);
		expect([ran.exit, line("configuration")?.state, line("configuration")?.mend]).toEqual([9, "fault", "Correct it"]);
	});
});

describe("the journal", () => {
	async function checked(environment: "live" | "sandbox", kept?: Anchor) {
		const place = testPlace();
		place.kept = kept;
		const world = await makeWorld({
			wire,
			profile: { environment, baseUrl: "https://api.example.com", auth: { kind: "none" } },
			openJournal: async (clock, profile) => {
				const anchor = environment === "live" && { anchor: async () => place };
				opened ??= await open(newFolder(), { clock: clock as never, profile, ...anchor });
				return opened;
			},
		});
		const { ran, line } = await linesOf(world);
		return [ran.exit, line("journal")];
	}

	test.each<[string, "live" | "sandbox", () => Anchor | undefined, number, object]>([
		["is checked as a whole", "sandbox", () => undefined, 0, { state: "ok", found: expect.stringMatching(/0 changes, not altered$/) }],
		["of a live profile may have no anchor yet", "live", () => undefined, 0, { state: "ok" }],
		[
			"of a live profile is held against its anchor",
			...(["live", anchorOfAnother, 9] as const),
			{ state: "fault", found: expect.stringContaining("the journal that paid last"), mend: expect.stringContaining("history verify") },
		],
	])("%s", async (_, environment, kept, exit, found) => {
		expect(await checked(environment, kept())).toMatchObject([exit, found]);
	});
});
