import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { canonicalJson } from "../../api/json.js";
import { catalog } from "../../api/operations/catalog.js";
import { field } from "../../api/schema.js";
import { type Bindings, readBindingFile } from "../../binding/file.js";
import { profileNamed } from "../../config/named.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";
import type { Style } from "../../ports/style.js";
import { defineCommand } from "../../shell/command.js";

interface Change {
	operation: string;
	change: "new" | "changed" | "same" | "removed";
}

interface Used {
	profile: string;
	operations: Change[];
	/** What the file says for all operations: pages, errors, forms of ids. */
	service: Change["change"] | "none";
	dryRun?: true;
}

export default defineCommand({
	path: "api use",
	summary: "Take the profile's bindings from a file of `api export`",
	details:
		"The profile then binds exactly what the file says; what it bound beside is removed, after a Yes. The whole file is checked first, and nothing of it is stored where anything is wrong. A file confirms nothing: a payment through a binding that nobody has confirmed is not sent.",
	examples: [
		{ run: "api use binding.yaml --dry-run", note: "Check the file, and see what would change" },
		{ run: "api use binding.yaml --profile live", note: "Store it" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		file: field(z.string(), { description: "The file, JSON or YAML; - for standard input", positional: true, placeholder: "file|-" }),
	}),
	prepare: async (context, { file }) => {
		const profile = await profileNamed(context, (await context.settings()).profile.name);
		const bindings = await bindingsOf(context, file, profile);
		const changes = changesOf(profile, bindings);
		return { file, profile, bindings, changes };
	},
	confirm: ({ profile, changes }) => {
		const removed = changes.operations.filter(({ change }) => change === "removed").map(({ operation }) => operation);
		if (removed.length === 0) return undefined;
		return `The file does not bind ${removed.join(", ")}, and the profile ${profile.name} does. Take it back to what purser describes?`;
	},
	run: async (context, { profile, bindings, changes }): Promise<Used> => {
		const used: Used = { profile: profile.name, ...changes };
		if (context.flags.dryRun) return { ...used, dryRun: true };
		// What the file does not have is named too, so that nothing of it survives in the stored profile.
		await (await context.profiles()).save({ ...profile, overrides: bindings.operations, service: bindings.service });
		return used;
	},
	text: (data, style) => usedText(data, style),
	next: ({ dryRun }, { file }) => [dryRun ? purser`api use ${{ path: file }}` : purser`api list`],
});

/** @throws PurserError validation, with everything that is wrong */
async function bindingsOf(context: Context, file: string, { baseUrl }: Profile): Promise<Bindings> {
	const { bindings, faults } = readBindingFile(await context.documents.read(file), catalog, baseUrl);
	if (faults.length === 0) return bindings;
	throw new PurserError("validation", {
		code: "BINDING_INVALID",
		message: `${file === "-" ? "Standard input" : file} is not a file of bindings that this profile can use; nothing was stored`,
		fix: advice`Correct what is listed. A file of the right form comes from: ${purser`api export`}`,
		details: [...faults],
	});
}

function changesOf({ overrides, service }: Profile, after: Bindings): Pick<Used, "operations" | "service"> {
	const ids = catalog.map(({ id }) => id).filter((id) => overrides[id] !== undefined || after.operations[id] !== undefined);
	const operations = ids.map((operation) => ({ operation, change: changeOf(overrides[operation], after.operations[operation]) }));
	return { operations, service: service === undefined && after.service === undefined ? "none" : changeOf(service, after.service) };
}

function changeOf(before: unknown, after: unknown): Change["change"] {
	if (before === undefined) return "new";
	if (after === undefined) return "removed";
	return canonicalJson(before) === canonicalJson(after) ? "same" : "changed";
}

function usedText({ profile, operations, service, dryRun }: Used, style: Style): string {
	const named = (change: Change["change"]): string | undefined => {
		const ids = operations.filter((one) => one.change === change).map(({ operation }) => operation);
		return ids.length === 0 ? undefined : ids.join(", ");
	};
	const words = { new: "new", changed: "changed", same: "unchanged", removed: "removed", none: undefined };
	return [
		dryRun
			? `A dry run: nothing was stored in the profile ${style.bold(profile)}.`
			: `${style.good("Stored")} in the profile ${style.bold(profile)}.`,
		style.pairs([
			["New", named("new")],
			["Changed", named("changed")],
			["Unchanged", named("same")],
			["Removed", named("removed")],
			["Pages, errors, ids", words[service]],
		]),
	].join("\n");
}
