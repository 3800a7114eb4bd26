/**
 * A signal that is aborted with another one, and at the latest after some milliseconds. Its timer holds it: of `AbortSignal.any` over an
 * `AbortSignal.timeout` Node 20 may collect the timeout, which then never comes. The timer alone keeps no process alive.
 */
export function withDeadline(milliseconds: number, signal: AbortSignal): AbortSignal {
	const ended = new AbortController();
	const stop = (): void => ended.abort(signal.reason);
	if (signal.aborted) stop();
	else signal.addEventListener("abort", stop, { once: true, signal: ended.signal });
	const timer = setTimeout(() => ended.abort(new DOMException("The time is over", "TimeoutError")), milliseconds);
	timer.unref();
	return ended.signal;
}
