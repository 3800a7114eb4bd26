/**
 * The commands that `purser demo` runs against a sandbox of its own. Data only.
 */

/** One command of the tour. `{name}` in its words stands for a value from an earlier step. */
export interface TourStep {
	/** Of the chapter that begins with this step. */
	title?: string;
	/** As typed after `purser`. */
	words: readonly string[];
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

/** What happened in a chapter, by its title: the eight steps of onboarding, and the payments. Chapters that others speak for have none. */
export const tourSummary: Readonly<Record<string, string>> = {
	"Read the terms and conditions": "1  Terms and conditions {terms} read",
	"Accept the terms for it": "2  Harbour Lights Catering SAS created with its account owner, terms accepted",
	"Verify the owner's email": "3  Owner's email verified: Ada Example opened the link",
	"Declare the owners and directors": "4  Harbour Holding BV, Grace Sample and Linus Placeholder declared",
	"Review due diligence": "5  Due-diligence review read",
	"Ask for the KYB verification": "6  KYB requested",
	"KYC of each person": "7  KYC links created, and all three persons identified",
	"Verify the owner's phone": "8  Owner's phone verified with a code by SMS",
	"See the KYB validated": "   KYB {kyb}: the company can pay",
	"Pay from ledger to ledger": "   10.10 EUR from Main account to Savings: {transferStatus}",
	"Pay a beneficiary": "   250.00 EUR to Example Supplies Ltd: {paymentStatus}",
};

/** Who may log in to a sandbox. */
const operator = { username: "operator", partnerName: "example-partner", password: "sandbox-password" };

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const word = (label: string): RegExp => new RegExp(`^${label} +([A-Z_]+)`, "m");

const afterLabel = (label: string): RegExp => new RegExp(`^${label} +(${uuid})`, "m");
/** The id of a table's row: before the name, or below the row on a narrow terminal. A name may be wrapped, so only its first word counts. */
const idOf = (firstWord: string): RegExp => new RegExp(`^(${uuid}) +${firstWord}\\b|^${firstWord}\\b[^]*?^ +(${uuid})$`, "m");

/** Every step, in order. `{origin}` is the sandbox's address. */
export const tourSteps: readonly TourStep[] = [
	{
		title: "Log in",
		words: [
			"auth",
			"login",
			"--base-url",
			"{origin}",
			"--username",
			operator.username,
			"--partner-name",
			operator.partnerName,
			"--password-stdin",
		],
		input: { text: operator.password, typed: `printf %s ${operator.password} | ` },
	},
	{ title: "Read the terms and conditions", words: ["terms", "show"], keep: { terms: /^Version +(\S+)/m } },
	{
		title: "Create the corporate from a file",
		words: ["corporate", "create", "--file", "corporate.yaml"],
		keep: { corporate: afterLabel("Company"), owner: afterLabel("Account owner") },
	},
	{
		title: "Accept the terms for it",
		words: ["terms", "accept", "{corporate}", "--version", "{terms}", "--yes", "--confirmed-by", "account-owner"],
	},
	{ title: "Verify the owner's email", words: ["email", "send-link", "{owner}"] },
	{ words: ["sandbox", "simulate", "email", "{owner}"] },
	{ words: ["email", "status", "{owner}", "--wait", "--wait-timeout", "30"] },
	{
		title: "Declare the owners and directors",
		words: [
			...["related", "add", "{corporate}", "--type", "COMPANY", "--corporate-name", "Harbour Holding BV"],
			...["--incorporation-country", "NLD", "--direct-shares-percentage", "74.5"],
		],
		keep: { holding: afterLabel("Id") },
	},
	{ words: ["related", "add", "{corporate}", "--file", "grace.yaml"], keep: { grace: afterLabel("Id") } },
	{ words: ["related", "add", "{corporate}", "--file", "linus.yaml"], keep: { linus: afterLabel("Id") } },
	{ words: ["related", "list", "{corporate}"] },
	{ title: "Review due diligence", words: ["corporate", "review", "{corporate}"], keep: { review: /^Digest +([0-9a-f]{64})/m } },
	{
		title: "Ask for the KYB verification",
		words: ["kyb", "request", "{corporate}", "--reviewed", "{review}"],
	},
	{ title: "KYC of each person", words: ["kyc", "link", "{owner}"] },
	{ words: ["sandbox", "simulate", "kyc", "{owner}"] },
	{ words: ["kyc", "link", "{grace}"] },
	{ words: ["sandbox", "simulate", "kyc", "{grace}"] },
	{ words: ["kyc", "link", "{linus}"] },
	{ words: ["sandbox", "simulate", "kyc", "{linus}"] },
	{ title: "Verify the owner's phone", words: ["phone", "send-code", "{owner}"] },
	{ words: ["phone", "verify", "{owner}", "--code", "123456"] },
	{
		title: "See the KYB validated",
		words: ["kyb", "status", "{corporate}", "--wait", "--wait-timeout", "60"],
		keep: { kyb: word("KYB") },
	},
	{
		title: "Pay from ledger to ledger",
		words: ["ledger", "list", "--end-user-id", "{corporate}"],
		keep: { main: idOf("Main"), savings: idOf("Savings") },
	},
	{
		words: [...["pay", "ledger", "--from", "{main}", "--to", "{savings}"], ...["--amount", "10.10", "--reference", "To savings", "--yes"]],
		keep: { transfer: afterLabel("Transaction") },
	},
	{ words: ["pay", "show", "{transfer}", "--wait", "--wait-timeout", "60"], keep: { transferStatus: word("Status") } },
	{
		title: "Pay a beneficiary",
		words: ["beneficiary", "list", "--end-user-id", "{corporate}"],
		keep: { beneficiary: idOf("Example") },
	},
	{
		words: [
			...["pay", "beneficiary", "--from", "{main}", "--to", "{beneficiary}"],
			...["--amount", "250.00", "--reference", "Invoice 2041", "--yes"],
		],
		keep: { payment: afterLabel("Transaction") },
	},
	{ words: ["pay", "show", "{payment}", "--wait", "--wait-timeout", "60"], keep: { paymentStatus: word("Status") } },
];
