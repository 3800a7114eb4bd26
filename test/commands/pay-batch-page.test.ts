/**
 * `pay batch report --html`: where its page is written, and what holds it back.
 */
import { createHash } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { answered } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
afterEach(() => world.end());

const sha256 = (bytes: Uint8Array | undefined): string =>
	createHash("sha256")
		.update(bytes ?? "")
		.digest("hex");
const errorOf = (stderr: string): { code: string; message: string } => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;

/** Three rows: one accepted, one refused, one in doubt. */
async function mixed(): Promise<string> {
	world = await batchWorld();
	world.onTransfer(async (reference, pass) => {
		if (reference === "refused") return answered(422, '{"errorCode":"LIMIT"}');
		return reference === "lost" ? { kind: "sent", reason: "the connection was closed before an answer came" } : pass();
	});
	const { batch } = await world.sent([
		["1.10", "first"],
		["2.20", "refused"],
		["3.30", "lost"],
	]);
	return batch;
}

test("the page comes after the CSV files, and the answer names it and them with their SHA-256", async () => {
	const batch = await mixed();
	const argv = ["pay", "batch", "report", batch, "--html", "out.html"];
	const { exit, json } = await world.purser([...argv, "--json"]);
	const answer = json();
	const bytes = world.files.get("out.html");
	expect([exit, answer.html]).toEqual([0, { path: "out.html", bytes: bytes?.length, sha256: sha256(bytes) }]);
	for (const part of ["accepted", "refused", "unsent", "doubt"])
		expect(answer.parts[part].sha256).toBe(sha256(world.files.get(`batch-${batch}/${part}.csv`)));
	const { folder: _, html: __, ...report } = answer;
	expect(JSON.parse(world.text(`batch-${batch}/report.json`))).toEqual(report);
	expect([answer.refusals, answer.sent.rows, answer.listed.doubt]).toMatchObject([
		[{ status: 422, apiCode: "LIMIT", rows: 1 }],
		3,
		[{ row: 3, payeeName: "Savings" }],
	]);
	const page = world.text("out.html");
	for (const words of [
		"All rows accounted for",
		"LIMIT, HTTP status 422",
		"purser pay settle --batch 1",
		"refused.csv (SHA-256)",
		answer.parts.doubt.sha256,
		world.to,
	])
		expect(page).toContain(words);
	expect(page).not.toContain(">lost<");
	// A page of ours is replaced.
	const text = await world.purser([...argv, "--unmasked"]);
	expect([text.exit, text.stdout]).toEqual([0, expect.stringMatching(/^Page +out\.html$/m)]);
	expect(world.text("out.html")).toContain(">lost<");
	// Without a page nothing is listed.
	expect((await world.purser(["pay", "batch", "report", batch, "--json"])).json()).not.toHaveProperty("listed");
});

test("another's file and a link are refused before anything is written", async () => {
	const batch = await mixed();
	world.files.set("notes.html", new TextEncoder().encode("<!doctype html>mine"));
	const argv = ["pay", "batch", "report", batch, "--html", "notes.html", "--json"];
	const refused = await world.purser(argv);
	expect([refused.exit, errorOf(refused.stderr)]).toMatchObject([
		10,
		{ code: "FILE_EXISTS", message: "notes.html exists and is not a page of purser; it was left as it is" },
	]);
	expect([world.text("notes.html"), world.files.has(`batch-${batch}/doubt.csv`)]).toEqual(["<!doctype html>mine", false]);
	expect((await world.purser([...argv, "--force"])).exit).toBe(0);
	expect(world.text("notes.html")).toContain('<meta name="generator" content="purser">');
	world.links.add("notes.html");
	const linked = await world.purser([...argv, "--force"]);
	expect([linked.exit, errorOf(linked.stderr).code]).toEqual([10, "FILE_EXISTS"]);
});

test("where the page cannot be written in the end, the report is complete, and that is said", async () => {
	const batch = await mixed();
	const set = world.files.set.bind(world.files);
	world.files.set = (path, content) => {
		if (path === "out.html") throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
		return set(path, content);
	};
	const ran = await world.purser(["pay", "batch", "report", batch, "--html", "out.html", "--json"]);
	expect([ran.exit, errorOf(ran.stderr)]).toMatchObject([
		6,
		{
			code: "DISK_FULL",
			message: `The report is complete in batch-${batch}, but its page was not written: The page out.html cannot be written: the disk is full`,
		},
	]);
	expect(JSON.parse(world.text(`batch-${batch}/report.json`))).toMatchObject({ batch, control: { agrees: true } });
});

test("a page in the place of the batch's own files is refused before anything is written, also with --force", async () => {
	const batch = await mixed();
	const before = [...world.files.keys()];
	for (const path of ["pay.csv", "./PAY.csv", "pay.csv.plan.json", "out/doubt.csv", "out/../out/report.json", "out"]) {
		const ran = await world.purser(["pay", "batch", "report", batch, "--to", "out", "--html", path, "--force", "--json"]);
		expect([path, ran.exit, errorOf(ran.stderr).code, [...world.files.keys()]]).toEqual([path, 2, "PATH_CLASH", before]);
	}
	for (const flags of [["--html", ""], ["--html", "-"], ["--unmasked"], ["--force"]]) {
		const ran = await world.purser(["pay", "batch", "report", batch, "--to", "out", ...flags, "--json"]);
		expect([flags, ran.exit, [...world.files.keys()]]).toEqual([flags, 3, before]);
	}
	const dry = await world.purser(["pay", "batch", "report", batch, "--html", "out.html", "--dry-run", "--json"]);
	expect([dry.exit, dry.json().html, [...world.files.keys()]]).toEqual([0, undefined, before]);
});
