/**
 * Finds the record that a person means by an id's beginning, an externalId, a name, an email or the end of an account number. The service's
 * lists alone decide; nothing stored on this machine does.
 */
import { isUuid } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { listBeneficiaries } from "../api/operations/beneficiary.js";
import { listCorporates } from "../api/operations/corporate.js";
import { listLedgers } from "../api/operations/ledger.js";
import { listRelated } from "../api/operations/related.js";
import { listTransactions } from "../api/operations/transaction.js";
import { isNotOffered } from "../errors.js";
import type { BatchRecord } from "../ports/batches.js";
import type { Findings, Offer, Offered, RecordKind, Resolver, Scope } from "../ports/resolver.js";
import type { Listed, Reading } from "../ports/service.js";
import type { Choice } from "../ports/terminal.js";
import { candidateOf, entriesOf } from "./entries.js";
import { type List, nothing } from "./list.js";
import { similarTo, waysOf } from "./matching.js";
import { everybody, partsOf, personsIn } from "./persons.js";

/** Maximum number of records of a list in which a text is looked for, and of those that a prompt offers. */
const [maxSearched, maxOffered] = [10_000, 500];

type ListedKind = Exclude<RecordKind, "batch" | "related">;

const lists: Readonly<Record<ListedKind, { operation: AnyOperation; input: Input }>> = {
	corporate: { operation: listCorporates, input: { query: { sortAttribute: "UPDATE_DATE", sortDirection: "DESC" } } },
	ledger: { operation: listLedgers, input: {} },
	beneficiary: { operation: listBeneficiaries, input: {} },
	transaction: { operation: listTransactions, input: { query: { sortDirection: "DESC" } } },
};

interface Sources {
	service: Pick<Reading, "list" | "page">;
	/** The batches of the profile, newest first. */
	batches(): Promise<readonly BatchRecord[]>;
}

/** The resolver of one run. */
export function makeResolver({ service, batches }: Sources): Resolver {
	const read = new Map<string, Promise<List>>();
	const once = (key: string, list: () => Promise<List>): Promise<List> => {
		const found = read.get(key) ?? list();
		read.set(key, found);
		return found;
	};
	const listOf = (kind: ListedKind, limit: number): Promise<List> =>
		once(`${kind} ${limit}`, () => {
			const { operation, input } = lists[kind];
			return listed(kind, () => service.list(operation, input, limit));
		});
	const relatedOf = (corporateId: string): Promise<List> =>
		once(`related ${corporateId}`, () => listed("related", () => service.list(listRelated, { params: { corporateId } }, maxSearched)));

	async function inCompany(text: string): Promise<Findings> {
		const parts = partsOf(text);
		const companies = parts.some(([company]) => !isUuid(company)) ? await listOf("corporate", maxSearched) : nothing;
		return personsIn(text, parts, companies, relatedOf);
	}

	async function findPerson(text: string, { corporateId, everywhere }: Scope): Promise<Findings> {
		if (corporateId !== undefined) return findingsOf("related", text, await relatedOf(corporateId));
		const named = text.includes("/") ? await inCompany(text) : undefined;
		if (named !== undefined && (named.candidates.length > 0 || everywhere !== true)) return named;
		if (everywhere !== true) return { candidates: [], whole: true, similar: [], needsCompany: true };
		return everybody(service, text);
	}

	async function offerPersons({ corporateId }: Offer): Promise<Offered> {
		if (corporateId === undefined) return { choices: [], whole: false };
		return offered(await relatedOf(corporateId));
	}

	return {
		async find(kind, text, scope) {
			if (kind === "related") return findPerson(text, scope);
			if (kind === "batch") return { candidates: [], whole: true, similar: [] };
			return findingsOf(kind, text, await listOf(kind, maxSearched));
		},
		async offer(kind, offer) {
			if (kind === "related") return offerPersons(offer);
			if (kind === "batch") return { choices: (await batches()).slice(0, maxOffered).map(batchChoice), whole: true };
			const { entries, whole } = await listOf(kind, maxOffered);
			const usable = entries.filter(({ inactive }) => !(inactive && offer.payable === true && kind === "ledger"));
			// Payees that can be paid come first; the others may be looked at.
			const sorted = kind === "beneficiary" ? usable.toSorted((one, other) => Number(one.inactive) - Number(other.inactive)) : usable;
			return offered({ entries: sorted, whole });
		},
	};
}

async function listed(kind: Exclude<RecordKind, "batch">, read: () => Promise<Listed>): Promise<List> {
	try {
		const { records, complete } = await read();
		return { entries: entriesOf[kind](records), whole: complete };
	} catch (cause) {
		if (!isNotOffered(cause)) throw cause;
		return { entries: [], whole: false, unlisted: cause.failure.status };
	}
}

function findingsOf(kind: RecordKind, text: string, { entries, whole, unlisted }: List): Findings {
	const candidates = entries.flatMap((entry) => {
		const by = waysOf(text, entry);
		return by.length > 0 ? [candidateOf(entry, by)] : [];
	});
	return {
		candidates,
		whole,
		similar: candidates.length > 0 ? [] : similarTo(text, entries),
		unlisted: unlisted === undefined ? undefined : { kind, status: unlisted },
	};
}

const offered = ({ entries, whole }: List): Offered => ({
	choices: entries.map(({ id, label }) => ({ value: id, label, hint: id })),
	whole,
});

function batchChoice({ batch, state, plan }: BatchRecord): Choice {
	const source = plan.source === "-" ? "standard input" : plan.source;
	return { value: batch, label: `Batch ${batch} · ${state} · ${plan.count} rows · ${plan.planned.slice(0, 10)} · ${source}` };
}
