/**
 * The settings of a profile: meaning, default, and what a value must look like. `config explain` and the commands that change a profile read this
 * table.
 */
import { amountFault } from "../api/amount.js";
import { secondsOf } from "../api/quantity.js";
import type { Fault } from "../errors.js";

export interface ConfigKey {
	key: string;
	meaning: string;
	/** Undefined: off. */
	fallback?: string;
	/** The environment variable that stands for it. */
	variable?: string;
	/** What is wrong with a value, or undefined. */
	check(value: string): string | undefined;
}

const within = (lowest: number, highest: number, unit: string) => (value: string) =>
	/^\d{1,6}(\.\d{1,3})?$/.test(value) && Number(value) >= lowest && Number(value) <= highest
		? undefined
		: `must be a number of ${unit} from ${lowest} to ${highest}`;

/** @param unit of a number without one */
const spanWithin = (lowest: number, highest: number, unit: "s" | "h", like: string) => (value: string) => {
	const seconds = secondsOf(value, unit);
	const [least, most] = [lowest, highest].map((count) => secondsOf(String(count), unit) as number);
	return seconds !== undefined && seconds >= (least as number) && seconds <= (most as number)
		? undefined
		: `must be a number of ${unit === "s" ? "seconds" : "hours"} from ${lowest} to ${highest}, or a time like ${like}`;
};

const amountCap = (value: string) => {
	const [amount = "", currency, ...rest] = value.split(" ");
	if (rest.length > 0 || (currency !== undefined && !/^[A-Z]{3}$/.test(currency)))
		return "must be an amount, with its currency or without: 5000 EUR";
	const fault = amountFault(amount);
	return fault === undefined ? undefined : `the amount ${fault}`;
};

/** Names with Ed25519 public keys, `anna=KEY,ben=KEY`, each key the 43 characters (base64url) of its 32 bytes. */
function keyListFault(value: string): string | undefined {
	const pairs = value.split(",").map((pair) => /^\s*([^\s=,][^=,]{0,63})=([A-Za-z0-9_-]{43})\s*$/.exec(pair));
	if (pairs.includes(null)) return "must be names with public keys of 43 characters: anna=KEY,ben=KEY";
	// The last of the 43 characters has two bits that say nothing, so one key can be written in four ways.
	const keys = pairs.map((pair) => Buffer.from(pair?.[2] ?? "", "base64url").toString("hex"));
	return new Set(keys).size < keys.length ? "must give each key once: two names with one key are one person" : undefined;
}

const strategies: readonly string[] = ["PUSH_NOTIFICATION", "DATA_SIGNING", "BY_PASS"];

export const configKeys: readonly ConfigKey[] = [
	{
		key: "timeout",
		meaning: "Seconds for one exchange with the service, or a time like 2m",
		fallback: "30",
		variable: "PURSER_TIMEOUT",
		check: spanWithin(0.001, 99_999, "s", "30s"),
	},
	{
		key: "sca-strategy",
		meaning: "How the holder's strong authentication is requested with a payment; BY_PASS in a sandbox only",
		check: (value) => (strategies.includes(value) ? undefined : `must be one of ${strategies.join(", ")}`),
	},
	{
		key: "refusing-statuses",
		meaning: "HTTP statuses (4xx) that prove a change was not made, instead of the tool's own table: 400,403,422",
		check: (value) => (/^4\d\d([\s,]+4\d\d)*$/.test(value) ? undefined : "must be statuses from 400 to 499, separated by commas"),
	},
	{
		key: "settle-after",
		meaning: "Hours, or a time like 24h, before a payment that the service does not list can be confirmed as not sent",
		fallback: "24",
		check: spanWithin(1, 720, "h", "24h"),
	},
	{
		key: "duplicate-days",
		meaning: "Days in which a payment that looks the same as an earlier one is blocked",
		fallback: "7",
		check: within(0, 366, "days"),
	},
	{ key: "cap-per-transfer", meaning: "Highest amount of one payment: 5000 EUR", check: amountCap },
	{ key: "cap-per-day", meaning: "Highest total of the payments of one day (UTC): 20000 EUR", check: amountCap },
	{
		key: "approval",
		meaning:
			"When a second person must approve a batch, and payments go by batch: always, above 10000 EUR, or above 10000 EUR a day (what was sent today counts too)",
		check: (value) => {
			if (value === "always") return undefined;
			return value.startsWith("above ")
				? amountCap(value.slice(6).replace(/ a day$/, ""))
				: "must be always, or above an amount, per batch or per day: above 10000 EUR, above 10000 EUR a day";
		},
	},
	{
		key: "approvers",
		meaning: "Who may approve batches, each with the public key that `pay batch key` shows them: anna=KEY,ben=KEY",
		check: keyListFault,
	},
	{
		key: "planners",
		meaning: "Who plans the batches that need an approval, besides the approvers, each with the public key of `pay batch key`: ci=KEY",
		check: keyListFault,
	},
	{
		key: "ubo-threshold",
		meaning: "Percentage of shares from which a person counts as a beneficial owner (10 for an extended-UBO corporate)",
		fallback: "25",
		check: within(0, 100, "percent"),
	},
];

/** What is wrong with a setting, or undefined; unknown keys are wrong. */
export function settingFault(key: string, value: string): string | undefined {
	const known = configKeys.find((entry) => entry.key === key);
	if (known === undefined)
		return `there is no setting ${JSON.stringify(key)}; there are ${configKeys.map((entry) => entry.key).join(", ")}`;
	return known.check(value);
}

/**
 * The settings that come of changes as they were typed, with all their faults.
 * @param set `key=value` each
 * @param unset keys that go back to their default
 */
export function changedSettings(
	before: Readonly<Record<string, string>>,
	set: readonly string[],
	unset: readonly string[],
): { settings: Record<string, string>; faults: Fault[] } {
	const settings = new Map(Object.entries(before));
	const faults: Fault[] = [];
	for (const key of unset) {
		if (!configKeys.some((known) => known.key === key) && !settings.has(key))
			faults.push({ field: "unset", message: `there is no setting ${JSON.stringify(key)}` });
		settings.delete(key);
	}
	const keys = new Set(unset);
	for (const text of set) {
		const at = text.indexOf("=");
		const key = text.slice(0, at);
		// The tool must not guess which of two values was meant.
		if (at > 0 && keys.has(key)) faults.push({ field: "set", message: `${key} is given twice` });
		keys.add(key);
		const value = text.slice(at + 1);
		// Of what is no setting only the first word is shown: the rest may be a secret.
		const fault = at < 1 ? `${JSON.stringify(text.split(/\s/, 1)[0])} is not key=value` : settingFault(key, value);
		if (fault) faults.push({ field: "set", message: at < 1 || fault.startsWith("there is no") ? fault : `${key} ${fault}` });
		else settings.set(key, value);
	}
	return { settings: Object.fromEntries(settings), faults };
}
