/**
 * The whole job through a dialect: all sixteen operations of the specification, by the commands, as a script runs them.
 */
import { expect } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import type { Bindings } from "../../src/binding/file.js";
import { spokenIn } from "../../src/sandbox/dialect/dialect.js";
import { finderOf } from "../../src/sandbox/dialect/paths.js";
import { everyGate } from "../support/gates.js";
import type { World } from "../support/purser.js";

const company = {
	externalId: "crm-2041",
	corporateName: "Harbour Lights Catering SAS",
	incorporationCountry: "FRA",
	incorporationCode: "000 000 000 00000",
	incorporationDate: "2019-04-01",
	industry: "FOOD_RESTAURANT_CATERING",
	registeredAddress: { isoCountryCode: "FRA", city: "Exampleville", postalCode: "00000" },
	expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	accountOwnerInfo: {
		firstName: "Ada",
		lastName: "Example",
		emailAddress: "ada@example.com",
		position: "CEO",
		isDirector: true,
		phone: { countryCode: "+33", number: "639980001" },
	},
};

/** Runs the job, and gives what the commands and the sandbox itself say of its end. */
export async function wholeJob(world: World) {
	const ok = async (...argv: string[]) => {
		const ran = await world.purser([...argv, "--json"]);
		expect(ran.exit === 0 ? [] : [argv.join(" "), ran.exit, ran.stderr]).toEqual([]);
		return ran.stdout === "" ? undefined : ran.json();
	};
	const { version } = await ok("terms", "show");
	world.files.set("company.json", new TextEncoder().encode(JSON.stringify(company)));
	const { corporateId, accountOwnerId: owner } = await ok("corporate", "create", "--file", "company.json");
	await ok("terms", "accept", corporateId, "--version", version, "--yes", "--confirmed-by", "account-owner");
	await ok("email", "send-link", owner);
	await ok("sandbox", "simulate", "email", owner);
	const person = ["--first-name", "Grace", "--last-name", "Sample", "--direct-shares-percentage", "40"];
	const { id: grace } = await ok("related", "add", corporateId, ...person);
	await ok("related", "update", grace, "--direct-shares-percentage", "40.5");
	const shown = await ok("related", "show", grace);
	await world.purser(["corporate", "review", corporateId]);
	await ok("kyb", "request", corporateId, ...everyGate);
	for (const one of [owner, grace]) {
		expect((await ok("kyc", "link", one)).url).toMatch(/^http:/);
		await ok("sandbox", "simulate", "kyc", one);
	}
	await ok("phone", "send-code", owner);
	await ok("phone", "verify", owner, "--code", "123456");
	world.clock.advance(10_000);
	const corporate = await ok("corporate", "show", corporateId);
	const ledgers = (await ok("ledger", "list")) as { id: string; endUserId: string; friendlyName: string }[];
	const first = ledgers.find(({ friendlyName }) => friendlyName === "Dollars");
	const own = ledgers.filter(({ endUserId }) => endUserId !== first?.endUserId);
	const [main, savings] = ["Main account", "Savings"].map((name) => own.find(({ friendlyName }) => friendlyName === name)?.id) as [
		string,
		string,
	];
	const payees = (await ok("beneficiary", "list", "--end-user-id", own[0]?.endUserId as string)) as { id: string }[];
	const pay = async (kind: "ledger" | "beneficiary", to: string, amount: string) =>
		(await ok("pay", kind, "--from", main, "--to", to, "--amount", amount, "--reference", "Rent", "--currency", "EUR", "--yes"))
			.id as string;
	const paid = [await pay("ledger", savings, "10.10"), await pay("beneficiary", payees[0]?.id as string, "250.00")];
	world.clock.advance(10_000);
	const transactions = [];
	for (const id of paid) transactions.push(await ok("pay", "show", id));
	return { corporate, shown, transactions, ids: { corporateId, owner, grace, main, savings, paid } };
}

/** What the sandbox itself holds at the end of the job. */
export function heldBy({ sandbox }: World) {
	const { corporates, related, ledgers, transactions } = sandbox.state;
	const own = corporates.at(-1);
	return {
		company: { ...own?.fields, kyb: own?.kyb.status, accepted: own?.accepted },
		people: related
			.filter(({ corporateId }) => corporateId === own?.id)
			.map(({ fields, email, phone, kyc }) => [
				`${fields.firstName} ${fields.lastName}`,
				email?.verified,
				phone?.verified,
				kyc.status,
				String(fields.directSharesPercentage),
			]),
		balances: ledgers.filter(({ endUserId }) => endUserId === own?.id).map(({ total }) => total),
		payments: transactions.map(({ type, amount, currency, reference, status }) => [type, amount, currency, reference, status]),
	};
}

/** The same by the job's own words. */
export const heldAfterTheJob = {
	company: { corporateName: "Harbour Lights Catering SAS", externalId: "crm-2041", kyb: "VALIDATED", accepted: "1.0" },
	people: [
		["Ada Example", true, true, "VALIDATED", "undefined"],
		["Grace Sample", undefined, undefined, "VALIDATED", "40.5"],
	],
	balances: ["473990", "1010"],
	payments: [
		["INTER_LEDGER", "1010", "EUR", "Rent", "APPROVED"],
		["BENEFICIARY", "25000", "EUR", "Rent", "APPROVED"],
	],
};

/** Those of the sixteen operations whose address no request was sent to. */
export function notAsked(world: World, bindings: Bindings): string[] {
	const find = finderOf(spokenIn(bindings));
	const asked = world.requests.flatMap(({ method, url }) => {
		try {
			return find(method, new URL(url).pathname).map(({ one }) => one.operation.id);
		} catch {
			return [];
		}
	});
	return catalog.filter(({ id, specified }) => specified && !asked.includes(id)).map(({ id }) => id);
}
