/**
 * What tests of payments do in a world of batches: pay, lose answers, settle, and have what the service shows changed on its way.
 */
import type { WireRequest } from "../../src/ports/wire.js";
import type { Ran, World } from "../support/purser.js";
import { answered, lostAnswer } from "../support/world-wire.js";
import type { BatchWorld } from "./batch-world.js";

/** A day and a minute: the service dates its answers to the second only. */
export const settlingTime = 24 * 3_600_000 + 60_000;

/** A payment between the two ledgers, by a script. */
export function payIn(world: BatchWorld, reference?: string, { amount = "10.10", more = [] as string[] } = {}): Promise<Ran> {
	const named = reference === undefined ? [] : ["--reference", reference];
	const parties = ["--from", world.from, "--to", world.to, "--amount", amount, ...named];
	return world.purser(["pay", "ledger", ...parties, "--yes", "--json", ...more]);
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

/**
 * A person says that a payment was not created, by a check past the settling time; where there is no list, by a Yes alone.
 * @returns what came of the word
 */
export async function notCreated(world: World, intent: string, ...more: string[]): Promise<Ran> {
	world.clock.advance(settlingTime);
	const [checked] = (await world.json(`pay settle ${intent}`)) as { check?: { number?: number } }[];
	const check = checked?.check?.number === undefined ? ["--yes"] : ["--check", String(checked.check.number)];
	return world.purser(["pay", "settle", intent, "--not-created", ...check, "--reason", "asked the bank", ...more]);
}

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

/** A list of transactions that is all there is. */
export const nothingListed = '{"content":[],"totalElements":0}';
export const emptyList = answered(200, nothingListed);
