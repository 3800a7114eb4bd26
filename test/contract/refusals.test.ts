/**
 * What the service's refusals mean by the specification, and what a person is told to do (specification 1, 3).
 */
import { expect, test } from "vitest";
import { answered, makeWorld } from "../support/purser.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const other = "0c9b8a76-5d4e-4f3a-9b2c-1d0e9f8a7b6c";

async function refusal(argv: readonly string[], status: number, errorCode?: string) {
	const body = JSON.stringify({ status, error: "linkcy.error", ...(errorCode ? { errorCode } : {}) });
	const ran = await (await makeWorld({ wire: async () => answered(status, body) })).purser([...argv, "--json"]);
	return { exit: ran.exit, ...JSON.parse(ran.stderr.split("\n")[0] as string).error };
}
const pay = ["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", other, "--amount", "1", "--yes"];

const list = ["ledger", "list", "--end-user-id", id];
const update = ["corporate", "update", id, "--website", "https://www.example.com"];
const show = ["corporate", "show", id];
const login = "log in as another user: purser auth login --profile sandbox";

test.each(["END_USER_NOT_FOUND", "CONSUMER_NOT_FOUND", "LEDGER_NOT_FOUND"])(
	"a 409 with %s: a read or a change says so",
	async (apiCode) => {
		const told = { exit: 5, code: "NOT_FOUND", apiCode, fix: "Check the ids given: the service does not know one of them" };
		for (const argv of [list, update]) expect(await refusal(argv, 409, apiCode)).toMatchObject(told);
	},
);

test.each([
	// A 409 does not say that nothing was created.
	["a 409 of a payment", pay, 409, "LEDGER_NOT_FOUND", { exit: 7, code: "TRANSFER_IN_DOUBT", moneyMayHaveMoved: true }],
	["another 409", show, 409, "SOMETHING_ELSE", { exit: 5, code: "CONFLICT" }],
	[
		"a 403 of a payment, for which terms or KYB may be wanting",
		pay,
		403,
		undefined,
		{
			exit: 4,
			code: "FORBIDDEN",
			why: "The user may lack a role, or the company has not accepted the latest terms or not passed its KYB",
			fix: `Check the company (purser corporate status CORPORATE), ask for the role, or ${login}`,
			moneyMayHaveMoved: false,
		},
	],
	[
		"a 403 of anything else",
		show,
		403,
		undefined,
		{ exit: 4, why: "The user may lack a role for this operation", fix: `Ask for the role, or ${login}` },
	],
])("%s", async (_, argv, status, apiCode, told) => {
	expect(await refusal(argv, status, apiCode)).toMatchObject(told);
});
