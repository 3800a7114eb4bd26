import { describe, expect, test } from "vitest";
import type { Dossier } from "../../src/onboarding/dossier/dossier.js";
import { dossierPage } from "../../src/onboarding/dossier/page.js";
import type { IntentRecord } from "../../src/ports/intent.js";
import type { Block } from "../../src/ports/page.js";
import { fittingPage } from "../../src/shell/html/fitting.js";
import { pageBytes } from "../../src/shell/html/page.js";

const corporateId = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const ada = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const grace = "5b7e1d20-6c3f-4a8b-9e14-7d2c0f9a6b31";
const hash = "ab".repeat(32);

const intent = (number: number, operation: string, more: Partial<IntentRecord> = {}): IntentRecord => ({
	intent: String(number),
	operation,
	effect: "write",
	profile: "acme",
	origin: "https://api.example.com",
	method: "POST",
	path: "/",
	state: "accepted",
	attempt: 1,
	begun: `2026-02-2${number}T09:00:00Z`,
	changed: `2026-02-2${number}T09:00:01Z`,
	digest: hash,
	operator: "jd",
	...more,
});

const person = (id: string, more: object) => ({ id, firstName: "***", lastName: "***", isUbo: false, ...more });

function dossier(more: Partial<Dossier> = {}): Dossier {
	return {
		corporateId,
		name: "Example SAS",
		madeAt: "2026-03-01T10:22:33Z",
		madeBy: "purser 0.1.0",
		service: { profile: "acme", environment: "live", origin: "https://api.example.com" },
		masked: true,
		terms: { latestVersion: "1.0", accepted: true, acceptedVersion: "1.0", documentSha256: hash },
		answers: [
			{
				operation: "corporate.get",
				fetchedAt: "2026-03-01T10:22:30Z",
				data: { id: corporateId, corporateName: "Example SAS", kybStatus: "PENDING_VERIFICATION", creationDate: "2026-02-20T08:00:00Z" },
			},
			{
				operation: "related.list",
				fetchedAt: "2026-03-01T10:22:31Z",
				data: [
					person(ada, { isDirector: true, isAccountOwner: true, directSharesPercentage: 60, kycInfo: { status: "VALIDATED" } }),
					person(grace, { isUbo: true, directSharesPercentage: 40, kycInfo: { status: "DECLINED", statusReason: "***" } }),
				],
			},
		],
		journal: [
			{ intent: intent(1, "corporate.update", { confirmedBy: "operator" }), events: [] },
			{ intent: intent(2, "email.sendLink"), events: [], about: ada },
			{ intent: intent(3, "kyc.link"), events: [], about: ada },
			{ intent: intent(4, "kyc.link", { state: "refused" }), events: [], about: grace },
			{
				intent: intent(5, "kyb.request", { despite: { intents: [], gates: ["owner-missing"], reason: "seen in the register" } }),
				events: [],
			},
		],
		files: [],
		uboThreshold: "25",
		checklist: {
			corporateId,
			name: "Example SAS",
			kybStatus: "PENDING_VERIFICATION",
			complete: false,
			items: [
				{ step: "terms", label: "Latest terms accepted", state: "done" },
				{ step: "kyc", label: "KYC of Person 1 (in full)", relatedId: ada, state: "done" },
				{ step: "kyc", label: "KYC of Person 2 (documents)", relatedId: grace, state: "declined", why: "***" },
				{ step: "kyb", label: "KYB validated", state: "blocked", since: "2026-02-25T09:00:00Z", why: "1 KYC is not validated" },
			],
		},
		events: [
			{
				id: `evt_${"0".repeat(32)}`,
				at: "2026-02-26T12:00:00Z",
				subject: { kind: "related", id: ada },
				from: "CREATED",
				to: "VALIDATED",
				source: "webhook",
				verified: true,
				confirmed: null,
			},
		],
		journalCheck: { events: 12, intents: 5, head: { seq: 12, hash }, installation: "7c1d", faults: [] },
		...more,
	};
}

const page = (one: Dossier, rows?: number) =>
	dossierPage(one, { files: [{ name: "bundle.json", bytes: 7, sha256: hash }], review: ["Review", "***"] }, rows);
const blocks = (one: Dossier, title: string): readonly Block[] =>
	page(one).sections.find((section) => section.title === title)?.blocks ?? [];
