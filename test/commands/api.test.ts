import { beforeEach, describe, expect, it } from "vitest";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
beforeEach(async () => {
	world = await makeWorld({ loggedIn: false });
});

const sixteen = [
	...["terms.get", "corporate.create", "email.sendLink", "corporate.update", "related.update", "related.create", "related.get"],
	...["corporate.diligenceReview", "kyb.request", "corporate.get", "kyc.link", "phone.sendCode", "phone.verifyCode"],
	...["transaction.interLedger", "transaction.beneficiary", "transaction.get"],
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

	it("a profile that there is not is no profile without a mapping, whoever names it", async () => {
		await world.purser(["profile", "add", "box", "--base-url", "https://api.example.com"]);
		for (const [argv, env] of [
			[["--profile", "nope"], {}],
			[[], { PURSER_PROFILE: "nope" }],
		] as const) {
			const ran = await world.purser(["api", "list", "--json", ...argv], { env });
			expect([ran.exit, ran.stdout, JSON.parse(ran.stderr).error.code]).toEqual([2, "", "PROFILE_UNKNOWN"]);
		}
	});

	it("marks with a word what is assumed, and a field that nobody showed of a request or an answer that is known otherwise", async () => {
		const ran = await world.purser(["api", "list"]);
		for (const line of [
			"Ask a KYB verification · ASSUMED: method, path, request, answer",
			"Get a ledger · ASSUMED: method, path, request · documented: answer",
			"Create a Corporate · ASSUMED: the field accountOwnerInfo.position · documented: method, path · spec: request, answer",
			"Send an email verification link · ASSUMED: the field relatedPhysicalPersonId · documented: method, path, request, answer",
			"Send phone verification code by sms · ASSUMED: the field relatedPhysicalPersonId · documented: method, path, request, answer",
			"Verify phone verification code · documented: method, path, request, answer",
			"Get a beneficiary · ASSUMED: method, path, request, the field currency · documented: answer",
		])
			expect(ran.stdout).toContain(line);
	});

	it("takes for known what the mapping says, tells who confirmed a payment, and what the service does not have", async () => {
		const mine = await makeWorld({
			profile: {
				mapping: {
					operations: {
						"corporate.create": {
							method: "POST",
							path: "/c",
							fields: { corporateName: { place: "body", at: "/name" }, website: "none" },
							constants: [{ place: "header", at: "X-Edition", value: 2 }],
						},
						"transaction.interLedger": { method: "POST", path: "/p" },
						"kyb.request": "none",
					},
				},
			},
		});
		const rows: Row[] = (await mine.purser(["api", "list", "--assumed", "--json"])).json();
		for (const id of ["corporate.create", "kyb.request"]) expect(rows.map((row) => row.id)).not.toContain(id);
		const list = await mine.purser(["api", "list"]);
		for (const line of [
			"corporate.create          write  POST   /c\n    Create a Corporate · mapped, 1 field sent, 1 constant\n",
			"kyb.request               write  none: this service does not have it\n    Ask a KYB verification\n",
			"NOT CONFIRMED: nothing is sent by it before `purser api confirm`",
			"purser api confirm transaction.interLedger",
		])
			expect(list.stdout + list.stderr).toContain(line);
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
