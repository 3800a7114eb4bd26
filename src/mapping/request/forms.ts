/**
 * The forms that a deployment may write a value in. Each is exact in both directions: a value that cannot be written so that it is read
 * back as the same is refused, and one that cannot be read is left out. Pure.
 */
import { decimalsOf, fromMinor, toMinor } from "../../api/amount.js";
import { Decimal } from "../../api/json.js";
import { splitPhone } from "../../api/phones.js";
import { isRecord } from "../../api/schema.js";
import { countries, countriesInTwoLetters } from "../../api/values.js";
import type { Form, MappedValue, TheirValue } from "../../ports/mapping.js";

/** Forms of a day, and all forms, as they are named in a mapping. */
export const dayForms = ["YYYY-MM-DD", "YYYYMMDD", "DD/MM/YYYY", "DD.MM.YYYY", "MM/DD/YYYY"] as const satisfies readonly Form[];
const decimalForms = ["number", "text", "minor-units"] as const satisfies readonly Form[];
type DecimalForm = (typeof decimalForms)[number];
const otherForms = ["alpha-2", "e164", "epoch-seconds", "epoch-milliseconds"] as const satisfies readonly Form[];
export const forms = [...decimalForms, ...otherForms, ...dayForms] as const;

/** That a value cannot be written in the deployment's form; the message says why. */
export class Unwritable extends Error {
	override readonly name = "Unwritable";
}

/** That an amount is written in minor units of a currency that nobody tells. */
export class CurrencyUnknown extends Unwritable {}

const decimalText = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The digits of a number or a text. */
function textOf(value: unknown): string | undefined {
	if (value instanceof Decimal) return value.text;
	return typeof value === "string" ? value : undefined;
}

/**
 * A value of ours in the deployment's form.
 * @param currency of an amount in minor units, where it is known
 * @throws Unwritable
 */
export function written(value: unknown, mapped: MappedValue, currency: string | undefined): unknown {
	const { form, values } = mapped;
	if (Array.isArray(value)) return value.map((one) => written(one, mapped, currency));
	if (values !== undefined) {
		const [first] = theirsOf(values, String(value));
		if (first !== undefined) return first;
		throw new Unwritable(`${value} is none of the values that this deployment takes: ${Object.keys(values).join(", ")}`);
	}
	if (form === undefined) return value;
	if (form === "e164") return writtenPhone(value);
	const text = textOf(value);
	if (text === undefined) throw new Unwritable("must be a text or a number");
	if (form === "alpha-2") {
		const code = countriesInTwoLetters[countries.indexOf(text)];
		if (code === undefined) throw new Unwritable(`${text} is no country that has a code of two letters`);
		return code;
	}
	return isDecimal(form) ? writtenDecimal(text, form, mapped, currency) : writtenMoment(text, form);
}

const isDecimal = (form: Form): form is DecimalForm => (decimalForms as readonly Form[]).includes(form);

type Values = NonNullable<MappedValue["values"]>;

/** All values of theirs that one of ours is. */
const theirsOf = (values: Values, name: string): readonly TheirValue[] =>
	Object.hasOwn(values, name) ? ([values[name]].flat() as TheirValue[]) : [];

/** A phone (specification 2.3) as one text, `+33639980001`. */
function writtenPhone(value: unknown): string {
	const { countryCode, number } = isRecord(value) ? value : {};
	if (typeof countryCode !== "string" || typeof number !== "string") throw new Unwritable("must have a dialling code and a number");
	const text = `+${countryCode.replace(/^\+/, "")}${number}`;
	const back = splitPhone(text);
	if (back?.number !== number) throw new Unwritable(`${text} would be read with another dialling code`);
	return text;
}

/**
 * Whether the currency of the mapping and that of the payment or the record are both known and differ: minor units of one may be a hundred
 * times those of the other.
 */
const isContradictory = ({ currency }: MappedValue, known: string | undefined): boolean =>
	currency !== undefined && known !== undefined && currency !== known;

function writtenDecimal(text: string, form: DecimalForm, mapped: MappedValue, currency: string | undefined): unknown {
	if (!decimalText.test(text)) {
		// A text of ours that is no number stays the text that it is.
		if (form === "text") return text;
		throw new Unwritable(`${text} is not a decimal number`);
	}
	if (form === "number") return new Decimal(text);
	if (form === "text") return text;
	if (isContradictory(mapped, currency))
		throw new Unwritable(`the deployment takes minor units of ${mapped.currency}, and this amount is in ${currency}`);
	const known = mapped.currency ?? currency;
	const decimals = decimalsOf(known);
	if (decimals === undefined) throw new CurrencyUnknown("the deployment takes minor units, and the currency is not known");
	try {
		return new Decimal(toMinor(text, decimals).toString());
	} catch {
		throw new Unwritable(`${text} has more decimals than ${known} has`);
	}
}

function writtenMoment(text: string, form: Form): unknown {
	if (form === "epoch-seconds" || form === "epoch-milliseconds") {
		const at = Date.parse(text);
		if (Number.isNaN(at)) throw new Unwritable(`${text} is not a time`);
		if (form === "epoch-milliseconds") return new Decimal(String(at));
		if (at % 1000 !== 0) throw new Unwritable(`${text} is not a whole second`);
		return new Decimal(String(at / 1000));
	}
	const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
	if (day === null) throw new Unwritable(`${text} is not a date`);
	const [, year = "", month = "", date = ""] = day;
	return form.replace("YYYY", year).replace("MM", month).replace("DD", date);
}