const tables = (one: Dossier, title: string) => blocks(one, title).flatMap((block) => (block.kind === "table" ? [block.rows] : []));

describe("the page of an onboarding", () => {
	test("has a section for each part, and says where it comes from", () => {
		const { title, of, madeAt, personalData, sections } = page(dossier());
		expect([title, of, madeAt, personalData]).toEqual([
			"Onboarding of Example SAS",
			"acme (live, https://api.example.com)",
			"2026-03-01T10:22:33Z",
			"masked",
		]);
		expect(sections.map((section) => section.title)).toEqual([
			"Company",
			"Checklist",
			"People and their KYC",
			"Ownership",
			"Terms",
			"KYB",
			"Due-diligence review",
			"Changes made from this machine",
			"How to check this",
		]);
	});

	test("each row has a cell for each column", () => {
		const found = page(dossier()).sections.flatMap((section) => section.blocks.flatMap((block) => (block.kind === "table" ? [block] : [])));
		expect(found.map(({ caption, columns, rows }) => [caption, rows.every((row) => row.length === columns.length)])).toEqual([
			["Persons, most demanding KYC first", true],
			["Their ids at the service", true],
			["Holdings; whoever holds 25 % or more through all layers counts as an owner (UBO)", true],
			["Acceptances in the journal", true],
			["What happened, oldest first", true],
			["Changes in the journal, oldest first", true],
			["Files beside this page", true],
		]);
	});

	test("the checklist says what each date is", () => {
		expect(blocks(dossier(), "Checklist")).toEqual([
			{
				kind: "checklist",
				items: [
					{
						state: "done",
						tone: "good",
						label: "Latest terms accepted",
						at: "2026-02-21T09:00:00Z",
						note: "Sent to the service on that date",
					},
					{
						state: "done",
						tone: "good",
						label: "KYC of Person 1 (in full)",
						at: "2026-02-26T12:00:00Z",
						note: "This machine heard of the decision on that date",
					},
					{ state: "declined", tone: "bad", label: "KYC of Person 2 (documents)", at: undefined, note: "***" },
					{
						state: "blocked",
						tone: "bad",
						label: "KYB validated",
						at: "2026-02-25T09:00:00Z",
						atWords: "open since",
						note: "1 KYC is not validated",
					},
				],
			},
		]);
	});

	test("KYC by person: a refused link was not created, and only a decision that was heard has a time", () => {
		expect(tables(dossier(), "People and their KYC")).toEqual([
			[
				[
					"Person 1",
					"account owner, director, holds an effective 60 %",
					"in full, with liveness",
					{ text: "validated", tone: "good" },
					{ time: "2026-02-23T09:00:00Z" },
					{ time: "2026-02-26T12:00:00Z" },
					undefined,
				],
				["Person 2", "UBO", "documents only", { text: "declined", tone: "bad" }, undefined, { text: "not known", tone: "quiet" }, "***"],
			],
			[
				["Person 1", { code: ada }],
				["Person 2", { code: grace }],
			],
		]);
	});

	test("states are said in words, an unknown one as the service wrote it", () => {
		const stated = (kybStatus: string, status: string): string => {
			const data = [
				{ id: corporateId, corporateName: "Example SAS", kybStatus },
				[person(ada, { isDirector: true, directSharesPercentage: 60, kycInfo: { status } })],
			];
			const answers = dossier().answers.map((answer, at) => ({ ...answer, data: data[at] }));
			return new TextDecoder().decode(pageBytes(dossierPage(dossier({ answers }), { files: [] })));
		};
		const known = stated("NEED_ADDITIONAL_INFORMATION", "PENDING_REVIEW");
		expect(known).toContain("more information needed");
		expect(known).toContain("waiting for review");
		expect(known).not.toMatch(/NEED_ADDITIONAL|PENDING_REVIEW/);
		expect(stated("ON_HOLD", "constructor")).toMatch(/constructor[\s\S]*ON_HOLD/);
	});

	test("an event without a signature that the service did not confirm decides nothing", () => {
		const [event] = dossier().events ?? [];
		const forged = dossier({ events: event && [{ ...event, verified: false }] });
		expect((tables(forged, "People and their KYC")[0]?.[0] ?? [])[5]).toEqual({ text: "not known", tone: "quiet" });
	});

	test("ownership: a picture with numbered persons, and the same as a table", () => {
		const [warning, picture, table] = blocks(dossier(), "Ownership");
		expect(warning).toMatchObject({ kind: "notice", tone: "warn", text: expect.stringContaining("Person 1") });
		expect(picture?.kind === "picture" && picture.drawing.title).toBe("Ownership of Example SAS");
		expect(picture?.kind === "picture" && picture.drawing.boxes.map(({ id }) => id).sort()).toEqual([corporateId, grace, ada]);
		expect(table?.kind === "table" && table.rows).toEqual([
			["Person 1", "Example SAS", "60 %", "60 %", "account owner, director, UBO not marked"],
			["Person 2", "Example SAS", "40 %", "40 %", "UBO"],
		]);
	});

	test("an earlier decision is not the one that stands", () => {
		const [event] = dossier().events ?? [];
		const heard = (to: string, at: string) => ({ ...event, to, at, subject: { kind: "related", id: grace } }) as never;
		const other = dossier({ events: [heard("DECLINED", "2026-02-26T12:00:00Z"), heard("VALIDATED", "2026-02-27T12:00:00Z")] });
		expect((tables(other, "People and their KYC")[0]?.[1] ?? [])[5]).toEqual({ time: "2026-02-26T12:00:00Z" });
	});

	test("terms with the word they were accepted on, the KYB's history with what stood against it", () => {
		expect(tables(dossier(), "Terms")).toEqual([
			[
				[
					{ time: "2026-02-21T09:00:00Z" },
					"The operator says that the account owner accepted them",
					"jd",
					{ text: "accepted", tone: "good" },
					"change 1",
				],
			],
		]);
		expect(tables(dossier(), "KYB")).toEqual([
			[
				[
					{ time: "2026-02-25T09:00:00Z" },
					"KYB requested",
					{ text: "accepted", tone: "good" },
					"jd",
					"although an owner may be missing: seen in the register",
				],
			],
		]);
	});

	test("changes name what was asked of whom, and the end says how to check it", () => {
		expect(tables(dossier(), "Changes made from this machine")[0]?.map(([number, , what, whom]) => [number, what, whom])).toEqual([
			["1", "accept the terms", "Example SAS"],
			["2", "send the verification email", "Person 1"],
			["3", "create a KYC link", "Person 1"],
			["4", "create a KYC link", "Person 2"],
			["5", "request the KYB", "Example SAS"],
		]);
		expect(blocks(dossier(), "How to check this")[0]).toEqual({
			kind: "notice",
			tone: "good",
			text: "The journal was checked when this page was made: it was not altered.",
		});
		const { journalCheck } = dossier();
		const altered = dossier({ journalCheck: { ...journalCheck, faults: ["event 3 has another hash"] } });
		expect(blocks(altered, "How to check this")[0]).toEqual({
			kind: "notice",
			tone: "bad",
			text: "The journal was altered: event 3 has another hash",
		});
	});

	test("the same bundle gives the same bytes, hostile names stay text, and many persons fit a megabyte", () => {
		expect(pageBytes(page(dossier()))).toEqual(pageBytes(page(dossier())));
		const hostile = `<script>alert(1)</script>"'&\`</style>\u202e`.repeat(30);
		const many = Array.from({ length: 1_000 }, (_, number) => ({
			id: `${String(number).padStart(8, "0")}-0b94-4f7d-9c35-2e6f1a7b4d80`,
			firstName: hostile,
			lastName: `${number}`,
			isUbo: true,
			isDirector: number === 0,
			directSharesPercentage: 1,
			kycInfo: { status: "DECLINED", statusReason: hostile },
		}));
		const [corporate] = dossier().answers;
		const bytes = fittingPage(
			(rows) =>
				page(
					dossier({
						name: hostile,
						masked: false,
						answers: [corporate as never, { operation: "related.list", fetchedAt: "", data: many }],
						checklist: {
							...dossier().checklist,
							items: many.map(({ id }) => ({ step: "kyc", label: `KYC of ${hostile}`, relatedId: id, state: "declined", why: hostile })),
						},
						journal: Array.from({ length: 1_000 }, (_, number) => ({
							intent: intent(number, "kyc.link"),
							events: [],
							about: many[number]?.id,
						})),
					}),
					rows,
				),
			200,
		);
		expect(bytes.length).toBeLessThanOrEqual(1_048_576);
		const text = new TextDecoder().decode(bytes);
		expect(text).not.toContain("<script");
		expect(text.match(/<\/style>/g)).toHaveLength(1);
	});
});
