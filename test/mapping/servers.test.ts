/**
 * All sixteen operations carried out at two services that were written apart from their mappings: onboarding to VALIDATED, both payments, a
 * lost answer, a doubt settled, and the same request sent again with its key where keys are kept and where they are ignored.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Desk, newDesk } from "../support/driver.js";
import { HARBOUR, harbourServer } from "./servers/harbour.js";
import { QUAY, quayServer } from "./servers/quay.js";
import type { Service } from "./servers/strict.js";

const documents = join(import.meta.dirname, "documents");
/** No test counts on speed: each starts the program some thirty times. */
const longest = 900_000;

interface At {
	name: "harbour" | "quay";
	serve(): Promise<Service>;
	/** The credential's header, where it is none of a login. */
	header?: string;
	token: string;
	ledgers: readonly [main: string, reserve: string];
	payee: string;
	terms: string;
	/** What this service wants beside our fields. */
	person: readonly string[];
	/** Of a company, what it has no place for, or writes in another way. */
	company: readonly string[];
	amount: string;
}

const services: readonly At[] = [
	{
		name: "harbour",
		serve: harbourServer,
		token: HARBOUR.token,
		ledgers: [HARBOUR.main, HARBOUR.reserve],
		payee: HARBOUR.payee,
		terms: HARBOUR.agreement,
		person: ["--set", "date_of_birth=1985-05-05"],
		company: ["--registered-address.street", "Rue de l'Exemple 1"],
		amount: "12.34",
	},
	{
		name: "quay",
		serve: quayServer,
		header: "X-Quay-Key",
		token: QUAY.key,
		ledgers: [String(QUAY.main), String(QUAY.reserve)],
		payee: String(QUAY.creditor),
		terms: QUAY.terms,
		person: ["--set", "born_on=05/05/1985"],
		company: ["--registered-address.street", "Rue de l'Exemple", "--registered-address.number", "1"],
		amount: "12.34",
	},
];

let service: Service;
let desk: Desk;
afterEach(() => service.close());

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

/** A desk whose profile uses the mapping, with both payments confirmed. */
async function deskAt(at: At) {
	service = await at.serve();
	desk = await newDesk(service.url);
	const file = join(desk.env.PURSER_CONFIG_DIR as string, "profiles.json");
	const auth = at.header === undefined ? { kind: "login" } : { kind: "header", header: at.header };
	const profiles = JSON.parse(await readFile(file, "utf8"));
	profiles.profiles.desk.auth = auth;
	await writeFile(file, JSON.stringify(profiles));
	desk.env.PURSER_TOKEN = at.token;
	const run = async (code: number, ...argv: string[]): Promise<Answer> => {
		const ended = await desk.start([...argv, "--json"]).ended;
		const said = `purser ${argv.join(" ")}\n${ended.stdout}\n${ended.stderr}\n${JSON.stringify(service.seen.slice(-3), null, 1)}`;
		expect(ended.code, said).toBe(code);
		return ended.stdout === "" ? undefined : JSON.parse(ended.stdout);
	};
	await run(0, "api", "use", join(documents, `${at.name}.mapping.yaml`));
	for (const operation of ["transaction.interLedger", "transaction.beneficiary"]) {
		const { digest } = await run(0, "api", "confirm", operation, "--dry-run");
		await run(0, "api", "confirm", operation, "--digest", digest);
	}
	return run;
}

