/**
 * The journal of a batch in a worker thread, so that waiting for the disk does not delay the sending. The composition root of that thread; calls come
 * as messages from `journal-thread.ts`.
 */
import { parentPort, workerData } from "node:worker_threads";
import { openAnchorPlace } from "../config/secrets/anchors.js";
import { PurserError } from "../errors.js";
import { openBatches } from "../journal/open-batches.js";
import { batchRules } from "../payments/batch/send/guards.js";
import type { Batches } from "../ports/batches.js";
import { clock, random } from "./clock.js";
import { endOfThread, type JournalCall, type JournalLocation, type JournalReply } from "./journal-thread.js";

const { directory, config, profile } = workerData as JournalLocation;

/** Only the anchor's file is used here: the thread that started this one reads and writes the keyring. */
const anchor = () => openAnchorPlace({ directory: config, profile, keyring: async () => undefined });

const opened: Promise<Batches> = openBatches({
	directory,
	profile,
	clock: clock(new AbortController().signal),
	random,
	rules: batchRules(profile.settings, profile.confirmations),
	anchor: profile.environment === "live" ? anchor : undefined,
});

async function answer({ call, method, given }: JournalCall): Promise<JournalReply> {
	try {
		const batches = (await opened) as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
		return { call, result: await batches[method]?.(...given) };
	} catch (error) {
		if (error instanceof PurserError) return { call, failed: { kind: error.kind, failure: { ...error.failure, cause: undefined } } };
		const { message, code } = (error ?? {}) as { message?: string; code?: string };
		return { call, broken: { message: message ?? "unknown", code } };
	}
}

// As text: copying many small objects between threads costs several times what JSON does.
parentPort?.on("message", (asked: string) => {
	if (asked === endOfThread) return parentPort?.close();
	void answer(JSON.parse(asked) as JournalCall).then((answered) => parentPort?.postMessage(JSON.stringify(answered)));
});
