/**
 * A process of the tool, and where it is killed.
 */
import type { Disk, Life } from "./memory.js";

/** Where a process is killed. */
export type Death = "before the record" | "after the record" | "while sending" | "before the outcome" | "after the outcome";
export const deaths: readonly Death[] = [
	"before the record",
	"after the record",
	"while sending",
	"before the outcome",
	"after the outcome",
];

class Killed extends Error {}

/** A process of the tool: after its death nothing that it does has an effect. */
export class Process implements Life {
	dead = false;
	/** Whether anything of it was committed. */
	recorded = false;
	#commits = 0;

	constructor(
		readonly name: string,
		private readonly disk: Disk,
		private readonly death?: Death,
	) {}

	check(): void {
		if (this.dead) throw new Killed();
	}

	committing(when: "before" | "after"): void {
		if (when === "before") this.#commits += 1;
		const now: Death = this.#commits === 1 ? (`${when} the record` as const) : (`${when} the outcome` as const);
		if (when === "after") this.recorded = true;
		if (this.death === now) this.die();
	}

	/** Its last act: from here on the system has taken its locks away. */
	die(): never {
		this.dead = true;
		this.disk.living.delete(this.name);
		throw new Killed();
	}

	end(): void {
		this.disk.living.delete(this.name);
	}
}
