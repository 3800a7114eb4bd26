import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering } from "./answers.js";

const id = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const path = `/api/partner/corporates/related/${id}`;
const ada = {
	id,
	firstName: "Ada",
	lastName: "Example",
	email: { address: "ada@example.com", verified: false },
	phone: { countryCode: "33", number: "639980001", verified: true },
	isDirector: true,
	isAccountOwner: true,
	kycInfo: { status: "NOT_STARTED", type: "FULL_KYC" },
};

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

describe("related show", () => {
	test("a person with what is verified", async () => {
		world.wire = answering({ [`GET ${path}`]: { body: { ...ada, mood: "good" } } });
		const ran = await world.purser(`related show ${id}`);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toBe(
			[
				"Person    Ada Example",
				`Id        ${id}`,
				"Roles     account owner, director",
				"Email     ada@example.com  not verified",
				"Phone     +33 639980001  verified",
				"KYC       NOT_STARTED",
				"KYC type  FULL_KYC",
				"Mood      good",
				"",
			].join("\n"),
		);
		expect(ran.stderr).toBe(`Next: purser email send-link ${id}\n      purser kyc link ${id}\n`);
	});

	test("a company, and a person of the newer generation", async () => {
		world.wire = answering({
			[`GET ${path}`]: [
				{ body: '{"corporateName":"Example Holding BV","directSharesPercentage":33.50}' },
				{ body: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", emailAddressVerified: true } },
			],
		});
		expect((await world.purser(`related show ${id}`)).stdout).toBe(
			"Company               Example Holding BV\nRoles                 company\nShares held directly  33.50 %\nKYC                   not required\n",
		);
		const newer = await world.purser(`related show ${id}`);
		expect(newer.stdout).toBe("Person  Ada Example\nEmail   ada@example.com  verified\nKYC     unknown\n");
		expect(newer.stderr).toBe(`Next: purser kyc link ${id}\n`);
	});
});

describe("related list", () => {
	const corporate = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
	const line = `GET /api/partner/corporates/${corporate}/related`;

	test("a row for each, and the first KYC that waits as the next step", async () => {
		world.wire = answering({ [line]: { body: [ada, { id: corporate, corporateName: "Example Holding BV" }] } });
		const ran = await world.purser(`related list ${corporate} --layer 1`, { columns: 140 });
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toContain(`${id}  Ada Example         NOT_STARTED          account owner, director`);
		expect(ran.stdout).toContain(`${corporate}  Example Holding BV                       company`);
		expect(ran.stderr).toBe(`Next: purser related add ${corporate}\n      purser kyc link ${id}\n`);
		expect(new URL(world.requests[0]?.url ?? "").searchParams.get("layer")).toBe("1");
	});

	test("nobody yet", async () => {
		world.wire = answering({ [line]: { body: [] } });
		const ran = await world.purser(`related list ${corporate}`);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toBe("No related entities found.\n");
	});
});

describe("related update", () => {
	const update = (flags: string) => world.purser(["related", "update", id, ...flags.split(" ").filter(Boolean)]);

	test("sends what was given only, and leads to the new verification", async () => {
		world.wire = answering({ [`PATCH ${path}`]: {}, [`GET ${path}`]: { body: ada } });
		const ran = await update("--phone.country-code +33 --phone.number 639980002");
		expect([ran.exit, ran.stderr]).toEqual([0, `Next: purser phone send-code ${id}\n`]);
		expect(world.requests[0]?.body).toBe('{"phone":{"countryCode":"+33","number":"639980002"}}');
	});
});

describe("related remove", () => {
	const serve = (more: Answers = {}) => {
		const person = { id, firstName: "Ada", lastName: "Example", isDirector: true };
		world.wire = answering({ [`DELETE ${path}`]: {}, [`GET ${path}`]: { body: person }, ...more });
	};
	const remove = (...answers: boolean[]) => world.purser(`related remove ${id}`, { answers });
	const changes = () => world.requests.flatMap(({ method, line, body }) => (method === "GET" ? [] : [`${line} ${body}`]));
	beforeEach(() => serve());

	test("names a person and role; No sends nothing (exit 10), and Yes removes it", async () => {
		expect([(await remove(false)).exit, changes()]).toEqual([10, []]);
		expect(world.asked).toMatchObject([{ kind: "confirm", message: "Remove Ada Example (director)? This cannot be undone" }]);
		const ran = await remove(true);
		expect([ran.exit, ran.stdout, changes()]).toEqual([0, `Related entity removed\nWho  Ada Example\nId   ${id}\n`, [`DELETE ${path} `]]);
	});

	test("asks by id where the service does not tell who it is", async () => {
		serve({ [`GET ${path}`]: { status: 404 } });
		await remove(true);
		expect(world.asked).toMatchObject([{ message: `Remove ${id}? This cannot be undone` }]);
		expect(changes()).toHaveLength(1);
	});

	test("a script needs --yes: exit 2 without it; the service refuses while the KYB is under way: exit 5", async () => {
		expect([(await world.purser(`related remove ${id}`)).exit, world.requests]).toEqual([2, []]);
		expect(await world.json(`related remove ${id} --yes`)).toEqual({ id, removed: true });
		serve({ [`DELETE ${path}`]: { status: 409, body: { status: 409, errorCode: "KYB_PENDING", message: "under review" } } });
		const ran = await world.purser(`related remove ${id} --yes`);
		expect([ran.exit, ran.stderr.includes("under review")]).toEqual([5, true]);
	});
});
