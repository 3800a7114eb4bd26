/**
 * What tests of payments do in a world of batches: pay, lose answers, read an error, and have what the service shows changed on its way.
 */
import type { WireRequest } from "../../src/ports/wire.js";
import type { Ran } from "../support/purser.js";
import { answered, lostAnswer } from "../support/world-wire.js";
import type { BatchWorld } from "./batch-world.js";

/** A payment between the two ledgers, by a script. */
export function payIn(world: BatchWorld, reference?: string, { amount = "10.10", more = [] as string[] } = {}): Promise<Ran> {
	const named = reference === undefined ? [] : ["--reference", reference];
	return world.purser([
		...["pay", "ledger", "--from", world.from, "--to", world.to, "--amount", amount, ...named],
		...["--yes", "--json", ...more],
	]);
}

/** The error of a run that ended with one, as JSON. */
export const errorOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;

/** From now on payments reach the service, and no answer comes. */
export const loseAnswers = (world: BatchWorld): void =>
	world.onTransfer(async (_, pass) => {
		await pass();
		return lostAnswer;
	});

/** From now on no payment reaches the service, and no answer comes. */
export const losePayments = (world: BatchWorld): void => world.onTransfer(async () => lostAnswer);

/** Whether a request is for the list of transactions. */
export const asksList = ({ url }: { url: string }): boolean => url.includes("/transactions?");

/** From now on the service tells otherwise what is read: all of it, or what `which` names. @param change undefined: as it is */
export function tellOtherwise(
	world: BatchWorld,
	change: (text: string) => string | undefined,
	which: (request: WireRequest) => boolean = ({ method }) => method === "GET",
): void {
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	world.wire = async (request) => {
		const outcome = await pass(request);
		if (outcome.kind !== "answer" || !which(request)) return outcome;
		const text = change(new TextDecoder().decode(outcome.body));
		return text === undefined ? outcome : { ...outcome, body: new TextEncoder().encode(text) };
	};
}

/** From now on the list shows nothing. */
export const hideList = (world: BatchWorld): void => tellOtherwise(world, () => '{"content":[],"totalElements":0}', asksList);

/** A list of transactions that is all there is. */
export const emptyList = answered(200, '{"content":[],"totalElements":0}');
