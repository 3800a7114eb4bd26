/**
 * The forms that a deployment may write a value in. Each is exact in both directions: a value that cannot be written so that it is read
 * back as the same is refused, and one that cannot be read is left out.
 */
import { decimalsOf, fromMinor, toMinor } from "../api/amount.js";
import { Decimal } from "../api/json.js";
import type { BoundValue, Codec } from "../ports/binding.js";

/** All of them, as they are named in a binding. */
export const codecs: readonly Codec[] = [
	"number",
	"decimal-text",
	"minor-units",
	"boolean-text",
	"date:YYYY-MM-DD",
	"date:YYYYMMDD",
	"date:DD/MM/YYYY",
	"date:DD.MM.YYYY",
	"date:MM/DD/YYYY",
	"epoch-seconds",
	"epoch-milliseconds",
];

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
export function written(value: unknown, bound: BoundValue, currency: string | undefined): unknown {
	const { codec, values } = bound;
	if (Array.isArray(value)) return value.map((one) => written(one, bound, currency));
	if (values !== undefined) return typeof value === "string" ? listed(value, values) : value;
	if (codec === undefined) return value;
	if (codec === "boolean-text") {
		if (typeof value !== "boolean") throw new Unwritable("must be true or false");
		return String(value);
	}
	const text = textOf(value);
	if (text === undefined) throw new Unwritable("must be a text or a number");
	return isDecimal(codec) ? writtenDecimal(text, codec, { bound: bound.currency, known: currency }) : writtenMoment(text, codec);
}

const isDecimal = (codec: Codec): codec is "number" | "decimal-text" | "minor-units" =>
	codec === "number" || codec === "decimal-text" || codec === "minor-units";

function listed(value: string, values: Readonly<Record<string, string>>): string {
	if (Object.hasOwn(values, value)) return values[value] as string;
	if (Object.values(values).includes(value)) throw new Unwritable(`${value} means something else at this deployment`);
	return value;
}

/** What an amount is in: by the binding, and by what is known of the payment or the record. */
interface Currencies {
	bound: string | undefined;
	known: string | undefined;
}

/** Whether both are told and differ: minor units of one currency may be a hundred times those of the other. */
const isContradictory = ({ bound, known }: Currencies): boolean => bound !== undefined && known !== undefined && bound !== known;

function writtenDecimal(text: string, codec: "number" | "decimal-text" | "minor-units", currencies: Currencies): unknown {
	if (!decimalText.test(text)) throw new Unwritable(`${text} is not a decimal number`);
	if (codec === "number") return new Decimal(text);
	if (codec === "decimal-text") return text;
	const { bound, known } = currencies;
	if (isContradictory(currencies)) throw new Unwritable(`the deployment takes minor units of ${bound}, and this amount is in ${known}`);
	return inMinorUnits(text, bound ?? known);
}

function inMinorUnits(text: string, currency: string | undefined): Decimal {
	const decimals = decimalsOf(currency);
	if (decimals === undefined) throw new CurrencyUnknown("the deployment takes minor units, and the currency is not known");
	try {
		return new Decimal(toMinor(text, decimals).toString());
	} catch {
		throw new Unwritable(`${text} has more decimals than ${currency} has`);
	}
}

function writtenMoment(text: string, codec: Codec): unknown {
	if (codec === "epoch-seconds" || codec === "epoch-milliseconds") {
		const at = Date.parse(text);
		if (Number.isNaN(at)) throw new Unwritable(`${text} is not a time`);
		if (codec === "epoch-milliseconds") return new Decimal(String(at));
		if (at % 1000 !== 0) throw new Unwritable(`${text} is not a whole second`);
		return new Decimal(String(at / 1000));
	}
	const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
	if (day === null) throw new Unwritable(`${text} is not a date`);
	const [, year = "", month = "", date = ""] = day;
	return codec.slice("date:".length).replace("YYYY", year).replace("MM", month).replace("DD", date);
}

