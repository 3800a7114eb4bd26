import { beforeEach, describe, expect, it } from "vitest";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
beforeEach(async () => {
	world = await makeWorld({ loggedIn: false });
});

const sixteen = [
	"terms.get",
	"corporate.create",
	"email.sendLink",
	"corporate.update",
	"related.update",
	"related.create",
	"related.get",
	"corporate.diligenceReview",
	"kyb.request",
	"corporate.get",
	"kyc.link",
	"phone.sendCode",
	"phone.verifyCode",
	"transaction.interLedger",
	"transaction.beneficiary",
	"transaction.get",
];

interface Row {
	id: string;
	method: string;
	path: string;
	provenance: Record<string, string>;
	assumedFields: { request: string[]; answer: string[] };
	specified: boolean;
}

describe("api list", () => {
	it("needs no profile, and starts with the specification's sixteen in its order", async () => {
		const ran = await world.purser(["api", "list", "--json"]);
		expect(ran.exit).toBe(0);
		const rows: Row[] = ran.json();
		expect(rows.filter((row) => row.specified).map((row) => row.id)).toEqual(sixteen);
		expect(rows.find((row) => row.id === "corporate.update")).toMatchObject({
			method: "PATCH",
			path: "/api/partner/corporates/{corporateId}",
			provenance: { method: "spec", path: "assumed", request: "assumed", answer: "assumed" },
		});
	});

	it("a profile that there is not is no profile without overrides, whoever names it", async () => {
		await world.purser(["profile", "add", "box", "--base-url", "https://api.example.com"]);
		for (const [argv, env] of [
			[["--profile", "nope"], {}],
			[[], { PURSER_PROFILE: "nope" }],
		] as const) {
			const ran = await world.purser(["api", "list", "--json", ...argv], { env });
			expect([ran.exit, ran.stdout, JSON.parse(ran.stderr).error.code]).toEqual([2, "", "PROFILE_UNKNOWN"]);
		}
	});

	it("marks what is assumed with a word", async () => {
		const ran = await world.purser(["api", "list"]);
		expect(ran.stdout).toContain("Ask a KYB verification · ASSUMED: method, path, request, answer");
		expect(ran.stdout).toContain("Get a ledger · ASSUMED: method, path, request · documented: answer");
	});

	it("marks a field that nobody showed, of a request or an answer that is known otherwise", async () => {
		const ran = await world.purser(["api", "list"]);
		for (const line of [
			"Create a Corporate · ASSUMED: the field accountOwnerInfo.position · documented: method, path · spec: request, answer",
			"Send an email verification link · ASSUMED: the field relatedPhysicalPersonId · documented: method, path, request, answer",
			"Send phone verification code by sms · ASSUMED: the field relatedPhysicalPersonId · documented: method, path, request, answer",
			"Verify phone verification code · documented: method, path, request, answer",
			"Get a beneficiary · ASSUMED: method, path, request, the field currency · documented: answer",
		])
			expect(ran.stdout).toContain(line);
	});

	it("takes a field for known that the profile names", async () => {
		const mine = await makeWorld({
			profile: { overrides: { "corporate.create": { fields: { "accountOwnerInfo.position": "jobTitle" } } } },
		});
		const rows: Row[] = (await mine.purser(["api", "list", "--assumed", "--json"])).json();
		expect(rows.map((row) => row.id)).not.toContain("corporate.create");
		expect((await mine.purser(["api", "list"])).stdout).toContain("Create a Corporate · documented: method, path · spec: request, answer");
	});

	it("--assumed leaves out what is known", async () => {
		const rows: Row[] = (await world.purser(["api", "list", "--assumed", "--json"])).json();
		const ids = rows.map((row) => row.id);
		for (const known of ["related.get", "phone.verifyCode", "corporate.list", "auth.login"]) expect(ids).not.toContain(known);
		expect(ids).toContain("corporate.create");
		const assumed = ({ provenance, assumedFields: { request, answer } }: Row) =>
			Object.values(provenance).includes("assumed") || request.length + answer.length > 0;
		expect(rows.filter((row) => !assumed(row))).toEqual([]);
	});
});

describe("api set", () => {
	beforeEach(async () => {
		await world.purser(["profile", "add", "staging", "--base-url", "http://127.0.0.1:4010", "--auth", "none"]);
	});

	it("stores a replacement that the next request obeys and api list shows", async () => {
		const set = await world.purser([
			"api",
			"set",
			"terms.get",
			"--path",
			"/v2/terms",
			"--method",
			"POST",
			"--header",
			"X-Edition: 2",
			"--field",
			"language=lang",
		]);
		expect(set.exit).toBe(0);
		await world.purser(["terms", "show"]);
		const [request] = world.requests;
		expect(request?.line).toBe("POST /v2/terms?type=CORPORATE&lang=EN");
		expect(request?.headers).toMatchObject({ "x-edition": "2" });
		const list = await world.purser(["api", "list"]);
		expect(list.stdout).toContain("OVERRIDDEN in the profile: method POST, path /v2/terms, language → lang, header X-Edition: 2");
	});

	it("--reset goes back to the description", async () => {
		await world.purser(["api", "set", "terms.get", "--path", "/v2/terms"]);
		await world.purser(["api", "set", "terms.get", "--reset"]);
		expect(world.profiles.get("staging")?.overrides).toEqual({});
	});

	it("names every fault and stores nothing", async () => {
		const ran = await world.purser(["api", "set", "kyb.request", "--path", "/x/{y}", "--header", "Authorization: Bearer x", "--json"]);
		expect(ran.exit).toBe(3);
		expect(JSON.parse(ran.stderr).error.details.map((fault: { field: string }) => fault.field)).toEqual(["path", "path", "header"]);
		expect(world.profiles.get("staging")?.overrides).toEqual({});
	});

	it("stores nothing in a dry run, and needs something to store", async () => {
		await world.purser(["api", "set", "terms.get", "--path", "/v2/terms", "--dry-run"]);
		expect(world.profiles.get("staging")?.overrides).toEqual({});
		expect((await world.purser(["api", "set", "terms.get"])).exit).toBe(2);
		expect((await world.purser(["api", "set", "nope", "--reset"])).exit).toBe(3);
	});
});
