/**
 * The embedded sandbox: requests in, answers out, state between. No socket here.
 */
import { catalog } from "../api/operations/catalog.js";
import type { Random } from "../ports/machine.js";
import type { Desk, Options } from "./desk.js";
import { createKeeper } from "./keeping.js";
import { type Answer, json, Refusal, type Request, refused } from "./message.js";
import { hostedPage } from "./pages/hosted.js";
import { routerOf } from "./router.js";
import { handlers } from "./routes.js";
import { userOf } from "./service/accounts.js";
import { bodyOf } from "./service/body.js";
import { decideDue } from "./service/kyb.js";
import { seedWorld } from "./service/opening.js";
import { settleDue } from "./service/settling.js";
import { controls } from "./simulate/control.js";
import { type Fault, seeded, struck, underFaults } from "./simulate/faults.js";
import { plays } from "./simulate/playing.js";
import { emptyState, type State } from "./state.js";

export type { Answer, Delivery, Request } from "./message.js";

export interface SandboxOptions extends Partial<Options> {
	clock: { now(): Date };
	random: Random;
	/** Without it the sandbox starts with one validated corporate. */
	empty?: boolean;
	/** What was remembered. */
	state?: State;
	faults?: readonly Fault[];
	/** Of the faults' probabilities. */
	seed?: number;
	/** Called when something has changed, and before that is answered. */
	keep?: (state: State) => Promise<void>;
	/** Told when `keep` failed; the answer is given all the same, for what it says has happened. */
	notKept?: (cause: unknown) => void;
}

export interface Sandbox {
	/** One after the other, so that clients at once see one order. Rejects never. */
	handle(request: Request): Promise<Answer>;
	/** Where its links lead; set by the server once it listens. */
	readonly options: Options;
	readonly state: State;
}

const operations = routerOf(catalog);
const playing = routerOf(controls);

/** Makes a sandbox. Everything outside is handed in. */
export function createSandbox(given: SandboxOptions): Sandbox {
	const state = given.state ?? emptyState(given.clock.now());
	const options: Options = {
		origin: given.origin ?? "http://127.0.0.1",
		complianceTakes: given.complianceTakes ?? 2000,
		settlementTakes: given.settlementTakes ?? 1500,
		review: given.review ?? "html",
	};
	const desk: Desk = { state, random: given.random, options, now: () => new Date(given.clock.now().getTime() + state.ahead) };
	if (!given.state && !given.empty) seedWorld(desk);
	const faults: Fault[] = [...(given.faults ?? [])];
	const fraction = given.seed === undefined ? () => given.random.fraction() : seeded(given.seed);
	const { keep } = given;
	const keeper = keep && createKeeper(() => keep(state), given.notKept ?? (() => {}));
	return {
		state,
		options,
		// A request is worked through without a pause, which is what makes the order.
		handle: async (request) => {
			let moved = false;
			const answer = guarded(desk, () => {
				moved = [settleDue(desk), decideDue(desk)].includes(true);
				return answerTo(request, desk, faults, fraction);
			});
			if (keeper && (moved || changes(request))) await keeper.kept();
			const dated = { ...answer, headers: { ...answer.headers, date: desk.now().toUTCString() } };
			return request.method === "HEAD" ? { ...dated, body: new Uint8Array() } : dated;
		},
	};
}

/** Whether a request may change something: all but looks do, and an emailed link changes something when it is opened. */
const changes = ({ method, target }: Request): boolean => (method !== "GET" && method !== "HEAD") || target.startsWith("/_sandbox/email/");

/** @throws Refusal */
function answerTo(request: Request, desk: Desk, faults: Fault[], fraction: () => number): Answer {
	// A proxy's client names the whole address.
	const target = request.target.replace(/^https?:\/\/[^/?]*/i, "");
	const end = target.indexOf("?");
	const path = end < 0 ? target : target.slice(0, end);
	const query = new URLSearchParams(end < 0 ? "" : target.slice(end + 1));
	if (path.startsWith("/_sandbox/")) return hostedPage(desk, request.method, path) ?? play(request, desk, faults, path, query);
	const found = operations(request.method, path);
	const strikes = struck(faults, found.operation.id, fraction);
	return underFaults(strikes, () => guarded(desk, () => serve(request, desk, found, query)), desk.now());
}

/** A refusal, or a fault of the sandbox itself, is an answer too. */
function guarded(desk: Desk, process: () => Answer): Answer {
	try {
		return process();
	} catch (cause) {
		if (cause instanceof Refusal) return refused(cause, desk.now());
		return refused(new Refusal(500, "SANDBOX_BUG", `The sandbox has a fault of its own: ${String(cause)}`), desk.now());
	}
}

function play(request: Request, desk: Desk, faults: Fault[], path: string, query: URLSearchParams): Answer {
	const { operation } = playing(request.method, path);
	const body = operation.body ? bodyOf(request) : {};
	return json(200, plays[operation.id](desk, faults, body, query));
}

function serve(request: Request, desk: Desk, { operation, params }: ReturnType<typeof operations>, query: URLSearchParams): Answer {
	const user = userOf(desk, request.headers.authorization, operation.auth ?? "required");
	const body = operation.body ? bodyOf(request) : {};
	return handlers[operation.id](desk, { params, query, body, user });
}