/** Hours by which a day begins elsewhere before it begins in UTC, and after it. */
const [hoursEast, hoursWest] = [14, 12];

/**
 * A border of a period, where the deployment's form cannot say it exactly: the next one with which a list shows no less than was asked for. A
 * day may begin in any time zone.
 */
export function widened(moment: unknown, { codec }: BoundValue, border: "start" | "end"): unknown {
	const at = typeof moment === "string" && !/^\d{4}-\d{2}-\d{2}$/.test(moment) ? Date.parse(moment) : Number.NaN;
	if (codec === undefined || Number.isNaN(at)) return moment;
	const second = 1000;
	if (codec.startsWith("epoch-")) {
		if (codec === "epoch-milliseconds") return moment;
		return new Date((border === "start" ? Math.floor(at / second) : Math.ceil(at / second)) * second).toISOString();
	}
	const [hour, day] = [3600 * second, 24 * 3600 * second];
	const days = border === "start" ? Math.floor((at - hoursWest * hour) / day) : Math.ceil((at + hoursEast * hour) / day);
	return new Date(days * day).toISOString().slice(0, 10);
}

/**
 * A value of the deployment's in our form; undefined where it cannot be read. A value that the deployment's list does not know, and that
 * ours does, is marked, because it means something else there.
 * @param currency of an amount in minor units, where it is known
 */
export function read(value: unknown, bound: BoundValue, currency: string | undefined): unknown {
	const { codec, values } = bound;
	if (Array.isArray(value)) return value.map((one) => read(one, bound, currency));
	if (value === null) return null;
	if (values !== undefined) return readListed(value, values);
	if (codec === undefined) return value;
	if (codec === "boolean-text")
		return typeof value === "boolean" ? value : ({ true: true, false: false } as Record<string, unknown>)[String(value)];
	const text = textOf(value);
	if (text === undefined) return undefined;
	return isDecimal(codec) ? readDecimal(text, codec, { bound: bound.currency, known: currency }) : readMoment(text, codec);
}

function readListed(value: unknown, values: Readonly<Record<string, string>>): unknown {
	const text = textOf(value) ?? String(value);
	const ours = Object.entries(values).find(([, theirs]) => theirs === text)?.[0];
	return ours ?? (Object.hasOwn(values, text) ? `OTHER_${text}` : value);
}

function readDecimal(text: string, codec: Codec, currencies: Currencies): Decimal | undefined {
	if (codec !== "minor-units") return decimalText.test(text) ? new Decimal(text) : undefined;
	const decimals = isContradictory(currencies) ? undefined : decimalsOf(currencies.bound ?? currencies.known);
	return decimals === undefined || !/^-?\d{1,18}$/.test(text) ? undefined : new Decimal(fromMinor(BigInt(text), decimals));
}

const dayForms: Readonly<Record<string, RegExp>> = {
	"date:YYYY-MM-DD": /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
	"date:YYYYMMDD": /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
	"date:DD/MM/YYYY": /^(?<day>\d{2})\/(?<month>\d{2})\/(?<year>\d{4})$/,
	"date:DD.MM.YYYY": /^(?<day>\d{2})\.(?<month>\d{2})\.(?<year>\d{4})$/,
	"date:MM/DD/YYYY": /^(?<month>\d{2})\/(?<day>\d{2})\/(?<year>\d{4})$/,
};

function readMoment(text: string, codec: Codec): string | undefined {
	if (codec === "epoch-seconds" || codec === "epoch-milliseconds") {
		if (!/^\d{1,15}$/.test(text)) return undefined;
		const at = new Date(codec === "epoch-seconds" ? Number(text) * 1000 : Number(text));
		return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
	}
	const parts = dayForms[codec]?.exec(text)?.groups;
	return parts === undefined ? undefined : `${parts.year}-${parts.month}-${parts.day}`;
}
