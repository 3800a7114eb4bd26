import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import type { JournalFilter } from "../../src/ports/journal.js";
import type { WireRequest } from "../../src/ports/wire.js";
import { newFolder, open, removeFolders } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import { despite } from "../support/gates.js";
import { answered, makeWorld, type World } from "../support/purser.js";
import { caseWorld, entitiesOf, put } from "./case-world.js";

afterAll(removeFolders);

const layers = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
const everybody = ["Ada Example", "Example Base GmbH", "Example Middle BV", "Example Top Ltd", "Grace Sample", "Lin Muster"];
const all = ["--send-email-link", "--request-kyb", "--kyc-links", ...despite("review-not-seen", "owner-missing")];

/** Lets the sandbox answer, but for the n-th request: it is lost before or after the sandbox has worked on it. */
function losing(world: World, at: number, when: "before" | "after"): () => number {
	let count = 0;
	world.wire = async (request: WireRequest) => {
		count += 1;
		if (count === at && when === "before") return { kind: "sent", reason: "the connection was reset" };
		const url = new URL(request.url);
		const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
		const target = url.pathname + url.search;
		const answer = await world.sandbox.handle({ method: request.method, target, headers, body: request.body ?? new Uint8Array() });
		if (count === at) return { kind: "sent", reason: "the connection was reset" };
		return { kind: "answer", ...answer };
	};
	return () => count;
}

