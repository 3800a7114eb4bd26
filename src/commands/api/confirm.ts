import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import { plain } from "../../api/fields.js";
import type { AnyOperation } from "../../api/operation.js";
import { catalog } from "../../api/operations/catalog.js";
import { field } from "../../api/schema.js";
import { serviceAddress } from "../../api/service-address.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import { exampleOf, type ShownRequest } from "../../http/confirm/example.js";
import { confirmable } from "../../mapping/request/confirmation.js";
import { recordGuards } from "../../payments/rules/guards.js";
import type { MappingConfirmation, Profile } from "../../ports/profiles.js";
import { confirmed } from "../families/answers.js";

interface Confirming extends ShownRequest {
	profile: string;
	operation: string;
	/** Null where nothing has to be confirmed. */
	digest: string | null;
	/** As it stands now; null where nobody has confirmed it. */
	confirmed: MappingConfirmation | null;
}

export default defineCommand({
	path: "api confirm",
	summary: "Confirm what the mapping sends, before money leaves through it",
	details:
		"A payment whose address or fields the mapping says is sent only once somebody has seen the exact request and said that it is right; so is a request that replaces a whole record (PUT), and a read that is no GET. The confirmation is for this entry and this address: after a change it is asked for again. It is kept in the profile and recorded in the journal (`purser history export --kind settings`).",
	examples: {
		"api confirm transaction.interLedger": "Shows who is debited, who is credited, and the exact request; asks",
		"api confirm transaction.interLedger --dry-run --json": "The same for a script, with the digest",
		"api confirm transaction.interLedger --digest DIGEST": "In a script, after somebody has looked",
	},
	input: z.strictObject({
		operation: field(z.enum(catalog.map((one) => one.id) as [string, ...string[]]), {
			description: "Which operation; see `purser api list`",
			positional: true,
			placeholder: "operation",
		}),
		digest: z.optional(plain("The digest of what somebody has looked at, in a script")),
	}),
	answer: () =>
		z.strictObject({
			...{ profile: z.string(), operation: z.string(), digest: z.nullable(z.string()), confirmed: confirmed() },
			fields: z.array(z.strictObject({ field: z.string(), value: z.nullable(z.string()), place: z.string() })),
			currency: z.nullable(z.string()),
			request: z.strictObject({
				...{ method: z.string(), url: z.string(), body: z.nullable(z.string()) },
				headers: z.record(z.string(), z.string()),
			}),
		}),
	async run(context, { operation: id, digest }): Promise<Answer<Confirming>> {
		const { profile } = await context.settings.read();
		const operation = catalog.find((one) => one.id === id) as AnyOperation;
		const asked = confirmable(operation, profile);
		const shown = { ...exampleOf(operation, profile, context.system.version), profile: profile.name, operation: id };
		if (asked === undefined) return { data: { ...shown, digest: null, confirmed: null }, next: [purser`api list`] };
		const found = { ...shown, digest: asked.digest, confirmed: asked.confirmed ?? null };
		if (digest !== undefined && digest !== asked.digest) throw changedError(operation, profile);
		if (found.confirmed === null && !context.settings.flags.dryRun) {
			if (digest === undefined) await ask(context, operation, found);
			found.confirmed = await confirmRequest(context, profile, operation, asked.digest);
		}
		return { data: found, next: nextAfter(found) };
	},
	text: (data, style) => {
		const operation = catalog.find((one) => one.id === data.operation) as AnyOperation;
		if (data.digest === null)
			return `Nothing to confirm: the profile ${data.profile} sends ${data.operation} as described, or changes nothing by it.`;
		const { at, by } = data.confirmed ?? {};
		const confirmed = [style.good("Confirmed"), style.time(at), by && `by ${by}`].filter(Boolean).join(" ");
		return [...requestLines(operation, data), "", at === undefined ? style.warn("Nobody has confirmed it") : confirmed].join("\n");
	},
});

/**
 * Stores that a person confirmed what a mapping sends for an operation.
 * @param digest of what was shown
 * @throws PurserError guard, where the stored profile says something else by now
 */