/** Hours by which a day begins elsewhere before it begins in UTC, and after it. */
const [hoursEast, hoursWest] = [14, 12];

/**
 * A border of a period, where the deployment's form cannot say it exactly: the next one with which a list shows no less than was asked for. A
 * day may begin in any time zone.
 */
export function widened(moment: unknown, { form }: MappedValue, border: "start" | "end"): unknown {
	const at = typeof moment === "string" && !/^\d{4}-\d{2}-\d{2}$/.test(moment) ? Date.parse(moment) : Number.NaN;
	if (form === undefined || form === "epoch-milliseconds" || Number.isNaN(at)) return moment;
	const second = 1000;
	if (form === "epoch-seconds")
		return new Date((border === "start" ? Math.floor(at / second) : Math.ceil(at / second)) * second).toISOString();
	const [hour, day] = [3600 * second, 24 * 3600 * second];
	const days = border === "start" ? Math.floor((at - hoursWest * hour) / day) : Math.ceil((at + hoursEast * hour) / day);
	return new Date(days * day).toISOString().slice(0, 10);
}

/**
 * A value of the deployment's in our form; undefined where it cannot be read. A value that the deployment's list does not have, and that
 * ours has, is marked, because it means something else there.
 * @param currency of an amount in minor units, where it is known
 */
export function read(value: unknown, mapped: MappedValue, currency: string | undefined): unknown {
	const { form, values } = mapped;
	// What is yes or no with us may be one word among several with them.
	if (Array.isArray(value) && values !== undefined && Object.hasOwn(values, "true"))
		return value.some((one) => readListed(one, values) === true);
	if (Array.isArray(value)) return value.map((one) => read(one, mapped, currency));
	if (value === null) return null;
	if (values !== undefined) return readListed(value, values);
	if (form === undefined) return value;
	const text = textOf(value);
	if (text === undefined) return undefined;
	if (form === "e164") return splitPhone(text);
	if (form === "alpha-2") return countries[countriesInTwoLetters.indexOf(text)];
	return isDecimal(form) ? readDecimal(text, form, mapped, currency) : readMoment(text, form);
}

function readListed(value: unknown, values: Values): unknown {
	const text = textOf(value) ?? String(value);
	const isBoolean = Object.keys(values).every((name) => name === "true" || name === "false");
	const ours = Object.keys(values).find((name) => theirsOf(values, name).some((theirs) => String(theirs) === text));
	// Where only what means yes is listed, everything else means no.
	if (isBoolean) return ours === undefined ? (Object.hasOwn(values, "false") ? undefined : false) : ours === "true";
	return ours ?? (Object.hasOwn(values, text) ? `OTHER_${text}` : value);
}

function readDecimal(text: string, form: DecimalForm, mapped: MappedValue, currency: string | undefined): Decimal | string | undefined {
	if (form !== "minor-units") return decimalText.test(text) ? new Decimal(text) : form === "text" ? text : undefined;
	const decimals = isContradictory(mapped, currency) ? undefined : decimalsOf(mapped.currency ?? currency);
	return decimals === undefined || !/^-?\d{1,18}$/.test(text) ? undefined : new Decimal(fromMinor(BigInt(text), decimals));
}

function readMoment(text: string, form: Form): string | undefined {
	if (form === "epoch-seconds" || form === "epoch-milliseconds") {
		if (!/^\d{1,15}$/.test(text)) return undefined;
		const at = new Date(form === "epoch-seconds" ? Number(text) * 1000 : Number(text));
		return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
	}
	// Year, month and day stand where the form's name has them, with the same characters between them.
	const digits = form.replace(/[A-Z]/g, "0");
	const partAt = (name: string): string => text.slice(form.indexOf(name), form.indexOf(name) + name.length);
	return text.replace(/\d/g, "0") === digits ? `${partAt("YYYY")}-${partAt("MM")}-${partAt("DD")}` : undefined;
}

/** A time that a deployment tells without its zone. */
const local = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/;

/** Whether a zone is `UTC`, an offset, or a name that this machine knows. */
export function isZone(zone: string): boolean {
	if (/^[+-]\d{2}:\d{2}$/.test(zone)) return true;
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone });
		return true;
	} catch {
		return false;
	}
}

/** A time with the zone that it has there; as it is, where it has one already, is no time, or the hour came twice that day. */
export function inZone(time: unknown, zone: string): unknown {
	const [, date, clock] = typeof time === "string" ? (local.exec(time) ?? []) : [];
	const near = Date.parse(`${date}T${clock}Z`);
	if (date === undefined || Number.isNaN(near)) return time;
	if (/^[+-]/.test(zone)) return `${date}T${clock}${zone}`;
	const day = 24 * 3_600_000;
	const offsets = new Set([near - day, near + day].map((moment) => offsetAt(moment, zone)));
	const fitting = [...offsets].map((offset) => `${date}T${clock}${offset}`).filter((one) => one.endsWith(offsetAt(Date.parse(one), zone)));
	return fitting.length === 1 ? fitting[0] : time;
}

/** By how much a zone is ahead of UTC at a moment: `+02:00`. */
function offsetAt(moment: number, zone: string): string {
	const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(moment);
	const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
	return /^GMT([+-]\d{2}:\d{2})/.exec(name)?.[1] ?? "+00:00";
}
