/**
 * A service whose ids are no UUIDs: the sandbox of a world, whose ids are replaced on the wire. Two ids that follow one another differ in
 * capitals alone.
 */
import type { IdForms } from "../../src/api/text/ids.js";
import type { WireOutcome } from "../../src/ports/wire.js";
import type { World } from "../support/world.js";
import { delivered, sandboxAnswer } from "../support/world-wire.js";

const form = "id_[A-Za-z]{5}";

/** What the profile of such a service says. */
export const ownForms: IdForms = { corporate: form, related: form, ledger: form, beneficiary: form, transaction: form };

const letters = "aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ";

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

function ownId(number: number): string {
	const digits: string[] = [];
	for (let rest = number, nth = 0; nth < 5; nth += 1, rest = Math.floor(rest / letters.length))
		digits.unshift(letters.charAt(rest % letters.length));
	return `id_${digits.join("")}`;
}

export interface OwnIds {
	/** The service's own id of a record of the sandbox. */
	of(uuid: string): string;
	/** Passes a request on to the sandbox. */
	pass(request: Parameters<NonNullable<World["wire"]>>[0]): Promise<WireOutcome>;
}

/** Answers for a world's sandbox with ids of its own from now on. */
export function withOwnIds(world: World): OwnIds {
	const own = new Map<string, string>();
	const theirs = new Map<string, string>();
	const of = (uuid: string): string => {
		const known = own.get(uuid.toLowerCase()) ?? ownId(own.size);
		own.set(uuid.toLowerCase(), known);
		theirs.set(known, uuid.toLowerCase());
		return known;
	};
	const inward = (text: string): string => text.replace(/id_[A-Za-z]{5}/g, (id) => theirs.get(id) ?? id);
	const pass: OwnIds["pass"] = async (request) => {
		const body = new TextEncoder().encode(inward(new TextDecoder().decode(request.body)));
		const outcome = delivered(await sandboxAnswer(world, { ...request, url: inward(request.url), body }));
		if (outcome.kind !== "answer") return outcome;
		return { ...outcome, body: new TextEncoder().encode(new TextDecoder().decode(outcome.body).replace(uuids, of)) };
	};
	world.wire = pass;
	// A sandbox's mapping needs no confirmation.
	world.identity = "0f0f0f0f";
	return { of, pass };
}
