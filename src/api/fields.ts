/**
 * Field schemas that operations share. Each call makes a schema of its own, since descriptions are attached to instances.
 */
import * as z from "zod/mini";
import { amountFault } from "./amount.js";
import { countryCode, countryFault, countryRemark } from "./countries.js";
import { formatJson } from "./json.js";
import { secondsOf } from "./quantity.js";
import { type FieldMeta, field } from "./schema.js";
import { suggestionFor } from "./suggest.js";
import { type IdKind, idFault } from "./text/ids.js";
import { shownCharacter } from "./text/sanitize.js";
import { dateFault, edgeRemark, emptyFault, isRelativeMoment, lineFault, momentForms, shownTime } from "./typed.js";

/** What a field has apart from its description. */
export type FieldOptions = Omit<FieldMeta, "description">;

const utf8 = new TextEncoder();

type FaultOf<T> = (value: T) => string | undefined;

/** The check by a function whose answer says what is wrong. */
export const without = <T>(faultOf: FaultOf<T>) =>
	z.superRefine<T>((value, context) => {
		const message = faultOf(value);
		if (message) context.addIssue({ code: "custom", message });
	});

export const textWithout = (faultOf: FaultOf<string>) => z.string().check(without(faultOf));

/** The same of text that people write: it is checked, compared and sent composed (NFC). */
export const writtenWithout = (faultOf: FaultOf<string>) => z.string().check(z.normalize("NFC"), without(faultOf));

/** Text of at most so many characters in which a function finds no fault, lines and control characters apart. */
function written(description: string, most: number, say: FieldOptions, faultOf: FaultOf<string> = () => undefined) {
	return field(
		writtenWithout((value) => faultOf(value) ?? lineFault(value) ?? lengthFault(value, most)),
		{ description, warn: (value: string) => edgeRemark(value) ?? lengthRemark(value, most), ...say },
	);
}

/**
 * Text of 0..`most` characters. The specification does not say what a character is (section 8): UTF-8 bytes within the limit pass silently, code
 * points beyond it fail, and what lies between passes with a warning.
 */
export const text = (description: string, most: number, say: FieldOptions = {}) =>
	written(`${description} (0..${most} characters)`, most, say);

/** One line of text that a person reads, with no limit in the specification: a name, a street. */
export const line = (description: string, say: FieldOptions = {}) => written(description, Number.POSITIVE_INFINITY, say);

/** A name of somebody or of a company, which is never empty. @param most characters, where the specification has a limit */
export const name = (description: string, say: FieldOptions = {}, most = Number.POSITIVE_INFINITY) =>
	written(most === Number.POSITIVE_INFINITY ? description : `${description} (1..${most} characters)`, most, say, emptyFault);

function lengthFault(value: string, most: number): string | undefined {
	const { length } = [...value];
	return length > most ? `has ${length} characters; at most ${most} are allowed` : undefined;
}

function lengthRemark(value: string, most: number): string | undefined {
	const bytes = utf8.encode(value).length;
	if (bytes <= most) return undefined;
	return `has ${[...value].length} characters but ${bytes} bytes; a deployment that counts bytes allows ${most}`;
}

/** Text with no limit in the specification. */
export function plain(description: string, say: FieldOptions = {}) {
	return field(z.string(), { description, ...say });
}

/** Text of a form of its own. @param must what it must be, in words */
export function formed(pattern: RegExp, must: string, description: string, say: FieldOptions = {}) {
	return field(z.string().check(z.regex(pattern, `must be ${must}`)), { description, ...say });
}

/** The path of a file or a folder, as the system reads it. */
export function filePath(description: string, say: FieldOptions = {}) {
	return field(
		textWithout((value) => (value === "" ? "is empty; a path is needed" : undefined)),
		{ description, ...say },
	);
}

/** An input that is also taken from a file, by `--file`. */
export function fromFile<S extends z.ZodMiniType>(input: S): S {
	return field(input, { description: "", document: true });
}

/** A flag that is off where it is not given. */
export function flag(description: string, say: FieldOptions = {}) {
	return z._default(field(z.boolean(), { description, ...say }), false);
}

