/**
 * Masks personal data in a bundle of evidence by an allow-list, so that an unknown field is hidden. Pure.
 */
import type { Received } from "../../api/answer.js";
import { Decimal } from "../../api/json.js";
import { viewRelated } from "../../api/operations/related.js";
import { isRecord } from "../../api/schema.js";

const hidden = "***";

/** Fields whose values are never personal. */
const open = new Set(
	[
		"id corporateId accountOwnerId corporateRelatedId version type language downloadUrl ttl status kybStatus kycStatus",
		"corporateName registeredName tradeName incorporationCountry incorporationCode incorporationDate website industry",
		"employeesRange currency termsAccepted lastTermsAccepted creationDate updateDate createdAt updatedAt",
		"isDirector isUbo isAccountOwner verified emailAddressVerified phoneVerified directSharesPercentage finalSharesPercentage layer",
		"ownedCorporateId totalElements page pageSize kyb kyc",
	].flatMap((line) => line.split(" ")),
);

/** Fields of a company whose direct content is public too. Addresses of companies are public; those of persons are not. */
const ofCompany = new Set(["registeredAddress", "businessAddress", "legalType", "expectedMonthlyExpenses", "ownedCorporate"]);

/** Fields whose `value` is a status; elsewhere a value may be personal, as may a reason. */
const statuses = new Set(["status", "kyb", "kyc"]);

/** A copy of an answer in which all values are masked but those on the list; the names of fields stay. */
export function masked(value: unknown, shown = false, parent = ""): unknown {
	if (Array.isArray(value)) return value.map((part) => masked(part, shown, parent));
	if (isRecord(value)) {
		const isCompany = value.corporateName !== undefined || value.registeredName !== undefined || value.type === "COMPANY";
		return Object.fromEntries(
			Object.entries(value).map(([name, part]) => [
				name,
				masked(part, isOpen(name, parent) || (isCompany && name === "externalId") || (ofCompany.has(parent) && isPlain(part)), name),
			]),
		);
	}
	return value === null || value === undefined || shown ? value : hidden;
}

/** Persons whose names are masked, told apart by numbers in the order of the service's list: `Person 2`. Companies keep their names. */
export function numbered(records: readonly Received[]): Received[] {
	let persons = 0;
	return records.map((record) => {
		if (viewRelated(record).isCompany || record.type === "COMPANY") return record;
		persons += 1;
		return { ...record, firstName: "Person", lastName: String(persons) };
	});
}

const isOpen = (name: string, parent: string): boolean =>
	open.has(name) || ofCompany.has(name) || (name === "value" && statuses.has(parent));

const isPlain = (value: unknown): boolean => typeof value !== "object" || value instanceof Decimal;

/** Every text that {@link masked} hides, longest first. */
export function hiddenTexts(value: unknown): string[] {
	const found = new Set<string>();
	gather(value, masked(value), found);
	return [...found]
		.map((text) => text.normalize("NFC"))
		.filter((text) => text.trim().length > 1)
		.sort((one, other) => other.length - one.length);
}

function gather(value: unknown, beside: unknown, into: Set<string>): void {
	if (Array.isArray(value)) {
		for (const [at, part] of value.entries()) gather(part, (beside as unknown[])[at], into);
		return;
	}
	if (isRecord(value)) {
		for (const [name, part] of Object.entries(value)) gather(part, (beside as Record<string, unknown>)[name], into);
		return;
	}
	if (beside !== hidden || typeof value === "boolean") return;
	into.add(value instanceof Decimal ? value.text : String(value));
}

/** Most hidden texts that are looked for in a page's lines; a page that holds more is hidden as a whole. */
const mostHidden = 5_000;

/** Two texts are equal in this form if a regular expression with the flags `iu` takes them for the same. */
const folded = (text: string): string => text.toLowerCase().toUpperCase();

/** The words of a text: a hidden text is found only where each of its words is a whole word of the page. */
const runsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu)?.map(folded) ?? [];

/** Whole words only. */
const wordsOf = (text: string): string => `(?<![\\p{L}\\p{N}])${text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\p{N}])`;

/** Lines without the hidden texts, and without what looks like an email address or a long number. */
export function maskedLines(lines: readonly string[], hide: readonly string[]): string[] {
	const normal = lines.map((line) => line.normalize("NFC"));
	// Records can hide hundreds of thousands of texts, of which a page has few: an expression for each would take minutes.
	const page = normal.map(folded).join("\n");
	const runs = new Set(normal.flatMap(runsOf));
	const possible = hide.filter((word) => !word.includes("\n") && runsOf(word).every((run) => runs.has(run)));
	if (possible.length > mostHidden) return lines.map(() => hidden);
	const words = possible.filter((word) => page.includes(folded(word))).map((word) => new RegExp(wordsOf(word), "giu"));
	return normal.map((line) =>
		words
			.reduce((text, word) => text.replace(word, hidden), line)
			.replace(/[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+/g, hidden)
			.replace(/(?<![\w-])\+?\d[\d ]{7,}\d(?![\w-])/g, hidden),
	);
}
