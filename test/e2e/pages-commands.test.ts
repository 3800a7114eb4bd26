/**
 * The commands of the pages that `purser help` shows, typed as they stand there, in the folder of one person. readme.test.ts types README.md
 * and the sandbox's page.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guides } from "../../src/cli/help/topics.js";
import { longestRun } from "../support/built.js";
import { environment, seeded, serving, started, typing } from "./service.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = [...new Set(Object.values(guides).flatMap(({ sections }) => sections.map(([page]) => page)))].filter(
	(page) => page.endsWith("/README.md") && !["src/README.md", "src/sandbox/README.md"].includes(page),
);

/** The command lines of a page's blocks, without prompts, comments and answers; a line that goes on below is one. */
function linesOf(text: string): string[] {
	const fenced = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].filter(([, language = ""]) => language === "" || language === "sh");
	const blocks = fenced.map(([, , block = ""]) => block.replace(/\\\n\s*/g, "").replace(/\|\n\s*/g, "| "));
	return blocks.flatMap((block) => {
		const lines = block.split("\n");
		const prompted = lines.some((line) => line.startsWith("$ "));
		const typed = prompted ? lines.flatMap((line) => (line.startsWith("$ ") ? [line.slice(2)] : [])) : lines;
		return typed.map((line) => line.replace(/\s+#\s.*$/, "").trim()).filter((line) => line !== "");
	});
}

/** Lines that cannot run here, and why. */
const elsewhere: readonly (readonly [line: RegExp, why: string])[] = [
	[/^purser profile set live/, "it needs a service of one's own"],
	[/^PURSER_PROFILE=live/, "it needs a service of one's own"],
	[/^purser api (draft|find|check|use|confirm|diff) /, "mapping/readme.test.ts types it, with a service of another form"],
	[/^purser pay settle (17|--batch 7|--statement) /, "a payment has to be in doubt first, and for a word a day has to pass"],
	[/^purser pay (batch (status|resume|report)|settle --batch) 3/, "a batch has to be killed half way first"],
	[/^purser pay batch send payroll\.csv\.plan\.json$/, "it is killed half way, or refused without an approval"],
	[/^purser pay batch abandon/, "a batch that is sent has no rest to cancel"],
	[/^purser pay batch approve/, "it needs a second person"],
	[/^(anna|ben)\$ /, "several-people.test.ts types it, as two people"],
];

const payroll = [
	"ledgerFromId,beneficiaryId,amount,reference",
	...Array.from({ length: 120 }, (_, at) => `${seeded.main},${seeded.supplier},5.50,Row ${at + 1}`),
].join("\n");

const company = `corporateName: Example Trading SAS
incorporationCountry: FRA
incorporationCode: "000 000 000"
industry: FOOD_RESTAURANT_CATERING
registeredAddress: {isoCountryCode: FRA, city: Paris}
expectedMonthlyExpenses: {value: LESS_THAN_10_000, currency: EUR}
accountOwnerInfo: {firstName: Ada, lastName: Example, emailAddress: ada@example.com, position: CEO, isDirector: true, phone: {countryCode: "33", number: "639980001"}}
`;

let folder: string;
let env: Record<string, string>;
let shell: Awaited<ReturnType<typeof typing>>["typed"];
type Run = Awaited<ReturnType<typeof shell>>;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-pages-"));
	env = environment(folder);
	({ typed: shell } = await typing(folder, env));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What stands in the place of words that a page leaves to its reader. */
interface Reader {
	corporate?: string;
	owner?: string;
}

/** A line as it is typed here: flags in the place of answers at prompts, ids of the sandbox in the place of the page's. */
async function lineFor(line: string, reader: Reader): Promise<string> {
	const filled = line.replace(/\bCORPORATE\b/, reader.corporate ?? "CORPORATE").replace(/\bRELATED\b/, reader.owner ?? "RELATED");
	if (filled.startsWith("purser terms accept")) return `${filled} --yes --confirmed-by account-owner`;
	if (filled.startsWith("purser related add"))
		return `${filled} --first-name Grace --last-name Sample --is-ubo --direct-shares-percentage 100`;
	if (filled.startsWith("purser phone verify")) return `${filled} --code 123456`;
	return filled;
}

/** What the reader does before a line: files are filled in, and persons act. */
async function prepare(line: string, reader: Reader): Promise<void> {
	const put = (name: string, text: string) => writeFile(join(folder, name), text);
	if (line.startsWith("purser pay batch plan payroll.csv")) await put("payroll.csv", payroll);
	if (line === "purser corporate create --file corporate.yaml --dry-run") await put("corporate.yaml", company);
	if (line === "purser kyb status CORPORATE --wait") {
		const people = JSON.parse((await shell(`purser related list ${reader.corporate} --json`)).stdout);
		for (const { id, kycInfo } of people.content ?? people) {
			if (kycInfo.status === "NOT_STARTED") await shell(`purser kyc link ${id}`);
			await shell(`purser sandbox simulate kyc ${id}`);
		}
		await shell("purser sandbox simulate clock --seconds 60");
	}
}

/** What the reader takes from an answer for the next lines. */
async function learn(line: string, ran: Run, reader: Reader): Promise<void> {
	const id = /[0-9a-f]{8}-[0-9a-f-]{27}/;
	if (line === "purser corporate create --file corporate.yaml") {
		const [found] = [id.exec(ran.stdout)];
		reader.corporate = found?.[0];
		const people = JSON.parse((await shell(`purser related list ${reader.corporate} --json`)).stdout);
		reader.owner = (people.content ?? people)[0]?.id;
	}
}

/** A person reads the due-diligence review and says Yes; a script repeats the line with the review's digest. */
async function readAndAgreed(line: string, ran: Run): Promise<Run> {
	const digest = ran.exit === 10 && /kyb/.test(line) ? /--reviewed ([0-9a-f]{64})/.exec(ran.stdout + ran.stderr)?.[1] : undefined;
	return digest === undefined ? ran : shell(`${line} --reviewed ${digest}`);
}

/** @returns how many lines were typed, and what went wrong */
async function typeAll(page: string): Promise<{ count: number; faults: string[] }> {
	const text = (await readFile(join(root, page), "utf8")).replaceAll("\r\n", "\n");
	const reader: Reader = {};
	const faults: string[] = [];
	let count = 0;
	for (const line of linesOf(text)) {
		if (elsewhere.some(([not]) => not.test(line))) continue;
		if (!line.startsWith("purser ")) throw new Error(`${page}: this is no line of purser's: ${line}`);
		await prepare(line, reader);
		const here = await lineFor(line, reader);
		const ran = await readAndAgreed(here, await shell(`set -o pipefail; ${here}`));
		count++;
		await learn(line, ran, reader);
		if (ran.exit !== 0) faults.push(`${page}: ${here}: exit ${ran.exit}\n${ran.stdout.slice(-800)}\n${ran.stderr.slice(-1200)}`);
	}
	return { count, faults };
}

test(
	"every line of the pages can be typed",
	async () => {
		const { stop } = await serving(started(["sandbox", "serve", "--save-profile", "sandbox", "--port", "0"], env));
		const typed = [];
		for (const page of pages) typed.push(await typeAll(page));
		await stop();
		expect(typed.flatMap(({ faults }) => faults).join("\n\n")).toBe("");
		expect(typed.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(20);
	},
	longestRun,
);

test("each line that is left out is one of a page", async () => {
	const lines = (await Promise.all(pages.map((page) => readFile(join(root, page), "utf8")))).flatMap((text) =>
		linesOf(text.replaceAll("\r\n", "\n")),
	);
	for (const [not, why] of elsewhere) expect([why, lines.filter((line) => not.test(line)).length > 0]).toEqual([why, true]);
});
