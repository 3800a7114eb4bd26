/**
 * The commands that `purser demo` runs against a sandbox of its own. Data only.
 */

/** One command of the tour. `{name}` in its words stands for a value from an earlier step. */
export interface TourStep {
	/** As typed after `purser`. */
	words: readonly string[];
	/** Of the chapter that begins with this step. */
	title?: string;
	/** What happened in the chapter that ends with this step: the eight steps of onboarding, and the payments. */
	done?: string;
	/** What is sent to its standard input, with the command that a person would send it with. */
	input?: { text: string; typed: string };
	/** Values of its output that later steps need: the first matching group of each expression. */
	keep?: Readonly<Record<string, RegExp>>;
}

/** Files the tour takes its input from, by name. */
export const tourFiles: Readonly<Record<string, string>> = {
	"corporate.yaml": `# A company that could exist. Every name and number is invented or reserved for examples.
externalId: crm-2041
corporateName: Harbour Lights Catering SAS
tradeName: Harbour Lights
incorporationCountry: FRA
incorporationCode: 000 000 000 00000
incorporationDate: 2019-04-01
website: https://www.example.com
industry: FOOD_RESTAURANT_CATERING
registeredAddress:
  isoCountryCode: FRA
  city: Exampleville
  postalCode: "00000"
  street: Quai de l'Exemple
  number: 12 bis
expectedMonthlyExpenses:
  value: LESS_THAN_10_000
  currency: EUR
employeesRange: BTW_1_AND_10
accountOwnerInfo:
  firstName: Ada
  lastName: Example
  emailAddress: ada@example.com
  position: CEO
  isDirector: true
  directorAppointmentDate: 2019-04-01
  directSharesPercentage: 25.5
  nationality: FRA
  phone:
    countryCode: "+33"
    number: "639980001"
metadata:
  tier: gold
`,
	"grace.yaml": `# A director without shares.
firstName: Grace
lastName: Sample
emailAddress: grace@example.com
position: COO
isDirector: true
directorAppointmentDate: 2021-09-15
nationality: IRL
`,
	"linus.yaml": `# Who owns the holding.
firstName: Linus
lastName: Placeholder
emailAddress: linus@example.com
nationality: NLD
isUbo: true
directSharesPercentage: 100
ownedCorporateId: {holding}
`,
};

/** Who may log in to a sandbox. */
const operator = { username: "operator", partnerName: "example-partner", password: "sandbox-password" };

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const word = (label: string): RegExp => new RegExp(`^${label} +([A-Z_]+)`, "m");
const afterLabel = (label: string): RegExp => new RegExp(`^${label} +(${uuid})`, "m");
/** The id of a table's row: before the name, or below the row on a narrow terminal. A name may be wrapped, so only its first word counts. */
const idOf = (firstWord: string): RegExp => new RegExp(`^(${uuid}) +${firstWord}\\b|^${firstWord}\\b[^]*?^ +(${uuid})$`, "m");

/** @param line words between blanks; a quoted one may have some */
const step = (line: string, rest: Omit<TourStep, "words"> = {}): TourStep => ({
	words: [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ""),
	...rest,
});

/** Every step, in order. `{origin}` is the sandbox's address. */
export const tourSteps: readonly TourStep[] = [
	step(`profile add demo --base-url {origin} --username ${operator.username} --partner-name ${operator.partnerName}`, {
		title: "Add a profile for it",
	}),
	step("auth login --password-stdin", {
		title: "Log in",
		input: { text: operator.password, typed: `printf %s ${operator.password} | ` },
	}),
	step("terms show", {
		title: "Read the terms and conditions",
		keep: { terms: /^Version +(\S+)/m },
		done: "1  Terms and conditions {terms} read",
	}),
	step("corporate create --file corporate.yaml", {
		title: "Create the corporate from a file",
		keep: { corporate: afterLabel("Id"), owner: afterLabel("Account owner") },
	}),
	step("terms accept {corporate} --version {terms} --yes --confirmed-by account-owner", {
		title: "Accept the terms for it",
		done: "2  Harbour Lights Catering SAS created with its account owner, terms accepted",
	}),
	step("email send-link {owner}", { title: "Verify the owner's email" }),
	step("sandbox simulate email {owner}"),
	step("email status {owner} --wait --wait-timeout 30", { done: "3  Owner's email verified: Ada Example opened the link" }),
	step(
		"related add {corporate} --type COMPANY --corporate-name 'Harbour Holding BV' --incorporation-country NLD --direct-shares-percentage 74.5",
		{ title: "Declare the owners and directors", keep: { holding: afterLabel("Id") } },
	),
	step("related add {corporate} --file grace.yaml", { keep: { grace: afterLabel("Id") } }),
	step("related add {corporate} --file linus.yaml", { keep: { linus: afterLabel("Id") } }),
	step("related list {corporate}", { done: "4  Harbour Holding BV, Grace Sample and Linus Placeholder declared" }),
	step("corporate review {corporate} --verbose", {
		title: "Review due diligence",
		keep: { review: /^Digest +([0-9a-f]{64})/m },
		done: "5  Due-diligence review read",
	}),
	step("kyb request {corporate} --reviewed {review}", { title: "Ask for the KYB verification", done: "6  KYB requested" }),
	step("kyc link {owner}", { title: "KYC of each person" }),
	step("sandbox simulate kyc {owner}"),
	step("kyc link {grace}"),
	step("sandbox simulate kyc {grace}"),
	step("kyc link {linus}"),
	step("sandbox simulate kyc {linus}", { done: "7  KYC links created, and all three persons identified" }),
	step("phone send-code {owner}", { title: "Verify the owner's phone" }),
	step("phone verify {owner} --code 123456", { done: "8  Owner's phone verified with a code by SMS" }),
	step("kyb status {corporate} --wait --wait-timeout 60", {
		title: "See the KYB validated",
		keep: { kyb: word("KYB") },
		done: "   KYB {kyb}: the company can pay",
	}),
	step("ledger list --end-user-id {corporate}", {
		title: "Pay from ledger to ledger",
		keep: { main: idOf("Operating"), reserve: idOf("Reserve") },
	}),
	step("pay ledger --from {main} --to {reserve} --amount 10.10 --reference 'To the reserve' --yes", {
		keep: { transfer: afterLabel("Transaction") },
	}),
	step("pay show {transfer} --wait --wait-timeout 60", {
		keep: { transferStatus: word("Status") },
		done: "   10.10 EUR from Operating account to Reserve: {transferStatus}",
	}),
	step("beneficiary list --end-user-id {corporate}", { title: "Pay a beneficiary", keep: { beneficiary: idOf("Example") } }),
	step("pay beneficiary --from {main} --to {beneficiary} --amount 250.00 --reference 'Invoice 2041' --yes", {
		keep: { payment: afterLabel("Transaction") },
	}),
	step("pay show {payment} --wait --wait-timeout 60", {
		keep: { paymentStatus: word("Status") },
		done: "   250.00 EUR to Example Wholesale Ltd: {paymentStatus}",
	}),
];