/**
 * The id of a record of the service: a UUID in the usual 8-4-4-4-12 form, of any version (specification 2), or what the profile's form of
 * its kind allows, where the check runs with that.
 */
export function id(kind: IdKind, description: string, say: FieldOptions = {}) {
	return field(
		textWithout((value) => idFault(kind, value)),
		{ description, placeholder: "uuid", id: kind, ...say },
	);
}

/** The same as the command's argument, or a segment of a path. */
export function identifier(kind: IdKind, description: string, say: FieldOptions = {}) {
	return id(kind, description, { positional: true, ...say });
}

/** `^[.'a-zA-ZÀ-ÿ0-9,? ]*$`, 0..18 characters (specification 2.7, 2.8); composed (NFC) first; the range has × and ÷ in it. */
export function reference() {
	return field(
		writtenWithout((value) => {
			const odd = [...value].find((character) => !/^[.'a-zA-ZÀ-ÿ0-9,? ]$/.test(character));
			if (odd !== undefined) return `has the character ${shownCharacter(odd)}; allowed are letters (À-ÿ too), digits, space and . ' , ?`;
			return lengthFault(value, 18);
		}),
		{
			description: "What the payee reads (0..18 characters: letters, digits, space and . ' , ?)",
			placeholder: "text",
			example: "Invoice 2041",
			offer: true,
		},
	);
}

/** An amount as text, written on the wire as the same digits. */
export function amount(description: string) {
	return field(textWithout(amountFault), { description, wire: "number", placeholder: "decimal", example: "10.10" });
}

/** A percentage as text, 0 to 100 with at most 15 significant digits, written on the wire as the same digits. */
export function percentage(description: string, say: FieldOptions = {}) {
	return field(
		textWithout((value) => {
			if (!/^(0|[1-9]\d{0,2})(\.\d{1,12})?$/.test(value)) return 'must be a number from 0 to 100 with "." as separator, like 33.5';
			return /^([1-9]\d{2})/.test(value) && !/^100(\.0+)?$/.test(value) ? `is ${value}; a percentage is at most 100` : undefined;
		}),
		{ description, wire: "number", placeholder: "percent", example: "33.5", ...say },
	);
}

/** A calendar date, YYYY-MM-DD, that exists. */
export function date(description: string, say: FieldOptions = {}) {
	return field(textWithout(dateFault), { description, placeholder: "YYYY-MM-DD", ...say });
}

/** A moment, RFC 3339, that exists. */
export function time(description: string, say: FieldOptions = {}) {
	const fault = (value: string) => (isTime(value) ? undefined : "must be a time as RFC 3339, like 2026-03-01T00:00:00Z");
	return field(textWithout(fault), { description, placeholder: "time", ...say });
}

/**
 * A moment in the past as a person types it; see `readMoment`.
 * @param of whether a day is meant from its start, or to its end
 */
export function moment(description: string, of: "start" | "end", say: FieldOptions = {}) {
	const isMoment = (value: string): boolean => isRelativeMoment(value) || isTime(shownTime(value)) || dateFault(value) === undefined;
	const fault = (value: string) => (isMoment(value) ? undefined : `must be one of: ${momentForms}`);
	return field(textWithout(fault), { description, placeholder: "when", moment: of, ...say });
}

function isTime(value: string): boolean {
	return (
		/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(value) &&
		dateFault(value.slice(0, 10)) === undefined &&
		!Number.isNaN(Date.parse(value))
	);
}

/** A country by its English name or a code; the service takes ISO 3166-1 alpha-3. */
export function country(description: string, say: FieldOptions = {}) {
	return field(textWithout(countryFault), {
		description: `${description} (name or code)`,
		placeholder: "country",
		choose: "country",
		example: "FRA",
		read: countryCode,
		warn: countryRemark,
		...say,
	});
}

/** Free JSON object, at most 3000 characters as sent (specification 2.1, 8). */
export function metadata(say: FieldOptions = {}) {
	return field(
		z.record(z.string(), z.unknown()).check(
			without((value) => {
				const { length } = [...formatJson(value)];
				return length > 3000 ? `has ${length} characters as sent; at most 3000 are allowed` : undefined;
			}),
		),
		{
			description: "Custom data: a JSON object, at most 3000 characters as sent",
			placeholder: "json",
			example: '{"tier":"gold"}',
			warn: (value: object) => lengthRemark(formatJson(value), 3000),
			...say,
		},
	);
}

/** A web address a browser can open: https, or http. */
export function url(description: string, say: FieldOptions = {}) {
	const address = z.string().check(z.regex(/^https?:\/\/[^\s]+$/, "must be an http or https address"));
	return field(address, { description, placeholder: "url", ...say });
}

/** The field of a whole length of time in seconds, or like `5m`; {@link secondsOf} reads it. @param most in seconds */
export function span(description: string, most: number, like: string) {
	const fault = (value: string): boolean => !/^[1-9]\d{0,5}[smhd]?$/.test(value) || (secondsOf(value) ?? 0) > most;
	return field(
		textWithout((value) => (fault(value) ? `must be seconds, like ${like}, or a time like 30s, 5m or 2h` : undefined)),
		{ description, placeholder: "seconds" },
	);
}

/** One value of an open list: of the right shape it passes, with a warning when it is not among the known ones. */
export function openChoice(description: string, known: readonly string[], say: FieldOptions = {}) {
	return open(/^[A-Z0-9_]+$/, `must be in capitals, digits and "_", like ${known[0]}`, known, { description, ...say });
}

/** A currency code of three capitals. */
export function currency(description: string, known: readonly string[]) {
	return open(/^[A-Z]{3}$/, "must be a currency code, like EUR", known, { description, example: "EUR", placeholder: "currency" });
}

function open(form: RegExp, fault: string, known: readonly string[], meta: FieldMeta) {
	const warn = (value: string): string | undefined => {
		if (known.includes(value)) return undefined;
		const near = suggestionFor(value, known, 4);
		return `is not among the values known so far; the service may refuse it${near === undefined ? "" : ` (did you mean ${near}?)`}`;
	};
	return field(z.string().check(z.regex(form, fault)), { known, warn, ...meta });
}

/** Maximum number of records in a page. */
export const largestPage = 100;

/** A number that travels as text and may be left out. */
export const numberIn = (form: RegExp, fault: string, description: string) =>
	z.optional(field(z.string().check(z.regex(form, fault)), { description, placeholder: "number" }));

/** Query fields of every list. */
export const paging = () => ({
	page: numberIn(/^\d{1,9}$/, "must be a whole number from 0", "Page, from 0"),
	pageSize: numberIn(/^([1-9]\d?|100)$/, `must be a whole number from 1 to ${largestPage}`, `Records a page, at most ${largestPage}`),
	sortDirection: z.optional(field(z.enum(["ASC", "DESC"]), { description: "Order" })),
});

export type FieldFault = readonly [field: string, message: string];

/** An input whose fields fit each other. @param faultsOf what does not, each under its field */
export function fitting<S extends z.ZodMiniType>(input: S, faultsOf: (given: z.output<S>) => readonly (FieldFault | false | undefined)[]) {
	return input.check(
		z.superRefine((given, check) => {
			for (const fault of faultsOf(given)) if (fault) check.addIssue({ code: "custom", path: [fault[0]], message: fault[1] });
		}),
	);
}

/** What lifts a guard goes with a reason, and a reason with it. */
export function despiteFaults({ despite, reason }: { despite?: unknown; reason?: string }): FieldFault[] {
	if (despite !== undefined && !reason?.trim()) return [["reason", "is required with --despite, for the record"]];
	return despite === undefined && reason !== undefined ? [["despite", "is required with --reason"]] : [];
}

/** Why somebody decides something, which is kept on record: at most 500 characters. */
export const reasonField = () =>
	field(
		z.string().check(
			z.regex(/\S/, "must say why: it is kept on record"),
			z.refine((text) => [...text].length <= 500, "must have at most 500 characters"),
		),
		{ description: "Why, for the record; no personal data", placeholder: "text" },
	);
