/**
 * The engine and the transport of a batch with a journal that keeps nothing. Arguments: address, rows. For `bench:batch` alone.
 */
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { classify } from "../../src/http/classify.js";
import { contentOf } from "../../src/http/content.js";
import { encodeBody } from "../../src/http/request/request.js";
import { createPooled } from "../../src/http/transport/pooled.js";
import { appliedMapping } from "../../src/mapping/request/applied.js";
import { sendBatch } from "../../src/payments/batch/send/send.js";
import type { MarkedRow } from "../../src/ports/batches.js";

const [url = "", count = "0"] = process.argv.slice(2);
const applied = appliedMapping(createInterLedger, undefined);
const transport = createPooled({ env: {} });
const clock = {
	now: () => new Date(),
	monotonic: () => performance.now(),
	sleep: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
};
const headers = { accept: "application/json", "accept-encoding": "identity", "content-type": "application/json", "user-agent": "bench" };
let next = 1;

const started = performance.now();
await sendBatch(
	"1",
	{
		advance: async (_batch, _ended, want) => {
			const begun: MarkedRow[] = [];
			for (; begun.length < want && next <= Number(count); next++)
				begun.push({
					number: next,
					row: next,
					attempt: 1,
					transfer: {
						kind: "ledger",
						ledgerFromId: "aaaaaaaa-0001-4000-8000-000000000001",
						counterpartyId: "aaaaaaaa-0002-4000-8000-000000000002",
						amount: `${(next % 700) + 1}.10`,
						reference: `Row ${next}`,
					},
				});
			return begun;
		},
		send: async ({ transfer: { ledgerFromId, counterpartyId, amount, reference } }) => {
			const at = performance.now();
			const { body } = encodeBody(applied, createInterLedger, { body: { ledgerFromId, ledgerToId: counterpartyId, amount, reference } });
			const outcome = await transport.send(
				{ method: "POST", url: `${url}/api/partner/transactions/inter-ledger`, headers, body },
				{ connect: 5_000, total: 30_000, bytes: 1_000_000 },
			);
			const content = outcome.kind === "answer" ? contentOf(outcome.status, outcome.headers, outcome.body) : undefined;
			return {
				outcome: classify({ operation: createInterLedger, input: {} }, outcome, content, undefined),
				status: outcome.kind === "answer" ? outcome.status : undefined,
				took: performance.now() - at,
			};
		},
		clock,
		signal: new AbortController().signal,
	},
	{ jobs: 16, open: 96 },
);
process.stdout.write(`seconds ${(performance.now() - started) / 1_000}\n`);
process.exit(0);
