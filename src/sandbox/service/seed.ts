/**
 * The ledgers and beneficiaries that a validated KYB opens, and what a sandbox starts with.
 */

import { Decimal } from "../../api/json.js";
import type { Backend } from "../backend.js";
import type { Beneficiary, Corporate, Ledger } from "../state.js";
import { beneficiaryChange } from "../webhooks.js";

/** Ids of what a sandbox starts with; the documentation names them. */
export const seeds = {
	corporate: "11111111-1111-4111-8111-111111111111",
	accountOwner: "22222222-2222-4222-8222-222222222222",
	mainLedger: "aaaaaaaa-0001-4000-8000-000000000001",
	savingsLedger: "aaaaaaaa-0002-4000-8000-000000000002",
	dollarLedger: "aaaaaaaa-0003-4000-8000-000000000003",
	supplier: "bbbbbbbb-0001-4000-8000-000000000001",
	slowSupplier: "bbbbbbbb-0002-4000-8000-000000000002",
	hostedSupplier: "bbbbbbbb-0003-4000-8000-000000000003",
	unreviewedSupplier: "bbbbbbbb-0004-4000-8000-000000000004",
} as const;

/** An IBAN-shaped number that no bank has: country XX does not exist. */
const iban = (number: number): string => `XX00EXAMPLE${String(number).padStart(11, "0")}`;

function ledger(
	backend: Backend,
	endUserId: string,
	friendlyName: string,
	currency: string,
	total: string,
	id = backend.random.uuid(),
): Ledger {
	const made = {
		id,
		endUserId,
		friendlyName,
		status: "ACTIVE",
		currency,
		total,
		reserved: "0",
		iban: iban(backend.state.ledgers.length + 1),
	};
	backend.state.ledgers.push(made);
	return made;
}

function beneficiary(backend: Backend, endUserId: string, name: string, more: Partial<Beneficiary> = {}): Beneficiary {
	const made = {
		id: backend.random.uuid(),
		endUserId,
		name,
		friendlyName: name,
		type: "CORPORATE",
		status: "VALID",
		active: true,
		accountNumber: iban(900_000 + backend.state.beneficiaries.length),
		currency: "EUR",
		instant: true,
		...more,
	};
	backend.state.beneficiaries.push(made);
	return made;
}

/**
 * Two ledgers, the first one funded, and two beneficiaries, one external and one hosted here; a corporate gets them once. None has the name of
 * one of the first corporate, so that its names stay unique however many are onboarded.
 */
export function openAccounts(backend: Backend, corporate: Corporate): void {
	if (backend.state.ledgers.some(({ endUserId }) => endUserId === corporate.id)) return;
	ledger(backend, corporate.id, "Operating account", "EUR", "500000");
	const reserve = ledger(backend, corporate.id, "Reserve", "EUR", "0");
	const opened = [beneficiary(backend, corporate.id, "Example Wholesale Ltd")];
	// For the first corporate of an empty sandbox, its own second ledger is the hosted account.
	const neighbour = backend.state.ledgers.find(
		(one) => one.endUserId !== corporate.id && one.currency === "EUR" && one.status === "ACTIVE",
	);
	const host = neighbour ?? reserve;
	opened.push(beneficiary(backend, corporate.id, "Example Landlord SAS", { linkcyLedgerId: host.id, accountNumber: host.iban }));
	for (const one of opened) backend.webhooks.add(beneficiaryChange(one, "CREATED"));
}

/** One validated corporate with ledgers and beneficiaries of every kind, under ids that never change. */
export function seedState(backend: Backend): void {
	const at = backend.now().toISOString();
	const { state } = backend;
	const { corporate, accountOwner } = seeds;
	state.corporates.push({
		id: corporate,
		fields: {
			corporateName: "Example Trading SAS",
			incorporationCountry: "FRA",
			incorporationCode: "000 000 000",
			industry: "FOOD_RESTAURANT_CATERING",
			registeredAddress: { isoCountryCode: "FRA", city: "Exampleville", postalCode: "00000", street: "Rue de l'Exemple", number: "1" },
			expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
		},
		accepted: "1.0",
		kyb: { status: "VALIDATED" },
		accountOwnerId: accountOwner,
		createdAt: at,
		updatedAt: at,
	});
	state.related.push({
		id: accountOwner,
		corporateId: corporate,
		fields: { firstName: "Ada", lastName: "Example", position: "CEO", isDirector: true, directSharesPercentage: new Decimal("100") },
		company: false,
		accountOwner: true,
		email: { address: "ada@example.com", verified: true },
		phone: { countryCode: "+33", number: "639980001", verified: true },
		kyc: { status: "VALIDATED", type: "FULL_KYC" },
		createdAt: at,
	});
	ledger(backend, corporate, "Main account", "EUR", "1000000", seeds.mainLedger);
	const savings = ledger(backend, corporate, "Savings", "EUR", "0", seeds.savingsLedger);
	ledger(backend, corporate, "Dollars", "USD", "250000", seeds.dollarLedger);
	beneficiary(backend, corporate, "Example Supplies Ltd", { id: seeds.supplier });
	beneficiary(backend, corporate, "Slow Bank Customer GmbH", { id: seeds.slowSupplier, instant: false });
	beneficiary(backend, corporate, "Example Neighbour SAS", {
		id: seeds.hostedSupplier,
		linkcyLedgerId: savings.id,
		accountNumber: savings.iban,
	});
	beneficiary(backend, corporate, "Not Yet Reviewed BV", {
		id: seeds.unreviewedSupplier,
		status: "PENDING_REVIEW",
		active: false,
	});
}
