/**
 * The names that a field's flag has beside its own: short ones, and earlier ones that are still read.
 */
import { advice, quoted } from "../../api/advice.js";
import { isRecord } from "../../api/schema.js";
import { isUuid } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { Files } from "../../ports/machine.js";
import type { AnyCommand } from "../command.js";
import { flagOf } from "../names.js";
import { type Flag, flagsOf, placeholderOf, valueIn } from "./flags.js";
import type { Given } from "./input.js";
import { globalFlags } from "./options.js";

/** What a command calls its flags. */
export interface Names {
	/** The command takes a document, by `--file`. */
	document: boolean;
	aliases: readonly { name: string; flag: Flag }[];
	/** Earlier name → the one of today, without dashes. */
	former: ReadonlyMap<string, string>;
}

export function namesOf(command: AnyCommand, flags: readonly Flag[]): Names {
	const document = command.document === true;
	const aliases = flags.flatMap((flag) => (flag.field.meta.alias === undefined ? [] : [{ name: flag.field.meta.alias, flag }]));
	const former = new Map(flags.flatMap(({ field, name }) => (field.meta.formerly === undefined ? [] : [[field.meta.formerly, name]])));
	const taken = [...aliases, ...flags].some(({ name }) => name === "from");
	if (document && !taken) former.set("from", "file");
	return { document, aliases, former };
}

/** The words with today's names: `-f` is `--file`, `--from FILE` outside payments too, and `--wait STATUS` is `--wait-for STATUS`. */
export function currentForms(argv: readonly string[], flags: readonly Flag[], { document, aliases, former }: Names) {
	const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
	const takesFile =
		document || [...flags, ...aliases].some(({ name, ...one }) => name === "file" && !("positional" in one && one.positional));
	const warnings = new Set<string>();
	const words = argv.map((word, at) => {
		const [, dashes = "", name = "", rest = ""] = /^(--?)([a-z-]+)(=.*)?$/s.exec(word) ?? [];
		if (at >= end || dashes === "") return word;
		if (dashes === "-") return takesFile && name === "f" ? `--file${rest}` : word;
		const now = former.get(name);
		if (now !== undefined) {
			warnings.add(
				`--${name} is now --${now}${document || now === "file" ? " (short: -f)" : ""}; the old name will be removed in the next version`,
			);
			return `--${now}${rest}`;
		}
		const value = rest === "" ? argv[at + 1] : rest.slice(1);
		const status = flags.find((flag) => flag.name === `${name}-for`)?.field.choices?.find((one) => one === value?.toUpperCase());
		if (status === undefined) return word;
		warnings.add(`--${name} takes no value: write --${name}-for ${status}; the old form will be removed in the next version`);
		return `--${name}-for${rest}`;
	});
	return { argv: words, warnings: [...warnings] };
}

/** Names of files, and standard input. */
const fileName = /^-$|\.(ya?ml|json)$/i;

/**
 * Until lately the file of a payment was given by `--from`, which now names who pays.
 * @param party the value of `--from`
 * @throws PurserError usage, where it is a file
 */
export async function refuseFile(party: string, files: Pick<Files, "read">): Promise<void> {
	if (isUuid(party) || (!fileName.test(party) && !(await isFile(party, files)))) return;
	throw new PurserError("usage", {
		code: "FROM_IS_A_FILE",
		message: `--from names who pays, and ${JSON.stringify(party)} is a file; nothing was sent`,
		fix: advice`Give the file with --file ${quoted(party)} (short: -f). A ledger of this name: --ledger-from-id ${quoted(party)}`,
	});
}

async function isFile(path: string, files: Pick<Files, "read">): Promise<boolean> {
	try {
		await files.read(path, 1);
		return true;
	} catch (cause) {
		return cause instanceof RangeError;
	}
}

/**
 * A field's flag or argument as the person typed it, or would have to. Undefined for a value from a file or `--set`, where the field's own
 * name stands.
 */
export function flagFor(command: AnyCommand, { typed, set, document }: Given, path: string): string | undefined {
	const exact = typed?.get(path);
	if (exact !== undefined) return exact;
	const above = [...(typed ?? [])].find(([one]) => path.startsWith(`${one}.`));
	if (above !== undefined) return `${above[1]} (${path.slice(above[0].length + 1)})`;
	// A part of an object that a file or `--set` gives is missing there.
	const [root = ""] = path.split(".");
	if (set.some((one) => path === one.path || path.startsWith(`${one.path}.`))) return undefined;
	if (isRecord(document) && (valueIn(document, path.split(".")) !== undefined || isRecord(document[root]))) return undefined;
	const flag = flagsOf(command.input).find((one) => one.path.join(".") === path);
	if (flag === undefined) return globalFlags.some(({ name }) => flagOf(path) === `--${name}`) ? flagOf(path) : undefined;
	return flag.positional ? placeholderOf(flag).toUpperCase() : flagOf(path);
}

/** The error with each of its faults named by its flag. Rows of a file have columns, not flags. */
export function withFlagNames(cause: unknown, command: AnyCommand, given: Given): unknown {
	if (!(cause instanceof PurserError) || cause.failure.details === undefined) return cause;
	const details = cause.failure.details.map((fault) =>
		fault.row === undefined ? { ...fault, flag: flagFor(command, given, fault.field) ?? fault.flag } : fault,
	);
	return new PurserError(cause.kind, { ...cause.failure, details });
}
