/**
 * One input from its sources: the document, then the flags, then `--set`, then a person's answers.
 */
import { advice } from "../../api/advice.js";
import { check, hasIds } from "../../api/check/check.js";
import { extraFields } from "../../api/operation.js";
import { askAboutZeros } from "../../api/phones.js";
import { describe, type Field, isMissing, isRecord, withOptional, withoutEmpty } from "../../api/schema.js";
import { type IdForms, isNoId } from "../../api/text/ids.js";
import { readMoment } from "../../api/typed.js";
import type { Context } from "../../context.js";
import { type Advice, type Fault, PurserError } from "../../errors.js";
import type { Named } from "../../ports/resolver.js";
import type { AnyCommand } from "../command.js";
import { flagOf, helpOf } from "../names.js";
import { flagFor, flagsOf, type Given, nameOf, setValue, valueIn } from "./flags.js";
import { listCommandsOf, type NamedRecord, namedRecordsIn } from "./id-kinds.js";

export interface Gathered {
	data: Record<string, unknown>;
	warnings: readonly Fault[];
	/** The records that were named by something else than their id. */
	resolved: readonly Named[];
	/** A record was made by answering prompts; one answer is none: whoever types the code of an SMS has nothing else to look at. */
	prompted: boolean;
}

/**
 * Merges, asks for what is missing where a person can be asked, and checks everything at once.
 * @throws PurserError usage, naming every missing flag; PurserError validation, naming every fault
 */
export async function gather(described: AnyCommand, given: Given, context: Context, interactive: boolean): Promise<Gathered> {
	// Every mapping has places for what a payment requires.
	const isPlaced = described.effect === "money" || described.operations.length === 0;
	const unplaced = isPlaced ? new Set<string>() : await context.settings.unplaced(described.operations);
	const command = unplaced.size === 0 ? described : { ...described, input: withOptional(described.input, unplaced) };
	const settings = settingsOf(command, given.set);
	const input = merge(given, command);
	const shape = describe(command.input);
	const ids = hasIds(shape) ? await context.settings.ids() : {};
	const named = command.operations.length === 0 ? [] : namedRecordsIn(command, input, ids);
	const wrong = interactive || named.length > 0 ? unfit(command, input, ids, named, interactive) : [];
	if (wrong.length > 0) throw inputError(command, wrong, input, given);
	const resolved =
		named.length === 0 ? [] : await (await import("./resolving.js")).resolveNames(named, input, { command, context, interactive });
	let asked = 0;
	if (interactive) {
		await askAboutZeros(shape, [input], context.ask);
		asked = await (await import("./asking.js")).askForMissing(command, input, context);
	}
	const checked = check(command.input, input, ids);
	if (checked.faults.length > 0) throw inputError(command, checked.faults, input, given);
	const data = checked.data as Record<string, unknown>;
	const extra: Record<string, unknown> = {};
	const names = new Set((shape.fields ?? []).map(({ name }) => name));
	for (const { path, value } of settings) setValue(names.has(path[0] as string) ? data : extra, path, value);
	if (Object.keys(extra).length > 0) Object.assign(data, { [extraFields]: extra });
	return {
		data: withMoments(shape, data, context),
		warnings: checked.warnings.map((warning) => withFlag(warning, given)),
		resolved,
		prompted: shape.meta.document === true && asked > 1,
	};
}

/** Moments that were typed as a span back or a day, as times. */
function withMoments({ fields = [] }: Field, data: Record<string, unknown>, { clock, settings }: Context): Record<string, unknown> {
	const { utc = false } = settings.flags;
	const moments: Record<string, string> = {};
	for (const { name, meta } of fields) {
		const given = data[name];
		if (meta.moment !== undefined && typeof given === "string")
			moments[name] = readMoment(given, { now: clock.now(), utc, end: meta.moment === "end" });
	}
	return { ...data, ...moments };
}

/**
 * Checks everything but the names before the service is asked who they are; where a person will be asked for what is missing, what was given
 * alone: nobody should answer ten questions and then read that the id was invalid.
 */
function unfit(command: AnyCommand, input: Record<string, unknown>, ids: IdForms, named: readonly NamedRecord[], mayAsk: boolean): Fault[] {
	const { faults } = check(command.input, input, ids);
	return faults.filter(({ field, message }) => !(mayAsk && isMissing(message)) && named.every(({ path }) => path.join(".") !== field));
}

function merge({ document, values }: Given, command: AnyCommand): Record<string, unknown> {
	// Spread, not assigned: a field called __proto__ stays a field, and is refused like any unknown one.
	const known: Record<string, unknown> = document === undefined ? {} : { ...fieldsOf(document, command) };
	for (const { path } of flagsOf(command.input)) {
		const value = values.get(path.join("."));
		if (value !== undefined) setValue(known, path, value);
	}
	return known;
}

/** @throws PurserError validation, where a file says what only the person who runs the command can say */
function refuseFlagOnly(document: Record<string, unknown>, command: AnyCommand): void {
	const found = flagsOf(command.input).filter(({ path: [name = ""], field }) => field.meta.flagOnly && Object.hasOwn(document, name));
	if (found.length === 0) return;
	const fix = `Take it out of the file, and give it on the command line: ${found.map(({ name }) => `--${name}`).join(", ")}.`;
	const details = found.map(({ path: [name = ""] }) => ({ field: name, message: "is given as a flag, not in a file" }));
	throw invalid("The file says what only a flag can say; nothing was sent", fix, details);
}

function fieldsOf(document: unknown, command: AnyCommand): Record<string, unknown> {
	if (isRecord(document)) {
		refuseFlagOnly(document, command);
		return withoutEmpty(command.input, document) as Record<string, unknown>;
	}
	// A template with nothing filled in: the check names every missing field.
	if (document === null) return {};
	throw invalid("The input document is not an object of fields", advice`See the fields with \`${helpOf(command)}\`.`);
}

