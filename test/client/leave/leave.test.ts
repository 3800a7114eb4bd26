/**
 * The last look, where the bytes leave: a caller that forgot to ask for leave sends nothing, and the outcome says so.
 */
import { expect, test } from "vitest";
import { createInterLedger } from "../../../src/api/operations/transaction.js";
import { bindingDigest } from "../../../src/binding/digest.js";
import { type Call, exchange } from "../../../src/client/call.js";
import type { Leave } from "../../../src/client/leave/leave.js";
import { draftRequest } from "../../../src/client/request/request.js";
import type { Profile } from "../../../src/ports/profiles.js";
import { answered, smallContext } from "../../support/context.js";

const body = {
	ledgerFromId: "11111111-1111-4111-8111-111111111111",
	ledgerToId: "22222222-2222-4222-8222-222222222222",
	amount: "1",
};
const overrides: Profile["overrides"] = { "transaction.interLedger": { path: "/v2/pay" } };

test.each([
	["no leave", undefined, "not-sent"],
	["the leave of another binding", "0".repeat(64), "not-sent"],
	["its own leave (control)", bindingDigest(createInterLedger, overrides["transaction.interLedger"], undefined), "answer"],
])("with %s", async (_name, leave, kind) => {
	const { context, requests } = smallContext({ profile: { overrides }, answers: [answered(201, { id: body.ledgerFromId })] });
	const { profile } = await context.settings();
	const input = { body };
	const job: Call = {
		context,
		profile,
		operation: createInterLedger,
		input,
		request: draftRequest(profile, createInterLedger, input, "0"),
		leave: leave as Leave,
		timeout: 1_000,
		debug: false,
	};
	const { outcome } = await exchange(job, { headers: {} });
	expect([outcome.kind, requests.length]).toEqual([kind, kind === "answer" ? 1 : 0]);
});
