import { execFileSync } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, it, test } from "vitest";
import { environment, longestRun, ownFolder, programLine } from "../support/built.js";
import { logInWords, operatorNames } from "../support/log-in.js";
import { type Service, seeded, spawned, started, startService } from "./service.js";

let service: Service;
beforeAll(async () => {
	service = await startService();
	return service.stop;
});

/** Whether a disk of its own, which can be full, can be made without rights. */
const canMount = ((): boolean => {
	try {
		execFileSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
})();

const trace = /\n\s+at |node:internal|fault of its own|bug in purser|undefined|\[object/;

describe("pipes", () => {
	const shell = (line: string) => execa("bash", ["-c", line], { env: service.env, extendEnv: false, reject: false, timeout: longestRun });

	it.each([
		["a reader that stops after one line", "corporate create --help | head -1", /\n0$|\n141$/],
		["a reader that stops after one line of JSON", "ledger list --json | head -1", /\n0$|\n141$/],
		["standard output closed from the start", "api list >&-", /^0$/],
		["standard error closed: the exit code still tells", "pay ledger 2>&-", /^2$/],
		["a full disk behind standard output is no success", "api list >/dev/full", /^6$/],
		["nor where there was nothing in doubt", "pay doubts >/dev/full", /^6$/],
	])("%s: %s", async (_, line, exit) => {
		const ran = await shell(`${programLine} ${line}; echo "\${PIPESTATUS[0]}"`);
		expect(ran.stdout).toMatch(exit);
		expect(ran.stderr).not.toMatch(trace);
		if (line.includes("|")) expect(ran.stderr.replace(/^(Next:| {5}) .*\n?/gm, "")).toBe("");
	});

	/** A command on a full disk. @returns its exit code and what it told */
	const untold = async (line: string): Promise<[string, string]> => {
		const { stdout, stderr } = await shell(`${programLine} ${line} >/dev/full; echo "exit $?"`);
		return [stdout, stderr];
	};

	it.each(["api list --json", "config explain --json"])("nor is it for %s", async (line) => {
		expect(await untold(line)).toEqual(["exit 6", expect.stringContaining('"ANSWER_UNWRITTEN"')]);
	});

	it("nor for the version alone", async () => {
		expect(await untold("--version")).toEqual(["exit 6", "Error: the version could not be written (ENOSPC)"]);
	});

	it("nor for money: exit 7, with what was accepted; where the code says what became of it, it holds", async () => {
		const payment = ["pay", "beneficiary", "--ledger-from-id", seeded.main, "--beneficiary-id", seeded.supplier, "--amount", "1.77"];
		for (const form of ["", "--json"]) {
			const [exit, told] = await untold(`${payment.join(" ")} --reference "untold ${form.slice(2)}" --yes ${form}`);
			const [newest] = (await service.purser(["history", "list", "--limit", "1", "--json"])).json();
			const accepted = `the answer could not be written (ENOSPC); the payment ${newest.id} (intent ${newest.intent}) was accepted`;
			expect([exit, newest.state, told]).toEqual(["exit 7", "accepted", expect.stringContaining(accepted)]);
			if (form === "") continue;
			expect(JSON.parse(told).error).toMatchObject({ code: "ANSWER_UNWRITTEN", exit: 7, moneyMayHaveMoved: true });
		}
		// The sandbox ends it as its reference says.
		const { id } = (await service.purser([...payment, "--reference", "DECLINED", "--yes", "--json"])).json();
		expect((await service.purser(["pay", "show", id, "--wait"])).exit).toBe(5);
		const shown = await untold(`pay show ${id}`);
		expect(shown).toEqual(["exit 5", expect.stringContaining("Warning: the answer could not be written (ENOSPC)")]);
	});

	it("nor for a batch: exit 7, with how many rows were accepted", async () => {
		const file = join(await ownFolder(), "pay.csv");
		const rows = ["one", "two"].map((name, at) => `${seeded.main},${seeded.supplier},1.8${at},full ${name}`);
		await writeFile(file, ["ledgerFromId,beneficiaryId,amount,reference", ...rows, ""].join("\n"));
		expect((await service.purser(["pay", "batch", "plan", file, "--json"])).exit).toBe(0);
		const sent = await untold(`pay batch send ${file}.plan.json --yes --json`);
		expect(sent).toEqual(["exit 7", expect.stringContaining("(ENOSPC); 2 rows of a batch were accepted")]);
	});

	it.runIf(canMount)("a configuration on a full disk: exit 6, since it can be run again once there is room", async () => {
		const add = "profile add example --base-url https://api.example.com --environment sandbox --json";
		const fill = "mount -t tmpfs -o size=8k none $PURSER_CONFIG_DIR && head -c 8192 /dev/zero >$PURSER_CONFIG_DIR/other";
		const inside = `${fill}; ${programLine} ${add}; echo "exit $?"`;
		const ran = await shell(`export PURSER_CONFIG_DIR=$(mktemp -d); unshare -rm sh -c '${inside}'; rmdir $PURSER_CONFIG_DIR`);
		expect([ran.stdout, JSON.parse(ran.stderr).error]).toMatchObject(["exit 6", { code: "DISK_FULL", kind: "unavailable" }]);
	});
});

test("colour: --color > NO_COLOR > FORCE_COLOR > the terminal, which a pipe is not", async () => {
	for (const [flags, env, coloured] of [
		[[], {}, false],
		[[], { FORCE_COLOR: "1" }, true],
		[[], { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
		[["--color", "always"], { NO_COLOR: "1" }, true],
		[["--color", "never"], { FORCE_COLOR: "3" }, false],
		[["--json", "--color", "always"], {}, false],
	] as const) {
		const ran = await service.purser(["ledger", "show", seeded.main, ...flags], { env });
		expect([flags, env, ran.exit, ran.stdout.includes("\u001b")]).toEqual([flags, env, 0, coloured]);
	}
});

describe("signals", () => {
	it.each<[NodeJS.Signals, number]>([
		["SIGTERM", 143],
		["SIGINT", 130],
	])("%s while waiting for a payment: %i", async (signal, exit) => {
		const held = createServer((_request, response) => {
			response.setHeader("content-type", "application/json").end('{"status":"PENDING","amount":1.00,"currency":"EUR"}');
		});
		await new Promise<void>((resolve) => held.listen(0, "127.0.0.1", resolve));
		const url = `http://127.0.0.1:${(held.address() as AddressInfo).port}`;
		const env = { ...service.env, PURSER_TOKEN: "token-of-the-test" };
		const running = started(["pay", "show", seeded.main, "--wait", "--base-url", url], env, undefined, longestRun);
		await new Promise<void>((resolve) => held.once("request", () => resolve()));
		await new Promise((resolve) => setTimeout(resolve, 300));
		running.kill(signal);
		const ran = await running;
		held.close();
		expect([ran.exitCode, ran.timedOut]).toEqual([exit, false]);
		expect(ran.stderr).not.toMatch(trace);
		expect(ran.stderr).toContain("Stopped");
	});

	it("the sandbox tells a script its address as soon as it listens, and SIGTERM ends it in order", async () => {
		const running = started(
			["sandbox", "serve", "--port", "0", "--output", "ndjson"],
			environment(await ownFolder()),
			undefined,
			longestRun,
		);
		const line = await new Promise<Buffer>((resolve) => running.stdout?.once("data", resolve));
		const { url } = JSON.parse(String(line));
		expect((await fetch(`${url}/_sandbox/terms/1.0/EN`)).status).toBe(200);
		running.kill("SIGTERM");
		const { stdout, stderr } = await running;
		expect(stdout).toBe(String(line));
		expect(stderr).not.toMatch(trace);
	});
});

describe("what lies on the disk", () => {
	it("folders are 0700, files 0600, and secrets stand in the secrets' own file only", async () => {
		const folder = await ownFolder();
		const run = (argv: readonly string[], input?: string) => spawned([...argv, "--debug"], environment(folder), input);
		await run(["profile", "add", "own", "--base-url", service.url, ...operatorNames]);
		const logged = await run(logInWords, "sandbox-password\n");
		const paid = await run(`pay ledger --ledger-from-id ${seeded.main} --ledger-to-id ${seeded.savings} --amount 0.01 --yes`.split(" "));
		expect([logged.exit, paid.exit]).toEqual([0, 0]);
		const files = (await readdir(folder, { recursive: true, withFileTypes: true })).map((entry) => ({
			path: join(entry.parentPath, entry.name),
			folder: entry.isDirectory(),
		}));
		const modes = await Promise.all(
			files.map(async (file) => [file.path, ((await stat(file.path)).mode & 0o777).toString(8), file.folder ? "700" : "600"]),
		);
		expect(modes.filter(([, mode, wanted]) => mode !== wanted)).toEqual([]);
		const contents = await Promise.all(
			files.filter((file) => !file.folder).map(async ({ path }) => [path, await readFile(path, "latin1")] as const),
		);
		const holding = contents.filter(([, content]) => /"(refresh)?token"/i.test(content) || /eyJ[\w-]{10,}\./.test(content));
		expect(holding).toHaveLength(1);
		expect(holding[0]?.[0]).toMatch(/secret|credential/);
		const tokens = (holding[0]?.[1] ?? "").match(/[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}|[\w-]{24,}/g) ?? [];
		expect(tokens.length).toBeGreaterThan(0);
		for (const secret of ["sandbox-password", ...tokens]) {
			for (const ran of [logged, paid]) expect(ran.stdout + ran.stderr).not.toContain(secret);
			for (const [path, content] of contents) if (path !== holding[0]?.[0]) expect(content).not.toContain(secret);
		}
	});

	it.runIf(process.platform === "linux")(
		"a folder that can hold nothing, as below /proc, is told at once, and nothing is sent",
		async () => {
			const payment = ["pay", "ledger", "--ledger-from-id", seeded.main, "--ledger-to-id", seeded.savings, "--amount", "3.01", "--yes"];
			const denied = await service.purser([...payment, "--json"], { env: { PURSER_STATE_DIR: "/proc/nothing/state" } });
			expect([denied.hung, denied.exit, denied.stdout]).toEqual([false, 2, ""]);
			expect(JSON.parse(denied.stderr).error).toMatchObject({ code: "JOURNAL_FAILED", moneyMayHaveMoved: false });
			const env = { HOME: "/proc", PURSER_CONFIG_DIR: "", PURSER_STATE_DIR: "" };
			const added = await service.purser(["profile", "add", "bank", "--base-url", service.url], { env });
			expect([added.hung, added.exit]).toEqual([false, 2]);
			expect(added.stderr).toContain("The configuration /proc/.config/purser/profiles.json cannot be written (ENOENT)");
		},
	);
});
