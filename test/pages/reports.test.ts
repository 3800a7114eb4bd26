/**
 * Every page that a command writes, in Chromium, as the file that it is. One line a page: a new one is added to `pages`.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "../commands/batch-world.js";
import { caseWorld, put } from "../onboarding/case-world.js";
import { browserFor } from "../support/browser.js";
import { confirmed } from "../support/companies.js";
import { despite } from "../support/gates.js";
import { lookAt } from "../support/page-check.js";
import { answered, type World } from "../support/purser.js";
import { browserSuite } from "./browser-suite.js";

const program = browserFor("pages that commands write");

/** A case of three layers, at work: documents sent, links out. */
async function companies(): Promise<{ world: World; id: string }> {
	const world = await caseWorld();
	put(world, "case.yaml", await readFile(fileURLToPath(new URL("../cases/three-layers.yaml", import.meta.url)), "utf8"));
	const gates = despite("review-not-seen", "owner-missing");
	await ok(world, "onboard", "apply", ...confirmed, "case.yaml", "--send-email-link", "--request-kyb", "--kyc-links", ...gates);
	return { world, id: world.sandbox.state.corporates.at(-1)?.id as string };
}

/** A batch of so many rows that its lists go over several sheets of paper; some are refused, one is in doubt. */
async function payments(): Promise<{ world: BatchWorld; batch: string }> {
	const world = await batchWorld();
	world.onTransfer(async (reference, pass) => {
		if (reference.startsWith("refused")) return answered(422, '{"errorCode":"LIMIT"}');
		return reference === "lost" ? { kind: "sent", reason: "the connection was closed before an answer came" } : pass();
	});
	const rows = Array.from({ length: 60 }, (_, at): [string, string] => {
		const reference = at % 3 === 0 ? `refused ${at} again` : `paid ${at}`;
		return [`${at + 1}.${at % 10}0`, at === 7 ? "lost" : reference];
	});
	const path = world.file(rows);
	const planned = await ok(world, "pay", "batch", "plan", path, "--page", "--json");
	await ok(world, "pay", "batch", "plan", world.file(rows, "open.csv"), "--page", "--unmasked", "--json");
	await world.purser(["pay", "batch", "send", `${path}.plan.json`, "--yes", "--json"]);
	return { world, batch: JSON.parse(planned).plan.batch };
}

async function ok(world: World, ...argv: string[]): Promise<string> {
	const { exit, stdout, stderr } = await world.purser(argv);
	if (exit !== 0) throw new Error(`${argv.join(" ")}: ${exit} ${stderr}`);
	return stdout;
}

/** The file of each page, and a text that stands in it. */
const pages = {
	"onboard bundle": ["bundle/index.html", "Example Layered SAS"],
	"overview --html": ["overview.html", "Companies that need something"],
	"related tree --svg": ["owners.svg", "25 %"],
	"related tree --open": ["owners.html", "25 %"],
	"pay batch plan --page --unmasked": ["open.csv.plan.html", "SHA-256"],
	"pay batch report": ["out/report.html", "in doubt"],
} as const;

describe.skipIf(program === undefined)("the page of", () => {
	const suite = browserSuite(program);
	let files: ReadonlyMap<string, Uint8Array>;
	beforeAll(async () => {
		const { world, id } = await companies();
		await ok(world, "onboard", "bundle", id, "--save", "bundle");
		await ok(world, "overview", "--html", "overview.html");
		await ok(world, "related", "tree", id, "--svg", "owners.svg", "--unmasked");
		await ok(world, "related", "tree", id, "--open");
		put(world, "owners.html", world.opened.at(-1)?.replace(/^text\/html[^:]*: /, "") ?? "");
		const paid = await payments();
		await paid.world.purser(["pay", "batch", "report", paid.batch, "--to", "out"]);
		files = new Map([...world.files, ...paid.world.files]);
		await paid.world.end();
	});

	test.each(Object.entries(pages))("%s", async (_, [name, words]) => {
		const url = await suite.file(name.replace("/", "-"), files.get(name) ?? "");
		const { faults, text } = await lookAt(suite.browser, { url });
		expect(faults).toEqual([]);
		expect(text).toContain(words);
	});
});
