/**
 * Phones as people write them, `+33 6 39 98 00 01`, and as the service takes them: a dialling code and digits (specification 2.3).
 */
import { Decimal } from "./json.js";
import { type Field, isRecord } from "./schema.js";
import { diallingCodes } from "./values.js";

/** Where a number begins with a 0 from abroad too; elsewhere that is dialled within the country only. */
const zeroBelongs: readonly string[] = ["39", "378", "225", "226", "229", "241", "242"];

const separators = /[\s\u00a0()./\-\u2010-\u2015]/g;

/** `+33639980001` in its parts, by the longest dialling code that fits; they are not free of prefixes of each other (1 and 1242). */
export function splitPhone(text: string): { countryCode: string; number: string } | undefined {
	const digits = /^\+(\d{3,20})$/.exec(text)?.[1];
	const [code] = diallingCodes.filter((one) => digits?.startsWith(one)).sort((one, other) => other.length - one.length);
	return digits === undefined || code === undefined ? undefined : { countryCode: code, number: digits.slice(code.length) };
}

/**
 * A phone as it may be typed, in the service's form: a text with its dialling code (+CC or 00CC), or the two fields, with separators in
 * them. What cannot be told apart stays as it is, for the check to refuse.
 */
export function readPhone(typed: unknown): unknown {
	if (typeof typed === "string") return splitPhone(typed.replace(separators, "").replace(/^00/, "+")) ?? typed;
	if (!isRecord(typed)) return typed;
	const [code, number] = [typed.countryCode, typed.number].map((part) => (part instanceof Decimal ? part.text : part));
	if (typeof number !== "string") return typed;
	const whole = number.replace(separators, "").replace(/^00/, "+");
	if (code === undefined) return { ...typed, ...(splitPhone(whole) ?? { number: whole }) };
	if (typeof code !== "string") return { ...typed, number: whole };
	const countryCode = code.replace(separators, "").replace(/^00/, "+");
	return { ...typed, countryCode, number: whole.replace(`+${countryCode.replace("+", "")}`, "") };
}

/** What is wrong with a number of this dialling code: a 0 that is only dialled within the country would be sent with it. */
export function numberFault({ countryCode, number }: { countryCode: string; number: string }): string | undefined {
	const code = countryCode.replace("+", "");
	if (!/^0\d+$/.test(number) || zeroBelongs.includes(code)) return undefined;
	return `begins with a 0 that is only dialled within the country; write +${code} ${number.slice(1)}`;
}

/**
 * Asks a person once about all numbers that begin with a 0 for calls within the country, and takes it away at a Yes.
 * @param inputs of this shape; they are changed
 */
export async function askAboutZeros(
	shape: Field,
	inputs: readonly unknown[],
	ask: { prompts(): Promise<{ confirm(question: { message: string; fallback: boolean }): Promise<boolean> }> },
): Promise<void> {
	const found = inputs.flatMap((input) => zerosIn(shape, input));
	if (found.length === 0) return;
	const numbers = found.map(({ typed, without }) => `${typed} (as ${without})`).join(", ");
	const said = found.length === 1 ? "The 0 before this number is" : "The 0 before these numbers is";
	const message = `${said} only dialled within the country: ${numbers}. Leave it out?`;
	if (await (await ask.prompts()).confirm({ message, fallback: true })) for (const { mend } of found) mend();
}

type Zero = { typed: string; without: string; mend(): void };

function zerosIn({ fields = [], element }: Field, input: unknown): Zero[] {
	if (Array.isArray(input)) return element === undefined ? [] : input.flatMap((one) => zerosIn(element, one));
	if (!isRecord(input)) return [];
	return fields.flatMap((field): Zero[] => {
		if (field.meta.read !== readPhone) return zerosIn(field, input[field.name]);
		const phone = readPhone(input[field.name]);
		if (!isRecord(phone) || typeof phone.countryCode !== "string" || typeof phone.number !== "string") return [];
		const { countryCode, number } = phone;
		if (numberFault({ countryCode, number }) === undefined) return [];
		const without = number.slice(1);
		const mend = (): void => {
			input[field.name] = { ...phone, number: without };
		};
		return [{ typed: number, without: `+${countryCode.replace("+", "")} ${without}`, mend }];
	});
}
