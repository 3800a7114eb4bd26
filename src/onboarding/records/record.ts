/**
 * Records of the service as rows: every field is shown, described or not.
 */
import { type Received, textAt } from "../../api/answer.js";
import { Decimal } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { wordsOf } from "../../api/titles.js";

export type RecordRow = readonly [string, string | undefined];

const maxRows = 80;

/** `incorporationCode` → `Incorporation code`, `phone.countryCode` → `Phone country code`. */
export function labelOf(path: string): string {
	const words = wordsOf(path.replaceAll(".", " "));
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Rows for the fields of a record that are not among `shown` (dotted paths; a parent covers its fields). */
export function otherRows(record: Received, shown: readonly string[]): RecordRow[] {
	const rows: RecordRow[] = [];
	gather(record, "", new Set(shown), rows);
	return rows.length <= maxRows ? rows : [...rows.slice(0, maxRows), ["…", `${rows.length - maxRows} more fields; see them with --json`]];
}

function gather(value: unknown, path: string, shown: ReadonlySet<string>, rows: RecordRow[]): void {
	if (value === null || value === undefined || value === "" || shown.has(path)) return;
	if (isRecord(value)) {
		const whole = path === "" ? undefined : (addressLine(value) ?? rangeLine(value));
		if (whole !== undefined) {
			rows.push([labelOf(path), whole]);
			return;
		}
		for (const [key, part] of Object.entries(value)) gather(part, path ? `${path}.${key}` : key, shown, rows);
		return;
	}
	if (Array.isArray(value)) {
		if (value.length > 0) rows.push([labelOf(path), value.map(onLine).join(", ")]);
		return;
	}
	rows.push([labelOf(path), onLine(value)]);
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
