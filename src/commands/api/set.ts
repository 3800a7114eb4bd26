import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { flag } from "../../api/fields.js";
import type { AnyOperation } from "../../api/operation.js";
import { catalog } from "../../api/operations/catalog.js";
import { field } from "../../api/schema.js";
import { confirmable } from "../../binding/confirmation.js";
import { bindingFaults } from "../../binding/faults.js";
import { unlessDryRun } from "../../config/named.js";
import { changedOverride } from "../../config/override.js";
import { PurserError } from "../../errors.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "api set",
	summary: "Replace an operation's method, path, field name or header in the profile",
	details:
		"For a deployment that differs from the description, above all from what is assumed in it. Replacements are kept in the profile and add up; --reset takes those of the operation away first. No secret belongs in a header: see `purser auth login`.",
	examples: [
		{ run: "api set kyb.request --path /api/partner/corporates/{corporateId}/verifications", note: "Another path" },
		{
			run: "api set corporate.create --field accountOwnerInfo.position=jobTitle",
			note: "Another name on the wire, in requests and answers",
		},
		{ run: "api set transaction.beneficiary --header 'Linkcy-SCA-Strategy: PUSH_NOTIFICATION'", note: "A header of its own" },
		{ run: "api set kyb.request --reset", note: "Back to the description" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		operation: field(z.enum(catalog.map((one) => one.id) as [string, ...string[]]), {
			description: "Which operation; see `purser api list`",
			positional: true,
			placeholder: "operation",
		}),
		method: z.optional(field(z.enum(["GET", "POST", "PATCH", "PUT", "DELETE"]), { description: "Method" })),
		path: z.optional(
			field(z.string(), {
				description: "Path below the base address, with the operation's {parameters}",
				placeholder: "/path",
			}),
		),
		field: z.optional(
			field(z.array(field(z.string(), { description: "ours=theirs", placeholder: "ours=theirs" })), {
				description: "Field name of the description (dotted for nested) and its name on the wire",
			}),
		),
		header: z.optional(
			field(z.array(field(z.string(), { description: "Name: value", placeholder: "'Name: value'" })), {
				description: "Header sent with this operation",
			}),
		),
		reset: flag("Remove the operation's replacements first"),
	}),
	run: async (context, { operation: id, reset, ...text }) => {
		const profiles = await context.profiles();
		const name = (await context.settings()).profile.name;
		const profile = await profiles.get(name);
		if (!profile) throw notStoredError(name);
		const operation = catalog.find((one) => one.id === id) as AnyOperation;
		if (!reset && Object.values(text).every((part) => part === undefined)) throw nothingGivenError(id);
		const before = reset ? {} : (profile.overrides[id] ?? {});
		const changed = changedOverride(operation, before, text);
		const { override } = changed;
		const faults = changed.faults.length > 0 ? changed.faults : bindingFaults(operation, override, profile.baseUrl);
		if (faults.length > 0)
			throw new PurserError("validation", {
				code: "INVALID_OVERRIDE",
				message: `The replacement does not fit ${id}; nothing was stored`,
				fix: advice`See what ${id} needs with \`${purser`api list --json`}\`, then run the command again.`,
				details: faults,
			});
		const { [id]: _, ...others } = profile.overrides;
		const overrides = Object.keys(override).length === 0 ? others : { ...others, [id]: override };
		await unlessDryRun(context, async () => {
			await profiles.save({ ...profile, overrides });
		});
		const asked = confirmable(operation, { ...profile, overrides });
		return {
			profile: name,
			operation: id,
			effect: operation.effect,
			method: override.method ?? operation.method,
			path: override.path ?? operation.path,
			override: overrides[id],
			...(asked !== undefined && asked.confirmed === undefined ? { unconfirmed: true as const } : {}),
		};
	},
	text: (data, style) =>
		[
			data.override
				? `${style.good("Stored")} in the profile ${style.bold(data.profile)}.`
				: `The profile ${style.bold(data.profile)} has no replacement for it any more.`,
			style.pairs([
				["Operation", data.operation],
				["Request", `${data.method} ${data.path}`],
				...Object.entries(data.override?.fields ?? {}).map(([ours, theirs]) => ["Field", `${ours} → ${theirs}`] as const),
				...Object.entries(data.override?.headers ?? {}).map(([header, value]) => ["Header", `${header}: ${value}`] as const),
			]),
			...(data.unconfirmed ? [style.warn("Nothing is sent by it until somebody has confirmed the exact request.")] : []),
		].join("\n"),
	next: (data) => {
		if (data.unconfirmed) return [purser`api confirm ${data.operation}`];
		const list = purser`api list`;
		return [data.effect === "read" ? list : { ...list, remark: "--dry-run of a command shows the exact request" }];
	},
});

function notStoredError(name: string): PurserError {
	return new PurserError("usage", {
		code: "PROFILE_NOT_STORED",
		message: `There is no stored profile ${JSON.stringify(name)} to keep this in`,
		fix: advice`Create it first: \`${purser`profile add ${name} --base-url URL`}\`.`,
	});
}

function nothingGivenError(id: string): PurserError {
	return new PurserError("usage", {
		code: "MISSING_INPUT",
		message: "Nothing to replace was given",
		fix: advice`Give --method, --path, --field, --header or --reset, like: ${purser`api set ${id} --path /api/…`}`,
	});
}
