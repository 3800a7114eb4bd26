import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import type { AnyOperation } from "../../api/operation.js";
import { catalog } from "../../api/operations/catalog.js";
import { describe, type Field } from "../../api/schema.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { confirmable } from "../../mapping/request/confirmation.js";
import type { Profile } from "../../ports/profiles.js";
import { confirmed } from "../families/answers.js";

/** Its method and path are those that are sent; `confirmation` is of a request that must be confirmed, null where nobody has. */
type Row = ReturnType<typeof rowOf>;

export default defineCommand({
	path: "api list",
	summary: "List the operations, where each fact comes from, and what is mapped",
	details:
		"The specification shows no paths and few answers. A part of an operation that is neither there nor in the service's public reference is assumed, a conventional guess; --json says of each part where it comes from. Where your service differs, a mapping says so: `purser help mapping`. Nothing is sent by a mapping of a payment that is not confirmed: `purser api confirm`.",
	examples: {
		"api list": "Every operation",
		"api list --json": "The same for a script",
	},
	answer: () =>
		z.array(
			z.strictObject({
				...{ id: z.string(), title: z.string(), effect: z.string(), method: z.string(), path: z.string(), specified: z.boolean() },
				provenance: z.strictObject({ method: z.string(), path: z.string(), request: z.string(), answer: z.string() }),
				assumedFields: z.strictObject({ request: z.array(z.string()), answer: z.array(z.string()) }),
				mapped: z.optional(z.union([z.literal("none"), z.looseObject({})])),
				confirmation: z.optional(z.strictObject({ digest: z.string(), confirmed: confirmed() })),
			}),
		),
	async run(context) {
		const profile = await profileOf(context);
		const rows = catalog.map((operation) => rowOf(operation, profile));
		const open = rows.filter(({ confirmation }) => confirmation?.confirmed === null).map(({ id }) => purser`api confirm ${id}`);
		const otherwise = rows.some((row) => assumedParts(row).includes("path")) ? [purser`help mapping`] : [];
		return { data: rows, next: open.length > 0 ? open : otherwise };
	},
	text: (rows, style) => {
		const cells = rows.map((row) => [row.id, row.method, row.path, assumedParts(row).join(", "), mappedText(row)]);
		return style.table(["id", "method", "path", "assumed", "mapped"], cells);
	},
});

function mappedText({ mapped, confirmation }: Row): string {
	if (mapped === undefined || mapped === "none") return mapped ?? "no";
	return confirmation?.confirmed === null ? "yes, not confirmed" : "yes";
}

/** Without a profile nothing is replaced; the list is still useful. */
async function profileOf(context: Context): Promise<Profile | undefined> {
	try {
		return (await context.settings.read()).profile;
	} catch (cause) {
		if (cause instanceof PurserError && cause.failure.code === "NO_PROFILE") return undefined;
		throw cause;
	}
}

function rowOf(operation: AnyOperation, profile: Profile | undefined) {
	const { id, title, effect, method, path, specified, provenance, query, body, answer = {} } = operation;
	const mapped = profile?.mapping?.operations[id];
	const asked = profile && confirmable(operation, profile);
	const entry = mapped === "none" ? undefined : mapped;
	const known = { method: entry?.method ?? method, path: entry?.path ?? path };
	const assumed = {
		request: provenance.request === "assumed" ? [] : [query, body].flatMap((schema) => (schema ? assumedIn(describe(schema)) : [])),
		answer: Object.keys(answer).filter((name) => provenance.answer !== "assumed" && answer[name] === "assumed"),
	};
	const confirmation = asked && { digest: asked.digest, confirmed: asked.confirmed ?? null };
	const described = { id, title, effect, ...known, specified, provenance, assumedFields: assumed, mapped };
	return { ...described, ...(confirmation && { confirmation }) };
}

/** The assumed fields, dotted, without those inside them. */
function assumedIn({ fields = [] }: Field, before = ""): string[] {
	return fields.flatMap((field) => (field.meta.source === "assumed" ? [before + field.name] : assumedIn(field, `${before}${field.name}.`)));
}

const parts = ["method", "path", "request", "answer"] as const;

/** The assumed parts and, of the known parts, the assumed fields, without those that the mapping says. */
function assumedParts({ assumedFields: fields, mapped, provenance }: Row): string[] {
	if (mapped === "none") return [];
	const isCovered = {
		method: mapped !== undefined,
		path: mapped !== undefined,
		request: mapped?.fields !== undefined,
		answer: mapped?.answer?.fields !== undefined,
	};
	const single = [...(isCovered.request ? [] : fields.request), ...(isCovered.answer ? [] : fields.answer)];
	return [...parts.filter((part) => provenance[part] === "assumed" && !isCovered[part]), ...single.map((name) => `the field ${name}`)];
}
