/**
 * The journal of a batch in a thread of its own, so that the disk is waited for beside the sending: the composition root of that
 * thread. What is asked of it, one thing after the other, comes as messages from `journal-thread.ts`.
 */
import { parentPort, workerData } from "node:worker_threads";
import { openAnchorPlace } from "../config/secrets/anchors.js";
import { PurserError } from "../errors.js";
import { openBatches } from "../journal/open-batches.js";
import { batchRules } from "../payments/batch/send/rules.js";
import type { Batches } from "../ports/batches.js";
import { clock } from "./clock.js";
import type { Asked, State, Told } from "./journal-thread.js";
import { random } from "./random.js";

const { directory, config, profile } = workerData as State;

/** Its file alone: the keyring was asked, and is told in the end, by the thread that started this one. */
const anchor = () => openAnchorPlace({ directory: config, profile, keyring: async () => undefined });

const opened: Promise<Batches> = openBatches({
	directory,
	profile,
	clock: clock(new AbortController().signal),
	random,
	rules: batchRules(profile.settings),
	anchor: profile.environment === "live" ? anchor : undefined,
});

async function answer({ call, method, given }: Asked): Promise<Told> {
	try {
		const batches = (await opened) as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
		return { call, result: await batches[method]?.(...given) };
	} catch (error) {
		if (error instanceof PurserError) return { call, failed: { kind: error.kind, failure: { ...error.failure, cause: undefined } } };
		const { message, code } = (error ?? {}) as { message?: string; code?: string };
		return { call, broken: { message: message ?? "unknown", code } };
	}
}

// As text: what many small records cost to be copied as objects is several times what JSON costs.
parentPort?.on("message", (asked: string) => {
	void answer(JSON.parse(asked) as Asked).then((told) => parentPort?.postMessage(JSON.stringify(told)));
});
