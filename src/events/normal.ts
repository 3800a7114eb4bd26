/**
 * What a body says, in the one form of all events. The payloads of the service are not known (operations, section 7), so everything is
 * looked for under the names that such bodies use: all of them are assumed. Never throws.
 */
import { Decimal, type Json, parseJson } from "../api/json.js";
import { decidedKybStatuses, transactionStatuses } from "../api/values.js";
import type { Change, EventSubject } from "../ports/events.js";

type Kind = EventSubject["kind"];
type Fields = ReadonlyMap<string, Json>;

/** Beyond these a body is stored and passed on, and not looked into. */
const bounds = { levels: 64, values: 100_000, members: 10_000, digits: 1_000 };

/** Where the record of an event stands in its body, below the top or below another of these. */
const wrappers = ["data", "payload", "object", "event", "resource", "attributes"];

/** Names as they are compared: small letters without signs. */
const names = {
	type: ["type", "eventtype", "eventname", "event", "topic", "name"],
	to: ["status", "newstatus", "currentstatus", "state", "newstate", "kybstatus", "kycstatus", "to"],
	from: ["previousstatus", "oldstatus", "previousstate", "oldstate", "from"],
};

/**
 * Each kind of record: the ids that say what they are of, the words of a type that say what it is about, and the states that the last word of a
 * type may name, `transaction.approved`: only those that the service itself has. The more special ones first.
 */
const kinds: readonly { kind: Kind; ids: readonly string[]; words: readonly string[]; states?: readonly string[] }[] = [
	{
		kind: "transaction",
		ids: ["transactionid", "paymentid", "transferid"],
		words: ["transaction", "payment", "transfer"],
		states: transactionStatuses,
	},
	{
		kind: "related",
		ids: ["corporaterelatedid", "relatedphysicalpersonid", "relatedid"],
		words: ["related", "kyc"],
		states: decidedKybStatuses,
	},
	{ kind: "beneficiary", ids: ["beneficiaryid"], words: ["beneficiary"] },
	{ kind: "ledger", ids: ["ledgerid"], words: ["ledger"] },
	{ kind: "corporate", ids: ["corporateid"], words: ["corporate", "kyb"], states: decidedKybStatuses },
];

export function changeIn(body: Uint8Array): Change {
	const whole = jsonIn(body);
	const top = fieldsOf(whole);
	const levels = levelsOf(top);
	const type = typeFrom(firstText([top, ...levels.slice(1)], names.type));
	const kind = kinds.find(({ words }) => type.split(".").some((word) => words.includes(word)))?.kind;
	const subject = subjectIn(levels, kind);
	const inner = [...levels].reverse();
	const to = stateFrom(firstText(inner, names.to)) ?? stateOfType(type, subject?.kind);
	const from = stateFrom(firstText(inner, names.from));
	return { type, subject, from: from ?? null, to: to ?? null };
}

/** The id of the company that a body names beside what it is about. */
export function companyIn(body: Uint8Array): string | undefined {
	return levelsOf(fieldsOf(jsonIn(body))).flatMap((level) => idFrom(level.get("corporateid")) ?? [])[0];
}

/** The body as JSON, else as text; undefined where it is neither. */
export function rawIn(body: Uint8Array): unknown {
	const json = jsonIn(body);
	return json === undefined ? textIn(body) : json;
}

function textIn(body: Uint8Array): string | undefined {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(body);
	} catch {
		return undefined;
	}
}

function jsonIn(body: Uint8Array): Json | undefined {
	const text = textIn(body);
	if (text === undefined) return undefined;
	try {
		return parseJson(text, bounds);
	} catch {
		return undefined;
	}
}

/** Only what the body itself holds: `__proto__` and the like are no fields of ours. */
function fieldsOf(value: Json | undefined): Fields {
	if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Decimal) return new Map();
	const fields = new Map<string, Json>();
	for (const [name, part] of Object.entries(value)) {
		const compared = name.replace(/[_-]/g, "").toLowerCase();
		if (!fields.has(compared)) fields.set(compared, part);
	}
	return fields;
}

/** The top and the records in it, the outermost first; three at most. */
function levelsOf(top: Fields): Fields[] {
	const levels = [top];
	for (const level of levels) {
		if (levels.length === 3) break;
		const inner = wrappers.map((name) => fieldsOf(level.get(name))).find(({ size }) => size > 0);
		if (inner) levels.push(inner);
	}
	return levels;
}

function firstText(levels: readonly Fields[], wanted: readonly string[]): string | undefined {
	for (const level of levels)
		for (const name of wanted) {
			const found = level.get(name);
			if (typeof found === "string" && found.trim() !== "") return found;
		}
	return undefined;
}

/** `CORPORATE_KYB_VALIDATED` and `corporateKybValidated` are `corporate.kyb.validated`. */
function typeFrom(word: string | undefined): string {
	const type = (word ?? "")
		.slice(0, 200)
		.replace(/([a-z0-9])([A-Z])/g, "$1.$2")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, ".")
		.replace(/^\.|\.$/g, "");
	return type === "" ? "unknown" : type.slice(0, 100);
}

function stateFrom(word: string | undefined): string | undefined {
	const state = word?.trim().replace(/[ -]/g, "_").toUpperCase();
	return state !== undefined && /^[A-Z][A-Z0-9_]{0,63}$/.test(state) ? state : undefined;
}

function stateOfType(type: string, kind: Kind | undefined): string | undefined {
	const word = stateFrom(type.split(".").at(-1));
	const states = kinds.find((one) => one.kind === kind)?.states;
	return word !== undefined && states?.includes(word) ? word : undefined;
}

function subjectIn(levels: readonly Fields[], kind: Kind | undefined): EventSubject | null {
	const inner = [...levels].reverse();
	for (const { kind: of, ids } of kinds.filter((one) => kind === undefined || one.kind === kind))
		for (const id of ids.flatMap((name) => inner.map((level) => idFrom(level.get(name))))) if (id !== undefined) return { kind: of, id };
	// The top's own id is the message's, unless the record is the message itself.
	const own = levels.length > 1 ? inner.slice(0, -1) : levels;
	for (const level of own) {
		const id = idFrom(level.get("id"));
		if (id !== undefined) return { kind: kind ?? "unknown", id };
	}
	return null;
}

function idFrom(value: Json | undefined): string | undefined {
	const text = value instanceof Decimal ? value.text : value;
	return typeof text === "string" && /^[^\s\p{C}]{1,200}$/u.test(text) ? text : undefined;
}
