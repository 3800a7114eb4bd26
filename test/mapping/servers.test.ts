/**
 * All sixteen operations carried out at a service that was written apart from its mapping: onboarding to VALIDATED, both payments, a lost
 * answer, a doubt settled, and the same request sent again with its key where keys are kept and where they are ignored.
 */
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Desk, newDesk } from "../support/driver.js";
import { HARBOUR, harbourServer } from "./servers/harbour.js";
import type { Service } from "./servers/strict.js";

/** No test counts on speed: each starts the program some thirty times. */
const longest = 900_000;
const { main, reserve, payee } = HARBOUR;

let service: Service;
let desk: Desk;
afterEach(() => service.close());

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

/** A desk whose profile uses the mapping, with both payments confirmed. */
async function deskAt(keeps: boolean) {
	service = await harbourServer(keeps);
	desk = await newDesk(service.url);
	desk.env.PURSER_TOKEN = HARBOUR.token;
	const run = async (code: number, line: string, ...more: string[]): Promise<Answer> => {
		const ended = await desk.start([...line.split(" "), ...more, "--json"]).ended;
		const said = `purser ${line} ${more.join(" ")}\n${ended.stdout}\n${ended.stderr}\n${JSON.stringify(service.seen.slice(-3), null, 1)}`;
		expect(ended.code, said).toBe(code);
		return ended.stdout === "" ? undefined : JSON.parse(ended.stdout);
	};
	await run(0, "api use", join(import.meta.dirname, "documents/harbour.mapping.yaml"));
	for (const operation of ["transaction.interLedger", "transaction.beneficiary"]) {
		const { digest } = await run(0, `api confirm ${operation} --dry-run`);
		await run(0, `api confirm ${operation} --digest ${digest}`);
	}
	return run;
}

test(
	"sixteen of sixteen operations: onboarding to VALIDATED and both payments",
	async () => {
		const run = await deskAt(true);
		expect((await run(0, "terms show --language EN")).version).toBe(HARBOUR.agreement);
		const { corporateId, accountOwnerId } = await run(
			0,
			"corporate create --external-id crm-1 --incorporation-country FRA --incorporation-code 000000000 --industry FOOD_RESTAURANT_CATERING",
			...["--corporate-name", "Example Trading SAS", "--registered-address.street", "Rue de l'Exemple 1"],
			..."--registered-address.city Paris --registered-address.postal-code 75001 --registered-address.iso-country-code FRA".split(" "),
			..."--expected-monthly-expenses.value LESS_THAN_10_000 --expected-monthly-expenses.currency EUR".split(" "),
			..."--account-owner-info.first-name Ada --account-owner-info.last-name Example --account-owner-info.position CEO".split(" "),
			..."--account-owner-info.email-address ada@example.com --account-owner-info.is-director".split(" "),
			..."--account-owner-info.phone.country-code 33 --account-owner-info.phone.number 639980001 --yes".split(" "),
		);
		await run(0, `terms accept ${corporateId} --version ${HARBOUR.agreement} --confirmed-by operator --yes`);
		await run(0, `email send-link ${accountOwnerId} --yes`);
		await run(0, `related update ${accountOwnerId} --phone.country-code 33 --phone.number 639980002 --yes`);
		const { id: challenge } = await run(0, `phone send-code ${accountOwnerId} --yes`);
		await run(0, `phone verify ${accountOwnerId} --code 123456 --set challenge_id=${challenge} --yes`);
		const { id: person } = await run(
			0,
			`related add ${corporateId} --first-name Grace --last-name Sample --email-address grace@example.com --nationality DEU --yes`,
			...["--set", "date_of_birth=1985-05-05"],
		);
		const owner = await run(0, `related show ${accountOwnerId}`);
		expect([owner.firstName, owner.email.verified, owner.phoneVerified]).toEqual(["Ada", true, true]);
		expect(await run(0, `corporate review ${corporateId} --save`, join(desk.folder, "review.html"))).toBeDefined();
		const gates = ["--despite", "owner-missing", "--despite", "review-not-seen", "--reason", "an example"];
		await run(0, `kyb request ${corporateId} --yes`, ...gates);
		for (const id of [accountOwnerId, person]) {
			expect((await run(0, `kyc link ${id} --yes`)).url).toMatch(/^https:/);
			await run(0, `related show ${id}`);
		}
		const company = await run(0, `corporate show ${corporateId}`);
		expect([company.kybStatus, company.termsAccepted]).toEqual(["VALIDATED", true]);

		const inside = await run(0, `pay ledger --from ${main} --to ${reserve} --amount 12.34 --reference Invoice --yes`);
		const outside = await run(0, `pay beneficiary --from ${main} --to ${payee} --amount 12.34 --yes`);
		for (const { id } of [inside, outside]) expect(["PENDING", "APPROVED"]).toContain((await run(0, `pay show ${id}`)).status);
		expect(service.payments().map(({ debited, credited, cents }) => [debited, credited, cents])).toEqual([
			[main, reserve, 1234],
			[main, payee, 1234],
		]);
	},
	longest,
);

describe.each([
	["kept", true],
	["ignored", false],
])("where keys are %s", (_, keeps) => {
	test(
		"a lost answer is a doubt, which the list settles; another is sent again with its key, and the control shows what that did",
		async () => {
			const run = await deskAt(keeps);
			const lost = async (reference: string): Promise<string> => {
				service.loseNextPayment();
				const pay = `pay ledger --from ${main} --to ${reserve} --amount 12.34 --reference ${reference}`;
				await run(7, `${pay} --yes`);
				return pay;
			};
			await lost("First");
			const [found] = await run(0, "pay settle");
			const [first, ...more] = service.payments();
			expect([found.state, found.id, more.length]).toEqual(["accepted", first?.id, 0]);

			const before = service.seen.length;
			const pay = await lost("Second");
			// The key that is shown before is not one of a payment.
			const [shown] = (await run(0, `${pay} --dry-run`)).requests;
			expect(JSON.stringify(shown)).toContain("made-for-each-payment");
			await run(2, "pay settle 2 --resend");
			const [settled] = await run(0, "pay settle 2 --resend --yes");
			const sent = service.seen.slice(before).filter(({ method, path }) => method === "POST" && path.includes("book_transfers"));
			expect(sent.map(({ body }) => body)).toEqual([sent[0]?.body, sent[0]?.body]);
			const [key, again] = sent.map(({ headers }) => headers["idempotency-key"]);
			expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
			expect(again).toBe(key);
			const made = service.payments().slice(1);
			expect([settled.state, settled.id]).toEqual(["accepted", made.at(-1)?.id]);
			// A service that keeps keys has made one payment; one that ignores them has made two, and the control names the second.
			const control = await run(keeps ? 0 : 9, "pay reconcile");
			const lists = control.found.map(({ list, listed }: Answer) => [list, listed?.id]).filter(([, id]: Answer) => id !== first?.id);
			const others = keeps ? [] : [["notOurs", made[0]?.id]];
			expect(lists.sort()).toEqual([["matched", made.at(-1)?.id], ...others]);
		},
		longest,
	);
});