describe.each(services)("at $name", (at) => {
	test(
		"sixteen of sixteen operations: onboarding to VALIDATED and both payments",
		async () => {
			const run = await deskAt(at);
			const terms = await run(0, "terms", "show", "--language", "EN");
			expect(terms.version).toBe(at.terms);
			const { corporateId, accountOwnerId } = await run(
				0,
				...["corporate", "create", "--external-id", "crm-1", "--corporate-name", "Example Trading SAS", "--incorporation-country", "FRA"],
				...["--incorporation-code", "000000000", "--industry", "FOOD_RESTAURANT_CATERING", ...at.company],
				...[
					"--registered-address.city",
					"Paris",
					"--registered-address.postal-code",
					"75001",
					"--registered-address.iso-country-code",
					"FRA",
				],
				...["--expected-monthly-expenses.value", "LESS_THAN_10_000", "--expected-monthly-expenses.currency", "EUR"],
				...["--account-owner-info.first-name", "Ada", "--account-owner-info.last-name", "Example"],
				...["--account-owner-info.email-address", "ada@example.com", "--account-owner-info.position", "CEO"],
				...["--account-owner-info.is-director", "--account-owner-info.phone.country-code", "33"],
				...["--account-owner-info.phone.number", "639980001", "--yes"],
			);
			await run(0, "terms", "accept", corporateId, "--version", at.terms, "--confirmed-by", "operator", "--yes");
			await run(0, "email", "send-link", accountOwnerId, "--yes");
			await run(0, "related", "update", accountOwnerId, "--phone.country-code", "33", "--phone.number", "639980002", "--yes");
			const sent = await run(0, "phone", "send-code", accountOwnerId, "--yes");
			const challenge = sent.id === undefined ? [] : ["--set", `challenge_id=${sent.id}`];
			await run(0, "phone", "verify", accountOwnerId, "--code", "123456", ...challenge, "--yes");
			const { id: person } = await run(
				0,
				...["related", "add", corporateId, "--first-name", "Grace", "--last-name", "Sample", "--email-address", "grace@example.com"],
				...["--nationality", "DEU", ...at.person, "--yes"],
			);
			const owner = await run(0, "related", "show", accountOwnerId);
			expect([owner.firstName, owner.email.verified, owner.phoneVerified]).toEqual(["Ada", true, true]);
			expect(await run(0, "corporate", "review", corporateId, "--save", join(desk.folder, "review.html"))).toBeDefined();
			const gates = ["--despite", "owner-missing", "--despite", "review-not-seen", "--reason", "an example"];
			await run(0, "kyb", "request", corporateId, ...gates, "--yes");
			for (const id of [accountOwnerId, person]) {
				expect((await run(0, "kyc", "link", id, "--yes")).url).toMatch(/^https:/);
				await run(0, "related", "show", id);
			}
			const company = await run(0, "corporate", "show", corporateId);
			expect([company.kybStatus, company.termsAccepted]).toEqual(["VALIDATED", true]);

			const [from, to] = at.ledgers;
			const inside = await run(
				0,
				...["pay", "ledger", "--from", from, "--to", to, "--amount", at.amount, "--reference", "Invoice 1", "--yes"],
			);
			const outside = await run(0, ...["pay", "beneficiary", "--from", from, "--to", at.payee, "--amount", at.amount, "--yes"]);
			for (const { id } of [inside, outside]) expect(["PENDING", "APPROVED"]).toContain((await run(0, "pay", "show", id)).status);
			expect(service.payments().map(({ debited, credited, cents }) => [debited, credited, cents])).toEqual([
				[from, to, 1234],
				[from, at.payee, 1234],
			]);
		},
		longest,
	);

	test(
		"a lost answer is a doubt, which the list settles; another is sent again with its key, and the control shows what that did",
		async () => {
			const run = await deskAt(at);
			const lost = async (reference: string): Promise<string[]> => {
				service.loseNextPayment();
				const pay = ["pay", "ledger", "--from", at.ledgers[0], "--to", at.ledgers[1], "--amount", at.amount, "--reference", reference];
				await run(7, ...pay, "--yes");
				return pay;
			};
			await lost("Invoice 2");
			const [found] = await run(0, "pay", "settle");
			const [first, ...more] = service.payments();
			expect([found.state, found.id, more.length]).toEqual(["accepted", first?.id, 0]);

			const before = service.seen.length;
			const pay = await lost("Invoice 3");
			// The key that is shown before is not one of a payment.
			const [shown] = (await run(0, ...pay, "--dry-run")).requests;
			expect(JSON.stringify(shown)).toContain("made-for-each-payment");
			await run(2, "pay", "settle", "2", "--resend");
			const [settled] = await run(0, "pay", "settle", "2", "--resend", "--yes");
			const sent = service.seen.slice(before).filter(({ method, path }) => method === "POST" && /book_transfers|wallet\.move/.test(path));
			expect(sent.map(({ body }) => body)).toEqual([sent[0]?.body, sent[0]?.body]);
			const key = sent[0]?.headers["idempotency-key"] ?? new URLSearchParams(sent[0]?.body).get("dedupe_key");
			expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
			expect(sent[1]?.headers["idempotency-key"]).toBe(sent[0]?.headers["idempotency-key"]);
			const made = service.payments().slice(1);
			expect([settled.state, settled.id]).toEqual(["accepted", made.at(-1)?.id]);
			// A service that keeps keys has made one payment; one that ignores them has made two, and the control names the second.
			const control = await run(made.length === 1 ? 0 : 9, "pay", "reconcile");
			const lists = control.found.map(({ list, listed }: Answer) => [list, listed?.id]).filter(([, id]: Answer) => id !== first?.id);
			if (at.name === "harbour") expect([made.length, lists]).toEqual([1, [["matched", made[0]?.id]]]);
			else {
				expect(made.length).toBe(2);
				expect(lists.sort()).toEqual([
					["matched", made[1]?.id],
					["notOurs", made[0]?.id],
				]);
			}
		},
		longest,
	);
});
