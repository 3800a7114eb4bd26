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
		const ran = await world.purser("api list --json");
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
		await world.purser("profile add box --base-url https://api.example.com");
		for (const [argv, env] of [
			[["--profile", "nope"], {}],
			[[], { PURSER_PROFILE: "nope" }],
		] as const) {
			const ran = await world.purser(["api", "list", "--json", ...argv], { env });
			expect([ran.exit, ran.stdout, ran.error().code]).toEqual([2, "", "PROFILE_UNKNOWN"]);
		}
	});

	it.each([
		["kyb.request", "method, path, request, answer"],
		["ledger.get", "method, path, request"],
		// Fields that nobody showed, of a request or an answer that is known otherwise.
		["corporate.create", "the field accountOwnerInfo.position"],
		["email.sendLink", "the field relatedPhysicalPersonId"],
		["phone.sendCode", "the field relatedPhysicalPersonId"],
		["phone.verifyCode", ""],
		["beneficiary.get", "method, path, request, the field currency"],
	])("says in words what is assumed of %s", async (id, assumed) => {
		const { stdout } = await world.purser("api list", { columns: 250 });
		const row = stdout.split("\n").find((line) => line.startsWith(`${id} `)) as string;
		expect(row.split(/ {2,}/)).toEqual([id, expect.any(String), expect.any(String), ...(assumed === "" ? [] : [assumed]), "no"]);
	});

	it("takes for known what the mapping says, which payment nobody confirmed, and what the service does not have", async () => {
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
		const list = await mine.purser("api list", { columns: 250 });
		const rowOf = (id: string) =>
			list.stdout
				.split("\n")
				.find((line) => line.startsWith(`${id} `))
				?.split(/ {2,}/);
		expect(rowOf("corporate.create")).toEqual(["corporate.create", "POST", "/c", "yes"]);
		expect(rowOf("transaction.interLedger")).toEqual(["transaction.interLedger", "POST", "/p", "yes, not confirmed"]);
		expect(rowOf("kyb.request")?.at(-1)).toBe("none");
		expect(list.stderr).toContain("purser api confirm transaction.interLedger");
	});
});
