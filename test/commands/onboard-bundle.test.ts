import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, put } from "../onboarding/case-world.js";
import type { World } from "../support/purser.js";

afterAll(removeFolders);

const text = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
let world: World;
let id: string;
beforeAll(async () => {
	world = await caseWorld();
	put(world, "case.yaml", text);
	await world.purser(["onboard", "apply", "case.yaml", "--send-email-link", "--request-kyb", "--kyc-links"]);
	id = world.sandbox.state.corporates.at(-1)?.id as string;
});

const read = (path: string): string => new TextDecoder().decode(world.files.get(path));
const personal = /ada@example\.com|grace|Grace|Sample|Muster|639980001|Ada Example|Lin\b/;

describe("onboard bundle", () => {
	it("packs what the service answers, the review and the journal, with nothing personal", async () => {
		const ran = await world.purser(["onboard", "bundle", id, "--save", "evidence/"]);
		expect(ran.stderr).not.toContain("rror");
		expect(ran.exit).toBe(0);
		expect([...world.files.keys()].filter((name) => name.startsWith("evidence"))).toEqual(["evidence/bundle.json", "evidence/review.txt"]);
		expect(read("evidence/bundle.json")).not.toMatch(personal);
		expect(read("evidence/review.txt")).not.toMatch(personal);
		expect(read("evidence/review.txt")).toContain("Top Ltd");
		const bundle = JSON.parse(read("evidence/bundle.json"));
		expect(bundle.terms).toMatchObject({ latestVersion: "1.0", accepted: true, acceptedVersion: "1.0" });
		expect(bundle.answers.map(({ operation }: { operation: string }) => operation)).toEqual(["corporate.get", "related.list", "terms.get"]);
		expect(bundle.answers[1].data[0]).toMatchObject({ firstName: "***", email: { address: "***", verified: false }, isDirector: true });
		expect(bundle.journal.map(({ intent }: { intent: { operation: string } }) => intent.operation)).toEqual([
			"corporate.create",
			...Array(5).fill("related.create"),
			"email.sendLink",
			"kyb.request",
			...Array(3).fill("kyc.link"),
		]);
		expect(bundle.journal[0].events[0].hash).toMatch(/^[0-9a-f]{64}$/);
		// At 80 columns a digest stands whole on its line.
		expect((await world.purser(["onboard", "bundle", id, "--save", "evidence/", "--force"], { columns: 80 })).stdout).toMatch(
			/\nevidence\/review\.txt {2}\d+ bytes\n {2}SHA-256 [0-9a-f]{64}\n$/,
		);
		expect(bundle.files).toEqual([
			{
				name: "review.txt",
				bytes: world.files.get("evidence/review.txt")?.length,
				sha256: createHash("sha256")
					.update(world.files.get("evidence/review.txt") as Uint8Array)
					.digest("hex"),
			},
		]);
	});

	it("replaces nothing without --force, and takes everything along with --unmasked", async () => {
		expect((await world.purser(["onboard", "bundle", id, "--save", "evidence"])).exit).toBe(10);
		put(world, "terms.pdf", "the terms");
		const ran = await world.purser([
			"onboard",
			"bundle",
			id,
			"--save",
			"evidence",
			"--force",
			"--unmasked",
			"--terms-document",
			"terms.pdf",
			"--json",
		]);
		expect(ran.exit).toBe(0);
		const bundle = JSON.parse(read("evidence/bundle.json"));
		expect(bundle.answers[1].data[0].email.address).toBe("ada@example.com");
		expect(bundle.terms.documentSha256).toBe(createHash("sha256").update("the terms").digest("hex"));
		expect(read("evidence/review.html")).toMatch(/^<!doctype html>/i);
		expect(bundle.review.sha256).toBe(createHash("sha256").update(read("evidence/review.html")).digest("hex"));
	});
});