describe("onboard apply", () => {
	it("makes the whole case in the right order, and nothing more when it is run again", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		const planned = await world.purser(["onboard", "plan", "case.yaml"]);
		expect(planned.exit).toBe(0);
		expect(planned.stdout).toContain("8 to create");
		const first = await world.purser(["onboard", "apply", ...confirmed, "case.yaml", ...all]);
		expect(first.stderr).not.toContain("rror");
		expect(first.exit).toBe(0);
		expect(entitiesOf(world, "crm-layers")).toEqual({ corporates: 1, related: everybody });
		const posts = world.requests.filter(({ method }) => method !== "GET").map(({ line }) => line.replace(/[0-9a-f-]{36}/, "ID"));
		expect(posts).toEqual([
			"POST /api/partner/corporates",
			...Array(5).fill("POST /api/partner/corporates/ID/related"),
			"POST /api/partner/verifications/email/send",
			"POST /api/partner/corporates/ID/kyb",
			...Array(3).fill("POST /api/partner/kyc"),
		]);
		world.requests.length = 0;
		const again = await world.purser(["onboard", "apply", ...confirmed, "case.yaml", ...all, "--json"]);
		expect(again.exit).toBe(0);
		expect(again.json().cases[0].steps.map(({ state }: { state: string }) => state)).toEqual(Array(18).fill("left"));
		expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
	});

	it("takes several cases of one file, each by itself", async () => {
		const world = await caseWorld();
		const other = layers.replaceAll("crm-layers", "crm-other").replace(/corporateName: Example [^\n]*/, "corporateName: Example Other SAS");
		put(world, "cases.yaml", `${layers}\n---\nversion: 1\n---\n${other.replace("100 200 300", "400 500 600")}`);
		const ran = await world.purser(["onboard", "apply", ...confirmed, "cases.yaml", "--json"]);
		expect(ran.json().cases.map(({ file, state }: { file: string; state: string }) => [file, state])).toEqual([
			["cases.yaml#1", "applied"],
			["cases.yaml#2", "failed"],
			["cases.yaml#3", "applied"],
		]);
		expect(ran.exit).toBe(9);
		expect([entitiesOf(world, "crm-layers").corporates, entitiesOf(world, "crm-other").corporates]).toEqual([1, 1]);
	});

	for (const when of ["before", "after"] as const)
		it(`interrupted at every request in turn, ${when} the service works on it, and run again: one of each`, async () => {
			let requests = 99;
			for (let at = 1; at <= requests; at += 1) {
				const world = await caseWorld();
				put(world, "case.yaml", layers);
				const counted = losing(world, at, when);
				const first = await world.purser(["onboard", "apply", ...confirmed, "case.yaml", ...all]);
				if (at > counted()) break;
				requests = Math.max(counted(), at + 1);
				expect([0, 6, 7], `exit after losing request ${at}`).toContain(first.exit);
				const again = await world.purser(["onboard", "apply", ...confirmed, "case.yaml", ...all]);
				expect(again.exit, `run again after losing request ${at}: ${again.stderr}`).toBe(0);
				expect(entitiesOf(world, "crm-layers"), `after losing request ${at}`).toEqual({ corporates: 1, related: everybody });
				expect(world.sandbox.state.corporates.at(-1)?.kyb.status).toBe("PENDING_VERIFICATION");
			}
			expect(requests).toBeGreaterThan(10);
		}, 180_000);

	it("after a lost reply the next run looks before it sends anything, and waits for what may still appear", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		losing(world, 3, "before");
		const first = await world.purser(["onboard", "apply", ...confirmed, "case.yaml"]);
		expect(first.exit).toBe(7);
		expect(first.stderr + first.stdout).toContain("Create a Corporate");
		world.wire = undefined;
		world.requests.length = 0;
		const before = world.clock.now().getTime();
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml"])).exit).toBe(0);
		expect(world.requests.map(({ method }) => method).slice(0, 3)).toEqual(["GET", "GET", "GET"]);
		expect(world.clock.now().getTime() - before).toBeGreaterThanOrEqual(29_000);
		const settled = await world.purser(["history", "list", "--json"]);
		expect(settled.stdout).not.toContain("in-doubt");
	});

	it("a corporate that the list shows although the answer was lost is taken, and its doubt settled", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		losing(world, 3, "after");
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml"])).exit).toBe(7);
		world.wire = undefined;
		const planned = await world.purser(["onboard", "plan", "case.yaml", "--json"]);
		expect(planned.json().cases[0].corporateId).toBe(world.sandbox.state.corporates.at(-1)?.id);
		expect((await world.purser(["pay", "doubts", "--json"])).stdout).toContain("corporate.create");
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml"])).exit).toBe(0);
		expect((await world.purser(["pay", "doubts", "--json"])).stdout).not.toContain("corporate.create");
	});

	it("without a list at the service: the journal is asked, and what it does not know is a question", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		const noLists = async (request: WireRequest) => {
			const url = new URL(request.url);
			if (request.method === "GET" && /\/(corporates|related)$/.test(url.pathname)) return answered(404, "{}");
			const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
			const target = url.pathname + url.search;
			return {
				kind: "answer" as const,
				...(await world.sandbox.handle({ method: request.method, target, headers, body: request.body ?? new Uint8Array() })),
			};
		};
		world.wire = noLists;
		const asked = await world.purser(["onboard", "apply", ...confirmed, "case.yaml"]);
		expect(asked.exit).toBe(10);
		expect(asked.stderr).toContain("Does the company Example Layered SAS exist already?");
		expect(asked.stderr).toContain("--new");
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml", "--new"])).exit).toBe(0);
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml"])).exit).toBe(0);
		expect(entitiesOf(world, "crm-layers")).toEqual({ corporates: 1, related: everybody });

		put(world, "other.yaml", layers.replace("crm-layers", "crm-lost"));
		let lost = false;
		world.wire = async (request) => {
			if (request.method !== "POST" || lost) return noLists(request);
			lost = true;
			await noLists(request);
			return { kind: "sent", reason: "the connection was reset" };
		};
		expect((await world.purser(["onboard", "apply", ...confirmed, "other.yaml", "--new"])).exit).toBe(7);
		const doubted = await world.purser(["onboard", "apply", ...confirmed, "other.yaml", "--new"]);
		expect(doubted.exit).toBe(10);
		expect(doubted.stderr).toMatch(/Was the company .* created\?[\s\S]*purser pay settle \d+ --created --id ID/);
		expect(entitiesOf(world, "crm-lost").corporates).toBe(1);
	});

	it("several files: a wrong one and a refused one do not stop the others, and a summary tells them apart", async () => {
		const world = await caseWorld();
		put(world, "cases/a.yaml", layers.replace("crm-layers", "crm-a"));
		put(world, "cases/wrong.yaml", layers.replace("crm-layers", "crm-w").replace("percentage: 75", "percentage: 175"));
		put(world, "cases/b.yaml", layers.replace("crm-layers", "crm-b"));
		const ran = await world.purser(["onboard", "apply", ...confirmed, "cases/a.yaml", "cases/wrong.yaml", "cases/b.yaml", "--new"]);
		expect(ran.exit).toBe(9);
		expect(ran.stdout).toContain("2 of 3 cases applied");
		expect(ran.stdout).toContain(
			[
				"  Failed: cases/wrong.yaml: one field of the case is wrong",
				"    ownership.4.percentage is 175; a percentage is at most 100",
				"  Next: Correct the file and run this again. A file to start from: purser onboard plan --print-template",
			].join("\n"),
		);
		const [first, second] = world.sandbox.state.corporates.slice(-2);
		expect(ran.stderr).toContain(`Next: purser corporate status ${first?.id}\n      purser corporate status ${second?.id}\n`);
		expect(entitiesOf(world, "crm-b").related).toEqual(everybody);
	});

	it("somebody declared by hand without an email is not declared again without a question", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		const noGrace = layers.replace(/.*(key|owner): grace.*\n/g, "");
		expect(noGrace).not.toContain("grace");
		put(world, "before.yaml", noGrace);
		expect((await world.purser(["onboard", "apply", ...confirmed, "before.yaml"])).exit).toBe(0);
		const corporate = String(world.sandbox.state.corporates.at(-1)?.id);
		await world.purser(["related", "add", corporate, "--first-name", "Grace", "--last-name", "Sample"]);
		const record = world.sandbox.state.related.at(-1);
		const ran = await world.purser(["onboard", "plan", "case.yaml"]);
		expect(ran.exit).toBe(10);
		expect(ran.stderr).toContain(
			`Is Grace Sample the related entity ${record?.id}? It has the same name, no externalId, and only one of the two has an email`,
		);
		expect((await world.purser(["onboard", "plan", "case.yaml", "--new"])).stdout).toContain("+ person Grace Sample");
	});

	it("a dry run is the plan, and sends nothing", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		const ran = await world.purser(["onboard", "apply", "case.yaml", ...all, "--dry-run", "--json"]);
		const planned = (await world.purser(["onboard", "plan", "case.yaml", "--json"])).json();
		expect([ran.exit, ran.json()]).toEqual([0, { ...planned, dryRun: true }]);
		expect((await world.purser(["onboard", "apply", "case.yaml", "--dry-run"])).stdout).toContain("8 to create");
		expect(world.requests.every(({ method }) => method === "GET")).toBe(true);
	});

	it("neither new companies nor unchanged ones read the whole journal each: many would take longer with every one", async () => {
		let reads = 0;
		const folder = newFolder();
		const world = await makeWorld({
			openJournal: async (clock, { name, environment }) => {
				const journal = await open(folder, { clock: clock as never, profile: { name, environment } });
				const list = journal.list.bind(journal);
				return Object.assign(journal, {
					list: async (filter: JournalFilter) => {
						if (filter.limit === 20_000) reads += 1;
						return list(filter);
					},
				});
			},
		});
		const files = ["a", "b", "c"].map((name) => {
			put(world, `${name}.yaml`, layers.replace(/externalId: crm-\S+/, `externalId: crm-${name}`));
			return `${name}.yaml`;
		});
		for (const run of ["new", "unchanged"]) {
			const ran = await world.purser(["onboard", "apply", ...confirmed, ...files]);
			expect([run, ran.exit, reads]).toEqual([run, 0, 0]);
		}
	});

	it("changes only what differs, as plan has shown, and says who is declared but not in the file", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		await world.purser(["onboard", "apply", ...confirmed, "case.yaml"]);
		const changed = layers
			.replace("639980001", "639980002")
			.replace("percentage: 79.50", "percentage: 80")
			.replace(/ {2}- \{key: lin.*\n/, "");
		put(world, "case.yaml", changed);
		const planned = await world.purser(["onboard", "plan", "case.yaml"]);
		expect(planned.stdout).toContain('- phone: {"countryCode":"+33","number":"639980001","verified":false}');
		expect(planned.stdout).toContain("- directSharesPercentage: 79.5");
		expect(planned.stdout).toContain("also declared, not in the case: Lin Muster");
		expect(planned.stdout).toContain("0 to create, 2 to update");
		world.requests.length = 0;
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml"])).exit).toBe(0);
		expect(world.requests.filter(({ method }) => method !== "GET").map(({ body }) => body)).toEqual([
			'{"phone":{"countryCode":"33","number":"639980002"}}',
			'{"directSharesPercentage":80}',
		]);
	});

	it("two runs of one case at the same time make one of each; who came second goes on when run again", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		const both = await Promise.all([1, 2].map(() => world.purser(["onboard", "apply", ...confirmed, "case.yaml"])));
		for (const { exit } of both) expect([0, 5, 9, 10]).toContain(exit);
		const again = await world.purser(["onboard", "apply", ...confirmed, "case.yaml"]);
		expect(again.exit, again.stderr).toBe(0);
		expect(entitiesOf(world, "crm-layers")).toEqual({ corporates: 1, related: everybody });
	});

	it("a deployment that keeps no externalId of related entities: they are known by name and email, two of one name are two", async () => {
		const world = await caseWorld();
		const twins = layers.replace("persons:", "persons:\n  - {key: lin2, firstName: Lin, lastName: Muster, emailAddress: lin@example.com}");
		put(world, "case.yaml", twins);
		let posts = 0;
		world.wire = async (request) => {
			const url = new URL(request.url);
			const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
			const target = url.pathname + url.search;
			const answer = await world.sandbox.handle({ method: request.method, target, headers, body: request.body ?? new Uint8Array() });
			if (request.method === "POST") posts += 1;
			if (posts === 5 && request.method === "POST") return { kind: "sent", reason: "the connection was reset" };
			if (!url.pathname.includes("/related")) return { kind: "answer", ...answer };
			const text = new TextDecoder().decode(answer.body).replace(/"externalId":"[^"]*",/g, "");
			return { kind: "answer", ...answer, body: new TextEncoder().encode(text) };
		};
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml"])).exit).toBe(7);
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml"])).exit).toBe(0);
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml"])).exit).toBe(0);
		expect(entitiesOf(world, "crm-layers").related).toEqual([...everybody, "Lin Muster"]);
	});
});