const invalid = (message: string, fix: Advice, details?: Fault[]): PurserError =>
	new PurserError("validation", { code: "INVALID_INPUT", message, fix, details });

/**
 * A fault in `status.1`, the second of two `--status`, is reported for `--status` with the value: nobody typed `status.1`. Where a name would do as
 * well, nothing at all is not reported as no id.
 */
function withFlag(fault: Fault, { values }: Given): Fault {
	if (isNoId(fault.message) && /^\s*$/.test(String(values.get(fault.field) ?? "-"))) return { ...fault, message: "is required" };
	const [, path, index] = /^(.+)\.(\d+)$/.exec(fault.field) ?? [];
	const list = path === undefined ? undefined : values.get(path);
	if (path === undefined || !Array.isArray(list)) return fault;
	return { ...fault, field: path, message: `${JSON.stringify(list[Number(index)])} ${fault.message}` };
}

function inputError(command: AnyCommand, found: readonly Fault[], raw: Record<string, unknown>, given: Given): PurserError {
	const faults = found.map((fault) => withFlag(fault, given));
	const missing = faults.filter((fault) => isMissing(fault.message) && valueIn(raw, fault.field.split(".")) === undefined);
	const details = faults.flatMap((fault) => (missing.includes(fault) ? missingFields(command, fault) : [{ ...fault }]));
	const see = advice`see \`${helpOf(command)}\`.${listCommandsHint(command, details)}`;
	const [it, aFlag] = details.length === 1 ? ["it", "a flag"] : ["them", "flags"];
	if (missing.length === faults.length) {
		const message = `Missing: ${details.map((fault) => missingName(command, fault.field)).join(", ")}`;
		const where = describe(command.input).meta.document ? `as ${aFlag}, or in a file with --file FILE` : "on the command line";
		return new PurserError("usage", { code: "MISSING_INPUT", message, fix: advice`Give ${it} ${where}; ${see}`, details });
	}
	const wrong = wrongText(details.map(({ field, message }) => [flagFor(command, given, field) ?? field, isMissing(message)]));
	// A command that calls no operation keeps things on this machine.
	const done = command.effect === "read" && command.operations.length === 0 ? "stored" : "sent";
	return invalid(`${wrong}; nothing was ${done}`, advice`Correct ${it} and run the command again; ${see}`, details);
}

/** The commands that list the ids which are missing, or in whose place something else was given, such as a name. */
function listCommandsHint(command: AnyCommand, faults: readonly Fault[]): Advice {
	const wanted = faults.filter(({ message }) => isMissing(message) || isNoId(message)).map(({ field }) => field);
	const lists = listCommandsOf(flagsOf(command.input).filter(({ path }) => wanted.includes(path.join("."))));
	return lists.length === 0 ? "" : advice`\nThey are listed by: ${lists.flatMap((list, at) => (at === 0 ? [list] : [", ", list]))}`;
}

/** A missing object is reported as its required leaves, since those are what a person can type. */
function missingFields(command: AnyCommand, fault: Fault): Fault[] {
	const at = fault.field
		.split(".")
		.reduce<Field | undefined>((field, name) => field?.fields?.find((part) => part.name === name), describe(command.input));
	const requiredIn = (field: Field, path: string): string[] =>
		(field.fields ?? [])
			.filter((part) => part.required)
			.flatMap((part) => (part.fields ? requiredIn(part, `${path}.${part.name}`) : [`${path}.${part.name}`]));
	const inside = at ? requiredIn(at, fault.field) : [];
	return inside.length === 0 ? [{ ...fault }] : inside.map((field) => ({ ...fault, field }));
}

/** As a person types it; any flag of an object, or the path in a list of the file. */
function missingName(command: AnyCommand, path: string): string {
	const isObject = flagsOf(command.input).some((one) => one.path.join(".").startsWith(`${path}.`));
	return nameOf(command, path, true) ?? (isObject ? `${flagOf(path)}.*` : `${path} in the file`);
}

/** Maximum number of fields of each kind that the first line of an error names. */
const maxNamed = 3;

/** @param fields each with whether it is missing */
function wrongText(fields: readonly (readonly [string, boolean])[]): string {
	const part = (missing: boolean, what: string): string => {
		const names = [...new Set(fields.filter((one) => one[1] === missing).map(([name]) => name))];
		const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
		return names.length === 0 ? "" : `${names.slice(0, maxNamed).join(", ")}${more} ${names.length === 1 ? "is" : "are"} ${what}`;
	};
	return [part(false, "not valid"), part(true, "missing")].filter(Boolean).join("; ");
}

/**
 * The settings of fields that purser does not know. A path that is a known field, has one inside, or leads into one would change it behind
 * its check.
 * @throws PurserError validation, where a path is none of an unknown field
 */
function settingsOf(command: AnyCommand, set: Given["set"]): { path: string[]; value: unknown }[] {
	const lists = (describe(command.input).fields ?? []).filter(({ kind }) => kind === "list").map(({ name }) => `${name}.`);
	const known = [...flagsOf(command.input).map(({ path }) => `${path.join(".")}.`), ...lists];
	const taken = set.filter(({ path }) => known.some((one) => one.startsWith(`${path}.`) || `${path}.`.startsWith(one)));
	const details = taken.map(({ path }) => ({ field: path, message: "is given by its own flag, or in a file" }));
	const fix = advice`Give the whole field by its flag; see \`${helpOf(command)}\`.`;
	if (details.length > 0) throw invalid("--set is for fields that have no flag; nothing was sent", fix, details);
	return set.map(({ path, value }) => ({ path: path.split("."), value }));
}
