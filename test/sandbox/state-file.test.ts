import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSaver } from "../../src/sandbox/sandbox.js";
import type { State } from "../../src/sandbox/state.js";
import { formatState, parseState, readStateFile } from "../../src/sandbox/state.js";
import { createFiles } from "../../src/system/files.js";
import { makeService, newCorporate, operatorLogin, payLedger, type Service } from "./service.js";

const files = createFiles(new AbortController().signal);

let folder = "";
let file = "";
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-sandbox-"));
	file = join(folder, "state.json");
});
afterEach(() => rm(folder, { recursive: true }));

const save = (state: State): Promise<void> => files.write(file, formatState(state), 0o600);

/** A sandbox that goes on with the file, as after a restart. */
async function restarted(): Promise<Service> {
	return makeService({ save, state: await readStateFile(files, file) });
}

describe("a restart in the middle", () => {
	test("a case goes on where it was: token, link, KYC, KYB, metadata to the digit", async () => {
		const before = await makeService({ save });
		const login = await before.call("POST login", operatorLogin);
		const { id, owner } = await newCorporate(before, { metadata: { $decimal: "not a number", fields: "text", rate: 1 } });
		await before.call(`PATCH corporates/${id}`, '{"metadata":{"$decimal":"1.50","rate":0.10,"big":12345678901234567890}}');
		await before.call("POST verifications/email/send", { relatedPhysicalPersonId: owner });
		await before.call(`POST corporates/${id}/kyb`);
		const kyc = await before.call("POST kyc", { relatedPhysicalPersonId: owner, kycConfiguration: { accessType: "LINK" } });

		const after = await restarted();
		const asked = (path: string) => after.ask("GET", path, undefined, { token: login.data.token });
		expect((await asked(`/api/partner/corporates/${id}`)).text).toContain(
			'"metadata":{"$decimal":"1.50","rate":0.10,"big":12345678901234567890}',
		);
		expect((await after.control("email", { relatedId: owner })).status).toBe(200);
		expect((await after.ask("POST", `${new URL(kyc.data.url).pathname}/complete`, undefined, { token: null })).status).toBe(200);
		after.pass(2000);
		expect((await asked(`/api/partner/corporates/${id}`)).data.kybStatus).toBe("VALIDATED");
		expect((await asked(`/api/partner/ledgers?endUserId=${id}`)).data.totalElements).toBe(2);
	});
});

describe("the file", () => {
	test.each(["", "null", '{"version":2}', '{"version":1,"ahead":0,"corporates":[]}'])("%j is not a state", async (text) => {
		await writeFile(file, text);
		await expect(readStateFile(files, file)).rejects.toMatchObject({ kind: "usage", failure: { code: "STATE_UNREADABLE" } });
	});
});

describe("keeping", () => {
	test("a disk that is full loses no answer: it is told, and the next write has everything", async () => {
		let full = true;
		const told: unknown[] = [];
		const service = await makeService({
			save: async (state) => {
				if (full) throw new Error("ENOSPC: no space left on device");
				await save(state);
			},
			saveFailed: (cause) => told.push(cause),
		});
		const { status, data } = await payLedger(service, "10.10");
		expect(status).toBe(201);
		expect(told.map(String)).toContain("Error: ENOSPC: no space left on device");
		full = false;
		await payLedger(service, "1.00");
		const kept = parseState(await readFile(file, "utf8"));
		expect(kept.transactions.map(({ amount }) => amount)).toEqual(["1010", "100"]);
		expect(kept.transactions[0]?.id).toBe(data.id);
	});

	test("one write at a time, one for all that changed meanwhile, and nobody is answered before the own change is written", async () => {
		let [value, running, most, writes] = [0, 0, 0, 0];
		let written = -1;
		const saved = createSaver(
			async () => {
				writes += 1;
				most = Math.max(most, ++running);
				const seen = value;
				await new Promise((resolve) => setTimeout(resolve, 5));
				written = seen;
				running -= 1;
			},
			() => {},
		);
		const late: number[] = [];
		await Promise.all(
			Array.from({ length: 50 }, async (_, at) => {
				await new Promise((resolve) => setTimeout(resolve, at % 7));
				const mine = ++value;
				await saved();
				if (written < mine) late.push(mine);
			}),
		);
		expect(late).toEqual([]);
		expect(most).toBe(1);
		expect(writes).toBeLessThan(12);
	});
});
