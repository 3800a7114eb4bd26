/**
 * The sessions of an agent's day, in the order of a first day. Each goes on where the one before it ended.
 */
import { answers, clear, type Desk, interrupt, keys, picks } from "./desk.js";

/** Another profile, on another configuration. */
export type Live = Record<string, string>;

/** No profile: what there is to do, a sandbox, and the home. */
async function firstStart(desk: Desk): Promise<void> {
	await desk.types("purser");
	// Port 0, so that several can run at once.
	await desk.starts("purser sandbox serve --save-profile sandbox --port 0", "Ctrl-C stops it");
	await desk.types("purser");
}

/** All steps: back, Ctrl-C, and on from there. */
async function wizard(desk: Desk): Promise<void> {
	await desk.types("purser onboard start", [
		picks("Has the account owner seen and accepted", "", "No"),
		answers("Your reference for this company", "crm-wrong"),
		answers("Official name", "<"),
		keys("Your reference for this company", clear),
		answers("crm-wrong", "crm-5002"),
		answers("Official name", "Example Florist GmbH"),
		keys("Country of registration", interrupt),
	]);
	const yes = (question: string) => answers(question, "");
	await desk.types("purser onboard resume", [
		picks("Country of registration", "germ", "Germany"),
		answers("Official incorporation code", "HRB 1"),
		answers("Date of incorporation", "2023-02-30"),
		keys("Is not a valid date", clear),
		answers("2023-02-30", "2023-02-28"),
		picks("Industry", "taxi", "transport taxi services chauffeur"),
		keys("Country", "\r"),
		...["City", "Postal code", "Street", "House number"].map((label) => answers(`${label} (optional)`, "")),
		picks("Range of monthly expenses", "", "LESS_THAN_10_000"),
		picks("Currency of the range", "", "EUR"),
		answers("First name", "Grace"),
		answers("Last name", "Florist"),
		answers("Email", "grace@example.com"),
		answers("Position", "CEO"),
		picks("Role of the account owner", "b", "Both director and owner (UBO)"),
		answers("Phone (like +33 639980001", ""),
		answers("Shares of the company", "100"),
		...["Name of a company", "First name of a person", "Once it is created"].map(yes),
		picks("Is everything correct?", "", "Send it now"),
		keys("Have you read this due-diligence review", interrupt),
	]);
}

/** The same line on a sandbox and on live: the banner, the question, No. */
async function liveBeside(desk: Desk, live: Live): Promise<void> {
	const line = 'purser pay ledger --from "Main account" --to Savings --amount 10.00';
	await desk.types(line, [answers("(y/N)", "n")]);
	await desk.types(line, [answers("(y/N)", "n")], live);
	await desk.types("purser email send-link 22222222-2222-4222-8222-222222222222", [answers("(y/N)", "n")], live);
	await desk.types(`${line} --yes`, [], { ...live, PURSER_NO_INPUT: "1" });
}

export const walks = { "first-start": firstStart, wizard, "live-beside-sandbox": liveBeside } as const satisfies Record<
	string,
	(desk: Desk, live: Live) => Promise<void>
>;

export type WalkName = keyof typeof walks;
