/**
 * What `events listen` does not take, told calmly: the first at once, then together, at most every few seconds.
 */
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Refusal } from "../../ports/event-schemes.js";
import type { TurnedAway } from "../../ports/receiver.js";

/** Milliseconds between two lines. */
const pause = 10_000;

type Why = Refusal | TurnedAway | "repeat";

const words: Readonly<Record<Why, string>> = {
	repeat: "told before (a repeat)",
	"no-signature": "without a signature",
	"bad-headers": "with signature headers that make no sense",
	"wrong-signature": "with a signature that none of your secrets made",
	"too-old": "signed too long ago (check this machine's clock)",
	"too-new": "signed in the future (check this machine's clock)",
	"no-secret": "without a secret to check them with",
	connections: "on connections beyond the most (100)",
	host: "for another host",
	path: "for another path",
	method: "that are no POST",
	compressed: "with a compressed body",
	"too-large": "with a body of more than 1 MB",
	"too-slow": "that took more than 10 s",
	malformed: "that are no HTTP",
	busy: "because too much waits; their senders try again",
	failed: "that could not be stored; their senders try again",
};

/** Refused for what they are, not for what this machine can do. */
const signatures: readonly Why[] = ["no-signature", "bad-headers", "wrong-signature", "too-old", "too-new", "no-secret"];

export class Refusals {
	readonly #context: Context;
	readonly #untold = new Map<Why, number>();
	#host = "";
	#reason = "";
	#isQuiet = false;
	repeats = 0;
	/** With a missing or wrong signature. */
	unsigned = 0;
	/** Everything else that was turned away. */
	turnedAway = 0;

	constructor(context: Context) {
		this.#context = context;
	}

	/** @param host of a request that was for another one */
	note(why: Why, host?: string): void {
		if (why === "repeat") this.repeats += 1;
		else if (signatures.includes(why)) this.unsigned += 1;
		else this.turnedAway += 1;
		// A repeat is nothing to worry about: senders deliver at least once.
		if (why === "repeat") return;
		if (host !== undefined) this.#host = host;
		this.#untold.set(why, (this.#untold.get(why) ?? 0) + 1);
		if (this.#isQuiet) return;
		this.tell();
		this.#isQuiet = true;
		void this.#context.clock.sleep(pause).then(
			() => this.#afterPause(),
			() => {},
		);
	}

	/** A delivery could not be stored: the first reason of several alike is told. */
	failing(error: unknown): void {
		const reason = error instanceof PurserError ? error.message : "no reason known";
		if (reason !== this.#reason) this.#context.reporter.warn(reason);
		this.#reason = reason;
	}

	/** Tells what was not told yet. */
	tell(): void {
		if (this.#untold.size === 0) return;
		const parts = [...this.#untold].map(
			([why, count]) => `${count} ${words[why]}${why === "host" && this.#host !== "" ? ` (${this.#host}; --allow-host takes it)` : ""}`,
		);
		this.#untold.clear();
		this.#context.reporter.announce(`Not taken: ${parts.join(", ")}`);
	}

	#afterPause(): void {
		this.#isQuiet = false;
		this.tell();
	}
}
