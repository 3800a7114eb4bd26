/**
 * Several related entities declared one after another, and the outcome of each.
 */
import { failureInAnswer } from "../../api/advice.js";
import type { Received } from "../../api/answer.js";
import { type Failure, type Kind, PurserError } from "../../errors.js";
import { entityName } from "./related-entity.js";

/** One entity of a list. */
interface Declared {
	/** Its place in the list, from 1. */
	position: number;
	name: string;
	state: "created" | "refused" | "in doubt" | "not sent";
	/** Its new id, once created. */
	id?: string;
	/** The failure, of the one that failed. */
	error?: Pick<Failure<string>, "code" | "message" | "why" | "fix" | "status" | "apiCode" | "details"> & { kind: Kind };
}

/** The outcome of a list. */
export interface Declaration {
	corporateId: string;
	entities: Declared[];
}

/**
 * Creates the entities in order and stops at the first failure: later ones may depend on it.
 * @param create sends one and returns its new id
 * @throws PurserError where the first one fails: nothing was created
 */
export async function declareEach(
	corporateId: string,
	bodies: readonly Received[],
	create: (body: Received) => Promise<string | undefined>,
): Promise<Declaration> {
	const entities: Declared[] = bodies.map((body, at) => ({ position: at + 1, name: entityName(body, at), state: "not sent" }));
	for (const [at, entity] of entities.entries()) {
		try {
			entity.id = await create(bodies[at] as Received);
			entity.state = "created";
		} catch (error) {
			if (at === 0 || !(error instanceof PurserError)) throw error;
			entity.state = stateAfter(error.kind);
			const { code, message, why, fix, status, apiCode, details } = failureInAnswer(error.failure);
			entity.error = { code, kind: error.kind, message, why, fix, status, apiCode, details };
			break;
		}
	}
	return { corporateId, entities };
}

function stateAfter(kind: Kind): Declared["state"] {
	if (kind === "unknown") return "in doubt";
	return kind === "rejected" || kind === "auth" ? "refused" : "not sent";
}

/** The failure of a list; undefined when everything was created. */
export function declarationOutcome({ entities }: Declaration): Kind | undefined {
	const failed = entities.find((entity) => entity.error)?.error;
	if (failed === undefined) return undefined;
	return failed.kind === "unknown" || failed.kind === "interrupted" ? failed.kind : "partial";
}
