import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { flag } from "../../api/fields.js";
import type { AnyOperation, Effect, Method, Provenance } from "../../api/operation.js";
import { catalog } from "../../api/operations/catalog.js";
import { assumedFields } from "../../api/operations/provenance.js";
import type { Source } from "../../api/schema.js";
import { confirmable } from "../../binding/confirmation.js";
import type { Context } from "../../context.js";
import { addressProbed, answerWords } from "../../doctor/provenance.js";
import { PurserError } from "../../errors.js";
import type { OperationBinding } from "../../ports/binding.js";
import type { BindingConfirmation, Probed, Profile } from "../../ports/profiles.js";
import type { Style } from "../../ports/style.js";
import { defineCommand } from "../../shell/command.js";

interface Row {
	id: string;
	title: string;
	effect: Effect;
	/** As it is sent, with the profile's override. */
	method: Method;
	path: string;
	/** Whether it is one of the specification's sixteen operations. */
	specified: boolean;
	provenance: Provenance;
	/** The assumed fields of a request or an answer whose other fields are known. */
	assumedFields: { request: string[]; answer: string[] };
	/** What the profile replaces. */
	override?: OperationBinding;
	/** Of a binding that must be confirmed before anything is sent through it; `confirmed` is null where nobody has. */
	confirmation?: { digest: string; confirmed: BindingConfirmation | null };
	/** What `doctor --probe` found, unless method or address changed since. */
	probed?: Pick<Probed, "at" | "answer" | "evidence">;
}

export default defineCommand({
	path: "api list",
	summary: "List the operations, where each fact comes from, and your overrides",
	details:
		"The specification shows no paths and few answers. Each part of an operation is therefore marked spec (in the specification), documented (in the service's public reference) or assumed (a conventional guess). What is assumed can be corrected with `purser api set`.",
	examples: [
		{ run: "api list", note: "Every operation" },
		{ run: "api list --assumed", note: "Only those with an assumed part: what to check against your deployment" },
		{ run: "api list --json", note: "The same for a script" },
	],
	effect: "read",
	operations: [],
	standalone: true,
	input: z.strictObject({
		assumed: flag("Only those with a part that is assumed and not overridden"),
	}),
	run: async (context, { assumed }) => {
		const profile = await profileOf(context);
		return catalog.map((operation) => rowOf(operation, profile)).filter((row) => !assumed || assumedParts(row).length > 0);
	},
	text: (rows, style) => {
		if (rows.length === 0) return "Nothing is assumed.";
		const groups: [string, Row[]][] = [
			["The specification's operations", rows.filter((row) => row.specified)],
			["Beyond the specification", rows.filter((row) => !row.specified)],
		];
		return groups
			.filter(([, members]) => members.length > 0)
			.map(([title, members]) => `${style.bold(title)}\n${members.map((row) => paragraph(row, style)).join("\n")}`)
			.join("\n\n");
	},
	table: (rows, style) =>
		style.table(
			["id", "method", "path", "assumed", "overridden", "probed"],
			rows.map((row) => [
				row.id,
				row.method,
				row.path,
				assumedParts(row).join(" "),
				row.override ? "yes" : "no",
				row.probed ? answerWords[row.probed.answer] : "no",
			]),
		),
	lines: (rows) => rows,
	next: (rows) => {
		const open = rows.filter(({ confirmation }) => confirmation?.confirmed === null).map(({ id }) => purser`api confirm ${id}`);
		if (open.length > 0) return open;
		const isThere = ({ probed }: Row): boolean => probed?.answer === "as-described" || probed?.answer === "exists";
		const guess = rows.find((row) => assumedParts(row).includes("path") && !isThere(row));
		return guess ? [purser`api set ${guess.id} --path …`] : [];
	},
});

/** Without a profile nothing is replaced; the list is still useful. */
async function profileOf(context: Context): Promise<Profile | undefined> {
	try {
		return (await context.settings()).profile;
	} catch (cause) {
		if (cause instanceof PurserError && cause.failure.code === "NO_PROFILE") return undefined;
		throw cause;
	}
}

