import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { plain } from "../../api/fields.js";
import type { AnyOperation } from "../../api/operation.js";
import { catalog } from "../../api/operations/catalog.js";
import { field } from "../../api/schema.js";
import { confirmable } from "../../binding/confirmation.js";
import type { ShownBinding } from "../../client/leave/shown.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { confirmBindingField } from "../../payments/single/confirm-binding.js";
import type { BindingConfirmation, Profile } from "../../ports/profiles.js";
import { defineCommand } from "../../shell/command.js";
import { askConfirmation, bindingLines, confirmByDigest, lookAt } from "../families/confirming.js";

interface Confirming extends ShownBinding {
	profile: string;
	operation: string;
	/** Null where nothing has to be confirmed. */
	digest: string | null;
	/** As it stands now; null where nobody has confirmed it. */
	confirmed: BindingConfirmation | null;
}

export default defineCommand({
	path: "api confirm",
	summary: "Confirm what a binding of your own sends, before money leaves through it",
	details:
		"A payment whose method, address or fields the profile replaces is sent only once somebody has seen the exact request and said that it is right; so is a request that replaces a whole record (PUT). The confirmation is for this binding and this address: after any change it is asked for again. It is kept in the profile and recorded in the journal (`purser history settings`).",
	examples: [
		{ run: "api confirm transaction.interLedger", note: "Shows who is debited, who is credited, and the exact request; asks" },
		{ run: "api confirm transaction.interLedger --dry-run --json", note: "The same for a script, with the digest" },
		{ run: "api confirm transaction.interLedger --confirm-binding DIGEST", note: "In a script, after somebody has looked" },
		{
			run: 'api confirm transaction.interLedger --no-first-cap --reason "Tested by the bank, ticket 4711"',
			note: "Without the limit of the first payment",
		},
	],
	effect: "read",
	operations: [],
	input: z
		.strictObject({
			operation: field(z.enum(catalog.map((one) => one.id) as [string, ...string[]]), {
				description: "Which operation; see `purser api list`",
				positional: true,
				placeholder: "operation",
			}),
			confirmBinding: confirmBindingField(),
			firstCap: z._default(field(z.boolean(), { description: "Limit the first payment through it (setting first-payment)" }), true),
			reason: z.optional(plain("Why the first payment is not limited, for the record; no personal data")),
		})
		.check(
			z.superRefine(({ firstCap, reason }, check) => {
				if (!firstCap && !reason?.trim())
					check.addIssue({ code: "custom", path: ["reason"], message: "is required with --no-first-cap, for the record" });
				if (firstCap && reason !== undefined) check.addIssue({ code: "custom", path: ["reason"], message: "goes with --no-first-cap" });
			}),
		),
	run: async (context, { operation: id, confirmBinding, firstCap, reason }): Promise<Confirming> => {
		const { profile } = await context.settings();
		const operation = catalog.find((one) => one.id === id) as AnyOperation;
		const asked = confirmable(operation, profile);
		if (asked === undefined)
			return { ...lookAt(context, operation, profile), profile: profile.name, operation: id, digest: null, confirmed: null };
		const uncapped = firstCap ? undefined : reason?.trim();
		const isDone = asked.confirmed !== undefined && (firstCap || asked.confirmed.uncapped !== undefined);
		const given = { operation, profile, digest: asked.digest, uncapped: uncapped ?? asked.confirmed?.uncapped };
		if (confirmBinding !== undefined) await byDigests(context, confirmBinding, given);
		else if (!isDone && !context.flags.dryRun) {
			if (!context.flags.interactive || context.flags.yes) throw digestNeededError(id, uncapped !== undefined);
			await askConfirmation(context, given);
		}
		const shown = lookAt(context, operation, profile);
		return { ...shown, profile: profile.name, operation: id, digest: asked.digest, confirmed: await standing(context, operation, profile) };
	},
	text: (data, style) => {
		const operation = catalog.find((one) => one.id === data.operation) as AnyOperation;
		if (data.digest === null)
			return `Nothing to confirm: the profile ${data.profile} sends ${data.operation} as described, or changes nothing by it.`;
		const lines = bindingLines(operation, data, data.digest);
		const { confirmed } = data;
		if (confirmed === null) return [...lines, "", style.warn("Nobody has confirmed it")].join("\n");
		return [
			...lines,
			"",
			`${style.good("Confirmed")} ${[style.time(confirmed.at), confirmed.by && `by ${confirmed.by}`].filter(Boolean).join(" ")}`,
			...(confirmed.uncapped === undefined ? [] : [`Its first payment is not limited: ${confirmed.uncapped}`]),
		].join("\n");
	},
	next: ({ digest, confirmed, operation, direction }) => {
		if (digest === null) return [purser`api list`];
		if (confirmed === null) return [purser`api confirm ${operation}`];
		return direction === null || confirmed.uncapped !== undefined
			? []
			: [
					{
						...purser`pay ${operation === "transaction.interLedger" ? "ledger" : "beneficiary"}`,
						remark: "a small amount first, with --wait",
					},
				];
	},
});

async function byDigests(
	context: Context,
	digests: readonly string[],
	given: { operation: AnyOperation; profile: Profile; digest: string; uncapped?: string },
): Promise<void> {
	for (const digest of digests) {
		if (context.flags.dryRun) context.reporter.warn("Dry run: nothing was confirmed");
		else await confirmByDigest(context, { ...given, digest });
	}
}

async function standing(context: Context, operation: AnyOperation, profile: Profile): Promise<BindingConfirmation | null> {
	const stored = await (await context.profiles()).get(profile.name);
	return confirmable(operation, { ...profile, confirmations: stored?.confirmations })?.confirmed ?? null;
}

function digestNeededError(id: string, isUncapped: boolean): PurserError {
	return new PurserError("usage", {
		code: "CONFIRMATION_NEEDED",
		message: `The binding of ${id} must be looked at by a person, and nobody can be asked here; nothing was confirmed`,
		fix: advice`Look at it (${purser`api confirm ${id} --dry-run`}), then confirm the digest that it shows: ${isUncapped ? purser`api confirm ${id} --confirm-binding DIGEST --no-first-cap --reason TEXT` : purser`api confirm ${id} --confirm-binding DIGEST`}`,
		details: [{ field: "confirmBinding", message: "is required without a question" }],
	});
}
