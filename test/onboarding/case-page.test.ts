import { describe, expect, test } from "vitest";
import type { Bundle } from "../../src/onboarding/dossier/bundle.js";
import { casePage } from "../../src/onboarding/dossier/page.js";
import { pageBytes } from "../../src/pages/page.js";
import { drawn } from "../../src/pages/picture.js";
import type { IntentRecord } from "../../src/ports/intent.js";
import { linesOf } from "../pages/lines.js";

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

const person = (id: string, lastName: string, more: object) => ({ id, firstName: "Person", lastName, isUbo: false, ...more });

function bundle(more: Partial<Bundle> = {}): Bundle {
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
					person(ada, "1", { isDirector: true, isAccountOwner: true, directSharesPercentage: 60, kycInfo: { status: "VALIDATED" } }),
					person(grace, "2", { isUbo: true, directSharesPercentage: 40, kycInfo: { status: "DECLINED", statusReason: "***" } }),
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
		uboThreshold: "25",
		checklist: {
			corporateId,
			name: "Example SAS",
			kybStatus: "PENDING_VERIFICATION",
			paymentsStoppedBy: [],
			complete: false,
			items: [
				{ step: "terms", label: "Latest terms accepted", state: "done" },
				{ step: "kyc", label: "KYC of Person 1 (in full)", relatedId: ada, state: "done" },
				{ step: "kyc", label: "KYC of Person 2 (documents)", relatedId: grace, state: "declined", why: "***" },
				{ step: "kyb", label: "KYB validated", state: "blocked", since: "2026-02-25T09:00:00Z", why: "1 KYC is not validated" },
			],
		},
		journalCheck: { events: 12, intents: 5, head: { seq: 12, hash }, installation: "7c1d", faults: [] },
		...more,
	};
}

const page = (one: Bundle) => casePage(one, hash, drawn);
const said = (one: Bundle): string => linesOf(pageBytes(page(one)));

describe("the page of a case", () => {
	test("says who is who, what is missing, who owns what, what happened, and how to check it", async () => {
		await expect(said(bundle())).toMatchFileSnapshot("../pages/goldens/case.txt");
	});

	test("states are said in words", () => {
		const stated = (kybStatus: string, status: string): string => {
			const data = [
				{ id: corporateId, corporateName: "Example SAS", kybStatus },
				[person(ada, "1", { isDirector: true, directSharesPercentage: 60, kycInfo: { status } })],
			];
			const answers = bundle().answers.map((answer, at) => ({ ...answer, data: data[at] }));
			return said(bundle({ answers, checklist: { ...bundle().checklist, kybStatus } }));
		};
		const known = stated("NEED_ADDITIONAL_INFORMATION", "PENDING_REVIEW");
		expect(known).toContain("need additional information");
		expect(known).toContain("pending review");
		expect(known).not.toMatch(/NEED_ADDITIONAL|PENDING_REVIEW/);
		expect(stated("ON_HOLD", "constructor")).toMatch(/on hold[\s\S]*constructor/);
	});

	test("says where the journal was altered, and where people are not listed", () => {
		const { journalCheck, answers } = bundle();
		expect(said(bundle({ journalCheck: { ...journalCheck, faults: ["event 3 has another hash"] } }))).toContain(
			"The journal was altered: event 3 has another hash",
		);
		expect(said(bundle({ answers: answers.slice(0, 1) }))).toContain(
			"The service does not list people and owners, so they are not on this page.",
		);
	});
});
