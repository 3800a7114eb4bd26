import { beforeEach, describe, expect, test } from "vitest";
import { everyGate } from "../support/gates.js";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const person = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const requestLine = `POST /api/partner/corporates/${id}/kyb`;
const corporateLine = `GET /api/partner/corporates/${id}`;
const relatedLine = `GET /api/partner/corporates/${id}/related`;
const corporate = (kybStatus: string, more = {}) => ({ id, corporateName: "Example Trading SAS", kybStatus, termsAccepted: true, ...more });
const ada = (status: string) => ({ id: person, firstName: "Ada", lastName: "Example", isDirector: true, kycInfo: { status } });

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

describe("kyb request", () => {
	test("asks without a body, then tells the status and the KYCs that are open", async () => {
		world.wire = answering({
			[requestLine]: {},
			[corporateLine]: { body: corporate("PENDING_VERIFICATION") },
			[relatedLine]: { body: [ada("NOT_STARTED")] },
		});
		const ran = await world.purser(["kyb", "request", id, ...everyGate]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toBe(
			[
				"KYB requested",
				"Company  Example Trading SAS",
				`Id       ${id}`,
				"KYB      PENDING_VERIFICATION",
				"",
				"Still missing",
				"  to do     KYC of Ada Example (in full)",
				"",
			].join("\n"),
		);
		expect(ran.stderr).toBe(`Next: purser kyc link ${person}\n      purser kyb status ${id} --wait\n`);
		expect(world.requests.find(({ method }) => method === "POST")).toMatchObject({ line: requestLine, body: "" });
	});

	test("a record that cannot be read back does not make the request look failed", async () => {
		world.wire = answering({ [requestLine]: { status: 202 } });
		const ran = await world.purser(["kyb", "request", id, ...everyGate]);
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("The change was made, but it could not be read back");
	});

	test("one that cannot be asked for as it stands: how it stands is the next question", async () => {
		world.wire = answering({
			[requestLine]: { status: 409, body: { status: 409, errorCode: "KYB_DECLINED", message: "The KYB was declined" } },
		});
		const ran = await world.purser(["kyb", "request", id, ...everyGate]);
		expect(ran.exit).toBe(5);
		expect(ran.stderr).toContain("The KYB was declined");
		expect(ran.stderr).toContain(`Next: See how it stands: purser kyb status ${id}\n`);
	});

	test("the service refuses: exit 5", async () => {
		world.wire = answering({ [requestLine]: { status: 400, body: { status: 400, message: "no director is declared" } } });
		const ran = await world.purser(["kyb", "request", id, ...everyGate]);
		expect(ran.exit).toBe(5);
		expect(ran.stderr).toContain("no director is declared");
	});
});

describe("kyb status", () => {
	const look = (record: object, related?: object[]) => {
		world.wire = answering({ [corporateLine]: { body: record }, ...(related ? { [relatedLine]: { body: related } } : {}) });
	};

	test("what is missing and how to settle it, in order", async () => {
		look(corporate("NEED_ADDITIONAL_INFORMATION", { kybStatusReason: "Proof of address", termsAccepted: false }), [ada("DECLINED")]);
		const ran = await world.purser(["kyb", "status", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toContain("KYB             NEED_ADDITIONAL_INFORMATION\nReason          Proof of address\nTerms accepted  no\n");
		expect(ran.stdout).toContain(
			[
				"Missing",
				"  to do     Latest terms accepted",
				"            The account owner must accept; no financial services until then",
				"  declined  KYC of Ada Example (in full)",
				"            declined",
				"  to do     KYB validated",
				"            Proof of address",
			].join("\n"),
		);
		expect(ran.stderr).toBe(
			[
				`Next: purser terms accept ${id}`,
				`      purser kyc link ${person}`,
				`      purser corporate update ${id} --set FIELD=VALUE`,
				`      purser corporate review ${id}`,
				"",
			].join("\n"),
		);
	});

	test("a KYC in a status that nobody knows is followed, not begun anew", async () => {
		look(corporate("PENDING_VERIFICATION"), [ada("ON_HOLD")]);
		const ran = await world.purser(["kyb", "status", id]);
		expect(ran.stdout).toContain("  waiting   KYC of Ada Example (in full)\n            for identity check; ON_HOLD\n");
		expect(ran.stderr).toBe(`Next: purser kyc status ${person} --wait\n`);
	});

	test("a wait that ends by what it saw does not claim to have waited", async () => {
		look(corporate("NEED_ADDITIONAL_INFORMATION"), []);
		const ran = await world.purser(["kyb", "status", id, "--wait", "--wait-timeout", "600"]);
		expect(ran.exit).toBe(8);
		expect(ran.stderr).not.toContain("Still not final");
		look(corporate("PENDING_VERIFICATION"), []);
		expect((await world.purser(["kyb", "status", id, "--wait", "--wait-timeout", "600"])).stderr).toContain(
			"Still not final after 600 s of waiting.\n",
		);
	});

	test("a list of related entities that was cut is told by every look at a case", async () => {
		const cut = { body: { content: [{ ...ada("VALIDATED"), email: { address: "ada@example.com", verified: true } }], totalElements: 2 } };
		for (const argv of [
			["kyb", "status", id],
			["kyb", "request", id],
			["corporate", "status", id],
		]) {
			world.wire = answering({
				[corporateLine]: { body: corporate("PENDING_VERIFICATION") },
				[relatedLine]: cut,
				[`POST /api/partner/corporates/${id}/kyb`]: { status: 204 },
			});
			const ran = await world.purser(argv);
			expect(ran.exit).toBe(0);
			expect(ran.stderr).toContain("Warning: The service did not list all related entities; what is shown may miss some\n");
		}
		world.wire = answering({ "GET /api/partner/corporates": { body: [corporate("COMPLETING")] }, [relatedLine]: cut });
		expect((await world.purser(["overview"])).stderr).toContain("could not all be read: the service did not list all of them\n");
	});

	test("a deployment without the list of related entities: told, and the rest is shown", async () => {
		look(corporate("PENDING_VERIFICATION"));
		const ran = await world.purser(["kyb", "status", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("the KYCs are not shown");
		expect(ran.stdout).toContain("KYB             PENDING_VERIFICATION");
	});

	test("validated: nothing is missing, ledgers come next", async () => {
		look(corporate("VALIDATED"), []);
		const ran = await world.purser(["kyb", "status", id, "--wait"]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).not.toContain("Missing");
		expect(ran.stderr).toContain(`Next: purser ledger list --end-user-id ${id}`);
	});

	test.each([[[]], [["--wait"]]])("declined is exit 5 (%j)", async (more) => {
		look(corporate("DECLINED", { kybStatusReason: "Sanctions list" }), [ada("NOT_STARTED")]);
		const ran = await world.purser(["kyb", "status", id, ...more]);
		expect(ran.exit).toBe(5);
		expect(ran.stdout).toContain("Reason          Sanctions list");
		expect(ran.stdout).not.toContain("Missing");
	});

	test("--wait follows until it is decided", async () => {
		world.wire = answering({
			[corporateLine]: [{ body: corporate("PENDING_VERIFICATION") }, { status: 503 }, { body: corporate("VALIDATED") }],
			[relatedLine]: { body: [] },
		});
		const ran = await world.purser(["kyb", "status", id, "--wait", "--json"]);
		expect(ran.exit).toBe(0);
		expect(ran.json()).toEqual({ ...corporate("VALIDATED"), missing: [] });
	});

	test.each(["PENDING_VERIFICATION", "COMPLETING", "SOMETHING_NEW", "VALIDATED_MAYBE"])("--wait ends with %s: exit 8", async (status) => {
		look(corporate(status), []);
		const ran = await world.purser(["kyb", "status", id, "--wait", "--wait-timeout", "20"]);
		expect(ran.exit).toBe(8);
		expect(ran.stdout).toContain(status);
		expect(world.requests.length).toBeGreaterThan(3);
	});

	test("--wait does not go on when somebody has to act: exit 8 at once", async () => {
		look(corporate("NEED_ADDITIONAL_INFORMATION"), []);
		const ran = await world.purser(["kyb", "status", id, "--wait"]);
		expect(ran.exit).toBe(8);
		expect(world.requests).toHaveLength(2);
		expect(ran.stderr).toContain(`purser corporate review ${id}`);
	});
});