async function confirmRequest(context: Context, profile: Profile, operation: AnyOperation, digest: string): Promise<MappingConfirmation> {
	const profiles = await context.config.profiles();
	const stored = await profiles.get(profile.name);
	if (stored === undefined || confirmable(operation, { ...stored, baseUrl: profile.baseUrl })?.digest !== digest)
		throw changedError(operation, profile);
	const by = await context.config.operator();
	const confirmation: MappingConfirmation = { digest, service: serviceAddress(profile.baseUrl), at: context.clock.now().toISOString(), by };
	const withIt = (one: Profile): Profile => ({ ...one, confirmations: { ...one.confirmations, [operation.id]: confirmation } });
	// On record first: what is confirmed and not on record could not be told from what somebody wrote into the file.
	await recordGuards(context, profile, stored, withIt(stored));
	await profiles.change(profile.name, withIt);
	return confirmation;
}

function nextAfter({ confirmed, operation, currency }: Confirming): readonly Advice[] {
	if (confirmed === null) return [purser`api confirm ${operation}`];
	const pay = purser`pay ${operation === "transaction.interLedger" ? "ledger" : "beneficiary"}`;
	return currency === null ? [] : [{ ...pay, remark: "a small amount first, with --wait" }];
}

/** @throws PurserError guard, where it is declined; usage, where nobody can be asked */
async function ask(context: Context, operation: AnyOperation, found: Confirming): Promise<void> {
	const { id, effect } = operation;
	if (!context.settings.flags.interactive || context.settings.flags.yes)
		throw new PurserError("usage", {
			code: "CONFIRMATION_NEEDED",
			message: `A person must look at the request of ${id}, and nobody can be asked here; nothing was confirmed`,
			fix: advice`Look at it (${purser`api confirm ${id} --dry-run`}), then confirm the digest that it shows: ${purser`api confirm ${id} --digest DIGEST`}`,
			details: [{ field: "digest", message: "is required without a question" }],
		});
	const prompts = await context.ask.prompts();
	const chosen = await prompts.choose({
		message:
			effect === "money" ? "Is the right party debited, the right one credited, and the amount right?" : "Is this what should be sent?",
		above: requestLines(operation, found),
		choices: [
			{ value: "no", label: "No, confirm nothing" },
			{ value: "yes", label: "Yes, this is right" },
		],
		fallback: "no",
		sends: true,
	});
	if (chosen !== "yes")
		throw new PurserError("guard", {
			code: "DECLINED_BY_OPERATOR",
			message: "Cancelled. Nothing was confirmed or sent",
			fix: advice`Correct what is wrong in the mapping, store it (${purser`api use FILE`}), and look again: ${purser`api confirm ${id}`}`,
		});
}

function changedError({ id }: AnyOperation, { name }: Profile): PurserError {
	return new PurserError("guard", {
		code: "MAPPING_CHANGED",
		message: `The digest is not that of what the profile ${name} sends for ${id} now; nothing was confirmed`,
		why: "The mapping was changed after somebody looked at it, or the digest is of another operation",
		fix: advice`Look at it now: ${purser`api confirm ${id} --dry-run`}`,
	});
}

function requestLines(operation: AnyOperation, shown: Confirming): string[] {
	const { fields, currency, request, digest } = shown;
	const amount = fields.find(({ field: name }) => name === "amount")?.value;
	return [
		`${operation.title} (${operation.id})`,
		...(currency === null ? replacing(request.method) : [`${inCurrency(String(amount), currency)} leaves A, arrives at B`]),
		...fields.map((one) => `  ${fieldLine(one)}`),
		"",
		"The request, with example values:",
		`  ${request.method} ${request.url}`,
		...Object.entries(request.headers).map(([name, value]) => `  ${name}: ${value}`),
		...(request.body === null ? [] : ["", `  ${request.body}`]),
		"",
		`Digest ${digest}`,
	];
}

const labels: Readonly<Record<string, string>> = {
	...{ ledgerFromId: "Leaves A", ledgerToId: "Arrives B", beneficiaryId: "Arrives B" },
	...{ amount: "Amount", reference: "Reference" },
};

const fieldLine = ({ field: name, value, place }: ShownRequest["fields"][number]): string =>
	`${(labels[name] ?? name).padEnd(10)}  ${value === null ? "not sent: this service has no place for it" : `${value} · ${place}`}`;

function replacing(method: string): string[] {
	if (method === "DELETE") return ["DELETE removes the record."];
	return method === "PUT" ? ["PUT replaces the record: the service may remove what the request does not hold."] : [];
}
