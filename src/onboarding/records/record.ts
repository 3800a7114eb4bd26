/**
 * Records of the service as rows: every field is shown, described or not.
 */
import { type Received, textAt } from "../../api/answer.js";
import { Decimal } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { wordsOf } from "../../api/titles.js";

export type RecordRow = readonly [string, string | undefined];

const maxRows = 80;
/** Characters of a field's name that are shown. */
const maxNameLength = 100;

/** `incorporationCode` → `Incorporation code`, `phone.countryCode` → `Phone country code`. */
export function labelOf(path: string): string {
	const words = wordsOf(path.replaceAll(".", " "));
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Rows for the fields of a record that are not among `shown` (dotted paths; a parent covers its fields). */
export function otherRows(record: Received, shown: readonly string[]): RecordRow[] {
	const found: Found = { rows: [], more: 0 };
	gather(record, "", new Set(shown), found);
	return found.more === 0 ? found.rows : [...found.rows, ["…", `${found.more} more fields; see them with --json`]];
}

interface Found {
	rows: RecordRow[];
	/** Fields beyond {@link maxRows}, which are counted only. */
	more: number;
}

function gather(value: unknown, path: string, shown: ReadonlySet<string>, found: Found): void {
	if (value === null || value === undefined || value === "" || shown.has(path)) return;
	if (isRecord(value)) {
		const whole = path === "" ? undefined : (addressLine(value) ?? rangeLine(value));
		if (whole !== undefined) {
			put(found, path, () => whole);
			return;
		}
		for (const [key, part] of Object.entries(value)) {
			const name = key.slice(0, maxNameLength);
			gather(part, path ? `${path}.${name}` : name, shown, found);
		}
		return;
	}
	if (!Array.isArray(value)) put(found, path, () => onLine(value));
	else if (value.length > 0) put(found, path, () => value.map(onLine).join(", "));
}

function put(found: Found, path: string, text: () => string): void {
	if (found.rows.length < maxRows) found.rows.push([labelOf(path), text()]);
	else found.more += 1;
}

/** An address (specification 2.2) on one line. */
function addressLine(value: Received): string | undefined {
	const parts = ["number", "street", "refinement", "postalCode", "city", "stateOrProvince", "isoCountryCode"];
	if (!Object.hasOwn(value, "isoCountryCode") || !Object.entries(value).every(([key, part]) => parts.includes(key) && isPlain(part)))
		return undefined;
	const joined = (...names: string[]) =>
		names
			.map((name) => textAt(value, name))
			.filter(Boolean)
			.join(" ");
	return [
		joined("number", "street"),
		joined("refinement"),
		joined("postalCode", "city"),
		joined("stateOrProvince"),
		joined("isoCountryCode"),
	]
		.filter(Boolean)
		.join(", ");
}

/** A value with its currency (specification 2.1) on one line. */
function rangeLine(value: Received): string | undefined {
	const keys = Object.keys(value).sort().join(" ");
	return keys === "currency value" && Object.values(value).every(isPlain)
		? [textAt(value, "value"), textAt(value, "currency")].filter(Boolean).join(" ")
		: undefined;
}

const isPlain = (value: unknown): boolean => value === null || typeof value === "string";

function onLine(value: unknown): string {
	if (typeof value === "boolean") return value ? "yes" : "no";
	if (value instanceof Decimal) return value.text;
	if (typeof value === "string") return value;
	return textAt({ value }, "value") ?? "";
}

/** Undefined where the service does not say. */
export function yesNo(value: boolean | undefined): string | undefined {
	return value === undefined ? undefined : value ? "yes" : "no";
}
