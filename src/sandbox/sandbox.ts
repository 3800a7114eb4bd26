/**
 * The embedded sandbox: requests in, answers out, state between. No socket here.
 */
import type { AnyOperation } from "../api/operation.js";
import { catalog } from "../api/operations/catalog.js";
import type { Random } from "../ports/machine.js";
import type { Backend, Options } from "./backend.js";
import { errorResponse, HttpError, jsonResponse, type Request, type Response, readBody } from "./message.js";
import { hostedPage } from "./pages/hosted.js";
import { handlers, routerOf } from "./routes.js";
import { authenticate, logIn } from "./service/accounts.js";
import { settleDue } from "./service/payments.js";
import { seedState } from "./service/seed.js";
import { decideDueKybs } from "./service/verification.js";
import { controls } from "./simulate/control.js";
import { controlHandlers } from "./simulate/control-handlers.js";
import { changedBy, type SimulatedFault, takeFaults, withFaults } from "./simulate/faults.js";
import { emptyState, type State } from "./state.js";
import { Deliveries, type Post } from "./webhooks.js";

export type { Delivery, Request, Response } from "./message.js";

export interface SandboxOptions extends Partial<Options> {
	clock: { now(): Date };
	random: Random;
	/** Without it the sandbox starts with one validated corporate. */
	empty?: boolean;
	/** From an earlier run. */
	state?: State;
	faults?: readonly SimulatedFault[];
	/** Delivers what happens to a subscriber. */
	post?: Post;
	/** Called when something has changed, before that is answered. */
	save?: (state: State) => Promise<void>;
	/** Called when `save` failed; the answer is sent anyway, because the change has been made. */
	saveFailed?: (cause: unknown) => void;
}

export interface Sandbox {
	/** Requests are handled one after the other. Never rejects. */
	handle(request: Request): Promise<Response>;
	/** Tokens of a user who has just logged in. */
	logIn(user: { username: string; partnerName: string; password: string }): Promise<{ token: string; refreshToken: string }>;
	/** Does what is due by the sandbox's clock, then tries every delivery that is due. Never rejects. */
	deliver(): Promise<void>;
	/** Where its links lead; set by the server once it listens. */
	readonly options: Options;
	readonly state: State;
}

const routes = routerOf(catalog);
const controlRoutes = routerOf(controls);

export function createSandbox(given: SandboxOptions): Sandbox {
	const state = given.state ?? emptyState(given.clock.now());
	state.identity ??= given.random.uuid();
	const options: Options = {
		origin: given.origin ?? "http://127.0.0.1",
		complianceTakes: given.complianceTakes ?? 2000,
		settlementTakes: given.settlementTakes ?? 1500,
	};
	const now = () => new Date(given.clock.now().getTime() + state.ahead);
	const { save, clock, random } = given;
	const saved = save === undefined ? async () => {} : createSaver(() => save(state), given.saveFailed ?? (() => {}));
	const webhooks = new Deliveries(state, random, now, () => clock.now(), given.post, saved);
	const backend: Backend = { state, random, options, webhooks, now };
	if (!given.state && !given.empty) seedState(backend);
	const faults: SimulatedFault[] = [...(given.faults ?? [])];
	const moveDue = (): boolean => [settleDue(backend), decideDueKybs(backend)].includes(true);
	return {
		state,
		options,
		logIn: async (user) => {
			const tokens = logIn(backend, user);
			await saved();
			return tokens;
		},
		deliver: async () => {
			// What is due happens without a request, too, where a subscriber waits for it.
			if (given.post === undefined) return;
			if (moveDue()) await saved();
			await webhooks.deliver();
		},
		// A request is handled without awaiting anything, so requests never interleave.
		handle: async (request) => {
			let moved = false;
			const answer = responseOf(backend, () => {
				moved = moveDue();
				return answerTo(request, backend, faults);
			});
			if (moved || (request.method !== "GET" && request.method !== "HEAD")) await saved();
			const dated = { ...answer, headers: { ...answer.headers, date: backend.now().toUTCString() } };
			return request.method === "HEAD" ? { ...dated, body: new Uint8Array() } : dated;
		},
	};
}

/** @throws HttpError, from the sandbox's own pages and controls, and where no operation is meant */
function answerTo(request: Request, backend: Backend, faults: SimulatedFault[]): Response {
	const { target } = request;
	const end = target.indexOf("?");
	const path = end < 0 ? target : target.slice(0, end);
	const query = new URLSearchParams(end < 0 ? "" : target.slice(end + 1));
	const bodyFor = ({ body }: AnyOperation) => (body ? readBody(request) : {});
	if (path.startsWith("/_sandbox/")) {
		const page = hostedPage(backend, request.method, path);
		if (page !== undefined) return page;
		const { operation } = controlRoutes(request.method, path);
		return jsonResponse(200, controlHandlers[operation.id](backend, faults, bodyFor(operation)));
	}
	const { operation, params } = routes(request.method, path);
	const strikes = takeFaults(faults, operation.id);
	const handle = (): Response => {
		const isPartner = authenticate(backend, request.headers.authorization, operation.auth ?? "required");
		return handlers[operation.id](backend, { params, query, body: bodyFor(operation), isPartner, ...changedBy(strikes) });
	};
	return withFaults(strikes, () => responseOf(backend, handle), backend.now());
}

/** Errors, those of the sandbox itself among them, become responses. */
function responseOf(backend: Backend, process: () => Response): Response {
	try {
		return process();
	} catch (cause) {
		const fault =
			cause instanceof HttpError ? cause : new HttpError(500, "SANDBOX_BUG", `The sandbox has a fault of its own: ${String(cause)}`);
		return errorResponse(fault, backend.now());
	}
}

// Writing the state after changes: one write at a time, and one for all the changes that came during the last.

/**
 * @param write writes the state as it is when called
 * @param failed called for each failed write: the change is in memory and its answer is true, but a restart would lose it
 * @returns resolves once everything that has changed up to now is written, or could not be; never rejects
 */
export function createSaver(write: () => Promise<void>, failed: (cause: unknown) => void): () => Promise<void> {
	let next: Promise<void> | undefined;
	let running: Promise<void> = Promise.resolve();
	return () => {
		next ??= running.then(() => {
			next = undefined;
			running = write().catch(failed);
			return running;
		});
		return next;
	};
}
