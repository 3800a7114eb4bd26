/**
 * Input from pipes, which may never come: waiting for it ends when the run is stopped.
 */
import { closeSync, constants, open, openSync } from "node:fs";
import { Socket } from "node:net";
import { promisify } from "node:util";
import { stoppedWaiting } from "./clock.js";
import { untilStopped } from "./streams.js";

/**
 * Reads a pipe in pieces, and waits for the program that writes to it.
 * @throws PurserError interrupted, or the system's error
 */
export async function* readPipe(path: string, stop: AbortSignal): AsyncGenerator<Uint8Array> {
	const fd = await openPipe(path, stop);
	yield* untilStopped(new Socket({ fd, readable: true, writable: false }), stop);
}

/**
 * The system opens a pipe when somebody writes to it, and nothing ends that wait, not even the end of the process. So a run that is stopped opens
 * the pipe at both ends itself; one that it may not write to goes on waiting.
 */
async function openPipe(path: string, stop: AbortSignal): Promise<number> {
	if (stop.aborted) throw stoppedWaiting();
	let own: number | undefined;
	const stopped = (): void => {
		try {
			own = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
		} catch {
			// Its writer may come yet.
		}
	};
	stop.addEventListener("abort", stopped, { once: true });
	try {
		return await promisify(open)(path, "r");
	} finally {
		stop.removeEventListener("abort", stopped);
		if (own !== undefined) closeSync(own);
	}
}
