import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const id = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const linkLine = "POST /api/partner/kyc";
const recordLine = `GET /api/partner/corporates/related/${id}`;
const ada = (kycInfo?: object) => ({ id, firstName: "Ada", lastName: "Example", isDirector: true, kycInfo });
const link = { id: "1d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f", url: "https://kyc.example.com/s/abc", ttl: "PT720H" };

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

describe("kyc link", () => {
	test("the link, its end, and whom it is for", async () => {
		world.wire = answering({ [recordLine]: { body: ada() }, [linkLine]: { body: link } });
		const ran = await world.purser(["kyc", "link", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toMatch(/^KYC link obtained\nPerson {10}Ada Example\n/);
		expect(ran.stdout).toContain("Link            https://kyc.example.com/s/abc\n");
		expect(ran.stdout).toContain("(in 30 days)\n");
		expect(ran.stdout).toContain("Send the link to this person only");
		expect(ran.stderr).toBe(`Next: purser kyc status ${id} --wait\n`);
		expect(world.requests.map(({ line, body }) => [line, body])).toEqual([
			[recordLine, ""],
			[linkLine, `{"relatedPhysicalPersonId":"${id}","kycConfiguration":{"accessType":"LINK"}}`],
		]);
	});

	test("--json keeps the service's fields; a deployment that says link is read too", async () => {
		world.wire = answering({
			[recordLine]: { body: ada() },
			[linkLine]: [{ body: link }, { body: { link: "https://kyc.example.com/l" } }],
		});
		const ran = await world.purser(["kyc", "link", id, "--json"]);
		expect(ran.json()).toEqual({ relatedPhysicalPersonId: id, name: "Ada Example", ...link, expiresAt: "2026-03-31T10:00:00.000Z" });
		expect((await world.purser(["kyc", "link", id])).stdout).toContain("Link            https://kyc.example.com/l\n");
	});

	test.each([
		["nothing at all", { status: 204 }],
		["a link under another name", { body: { id: "k1", kycAddress: "https://kyc.example.com/s/abc", ttl: "PT720H" } }],
	])("%s is no link obtained: exit 7, and its answer is still shown", async (_name, answer) => {
		world.wire = answering({ [recordLine]: { body: ada() }, [linkLine]: answer });
		const ran = await world.purser(["kyc", "link", id]);
		expect(ran.exit).toBe(7);
		expect(ran.stdout).toBe("No KYC link: the service's answer has none; see it with --json\n");
		expect(ran.stderr).toContain("Warning: The service accepted the request but gave no link.");
		expect(ran.stderr).toContain("purser help mapping");
		const json = await world.purser(["kyc", "link", id, "--json"]);
		expect(json.exit).toBe(7);
		expect(json.json()).toEqual({ relatedPhysicalPersonId: id, name: "Ada Example", ...("body" in answer ? answer.body : {}) });
	});

	test("where the person is led afterwards travels along", async () => {
		world.wire = answering({ [recordLine]: { body: ada() }, [linkLine]: { body: link } });
		await world.purser(["kyc", "link", id, "--kyc-configuration.url-on-complete", "https://www.example.com/done"]);
		expect(JSON.parse(world.requests[1]?.body ?? "").kycConfiguration).toEqual({
			accessType: "LINK",
			urlOnComplete: "https://www.example.com/done",
		});
	});

	test("a KYC that nobody needs is told of, because the KYB waits for it", async () => {
		const bystander = { ...ada(), isDirector: false, isUbo: false };
		world.wire = answering({ [recordLine]: { body: bystander }, [linkLine]: [{ body: link }, { body: link }] });
		const ran = await world.purser(["kyc", "link", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain(
			"Warning: Ada Example is neither a director nor a UBO, so no KYC is needed. Once requested, the KYB waits for it\n",
		);
		world.wire = answering({ [recordLine]: { body: { ...bystander, isUbo: true } }, [linkLine]: { body: link } });
		expect((await world.purser(["kyc", "link", id])).stderr).not.toContain("no KYC is needed");
	});

	test("an account owner of whom the service asks it needs one, and has no phone to verify", async () => {
		const owner = { ...ada({ status: "NOT_STARTED", type: "FULL_KYC" }), isDirector: false, isUbo: false, isAccountOwner: true };
		world.wire = answering({ [recordLine]: { body: owner }, [linkLine]: { body: link } });
		const ran = await world.purser(["kyc", "link", id]);
		expect(ran.stderr).toMatch(new RegExp(`^Next: purser kyc status ${id} --wait\\n$`));
	});

	test("an account owner's phone on record is verified next, unless it is verified", async () => {
		const owner = { ...ada(), isAccountOwner: true, phone: { countryCode: "+33", number: "639980001", verified: false } };
		world.wire = answering({ [recordLine]: { body: owner }, [linkLine]: { body: link } });
		expect((await world.purser(["kyc", "link", id])).stderr).toContain(`purser phone send-code ${id}`);
		world.wire = answering({ [recordLine]: { body: { ...owner, phone: { ...owner.phone, verified: true } } }, [linkLine]: { body: link } });
		expect((await world.purser(["kyc", "link", id])).stderr).not.toContain("phone send-code");
	});

	test("a link that is still valid is told of before a new one; an old or a declined one is not", async () => {
		const warning = "Warning: Ada Example already has a KYC link, valid until 2026-03-31; this creates a new one";
		world.wire = answering({ [recordLine]: { body: ada({ status: "CREATED" }) }, [linkLine]: { body: link } });
		expect((await world.purser(["kyc", "link", id])).stderr).toContain(
			"Warning: Ada Example already has a KYC link; this creates a new one",
		);
		expect((await world.purser(["kyc", "link", id])).stderr).toContain(warning);
		world.wire = answering({ [recordLine]: { body: ada({ status: "DECLINED" }) }, [linkLine]: { body: link } });
		expect((await world.purser(["kyc", "link", id])).stderr).not.toContain("already has");
		world.clock.advance(31 * 24 * 3_600_000);
		world.wire = answering({ [recordLine]: { body: ada({ status: "CREATED" }) }, [linkLine]: { body: link } });
		world.journal.length = 1;
		expect((await world.purser(["kyc", "link", id])).stderr).not.toContain("already has");
	});

	test("a company is refused here: exit 10, nothing is asked of the service", async () => {
		world.wire = answering({ [recordLine]: { body: { id, corporateName: "Example Holding BV" } }, [linkLine]: { body: link } });
		const ran = await world.purser(["kyc", "link", id]);
		expect(ran.exit).toBe(10);
		expect(ran.stderr).toContain("Example Holding BV is a company, and a KYC is for physical persons. Nothing was sent");
		expect(world.requests.map(({ line }) => line)).toEqual([recordLine]);
	});

	test("where the record cannot be had, the service decides", async () => {
		world.wire = answering({ [linkLine]: { body: link } });
		const ran = await world.purser(["kyc", "link", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("whether it is a person was not checked");
		expect(ran.stdout).toContain(`Related entity  ${id}`);
	});

	test("a dry run looks nothing up and sends nothing", async () => {
		const ran = await world.purser(["kyc", "link", id, "--dry-run"]);
		expect(ran.exit).toBe(0);
		expect(world.requests).toEqual([]);
	});
});

describe("kyc status", () => {
	const look = (...kycs: (object | undefined)[]) => {
		world.wire = answering({ [recordLine]: kycs.map((kyc) => ({ body: ada(kyc) })) });
	};

	test("type, status and reason", async () => {
		look({ status: "PENDING_REVIEW", type: "FULL_KYC", statusReason: "Second look" });
		const ran = await world.purser(["kyc", "status", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toBe(
			`Person  Ada Example\nId      ${id}\nKYC     PENDING_REVIEW\nType    FULL_KYC (documents and liveness)\nReason  Second look\n`,
		);
		expect(ran.stderr).toBe(`Next: purser kyc status ${id} --wait\n`);
	});

	test.each([
		[{ status: "VALIDATED", type: "DOC_ONLY" }, 0],
		[{ status: "NOT_STARTED", type: "NOT_REQUIRED" }, 0],
		[{ status: "DECLINED", type: "FULL_KYC" }, 5],
		[{ status: "PROCESSING" }, 8],
		[{ status: "SOMETHING_NEW" }, 8],
		[undefined, 1],
		[{ type: "FULL_KYC" }, 1],
	])("--wait on %j: exit %i", async (kyc, exit) => {
		look(kyc);
		const ran = await world.purser(["kyc", "status", id, "--wait", "--wait-timeout", "5"]);
		expect(ran.exit).toBe(exit);
		if (kyc && "status" in kyc) expect(ran.stdout).toContain(kyc.status);
		else expect(ran.stdout).toBe("");
		expect(ran.stderr.includes("has no status of the KYC")).toBe(exit === 1);
	});

	test("declined is exit 5 on a single look too, other statuses are not a failure", async () => {
		look({ status: "DECLINED" }, { status: "CREATED" });
		const declined = await world.purser(["kyc", "status", id]);
		expect(declined.exit).toBe(5);
		expect(declined.stdout).toContain(`A new link for another try: purser kyc link ${id}\n`);
		expect((await world.purser(["kyc", "status", id])).exit).toBe(0);
	});

	test("--wait follows until it is decided; --json is the record", async () => {
		look({ status: "CREATED" }, { status: "PROCESSING" }, { status: "VALIDATED", type: "FULL_KYC" });
		const ran = await world.purser(["kyc", "status", id, "--wait", "--json"]);
		expect(ran.exit).toBe(0);
		expect(ran.json()).toEqual(ada({ status: "VALIDATED", type: "FULL_KYC" }));
		expect(world.requests).toHaveLength(3);
	});

	test("not started leads to the link", async () => {
		look({ status: "NOT_STARTED" });
		expect((await world.purser(["kyc", "status", id])).stderr).toBe(`Next: purser kyc link ${id}\n`);
	});
});
