/**
 * In which form, and with which values, a field of theirs is written: only where the document tells it. What it does not tell is open.
 */
import { idKindOf } from "../api/text/ids.js";
import { beneficiaryStatuses, kybStatuses, ledgerStatuses, transactionStatuses } from "../api/values.js";
import type { TheirField } from "./document.js";
import { isSwitch, type OurField } from "./fields.js";
import { open } from "./file.js";
import { dayForms } from "./request/forms.js";
import { wordsOf } from "./words.js";

/** What stands beside a place in the file, with what is asked where it is open. */
export interface WrittenAs {
	form?: string;
	values?: Readonly<Record<string, string>> | typeof open;
	asked?: string;
}

/** What speaks of minor units; where only a document's introduction does, an amount that says nothing may be in them or not. */
export const minor = /\bminor\b|\bcents?\b|centimes?\b|\bpence\b|\bsmallest\b|\brappen\b|\bgrosz|\böre\b|\bsub-?units?\b/i;
/** Words that say something else of an amount, or the contrary. */
const odd =
	/\bmajor\b|implied|thousand|hundredth|\bmills?\b|multipl|without|\bno decimal|\b(not|never|instead|rather)\b|\b10{2,}\b|basis|percent/i;

/** "" where it is written as ours is; undefined where nobody tells. */
type FormOf = (theirs: TheirField, said: string, isMinor: boolean) => string | undefined;

const amountForm: FormOf = ({ type, format = "", pattern = ".", example = "" }, said, isMinor) => {
	if (odd.test(said) || (isMinor && !minor.test(said))) return undefined;
	if (minor.test(said)) return type === "integer" ? "minor-units" : undefined;
	const isWhole = /int/.test(format) || !/[.,]/.test(pattern.replace(/\{[^}]*\}/g, "")) || /^\d{3,}$/.test(example);
	return isWhole ? undefined : type === "number" ? "" : type === "text" ? "text" : undefined;
};
const dateForm =
	(wanted: "date" | "date-time"): FormOf =>
	({ type, format }) =>
		type === "text" && format === wanted ? "" : undefined;
const countryForm: FormOf = ({ longest, pattern }) =>
	pattern === "^[A-Z]{3}$" ? "" : longest === "2" || pattern === "^[A-Z]{2}$" ? "alpha-2" : undefined;
const phoneForm: FormOf = ({ format }) => (format === "e164" ? "e164" : undefined);

/** Of which fields of ours the form is asked, what is asked, and what the document tells. */
const forms: readonly [RegExp, string, FormOf][] = [
	[/amount$/i, "how is 12.34 written? number, text or minor-units", amountForm],
	[/^(creation|update)Date$/, `${dayForms.join(", ")}, epoch-seconds or epoch-milliseconds`, dateForm("date-time")],
	[/Date$/, `${dayForms.join(", ")}, epoch-seconds or epoch-milliseconds`, dateForm("date")],
	[/(^|\.)(isoCountryCode|incorporationCountry|nationality)$/, "alpha-2 where they write FR; leave form out for FRA", countryForm],
	[/(^|\.)phone$/, "e164 where they write +33639980001", phoneForm],
];

/** Statuses on which something depends: a word of theirs that is one of ours may mean another thing. */
const statuses: Readonly<Record<string, readonly string[]>> = {
	...{ "corporate.kybStatus": kybStatuses, "transaction.status": transactionStatuses },
	...{ "ledger.status": ledgerStatuses, "beneficiary.status": beneficiaryStatuses },
};

/**
 * @param said of theirs and of what stands around it
 * @param all of the document or the request: whether its introduction speaks of minor units, and whether it is JSON
 */
export function writtenAs(
	id: string,
	ours: OurField,
	theirs: TheirField,
	said: string,
	all: Record<"isMinor" | "isJson", boolean>,
): WrittenAs {
	const { name, field } = ours;
	const [, asked = "", formOf] = forms.find(([form]) => form.test(name)) ?? [];
	const form = formOf?.(theirs, `${wordsOf(theirs.path.join(" ")).join(" ")} ${said}`, all.isMinor);
	if (formOf !== undefined) return form === undefined ? { form: open, asked } : form === "" ? {} : { form };
	if (Object.hasOwn(idKindOf, name)) return all.isJson && field !== undefined && theirs.type === "integer" ? { form: "number" } : {};
	if (/^(boolean|object)$/.test(theirs.type) || /currency$/.test(name)) return {};
	const status = /status$/i.test(name) ? (statuses[`${id.split(".")[0]}.${name}`] ?? []) : undefined;
	const values = status ?? (isSwitch(ours) ? ["true", "false"] : (field?.choices ?? field?.meta.known));
	return values === undefined ? {} : valuesOf(values, theirs.values, status !== undefined);
}

function valuesOf(ours: readonly string[], theirs: readonly string[] | undefined, isStatus: boolean): WrittenAs {
	if (theirs === undefined || ours.length === 0)
		return {
			values: open,
			asked: `which are theirs (${theirs?.join(", ") ?? "not told"}) of ours? Leave values out where they are the same`,
		};
	const plain = (value: string): string => value.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
	const isAll = theirs.every((value) => ours.some((one) => plain(one) === plain(value)));
	if (theirs.every((value) => ours.includes(value)) && ours[0] !== "true") return {};
	const equal = (value: string): string | undefined => theirs.find((one) => plain(one) === plain(value));
	const pairs = ours.map((value): [string, string] => [value, (isStatus && !isAll ? undefined : equal(value)) ?? open]);
	const told = isAll ? pairs.filter(([, value]) => value !== open) : pairs;
	return { values: Object.fromEntries(told), asked: `theirs: ${theirs.slice(0, 60).join(", ")}` };
}