function rowOf(operation: AnyOperation, profile: Profile | undefined): Row {
	const { id, title, effect, method, path, specified, provenance, query, body, answer } = operation;
	const override = profile?.overrides[id];
	const asked = profile && confirmable(operation, profile);
	const known = { method: override?.method ?? method, path: override?.path ?? path };
	const assumed = {
		request: provenance.request === "assumed" ? [] : [query, body].flatMap((schema) => (schema ? assumedFields(schema) : [])),
		answer: provenance.answer === "assumed" ? [] : assumedFields(answer),
	};
	const confirmation = asked && { digest: asked.digest, confirmed: asked.confirmed ?? null };
	const described = { id, title, effect, ...known, specified, provenance, assumedFields: assumed, override };
	return { ...described, ...(confirmation && { confirmation }), probed: probedAs(profile, id, known) };
}

function probedAs(profile: Profile | undefined, id: string, known: { method: Method; path: string }): Row["probed"] {
	const found = profile?.probed?.[id];
	if (profile === undefined || found?.of !== addressProbed(profile, id, known)) return undefined;
	const { at, answer, evidence } = found;
	return { at, answer, evidence };
}

const parts = ["method", "path", "request", "answer"] as const;

/** The assumed parts and, of the known parts, the assumed fields, without those that the profile replaces. */
function assumedParts(row: Row): string[] {
	const { assumedFields: fields, override = {} } = row;
	const single = [...fields.request, ...fields.answer].filter((name) => override.fields?.[name] === undefined);
	return [
		...parts.filter((part) => row.provenance[part] === "assumed" && !(part in override)),
		...single.map((name) => `the field ${name}`),
	];
}

function paragraph(row: Row, style: Style): string {
	const from = (source: Source): string[] => {
		const named =
			source === "assumed" ? assumedParts(row) : parts.filter((part) => row.provenance[part] === source && !(part in (row.override ?? {})));
		return named.length === 0 ? [] : [`${source === "assumed" ? "ASSUMED" : source}: ${named.join(", ")}`];
	};
	const provenance = [...from("assumed").map(style.warn), ...from("documented").map(style.dim), ...from("spec").map(style.dim)];
	const replaced = describeOverride(row.override);
	return [
		`  ${style.accent(row.id.padEnd(25))} ${row.effect.padEnd(5)}  ${row.method.padEnd(6)} ${row.path}`,
		`    ${[row.title, ...provenance].join(" · ")}`,
		...(replaced ? [`    ${style.bold("OVERRIDDEN")} in the profile: ${replaced}`] : []),
		...(row.override?.source ? [`    ${style.dim(`from ${row.override.source.document}, ${row.override.source.pointer}`)}`] : []),
		...(row.confirmation ? [`    ${confirmationText(row.confirmation.confirmed, style)}`] : []),
		...(row.probed ? [style.dim(`    ${probedText(row.probed, style)}`)] : []),
	].join("\n");
}

/** Answers of a newer version are shown as they are. */
const probedText = ({ at, answer, evidence }: NonNullable<Row["probed"]>, style: Style): string =>
	`Probed ${style.moment(at)}: ${answerWords[answer] ?? answer} (${evidence.join("; ")})`;

function confirmationText(confirmed: BindingConfirmation | null, style: Style): string {
	if (confirmed === null) return style.warn("NOT CONFIRMED: nothing is sent by it before `purser api confirm`");
	const { at, by, paid } = confirmed;
	if (paid !== undefined) return style.dim(`confirmed by payment ${paid}, which was accepted through it before`);
	return style.dim(`confirmed ${[style.moment(at), by && `by ${by}`].filter(Boolean).join(" ")}`);
}

/** How many fields are bound. */
function boundText({ request, answer, constants = [] }: OperationBinding): string | undefined {
	const counts = [
		[Object.keys(request?.fields ?? {}).length, "field sent", "fields sent"],
		[Object.keys(answer?.fields ?? {}).length, "field read", "fields read"],
		[constants.length, "constant", "constants"],
	] as const;
	const told = counts.filter(([count]) => count > 0).map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
	return told.length === 0 ? undefined : told.join(", ");
}

function describeOverride(override: OperationBinding | undefined): string {
	if (!override) return "";
	return [
		override.method && `method ${override.method}`,
		override.path && `path ${override.path}`,
		...Object.entries(override.fields ?? {}).map(([ours, theirs]) => `${ours} → ${theirs}`),
		...Object.entries(override.headers ?? {}).map(([name, value]) => `header ${name}: ${value}`),
		boundText(override),
	]
		.filter(Boolean)
		.join(", ");
}
