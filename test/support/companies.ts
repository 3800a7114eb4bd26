/**
 * Companies for tests of commands: one to be created, and many that are under way in a sandbox.
 */
import type { World } from "./purser.js";

/** An account owner who is a director. */
export const ada = {
	firstName: "Ada",
	lastName: "Example",
	emailAddress: "ada@example.com",
	position: "CEO",
	isDirector: true,
	phone: { countryCode: "33", number: "639980001" },
};

/** The body that creates a company; its account owner is a director. */
export const harbourLights = {
	externalId: "crm-2041",
	corporateName: "Harbour Lights Catering SAS",
	incorporationCountry: "FRA",
	incorporationCode: "000 000 000",
	industry: "FOOD_RESTAURANT_CATERING",
	registeredAddress: { isoCountryCode: "FRA", city: "Exampleville" },
	expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	accountOwnerInfo: ada,
};

/** An id for each number. */
export const uuid = (number: number): string => `${String(number).padStart(8, "0")}-7f0e-4b6e-9d2a-5a1b8c7d6e4f`;

type State = World["sandbox"]["state"];

/** What differs between tests of the companies and their account owners. */
interface UnderWay {
	kyb(number: number): State["corporates"][number]["kyb"];
	/** Fields of the account owner beside the names. */
	owner: State["related"][number]["fields"];
	kyc: State["related"][number]["kyc"];
}

/** Puts so many companies with their account owners into the sandbox; the first of them is the oldest. */
export function addCompanies({ sandbox: { state } }: World, count: number, { kyb, owner, kyc }: UnderWay): void {
	for (let number = 0; number < count; number++) {
		const at = new Date(Date.parse("2026-01-01T00:00:00Z") + number * 60_000).toISOString();
		state.corporates.push({
			id: uuid(number),
			fields: { corporateName: `Example ${number} SAS`, incorporationCountry: "FRA" },
			accepted: "1.0",
			kyb: kyb(number),
			accountOwnerId: uuid(500_000 + number),
			createdAt: at,
			updatedAt: at,
		});
		state.related.push({
			id: uuid(500_000 + number),
			corporateId: uuid(number),
			fields: { firstName: "Ada", lastName: `Example ${number}`, ...owner },
			company: false,
			accountOwner: true,
			email: { address: "ada@example.com", verified: true },
			kyc: { ...kyc },
			createdAt: at,
		});
	}
}

/** What a script says where terms are accepted. */
export const confirmed = ["--yes", "--confirmed-by", "operator"] as const;
