import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { field } from "../../api/schema.js";
import { PurserError } from "../../errors.js";
import { type Compared, type Differences, differences } from "../../openapi/diff/diff.js";
import type { Style } from "../../ports/style.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "api diff",
	summary: "Compare a newer OpenAPI document with what the profile has bound",
	details:
		"Tells which operations of the profile the document has moved or no longer has, which fields are now required, gone or written in another form, and which lists have new values. Nothing is stored and nothing is sent. Compared is what was bound from a document of the same title; where nothing was, everything that is bound. Exit 9 where something that is bound is touched.",
	examples: [
		{ run: "api diff openapi.yaml", note: "Before an upgrade of the service" },
		{ run: "api diff openapi.yaml --json", note: "In a pipeline: exit 9 where something is touched" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		document: field(z.string(), {
			description: "The newer document, JSON or YAML, up to 20 MB; - for standard input",
			positional: true,
			placeholder: "file|-",
		}),
	}),
	outcomes: ["partial"],
	run: async (context, { document }): Promise<Differences> => {
		const { profile } = await context.settings();
		if (!Object.values(profile.overrides).some(({ path }) => path !== undefined)) throw nothingBoundError(profile.name);
		const { value, sha256 } = await context.documents.readDescription(document);
		return differences(value, sha256, profile);
	},
	text: (data, style) => diffText(data, style),
	table: (data, style) =>
		style.table(
			["operation", "state", "at", "change"],
			data.operations.flatMap(({ operation, state, now, changes }) => [
				...(state === "moved" || state === "gone" ? [[operation, state, now === undefined ? "" : `${now.method} ${now.path}`, ""]] : []),
				...changes.map(({ at, message }) => [operation, state, at, message]),
			]),
		),
	lines: (data) => data.operations,
	outcome: (data) => (data.operations.some(({ state }) => state !== "same") ? "partial" : undefined),
	next: (data, { document }) => {
		const [moved] = data.operations.filter(({ now }) => now !== undefined);
		if (moved?.now !== undefined)
			return [
				purser`api import ${document} --only ${moved.operation} --pick ${`${moved.operation}=${moved.now.method} ${moved.now.path}`}`,
			];
		return data.operations.some(({ state }) => state !== "same") ? [purser`api export`] : [];
	},
});

function diffText({ document, operations, lists, found, others }: Differences, style: Style): string {
	const touched = operations.filter(({ state }) => state !== "same");
	const count = `${touched.length} of ${operations.length} bound ${operations.length === 1 ? "operation" : "operations"} touched`;
	return [
		`${style.bold(document.title || "Untitled")} ${document.version}: ${touched.length === 0 ? style.good("nothing that is bound is touched") : style.warn(count)}`,
		...touched.map((one) => comparedText(one, style)),
		...lists.map(
			({ list, values }) =>
				`  ${style.accent(list)} has ${values.length} ${values.length === 1 ? "value" : "values"} that this profile does not know: ${values.slice(0, 5).join(", ")}${values.length > 5 ? " …" : ""}`,
		),
		...(found.length === 0 ? [] : [`Also in the document, and not bound: ${found.map(({ operation }) => operation).join(", ")}.`]),
		...(others.length === 0 ? [] : [style.dim(`Not compared, because it comes from elsewhere: ${others.join(", ")}.`)]),
	].join("\n");
}

function comparedText({ operation, state, method, path, now, changes }: Compared, style: Style): string {
	const word = state === "gone" ? style.bad("gone   ") : style.warn(state.padEnd(7));
	return [
		`  ${word} ${style.accent(operation.padEnd(26))} ${method} ${path}`,
		...(now === undefined ? [] : [`          now ${now.method} ${now.path}`]),
		...changes.map(({ at, message }) => `          ${at}: ${message}`),
	].join("\n");
}

function nothingBoundError(name: string): PurserError {
	return new PurserError("usage", {
		code: "NOTHING_BOUND",
		message: `The profile ${name} has bound no operation, so there is nothing to compare`,
		fix: purser`api import FILE`,
	});
}
