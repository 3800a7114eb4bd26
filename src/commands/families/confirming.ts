/**
 * Confirming a binding: what a person is shown, and how they or a script say that it is right. For the command that confirms and for those
 * that send money.
 */
import { advice, purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import type { AnyOperation } from "../../api/operation.js";
import { transferFromBody } from "../../api/operations/transfer.js";
import { type Confirmable, confirmable } from "../../binding/confirmation.js";
import { call } from "../../client/call.js";
import { confirmBinding } from "../../client/leave/confirming.js";
import { leaveFor } from "../../client/leave/leave.js";
import { faultsOf, type ShownBinding, type ShownField, shownBinding } from "../../client/leave/shown.js";
import { serviceOf } from "../../client/service.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { checkDecimals } from "../../payments/single/facts.js";
import { needsCurrency } from "../../payments/single/sending.js";
import type { Profile } from "../../ports/profiles.js";

/** @throws PurserError validation, where the binding cannot be used at all */
export function lookAt(context: Pick<Context, "version">, operation: AnyOperation, profile: Profile): ShownBinding {
	const faults = faultsOf(operation, profile);
	if (faults.length === 0) return shownBinding(operation, profile, context.version);
	throw new PurserError("validation", {
		code: "INVALID_OVERRIDE",
		message: `The binding of ${operation.id} in the profile ${profile.name} cannot be used, so it cannot be confirmed`,
		fix: advice`Correct it: ${purser`api set ${operation.id} --help`}, or start again with ${purser`api set ${operation.id} --reset`}`,
		details: faults,
	});
}

/**
 * Shows a binding and asks whether it is right.
 * @throws PurserError guard, where it is declined
 */
export async function askConfirmation(
	context: Context,
	{ operation, profile, digest, uncapped }: { operation: AnyOperation; profile: Profile; digest: string; uncapped?: string },
): Promise<void> {
	const shown = lookAt(context, operation, profile);
	const prompts = await context.prompts();
	const chosen = await prompts.choose({
		message:
			operation.effect === "money"
				? "Is the right party debited, the right one credited, and the amount right?"
				: "Is this what should be sent?",
		above: bindingLines(operation, shown, digest),
		choices: [
			{ value: "no", label: "No, send nothing" },
			{ value: "yes", label: "Yes, this is right" },
		],
		fallback: "no",
		sends: true,
	});
	if (chosen !== "yes")
		throw new PurserError("guard", {
			code: "DECLINED_BY_OPERATOR",
			message: "Cancelled. Nothing was confirmed or sent",
			fix: advice`Correct what is wrong (${purser`api set ${operation.id} --help`}), then look again: ${purser`api confirm ${operation.id}`}`,
		});
	await confirmed(context, profile, operation, { digest, uncapped });
}

/** @throws PurserError guard, where the digest is that of another binding */
export async function confirmByDigest(
	context: Context,
	{ operation, profile, digest, uncapped }: { operation: AnyOperation; profile: Profile; digest: string; uncapped?: string },
): Promise<void> {
	if (confirmable(operation, profile)?.digest !== digest) throw changedError([operation], profile);
	lookAt(context, operation, profile);
	await confirmed(context, profile, operation, { digest, uncapped });
}

async function confirmed(
	context: Context,
	profile: Profile,
	operation: AnyOperation,
	given: { digest: string; uncapped?: string },
): Promise<void> {
	if ((await confirmBinding(context, profile, operation, given)) === undefined) throw changedError([operation], profile);
}

/**
 * Before money is sent at a terminal: asks about each binding that nobody has confirmed.
 * @param given digests that the command line confirms, by {@link confirmGiven} once it is sent
 */
export async function askUnconfirmed(context: Context, operations: readonly AnyOperation[], given: readonly string[] = []): Promise<void> {
	const { profile, dryRun } = await context.settings();
	if (dryRun) return;
	refuseOtherDigests(operations, profile, given);
	for (const [operation, asked] of await unconfirmed(context, operations, profile))
		if (!given.includes(asked.digest)) await askConfirmation(context, { operation, profile, digest: asked.digest });
}

/** Before a payment is asked about: its binding, and whether it is too large to be the first through it. */
export async function beforePayment(
	context: Context,
	operation: AnyOperation,
	{ confirmBinding, currency, ...body }: { confirmBinding?: readonly string[]; currency?: string },
): Promise<void> {
	await askUnconfirmed(context, [operation], confirmBinding);
	const { profile } = await context.settings();
	// What the command line confirms is looked at when it is sent.
	if (confirmBinding !== undefined) return;
	const known = await checkDecimals(serviceOf(context), transferFromBody(operation, body, currency), needsCurrency(profile));
	await leaveFor(context, profile, operation, { call, one: { body, currency: known } });
}

/** What a script confirms together with a payment. @throws PurserError guard, where a digest is that of no binding that is used */
export async function confirmGiven(context: Context, operations: readonly AnyOperation[], given: readonly string[] = []): Promise<void> {
	const { profile, dryRun } = await context.settings();
	if (dryRun || given.length === 0) return;
	refuseOtherDigests(operations, profile, given);
	for (const [operation, { digest }] of await unconfirmed(context, operations, profile))
		if (given.includes(digest)) await confirmByDigest(context, { operation, profile, digest });
}

/** The bindings that nobody has confirmed, also since this run began; at a sandbox of purser's own none has to be. */
async function unconfirmed(
	context: Context,
	operations: readonly AnyOperation[],
	profile: Profile,
): Promise<[AnyOperation, Confirmable][]> {
	if (operations.every((one) => confirmable(one, profile) === undefined)) return [];
	if ((await context.sandboxIdentity(profile)) !== undefined) return [];
	const stored = await (await context.profiles()).get(profile.name);
	const now = { ...profile, confirmations: stored?.confirmations };
	return operations.flatMap((operation): [AnyOperation, Confirmable][] => {
		const asked = confirmable(operation, now);
		return asked === undefined || asked.confirmed !== undefined ? [] : [[operation, asked]];
	});
}

function refuseOtherDigests(operations: readonly AnyOperation[], profile: Profile, given: readonly string[]): void {
	const digests = operations.map((one) => confirmable(one, profile)?.digest);
	if (given.some((digest) => !digests.includes(digest))) throw changedError(operations, profile);
}

function changedError(operations: readonly AnyOperation[], { name }: Profile): PurserError {
	const [first] = operations as [AnyOperation];
	return new PurserError("guard", {
		code: "BINDING_CHANGED",
		message: `The digest given is not that of the binding that the profile ${name} has now; nothing was confirmed or sent`,
		why: "The binding was changed after somebody looked at it, or the digest is of another operation",
		fix: advice`Look at it as it is now: ${purser`api confirm ${first.id} --dry-run`}`,
	});
}

/** What is shown above the question, a line each. */
export function bindingLines(operation: AnyOperation, shown: ShownBinding, digest: string): string[] {
	const { direction, request, constants, answer, statuses, source, wants } = shown;
	return [
		`${operation.title} (${operation.id})`,
		...(direction === null ? replacing(request.method) : [""]),
		...(direction === null
			? []
			: [
					`${inCurrency(direction.amount, direction.currency)} leaves A, arrives at B`,
					...shown.fields.map((one) => `  ${fieldLine(one)}`),
				]),
		...constants.map(({ place, value }) => `  Always      ${place} = ${value}`),
		"",
		"The request, with sample values:",
		`  ${request.method} ${request.url}`,
		...Object.entries(request.headers).map(([name, value]) => `  ${name}: ${value}`),
		...(request.body === null ? [] : ["", `  ${request.body}`]),
		"",
		...(answer === null ? [] : [`The new record's id is read here: ${answer}`]),
		...(statuses === null ? [] : [statusLine(statuses)]),
		...wants.map((one) => `Missing: ${one}.`),
		...(source == null ? [] : [`From ${source.document}, ${source.pointer}`]),
		`Digest ${digest}`,
	];
}

const labels: Readonly<Record<string, string>> = {
	ledgerFromId: "Leaves A   ",
	ledgerToId: "Arrives B  ",
	beneficiaryId: "Arrives B  ",
	amount: "Amount     ",
	reference: "Reference  ",
};

function fieldLine({ field: name, value, places }: ShownField): string {
	const label = labels[name] ?? name;
	if (places.length === 0) return `${label} not sent: it has no place at this deployment`;
	const where = places.map((one) => (one.value === value ? one.place : `${one.place} as ${one.value}`));
	return `${label} ${value} · ${where.join(" and ")}`;
}

function replacing(method: string): string[] {
	return method === "DELETE"
		? ["", "DELETE removes the record.", ""]
		: ["", `${method} replaces the record: the service may remove what the request does not hold.`];
}

function statusLine({ accepted = [], waiting = [] }: { accepted?: number[]; waiting?: number[] }): string {
	const parts = [
		...(accepted.length > 0 ? [`${accepted.join(", ")} means accepted`] : []),
		...(waiting.length > 0 ? [`${waiting.join(", ")} means accepted and waiting`] : []),
	];
	return `Status ${parts.join("; ")}; any other success proves nothing`;
}
