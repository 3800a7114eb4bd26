/**
 * "Several people, one journal" of the page on payments, typed as it stands there by two people: what runs by sudo as the account
 * `payments`, the rest in Ben's own account. The address is that of a sandbox, and a Yes is given by --yes.
 */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { longestRun } from "../support/built.js";
import { logInWords, operatorNames } from "../support/log-in.js";
import { type Service, seeded, startService, typedBy, typing } from "./service.js";

const page = fileURLToPath(new URL("../../src/payments/README.md", import.meta.url));
let service: Service;
let typed: Awaited<ReturnType<typeof typing>>["typed"];
beforeAll(async () => {
	service = await startService();
	const put = async (name: string, text: string): Promise<void> => {
		await writeFile(join(service.folder, name), text);
		await chmod(join(service.folder, name), 0o755);
	};
	const bens = { PURSER_CONFIG_DIR: join(service.folder, "ben/config"), PURSER_STATE_DIR: join(service.folder, "ben/state") };
	({ typed } = await typing(service.folder, { ...service.env, ...bens }));
	for (const name of ["payments", "ben"]) await mkdir(join(service.folder, name), { mode: 0o700 });
	const own = `PURSER_CONFIG_DIR=${join(service.folder, "payments/config")} PURSER_STATE_DIR=${join(service.folder, "payments/state")}`;
	await put("sudo", `#!/bin/sh\n[ "$1 $2" = "-u payments" ] || exit 99\nshift 2\nexec env ${own} "$@"\n`);
	expect((await service.purser(["sandbox", "simulate", "fund", seeded.main, "--amount", "20000"])).exit).toBe(0);
	const rows = Array.from({ length: 3 }, (_, at) => `${seeded.main},${seeded.savings},5000.00,Row ${at}`);
	await put("payroll.csv", ["ledgerFromId,ledgerToId,amount,reference", ...rows].join("\n"));
	return service.stop;
});

test(
	"every line can be typed, and the batch is sent with both signatures and not before",
	async () => {
		const lines = await typedBy(page, "Several people, one journal");
		expect(lines.length).toBe(14);
		const keys: Record<string, string> = {};
		for (const { who, line } of lines) {
			const here = line
				.replace(/https:\/\/api\.example\.com --environment live.*$/, `${service.url} ${operatorNames.join(" ")}`)
				.replace(/auth login --profile live/, `${logInWords.join(" ")} --profile live <<< sandbox-password`)
				.replace(/(PAYMENTS|BENS)-KEY/g, (name) => keys[name] ?? name)
				.replace(/(profile set .*|pay batch (?:approve|send) .*)$/, "$1 --yes");
			// The control: without Ben's signature nothing is sent.
			if (line.includes("cat payroll.csv.plan.json > for-ben")) {
				const early = await typed(`sudo -u payments PURSER_OPERATOR=anna purser pay batch send payroll.csv.plan.json --yes --json`);
				expect([early.exit, early.stderr]).toEqual([10, expect.stringContaining("APPROVAL_MISSING")]);
			}
			const ran = await typed(here);
			expect([who, here, ran.exit], ran.stderr).toEqual([who, here, 0]);
			const key = /Public key +([\w-]{43})/.exec(ran.stdout)?.[1];
			if (key !== undefined) keys[who === "anna" ? "PAYMENTS-KEY" : "BENS-KEY"] = key;
		}
		const { plan, approvals } = JSON.parse(await readFile(join(service.folder, "payroll.csv.plan.json"), "utf8"));
		expect([plan.operator, plan.planner, approvals]).toEqual([
			"anna",
			keys["PAYMENTS-KEY"],
			[expect.objectContaining({ key: keys["BENS-KEY"], approver: "ben" })],
		]);
		const sent = await typed(`sudo -u payments purser pay batch status ${plan.batch} --json`);
		expect(JSON.parse(sent.stdout).counts.accepted + JSON.parse(sent.stdout).counts.waiting).toBe(3);
	},
	longestRun,
);
