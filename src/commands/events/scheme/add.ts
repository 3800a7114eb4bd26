import * as z from "zod/mini";
import { advice, purser } from "../../../api/advice.js";
import { filePath } from "../../../api/fields.js";
import { formatJson } from "../../../api/json.js";
import { field } from "../../../api/schema.js";
import { unlessDryRun } from "../../../config/named.js";
import { PurserError } from "../../../errors.js";
import { schemeIn, schemeWords } from "../../../events/scheme-file.js";
import { schemesOf } from "../../../events/schemes.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "events scheme add",
	summary: "Describe how a sender signs its events",
	details:
		"For senders that do not follow Standard Webhooks, which is built in. The file says what is signed, with which algorithm and key, and in which header, as JSON or YAML; `purser events scheme list --json` shows schemes in that form. A scheme without a signed body is refused, and so is a signed time without a tolerance.",
	examples: [
		{ run: "events scheme add shop --description shop.yaml", note: "From a file" },
		{ run: "events scheme add shop --description - < shop.json", note: "From standard input" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		name: field(z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be small letters, digits, . _ and -, 64 at most")), {
			description: "A name for it, of your choice",
			positional: true,
			placeholder: "name",
		}),
		description: filePath("The scheme, as JSON or YAML; - for standard input", { placeholder: "file" }),
	}),
	run: async (context, { name, description }) => {
		const { profile } = await context.settings();
		const profiles = await context.profiles();
		const stored = await profiles.get(profile.name);
		if (stored === undefined) throw notStored();
		const known = schemesOf(stored);
		if (Object.hasOwn(known, name)) throw taken(name, !Object.hasOwn(stored.eventSchemes ?? {}, name));
		const read = schemeIn(JSON.parse(formatJson(await context.documents.read(description))));
		if ("faults" in read) throw invalid(description, read.faults);
		const { scheme } = read;
		const saved = await unlessDryRun(context, async () => {
			await profiles.save({ ...stored, eventSchemes: { ...stored.eventSchemes, [name]: scheme } });
			return true;
		});
		return { name, profile: stored.name, scheme, added: saved === true };
	},
	text: ({ name, profile, scheme, added }, style) =>
		[
			added ? style.good("Scheme added") : "The scheme can be used; it was not added (dry run).",
			style.pairs([
				["Name", name],
				["Profile", profile],
				["Signs", schemeWords(scheme)],
			]),
		].join("\n"),
	next: ({ name }) => [purser`events secret add NAME --scheme ${name}`],
});

function notStored(): PurserError {
	return new PurserError("usage", {
		code: "PROFILE_NOT_STORED",
		message: "There is no stored profile to keep the scheme in",
		fix: advice`Add one: ${purser`profile add NAME --base-url URL`}`,
	});
}

function taken(name: string, isBuiltIn: boolean): PurserError {
	return new PurserError("usage", {
		code: "EVENT_SCHEME_TAKEN",
		message: isBuiltIn ? `The scheme ${name} is built in; nothing was changed` : `There is a scheme named ${name} already; it is unchanged`,
		fix: isBuiltIn ? "Choose another name." : advice`Choose another name, or remove it first: ${purser`events scheme remove ${name}`}`,
	});
}

function invalid(file: string, faults: readonly string[]): PurserError {
	return new PurserError("validation", {
		code: "EVENT_SCHEME_INVALID",
		message: `${file} does not describe a scheme that can be used; nothing was changed`,
		fix: advice`Correct it. A scheme in the same form: ${purser`events scheme list --json`}`,
		details: faults.map((message) => ({ field: "description", message })),
	});
}
