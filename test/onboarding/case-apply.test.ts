import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import { despite } from "../support/gates.js";
import type { World } from "../support/purser.js";
import {
	appliedCase,
	apply,
	caseIn,
	caseWorld,
	changes,
	entitiesOf,
	errorOf,
	everybody,
	layers,
	put,
	textOf,
	through,
} from "./case-world.js";

afterAll(removeFolders);

const all = ["--send-email-link", "--request-kyb", "--kyc-links", ...despite("review-not-seen", "owner-missing")];
const whole = { corporates: 1, related: everybody };
const isList = (line: string): boolean => /^GET .*\/(corporates|related)$/.test(line);

/** Lets the sandbox answer, but for the n-th request: it is lost before or after the sandbox has worked on it. */
function losing(world: World, at: number, when: "before" | "after"): () => number {
	let count = 0;
	through(world, (_line, answer) => (count === at ? undefined : answer));
	const { wire } = world;
	world.wire = async (request) => {
		count += 1;
		if (count === at && when === "before") return { kind: "sent", reason: "the connection was reset" };
		return (wire as NonNullable<typeof wire>)(request);
	};
	return () => count;
}

describe("onboard apply", () => {
	it("makes the whole case in the right order, and nothing more when it is run again", async () => {
		const world = await caseIn(layers);
		const planned = await world.purser(["onboard", "plan", "case.yaml"]);
		expect([planned.exit, planned.stdout.includes("8 to create")]).toEqual([0, true]);
		const first = await apply(world, all);
		expect([first.exit, first.stderr.includes("rror")]).toEqual([0, false]);
		expect(entitiesOf(world, "crm-layers")).toEqual(whole);
		expect(changes(world).map((line) => line.replace(/[0-9a-f-]{36}/, "ID").replace(/ \{.*| $/, ""))).toEqual([
			"POST /api/partner/corporates",
			...Array(5).fill("POST /api/partner/corporates/ID/related"),
			"POST /api/partner/verifications/email/send",
			"POST /api/partner/corporates/ID/kyb",
			...Array(3).fill("POST /api/partner/kyc"),
		]);
		world.requests.length = 0;
		const again = await apply(world, all, "--json");
		expect(again.exit).toBe(0);
		expect(again.json().cases[0].steps.map(({ state }: { state: string }) => state)).toEqual(Array(18).fill("left"));
		expect(changes(world)).toEqual([]);
	});

	for (const when of ["before", "after"] as const)
		it(`interrupted at every request in turn, ${when} the service works on it, and run again: one of each`, async () => {
			let requests = 99;
			for (let at = 1; at <= requests; at += 1) {
				const world = await caseIn(layers);
				const counted = losing(world, at, when);
				const first = await apply(world, all);
				if (at > counted()) break;
				requests = Math.max(counted(), at + 1);
				expect([0, 6, 7], `exit after losing request ${at}`).toContain(first.exit);
				const again = await apply(world, all);
				expect(again.exit, `run again after losing request ${at}: ${again.stderr}`).toBe(0);
				expect(entitiesOf(world, "crm-layers"), `after losing request ${at}`).toEqual(whole);
				expect(world.sandbox.state.corporates.at(-1)?.kyb.status).toBe("PENDING_VERIFICATION");
			}
			expect(requests).toBeGreaterThan(10);
		}, 180_000);

	it("without a list at the service: the journal is asked, and what it does not know is a question", async () => {
		const world = await caseIn(layers);
		through(world, (line, answer) => (isList(line) ? 404 : answer));
		expect([(await apply(world, "--new")).exit, (await apply(world)).exit]).toEqual([0, 0]);
		put(world, "case.yaml", layers.replace("crm-layers", "crm-lost"));
		let lost = false;
		through(world, (line, answer) => {
			if (isList(line)) return 404;
			if (!line.startsWith("POST") || lost) return answer;
			lost = true;
			return undefined;
		});
		expect((await apply(world, "--new")).exit).toBe(7);
		const doubted = await apply(world, "--new");
		expect(doubted.exit).toBe(10);
		expect(doubted.stderr).toMatch(/Was the company .* created\?[\s\S]*purser pay settle \d+ --created --id ID/);
		expect(entitiesOf(world, "crm-lost").corporates).toBe(1);
	});

	it("several files: a wrong one and a refused one do not stop the others, and a summary tells them apart", async () => {
		const world = await caseWorld();
		const named = { a: "crm-a", wrong: "crm-w", b: "crm-b" };
		for (const [name, id] of Object.entries(named)) put(world, `${name}.yaml`, layers.replace("crm-layers", id));
		put(world, "wrong.yaml", layers.replace("percentage: 75", "percentage: 175"));
		const ran = await world.purser(["onboard", "apply", ...confirmed, "a.yaml", "wrong.yaml", "b.yaml", "--new"]);
		expect(ran.exit).toBe(9);
		expect(ran.stdout).toContain("2 of 3 cases applied");
		expect(ran.stdout).toContain(
			[
				"  Failed: wrong.yaml: one field of the case is wrong",
				"    ownership.4.percentage is 175; a percentage is at most 100",
				"  Next: Correct the file and run this again. A file to start from: purser onboard plan --print-template",
			].join("\n"),
		);
		const [first, second] = world.sandbox.state.corporates.slice(-2);
		for (const one of [first, second])
			expect(ran.stderr).toContain(
				` purser corporate status ${one?.id}\n        Example Layered SAS: KYB not started, no payments until then\n`,
			);
		expect(entitiesOf(world, "crm-b").related).toEqual(everybody);
	});

	it("a dry run is the plan, and sends nothing", async () => {
		const world = await caseIn(layers);
		const ran = await apply(world, all, "--dry-run --json");
		const planned = (await world.purser(["onboard", "plan", "case.yaml", "--json"])).json();
		expect([ran.exit, ran.json()]).toEqual([0, { ...planned, dryRun: true }]);
		expect((await apply(world, "--dry-run")).stdout).toContain("8 to create");
		expect(changes(world)).toEqual([]);
	});

	it("changes only what differs, as plan has shown, and says who is declared but not in the file", async () => {
		const changed = layers.replace("639980001", "639980002").replace("percentage: 79.50", "percentage: 80");
		const world = await appliedCase(layers, changed.replace(/.*(key: lin|percentage: 20|60.25).*\n/g, ""));
		const planned = await world.purser(["onboard", "plan", "case.yaml"]);
		for (const line of [
			"- phone.countryCode: +33",
			"- phone.number: 639980001",
			"+ phone.number: 639980002",
			"- directSharesPercentage: 79.5",
			"also declared, not in the case: Lin Muster",
			"still recorded, not in the case: 20 % of Example Layered SAS, held by Ada Example ",
			"still recorded, not in the case: 60.25 % of Example Middle BV, held by Example Top Ltd ",
			"0 to create, 2 to update",
		])
			expect(planned.stdout).toContain(line);
		expect((await apply(world)).exit).toBe(0);
		expect(changes(world).map((line) => line.replace(/^.*? \{/, "{"))).toEqual([
			'{"phone":{"countryCode":"33","number":"639980002"}}',
			'{"directSharesPercentage":80}',
		]);
	});

	it("a deployment that keeps no externalId of related entities: they are known by name and email, two of one name are two", async () => {
		const twins = layers.replace("persons:", "persons:\n  - {key: lin2, firstName: Lin, lastName: Muster, emailAddress: lin@example.com}");
		const world = await caseIn(twins);
		let posts = 0;
		through(world, (line, answer) => {
			if (line.startsWith("POST")) posts += 1;
			if (posts === 5 && line.startsWith("POST")) return undefined;
			return line.includes("/related") ? answer.replace(/"externalId":"[^"]*",/g, "") : answer;
		});
		expect([(await apply(world)).exit, (await apply(world)).exit, (await apply(world)).exit]).toEqual([7, 0, 0]);
		expect(entitiesOf(world, "crm-layers").related).toEqual([...everybody, "Lin Muster"]);
	});
});

describe("while another run creates companies at the same moment", () => {
	const sole = textOf("sole-owner");
	/** A page that announces one company more than there is: the list grew after it was counted. */
	const grown = (answer: string): string =>
		answer.replace(/"totalElements":(\d+)/, (_whole, count) => `"totalElements":${Number(count) + 1}`);

	it.each([
		["that seemed cut once is read again, and the case goes on", 2, 0, 1],
		["that is never whole is told as such, and --new is not advised", Number.POSITIVE_INFINITY, 10, 0],
	])("a list %s", async (_, cut, exit, count) => {
		const world = await caseIn(sole);
		let lists = 0;
		through(world, (line, answer) => (line.endsWith("/corporates") && line.startsWith("GET") && lists++ < cut ? grown(answer) : answer));
		const ran = await apply(world, "--json");
		expect([ran.exit, entitiesOf(world, "case-sole").corporates]).toEqual([exit, count]);
		if (exit !== 0) expect(errorOf(ran)).toMatchObject({ code: "LIST_INCOMPLETE", fix: "Run this again." });
	});

	it("a creation that is refused because the record exists says that another run may have created it, and the next run goes on", async () => {
		const world = await caseIn(sole);
		through(world, (line, answer) => (line.startsWith("POST") && line.endsWith("/corporates") ? 409 : answer));
		const ran = await apply(world, "--json");
		expect(ran.exit).toBe(5);
		expect(errorOf(ran)).toMatchObject({ status: 409, fix: "Run this again: it goes on with the record that it finds." });
		world.wire = undefined;
		expect((await apply(world, "--json")).exit).toBe(0);
	});
});
