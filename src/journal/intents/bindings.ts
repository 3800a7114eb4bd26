/**
 * Events about the bindings that changes were sent through: what each digest stands for, and which binding a payment was seen final
 * through. A binding is recorded once, before the first change that was sent through it.
 */
import { isPaid, paidStates } from "../../api/operations/transfer.js";
import type { BatchOverrides } from "../../ports/batches.js";
import type { IntentBinding, KeptBinding } from "../../ports/binding.js";
import type { IntentRecord } from "../../ports/intent.js";
import { statement } from "../../sqlite/statement.js";
import type { Storage } from "../../sqlite/storage.js";
import { sharedOf } from "../sqlite/batch-row.js";
import { ownEventOf, storedIntent, type Tables } from "../sqlite/tables.js";
import type { WriteTransaction } from "../sqlite/transaction.js";
import { numberOf } from "./record.js";

/** The kinds of these events. */
export const bindingKind = "binding";
const finalKind = "seen-final";

/** Records those bindings that are not on record. */
export function keepBindings(tables: Pick<Tables, "append" | "hasDigest">, kept: readonly KeptBinding[] = []): void {
	for (const one of kept) if (!tables.hasDigest(bindingKind, one.digest)) tables.append(bindingKind, undefined, one);
}

/** What a change was sent through; see `Journal.through`. */
export function throughOf({ binding }: Pick<IntentRecord, "binding">): IntentBinding | null {
	return binding ?? null;
}

/** The kept binding of this digest. */
export function bindingOf(storage: Storage, digest: string): KeptBinding | undefined {
	const row = ownEventOf(storage, bindingKind, digest);
	return row && (JSON.parse(String(row.content)) as KeptBinding);
}

const paid = paidStates.map((state) => `'${state}'`).join(", ");

/** See `Journal.paidThrough`. */
export function paidThrough(
	storage: Storage,
	operation: string,
	digest: string,
	service: string | undefined,
): { accepted: boolean; final: boolean } {
	const final = service === undefined ? ownEventOf(storage, finalKind, digest) !== undefined : isFinalAt(storage, digest, service);
	return { accepted: final || isAccepted(storage, operation, digest), final };
}

/** Whether a payment was seen final through a binding at this service: at another one the same binding has proved nothing. */
function isFinalAt(storage: Storage, digest: string, service: string): boolean {
	const seen = `SELECT 1 AS found FROM event WHERE kind = ? AND intent IS NULL AND batch IS NULL
		AND content->>'$.digest' = ? AND content->>'$.service' = ? LIMIT 1`;
	return statement(storage, seen).get(finalKind, digest, service) !== undefined;
}

function isAccepted(storage: Storage, operation: string, digest: string): boolean {
	const single = `SELECT 1 AS found FROM intent WHERE batch IS NULL AND effect = 'money' AND state IN (${paid}) AND content->>'$.operation' = ?1
		AND content->>'$.binding.digest' = ?2 LIMIT 1`;
	if (statement(storage, single).get(operation, digest) !== undefined) return true;
	const runs = statement(storage, "SELECT batch, content FROM event WHERE kind = 'begun-batch' AND batch IS NOT NULL ORDER BY seq DESC");
	const row = statement(
		storage,
		`SELECT 1 AS found FROM intent WHERE number BETWEEN (SELECT first FROM batch WHERE number = ?1) AND (SELECT last FROM batch WHERE number = ?1)
		AND batch = ?1 AND sender = ?2 AND state IN (${paid}) AND content->>'$[0]' = ?3 LIMIT 1`,
	);
	return runs.all().some(({ batch, content }) => {
		const { sender, allowed } = JSON.parse(String(content)) as { sender: string; allowed: BatchOverrides };
		const { operations } = sharedOf(storage, Number(batch));
		const kind = (["ledger", "beneficiary"] as const).find((one) => operations[one].operation === operation);
		if (kind === undefined) return false;
		return allowed.through?.[kind]?.digest === digest && row.get(Number(batch), sender, kind === "ledger" ? "l" : "b") !== undefined;
	});
}

/** The binding and the service of which a payment would be the first one to be seen final; undefined where it would not. */
export function finalDue(storage: Storage, name: string): { digest: string; service: string } | undefined {
	const row = statement(storage, "SELECT * FROM intent WHERE number = ?").get(numberOf(name) ?? 0);
	const stored = row && storedIntent(storage, row);
	if (stored === undefined || stored.intent.effect !== "money" || !isPaid(stored.state)) return undefined;
	const digest = throughOf(stored.intent)?.digest ?? undefined;
	// Of a record of an older build that does not say where it was sent: nowhere that could be asked for.
	const { service = "" } = stored.intent;
	return digest === undefined || isFinalAt(storage, digest, service) ? undefined : { digest, service };
}

/** Records that a payment was seen final through its binding, unless a payment through it is on record as that. */
export function recordFinal(transaction: WriteTransaction, name: string, status: string): void {
	const due = finalDue(transaction.storage, name);
	if (due !== undefined) transaction.append(finalKind, undefined, { ...due, intent: numberOf(name), status });
}

/** Records again what is about to be removed with the events up to `through`: a later change may have been sent through it. */
export function carryOverBindings(transaction: WriteTransaction, through: number): void {
	for (const kind of [bindingKind, finalKind]) {
		const rows = transaction
			.sql("SELECT seq, content FROM event WHERE kind = ? AND intent IS NULL AND batch IS NULL ORDER BY seq")
			.all(kind);
		const of = (content: unknown): string => {
			const { digest, service = "" } = JSON.parse(String(content)) as { digest: string; service?: unknown };
			// What a kept binding has of this name is the binding's own.
			return kind === finalKind ? `${digest} ${service}` : digest;
		};
		const stays = new Set(rows.filter(({ seq }) => Number(seq) > through).map(({ content }) => of(content)));
		for (const { seq, content } of rows)
			if (Number(seq) <= through && !stays.has(of(content))) transaction.append(kind, undefined, JSON.parse(String(content)) as object);
	}
}
