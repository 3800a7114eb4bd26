import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering, page } from "./answers.js";

const id = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const corporate = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const path = `/api/partner/corporates/related/${id}`;
const listPath = `/api/partner/corporates/${corporate}/related`;
const ada = {
	...{ id, firstName: "Ada", lastName: "Example", email: { address: "ada@example.com", verified: false } },
	...{ phone: { countryCode: "33", number: "639980001", verified: true }, isDirector: true, isAccountOwner: true },
	kycInfo: { status: "NOT_STARTED", type: "FULL_KYC" },
};

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});
const serve = (answers: Answers): void => {
	world.wire = answering(answers);
};

describe("related show", () => {
	test.each<[string, object | string, string[], string[]]>([
		[
			"a person with what is verified",
			{ ...ada, mood: "good" },
			[
				...["Person    Ada Example", `Id        ${id}`, "Roles     account owner, director"],
				...["Email     ada@example.com  not verified", "Phone     +33 639980001  verified"],
				...["KYC       NOT_STARTED", "KYC type  FULL_KYC", "Mood      good"],
			],
			[`email send-link ${id}`, `kyc link ${id}`],
		],
		[
			"a company",
			'{"corporateName":"Example Holding BV","directSharesPercentage":33.50}',
			[
				...["Company               Example Holding BV", "Roles                 company"],
				...["Shares held directly  33.50 %", "KYC                   not required"],
			],
			["overview"],
		],
		[
			"a person of the newer generation",
			{ firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", emailAddressVerified: true },
			["Person  Ada Example", "Email   ada@example.com  verified", "KYC     unknown"],
			[`kyc link ${id}`],
		],
	])("%s", async (_, body, lines, next) => {
		serve({ [`GET ${path}`]: { body } });
		const ran = await world.purser(`related show ${id}`);
		expect([ran.exit, ran.stdout.split("\n")]).toEqual([0, [...lines, ""]]);
		expect(ran.stderr.match(/purser .*/g) ?? []).toEqual(next.map((line) => `purser ${line}`));
	});
});

test("related list has a row for each, and the first KYC that waits as the next step; nobody yet is said", async () => {
	serve({ [`GET ${listPath}`]: [{ body: [ada, { id: corporate, corporateName: "Example Holding BV" }] }, { body: [] }] });
	const ran = await world.purser(`related list ${corporate} --layer 1`, { columns: 140 });
	expect(ran.exit).toBe(0);
	expect(ran.stdout).toContain(`${id}  Ada Example         NOT_STARTED          account owner, director`);
	expect(ran.stdout).toContain(`${corporate}  Example Holding BV                       company`);
	expect(ran.stderr).toBe(`Next: purser related add ${corporate}\n      purser kyc link ${id}\n`);
	expect(new URL(world.requests[0]?.url ?? "").searchParams.get("layer")).toBe("1");
	expect(await world.purser(`related list ${corporate}`)).toMatchObject({ exit: 0, stdout: "No related entities found.\n" });
});

test("related update sends what was given only, and leads to the new verification", async () => {
	serve({ [`PATCH ${path}`]: {}, [`GET ${path}`]: { body: ada } });
	const ran = await world.purser(`related update ${id} --phone.country-code +33 --phone.number 639980002`);
	expect([ran.exit, ran.stderr]).toEqual([0, `Next: purser phone send-code ${id}\n`]);
	expect(world.requests[0]?.body).toBe('{"phone":{"countryCode":"+33","number":"639980002"}}');
});

describe("related remove", () => {
	const removing = (more: Answers = {}) => {
		const person = { id, firstName: "Ada", lastName: "Example", isDirector: true };
		serve({ [`DELETE ${path}`]: {}, [`GET ${path}`]: { body: person }, ...more });
	};
	const remove = (...answers: boolean[]) => world.purser(`related remove ${id}`, { answers });
	beforeEach(() => removing());

	test("names a person and role; No sends nothing (exit 10), and Yes removes it", async () => {
		expect([(await remove(false)).exit, world.changes()]).toEqual([10, []]);
		expect(world.asked).toMatchObject([{ kind: "confirm", message: "Remove Ada Example (director)? This cannot be undone" }]);
		const ran = await remove(true);
		expect([ran.exit, ran.stdout]).toEqual([0, `Related entity removed\nWho  Ada Example\nId   ${id}\n`]);
		expect(world.changes()).toMatchObject([{ line: `DELETE ${path}`, body: "" }]);
	});

	test("asks by id where the service does not tell who it is", async () => {
		removing({ [`GET ${path}`]: { status: 404 } });
		await remove(true);
		expect(world.asked).toMatchObject([{ message: `Remove ${id}? This cannot be undone` }]);
		expect(world.changes()).toHaveLength(1);
	});

	test("a script needs --yes: exit 2 without it; the service refuses while the KYB is under way: exit 5", async () => {
		expect([(await world.purser(`related remove ${id}`)).exit, world.requests]).toEqual([2, []]);
		expect(await world.json(`related remove ${id} --yes`)).toEqual({ id, removed: true });
		removing({ [`DELETE ${path}`]: { status: 409, body: { status: 409, errorCode: "KYB_PENDING", message: "under review" } } });
		const ran = await world.purser(`related remove ${id} --yes`);
		expect([ran.exit, ran.stderr.includes("under review")]).toEqual([5, true]);
	});
});

describe("related add", () => {
	const ids = [1, 2, 3].map((n) => `8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d8${n}`);
	const made = { [`POST ${listPath}`]: ids.map((id) => ({ status: 201, body: { id } })) };
	const known = { ...{ id: ids[2], firstName: "Ada", lastName: "Example" }, email: { address: "ada@example.com" }, externalId: "p-1" };
	const grace = "--first-name Grace --last-name Sample --email-address grace@example.com";
	const add = (more = "", options = {}) => world.purser(`related add ${corporate} ${more}`, options);
	const sent = () => world.changes().map(({ body }) => body);
	beforeEach(() => serve({ [`GET ${listPath}`]: page(known), ...made }));

	test("a person", async () => {
		const listed = { id: ids[0], firstName: "Grace", lastName: "Sample", email: { address: "grace@example.com" } };
		serve({ [`GET ${listPath}`]: [page(known), page(known, listed)], ...made });
		const ran = await add(grace);
		expect([ran.exit, ran.stdout]).toEqual([0, `Related entity declared\nName  Grace Sample\nId    ${ids[0]}\n`]);
		expect(ran.stderr).toBe(`Next: purser related list ${corporate}\n      purser corporate review ${corporate}\n`);
		expect(sent()).toEqual(['{"type":"PHYSICAL","firstName":"Grace","lastName":"Sample","emailAddress":"grace@example.com"}']);
	});

	test("a company from standard input, shares as written", async () => {
		const input = '{"type":"COMPANY","corporateName":"Other Holding BV","directSharesPercentage":60.0}';
		const ran = await add("--file - --json", { input });
		expect([ran.exit, ran.json(), sent()]).toEqual([0, { corporateId: corporate, name: "Other Holding BV", id: ids[0] }, [input]]);
	});

	test("a company's name without the type: it is the type that is missing, not the names of a person", async () => {
		const ran = await add('--corporate-name "Other Holding BV" --json');
		const details = [{ field: "type", message: "is required for a company, as COMPANY" }];
		expect([ran.exit, ran.error()]).toMatchObject([2, { message: "Missing: --type", details }]);
		expect((await add("--corporate-name Other --last-name Sample")).stderr).toContain("Missing: --first-name\n");
		expect(sent()).toEqual([]);
	});

	test.each([
		["the same name and email", "--first-name ada --last-name EXAMPLE --email-address Ada@example.com"],
		["the same externalId", `${grace} --external-id p-1`],
	])("with %s it is refused: exit 10", async (_, flags) => {
		const ran = await add(flags);
		expect([ran.exit, sent(), world.journal]).toEqual([10, [], []]);
		expect(ran.stderr).toContain(ids[2] as string);
		expect(ran.stderr).toContain("--allow-duplicate");
		expect([(await add(`${flags} --allow-duplicate`)).exit, sent().length]).toEqual([0, 1]);
	});

	test("a deployment without the list is told about, and it goes on", async () => {
		serve(made);
		const ran = await add(grace);
		expect([ran.exit, ran.stderr]).toEqual([0, expect.stringContaining("entities declared already were not looked for")]);
	});

	const answers = ["PHYSICAL", "Grace", "Sample", "grace@example.com", "", true, false, "33.5"];
	test("by prompts, a person: kind, names, roles and shares, then one question about what is sent", async () => {
		serve(made);
		const ran = await add("", { answers: [...answers, true] });
		expect([ran.exit, ran.stdout]).toEqual([0, `Related entity declared\nName  Grace Sample\nId    ${ids[0]}\n`]);
		expect(world.asked.map(({ message }) => message)).toEqual([
			...["Person or company", "First name", "Last name", "Email (optional)", "Phone (like +33 639980001, optional)"],
			...["Is this person a director?", "Is this person an ultimate beneficial owner?", "Shares held directly (optional)"],
			`Declare Grace Sample for ${corporate}?`,
		]);
		for (const row of [/First name +Grace\n/, /Email address +grace@example.com\n/, /Director +yes\n/]) expect(ran.stderr).toMatch(row);
		const names = '"firstName":"Grace","lastName":"Sample","emailAddress":"grace@example.com"';
		expect(sent()).toEqual([`{"type":"PHYSICAL",${names},"isDirector":true,"isUbo":false,"directSharesPercentage":33.5}`]);
	});

	test("by prompts, for a company that was named: it is named in the question; at a No nothing is sent: exit 10", async () => {
		const listed = { id: corporate, corporateName: "Example Florist", externalId: "crm-5002" };
		const lists = { [`GET /api/partner/corporates/${corporate}`]: { body: listed }, "GET /api/partner/corporates": page(listed) };
		serve({ ...made, ...lists });
		const ran = await world.purser("related add crm-5002", { answers: [...answers, false] });
		expect([ran.exit, sent(), ran.stderr]).toEqual([10, [], expect.stringContaining("Cancelled. Nothing was sent")]);
		expect(world.asked.at(-1)?.message).toBe("Declare Grace Sample for Example Florist?");
	});
});

describe("related tree", () => {
	const holding = "1d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f";
	const list = (...content: object[]): void =>
		serve({ [`GET ${listPath.slice(0, -8)}`]: { body: { corporateName: "Example Trading SAS" } }, [`GET ${listPath}`]: page(...content) });
	const person = (more: object) => ({ id, firstName: "Ada", lastName: "Example", isDirector: true, isAccountOwner: true, ...more });
	const held = { id: holding, corporateName: "Example Holding BV", directSharesPercentage: 100 };
	const half = person({ shares: [{ ownedCorporate: holding, directSharesPercentage: 50, layer: 2 }] });
	const tree = (more = "", columns?: number) => world.purser(`related tree ${corporate} ${more}`, { columns });

	test("layers, effective shares, warnings and the next command", async () => {
		list(half, held);
		const ran = await tree("", 140);
		expect([ran.exit, world.requests.length, ran.stdout.split("\n")]).toEqual([
			...[0, 2],
			[
				...["Example Trading SAS", "`- 100 %  Example Holding BV  company"],
				...["   `- 50 %  Ada Example  account owner, director, UBO not marked", "", "Warnings"],
				"  ! Ada Example holds an effective 50 % and is not marked as a beneficial owner (UBO)",
				"  ! Who holds 50 % of Example Holding BV (50 % of the company) is not declared: there may be a beneficial owner among them",
				"",
			],
		]);
		const next = [`related update ${id} --is-ubo`, `related add ${corporate}`, `corporate status ${corporate}`];
		expect(ran.stderr.match(/purser .*/g)).toEqual(next.map((line) => `purser ${line}`));
	});

	test("the threshold of the profile counts", async () => {
		list(person({ directSharesPercentage: 10 }), { id: holding, firstName: "Grace", directSharesPercentage: 90, isUbo: true });
		expect((await tree()).stdout).not.toContain("Warnings");
		Object.assign(world.profiles.get("sandbox") ?? {}, { settings: { "ubo-threshold": "10" } });
		expect((await tree()).stdout).toContain("Ada Example holds an effective 10 % and is not marked");
	});

	test("the list is what the tree is made of: without it exit 5; the corporate's name is no must, nor is anybody declared", async () => {
		list();
		expect((await tree()).stdout).toContain("! Nobody is the account owner");
		serve({});
		expect((await tree()).exit).toBe(5);
		serve({ [`GET ${listPath}`]: { body: [] } });
		const ran = await tree();
		expect([ran.exit, ran.stdout.split("\n")[0]]).toEqual([0, corporate]);
	});

	test("--svg: a file readable by its owner, people numbered; --json names it, and nothing else changes", async () => {
		list(half, held);
		const plain = (await tree("--json")).json() as object;
		const { svg: told, ...rest } = (await tree("--svg owners.svg --json")).json();
		const svg = world.text("owners.svg");
		const sha256 = createHash("sha256").update(svg).digest("hex");
		expect([told, rest]).toEqual([{ path: "owners.svg", bytes: Buffer.byteLength(svg), sha256 }, plain]);
		expect(svg).toContain("Person 1 holds 50 % of Example Holding BV, at or above 25 %");
		expect(svg).toContain("Personal data is masked: people are numbered");
		expect(svg).not.toContain("Ada");
		expect((await tree("--svg owners.svg --unmasked")).stdout).toContain("Picture  owners.svg");
		for (const text of ["Ada Example holds 50 %", "This picture names people: keep it private"])
			expect(world.text("owners.svg")).toContain(text);
		// A file that purser did not write is left alone, and replaced with --force.
		world.put("owners.svg", "<svg/>");
		expect([(await tree("--svg owners.svg")).exit, world.text("owners.svg")]).toEqual([10, "<svg/>"]);
		expect((await tree("--svg owners.svg --force")).exit).toBe(0);
		expect(world.text("owners.svg")).toContain("Ownership of Example Trading SAS");
	});

	test("--open: a page is shown in the browser from memory; where there is none, the flag that saves it is named", async () => {
		list(half, held);
		expect((await tree("--open --unmasked")).stdout).toContain("in the browser");
		expect(world.opened).toEqual([expect.stringMatching(/^text\/html; charset=utf-8: <!doctype html>/)]);
		for (const text of ["<title>Ownership of Example Trading SAS</title>", "Ada Example holds 50 %"])
			expect(world.opened[0]).toContain(text);
		world.browser = "none";
		expect((await tree("--open")).stderr).toContain("keep the page with --svg FILE");
	});

	test.each([
		["--unmasked", "goes with --svg or --open"],
		["--force --open", "goes with --svg"],
		["--svg -", "is the name of a file, like owners.svg"],
	])("%s is refused before anything is read", async (flags, told) => {
		const ran = await tree(flags);
		expect([ran.exit, ran.stderr.includes(told), world.requests]).toEqual([3, true, []]);
	});
});
