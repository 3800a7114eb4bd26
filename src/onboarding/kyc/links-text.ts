/**
 * Obtained KYC links for people.
 */
import { encode, renderUnicodeCompact } from "uqr";
import { type Received, textAt } from "../../api/answer.js";
import type { Style } from "../../ports/style.js";
import { whoseText } from "../records/about.js";
import { addressOf, type LinkRow, type LinkRun } from "./links.js";

type LinkStyle = Pick<Style, "bold" | "good" | "bad" | "warn" | "accent" | "pairs" | "time" | "columns">;

/** Every person with the link, or why there is none; below a link its QR code where it was asked for. */
export function linksText({ links, partial }: LinkRun, qr: boolean, style: LinkStyle): string {
	const count = (...states: LinkRow["state"][]): number => links.filter(({ state }) => states.includes(state)).length;
	const obtained = count("obtained");
	const others = { valid: "still valid from before", refused: "refused", "in doubt": "in doubt", "not sent": "not sent" } as const;
	const counts = Object.entries(others).map(([state, words]) => `${count(state as keyof typeof others)} ${words}`);
	const rest = counts.filter((one) => !one.startsWith("0 "));
	const head = [`${obtained} KYC link${obtained === 1 ? "" : "s"} obtained`, ...rest].join(", ");
	if (links.length === 0)
		return partial ? style.warn("Nobody who was listed needs a KYC link now") : style.good("Nobody needs a KYC link now");
	return [
		count("refused", "in doubt", "not sent") > 0 ? style.bad(head) : style.good(head),
		...links.map((row) => `\n${linkText(row, qr, style)}`),
		...(obtained > 0 ? ["", "Send each link to its person only: whoever opens it does the KYC in their name."] : []),
		...(count("valid") > 0 ? ["", "A link is given only once; to replace a valid one: purser kyc link PERSON."] : []),
	].join("\n");
}

function linkText(row: LinkRow, qr: boolean, style: LinkStyle): string {
	const { name, email, need, state, url, expiresAt, error, relatedPhysicalPersonId } = row;
	const paint = state === "obtained" ? style.good : state === "valid" ? style.warn : style.bad;
	const rows = style.pairs([
		["Person", style.bold(name)],
		["Id", relatedPhysicalPersonId],
		["Email", email],
		["KYC", need === "full" ? "full, with liveness" : "documents only"],
		["State", paint(state === "valid" ? "has a valid link" : state)],
		["Link", url === undefined ? undefined : style.accent(url)],
		["Valid until", style.time(expiresAt)],
		["Failed", error?.message],
		["Code", error?.apiCode],
		["Next", error?.fix],
	]);
	return qr && url !== undefined ? `${rows}\n${qrCode(url, style)}` : rows;
}

/** The answer with one link. */
export interface ObtainedLink extends Received {
	relatedPhysicalPersonId: string;
	name?: string;
	company?: string;
	expiresAt?: string;
}

/** One link for people. */
export function oneLinkText(link: ObtainedLink, style: Style): string {
	const address = addressOf(link);
	if (address === undefined) return style.bad("No KYC link: the service's answer has none; see it with --json");
	return [
		style.good("KYC link obtained"),
		style.pairs([
			["Person", whoseText(link)],
			["Id", link.relatedPhysicalPersonId],
			["Link", style.accent(address)],
			["Valid until", style.time(link.expiresAt) ?? textAt(link, "ttl")],
		]),
		...(link.qr === true ? [qrCode(address, style)] : []),
		"Send the link to this person only: whoever opens it does the KYC in their name.",
	].join("\n");
}

/** Light modules around the code that readers need. */
const border = 2;
/** Maximum length of an address whose code still fits a screen. */
const maxCharacters = 1000;

/** Light modules as full blocks, so that it is read from a dark terminal; half as many lines as modules. */
const qrCode = (address: string, { columns }: LinkStyle): string =>
	address.length <= maxCharacters && encode(address, { border, ecc: "L" }).size <= columns
		? renderUnicodeCompact(address, { border, ecc: "L" })
		: "(the QR code does not fit into this terminal)";
