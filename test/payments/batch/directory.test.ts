/** What the service is asked of ledgers and payees while a file is planned, and what is made of its answers. */

import { expect, it } from "vitest";
import { adviceText } from "../../../src/api/advice.js";
import type { Received } from "../../../src/api/answer.js";
import { type Advice, PurserError } from "../../../src/errors.js";
import { Directory } from "../../../src/payments/batch/plan/directory.js";
import type { Service } from "../../../src/ports/service.js";

import { from, payee } from "./reading.js";

const idOf = (at: number): string => `cccccccc-0000-4000-8000-${String(at).padStart(12, "0")}`;

/** @param lists records by the operation that lists them; a list that is not there cannot be read */
function asking(
	answer: (id: string) => unknown,
	{ every = false, lists = {} }: { every?: boolean; lists?: Record<string, object[]> } = {},
) {
	const [asked, said]: [string[], string[]] = [[], []];
	const get = async (_: unknown, { params }: { params: Record<string, string> }) => {
		const id = params.ledgerId ?? params.beneficiaryId ?? "";
		asked.push(id);
		return answer(id);
	};
	const records = async (kind: string) => {
		const list = lists[kind];
		if (list === undefined) throw new PurserError("rejected", { code: "NOT_FOUND", message: "no such list", fix: "" });
		asked.push(`list ${kind}`);
		return list as Received[];
	};
	const looked: number[] = [];
	const reporter = { warn: (told: Advice) => void said.push(adviceText(told)) };
	const options = { every, progress: (payees: number) => void looked.push(payees) };
	return { asked, said, looked, directory: new Directory(reporter, { get } as unknown as Service, async () => ({ records }), options) };
}

it("takes a code of three letters, in capitals, for a currency, and nothing else", async () => {
	const answers: Record<string, unknown> = { [from]: "eur", [payee]: "GBP", [idOf(1)]: "?", [idOf(2)]: 978, [idOf(3)]: undefined };
	const { directory, said } = asking((id) => ({ id, currency: answers[id], availableAmount: 7 }), { every: true });
	expect([...(await directory.of([from], "ledger"))]).toEqual([[from, "EUR"]]);
	const found = await directory.of([payee, idOf(1), idOf(2), idOf(3), "no id"], "beneficiary");
	expect([...found]).toEqual([[payee, "GBP"]]);
	expect(said).toEqual([]);
});

it("reads each list once, looks up only what they lack, and knows who cannot be paid", async () => {
	const lists = {
		ledger: [{ id: from, friendlyName: "Main account", currency: "EUR", availableAmount: "7" }],
		beneficiary: [
			{ id: payee, name: "Example Supplies Ltd", status: "VALID", linkcyLedgerId: from },
			{ id: idOf(1), name: "Example Neighbour SAS", status: "PENDING_REVIEW", currency: "EUR" },
		],
	};
	const unlisted = { id: idOf(2), friendlyName: "Ada", currency: "GBP", status: "VALID", active: false };
	const { asked, directory } = asking(() => unlisted, { every: true, lists });
	expect([...(await directory.of([from], "ledger"))]).toEqual([[from, "EUR"]]);
	expect([...(await directory.of([payee, idOf(1), idOf(2)], "beneficiary"))]).toEqual([
		[payee, "EUR"],
		[idOf(1), "EUR"],
		[idOf(2), "GBP"],
	]);
	expect(asked).toEqual(["list ledger", "list beneficiary", idOf(2)]);
	expect(directory.unpayable).toEqual([
		{ kind: "beneficiary", counterpartyId: idOf(1), status: "PENDING_REVIEW" },
		{ kind: "beneficiary", counterpartyId: idOf(2), status: "inactive" },
	]);
});

it("asks no more of a service that is away, says it once, and an account that another answers for has no currency", async () => {
	const ids = Array.from({ length: 500 }, (_, at) => idOf(at));
	const away = asking(
		() => {
			throw new PurserError("unavailable", { code: "UNREACHABLE", message: "no answer", fix: "" });
		},
		{ every: true },
	);
	expect((await away.directory.of(ids, "beneficiary")).size).toBe(0);
	await away.directory.of([payee], "beneficiary");
	expect([away.asked.length < 20, away.said.length]).toEqual([true, 1]);
	expect(away.said[0]).toContain("(no answer)");
	const wrong = asking(() => ({ id: from, currency: "EUR" }), { every: true });
	expect((await wrong.directory.of([payee], "beneficiary")).size).toBe(0);
});

it("reads every payee and ledger where a limit needs it, goes on past the ones that are missing, and is asked once for each", async () => {
	const ids = Array.from({ length: 1_500 }, (_, at) => idOf(at));
	const { asked, looked, said, directory } = asking(
		(id) => {
			if (Number(id.slice(-4)) % 3 === 0) throw new PurserError("rejected", { code: "NOT_FOUND", message: "no such one", fix: "" });
			return { id, currency: "EUR" };
		},
		{ every: true },
	);
	const currencies = await directory.of(ids.slice(0, 1_000), "beneficiary");
	const others = await directory.of(ids.slice(1_000), "beneficiary");
	expect([asked.length, looked.at(-1), currencies.size + others.size, said.length]).toEqual([1_500, 1_500, 1_000, 1]);
	await directory.of(ids.slice(0, 300), "ledger");
	expect(asked.length).toBe(1_800);
	expect((await directory.of(ids.slice(0, 1_000), "beneficiary")).size).toBe(666);
	expect(asked.length).toBe(1_800);
});
