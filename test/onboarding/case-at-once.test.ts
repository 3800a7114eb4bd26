/**
 * What a run meets while another one creates companies at the same moment: a list that grows while it is read, and a refusal because the
 * record exists already.
 */
import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import { caseWorld, entitiesOf, put, through } from "./case-world.js";

afterAll(removeFolders);

const sole = readFileSync(new URL("../cases/sole-owner.yaml", import.meta.url), "utf8");
const companies = /^GET .*\/corporates$/;
const apply = ["onboard", "apply", ...confirmed, "case.yaml", "--json"];

/** A page that announces one company more than there is: the list grew after it was counted. */
const grown = (answer: string): string =>
	answer.replace(/"totalElements":(\d+)/, (_whole, count) => `"totalElements":${Number(count) + 1}`);

it("a list that seemed cut once is read again, and the case goes on", async () => {
	const world = await caseWorld();
	put(world, "case.yaml", sole);
	let lists = 0;
	through(world, (line, answer) => (companies.test(line) && lists++ < 2 ? grown(answer) : answer));
	expect((await world.purser(apply)).exit).toBe(0);
	expect(entitiesOf(world, "case-sole").corporates).toBe(1);
});

it("a list that is never whole is told as such, and --new is not advised", async () => {
	const world = await caseWorld();
	put(world, "case.yaml", sole);
	through(world, (line, answer) => (companies.test(line) ? grown(answer) : answer));
	const ran = await world.purser(apply);
	expect(ran.exit).toBe(10);
	expect(JSON.parse(ran.stderr).error).toMatchObject({ code: "LIST_INCOMPLETE", fix: "Run this again." });
	expect(entitiesOf(world, "case-sole").corporates).toBe(0);
});

it("a creation that is refused because the record exists says that another run may have created it, and the next run goes on", async () => {
	const world = await caseWorld();
	put(world, "case.yaml", sole);
	through(world, (line, answer) => (line.startsWith("POST") && line.endsWith("/corporates") ? 409 : answer));
	const ran = await world.purser(apply);
	expect(ran.exit).toBe(5);
	expect(JSON.parse(ran.stderr).error).toMatchObject({ status: 409, fix: "Run this again: it goes on with the record that it finds." });
	world.wire = undefined;
	expect((await world.purser(apply)).exit).toBe(0);
});
