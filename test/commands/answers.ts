/**
 * A service of a few fixed answers, for what the sandbox would not say: by `METHOD /path`, the query left out.
 */
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { makeWorld, type World } from "../support/purser.js";

export interface Canned {
	status?: number;
	/** Sent as JSON unless it is text or bytes. */
	body?: unknown;
	type?: string;
}

export type Answers = Readonly<Record<string, Canned | readonly Canned[]>>;

/** Answers of a list are given in turn, the last one again and again. What is not in the table is a 404. */
export function answering(table: Answers): (request: WireRequest) => Promise<WireOutcome> {
	const asked = new Map<string, number>();
	return async ({ method, url }) => {
		const line = `${method} ${new URL(url).pathname}`;
		const turn = asked.get(line) ?? 0;
		asked.set(line, turn + 1);
		const entry = table[line];
		const canned = Array.isArray(entry) ? entry[Math.min(turn, entry.length - 1)] : (entry as Canned | undefined);
		return outcome(canned ?? { status: 404, body: { status: 404, message: "not here" } });
	};
}

export const ada = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";

/** The account owner of a company of whom nothing is open any more. */
export const validatedOwner = (more: object = {}) => ({
	id: ada,
	firstName: "Ada",
	lastName: "Example",
	isAccountOwner: true,
	isDirector: true,
	isUbo: true,
	directSharesPercentage: 100,
	email: { address: "ada@example.com", verified: true },
	phone: { countryCode: "33", number: "639980001", verified: true },
	kycInfo: { status: "VALIDATED", type: "FULL_KYC" },
	...more,
});

/** A list that is seen whole on its first page. */
export const page = (...content: object[]): Canned => ({ body: { content, totalElements: content.length } });

/** A world whose service gives these answers. */
export async function worldAnswering(table: Answers): Promise<World> {
	const world = await makeWorld();
	world.wire = answering(table);
	return world;
}

function outcome({ status, body, type }: Canned): WireOutcome {
	const bytes =
		body === undefined
			? new Uint8Array()
			: body instanceof Uint8Array
				? body
				: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
	const headers: Record<string, string> = bytes.length === 0 ? {} : { "content-type": type ?? "application/json" };
	return { kind: "answer", status: status ?? (bytes.length === 0 ? 204 : 200), headers, body: bytes };
}
