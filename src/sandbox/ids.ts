/**
 * The ids that a sandbox gives out: UUIDs, unless its dialect has other forms.
 */
import { sha256 } from "../api/digest.js";
import { type IdForms, type IdKind, isIdOf, randomId } from "../api/text/ids.js";
import type { Random } from "../ports/machine.js";
import type { State } from "./state.js";

/** Tries to find an id that is free; a pattern may allow few. */
const mostTries = 100;

export class Ids {
	readonly #forms: IdForms;
	readonly #random: Pick<Random, "uuid">;

	constructor(forms: IdForms, random: Pick<Random, "uuid">) {
		this.#forms = forms;
		this.#random = random;
	}

	/** An id that no record has. @throws Error, where the form allows too few */
	fresh(kind: IdKind, isTaken: (id: string) => boolean): string {
		for (let tried = 0; tried < mostTries; tried++) {
			const id = this.of(kind, this.#random.uuid());
			if (!isTaken(id)) return id;
		}
		throw new Error(`the form ${this.#forms[kind]} allows too few ids`);
	}

	/** An id of the form, the same for one source each time; the source itself where ids are UUIDs. */
	of(kind: IdKind, source: string): string {
		const pattern = this.#forms[kind];
		let drawn = 0;
		const fraction = (): number => Number.parseInt(sha256(`${kind} ${source} ${drawn++}`).slice(0, 12), 16) / 16 ** 12;
		return pattern === undefined ? source : randomId(pattern, fraction);
	}

	/** What is wrong with a value as an id, in the service's words; undefined where nothing is. */
	fault(kind: IdKind, value: unknown): string | undefined {
		const pattern = this.#forms[kind];
		if (isIdOf(kind, value, this.#forms)) return undefined;
		return pattern === undefined ? "must be a UUID" : `must match ^${pattern}$`;
	}

	/** The end-user that a company is. The two have one id, unless they are of different forms. */
	endUserOf(corporateId: string): string {
		const { corporate, endUser = corporate } = this.#forms;
		return corporate === endUser ? corporateId : this.of("endUser", corporateId);
	}
}

/** An id of a state that is not of these forms: the state is another sandbox's. */
export function oddId(state: State, forms: IdForms): string | undefined {
	const { corporates, related, ledgers, beneficiaries, transactions } = state;
	const lists = { corporate: corporates, related, ledger: ledgers, beneficiary: beneficiaries, transaction: transactions };
	for (const [kind, records] of Object.entries(lists)) for (const { id } of records) if (!isIdOf(kind as IdKind, id, forms)) return id;
	return undefined;
}
