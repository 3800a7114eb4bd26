import { chmod, chown, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { CountingPeer } from "../support/counting-peer.js";
import { type Desk, type Ended, plantedToken } from "../support/driver.js";
import { countedDesk, payment } from "../support/driver-campaign.js";

/** An amount with decimals is preceded by a look at the ledger: what is allowed is seen by that look. */
const pay = payment("trust", "10.50").argv;
const live = [...pay, "--live", "--new-journal"];

let peer: CountingPeer;
let desk: Desk;
/** Hosts beyond this machine that were asked for; the way to them lets nobody through. */
let asked: string[];
beforeEach(async () => {
	({ peer, desk } = await countedDesk());
	asked = [];
	const gate = createServer().on("connect", ({ url = "" }, socket) => {
		asked.push(url);
		socket.on("error", () => {});
		socket.end("HTTP/1.1 502 No\r\ncontent-length: 0\r\n\r\n");
	});
	await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void gate.close());
	desk.env.HTTPS_PROXY = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
});

const run = (argv: readonly string[], env: Record<string, string> = {}): Promise<Ended> => desk.start(argv, { env }).ended;

/** Where a run asked first. */
async function asks(argv: readonly string[]): Promise<string | undefined> {
	const running = desk.start(argv);
	await Promise.race([expect.poll(() => asked, { timeout: 600_000 }).not.toEqual([]), running.ended]);
	running.kill();
	await running.ended;
	return asked[0];
}

const config = (): string => desk.env.PURSER_CONFIG_DIR as string;
const profilesFile = (): string => join(config(), "profiles.json");

/** The profiles as they are stored; the first is the one in use. */
async function stored(profiles: Record<string, Record<string, unknown>>): Promise<void> {
	const whole = Object.entries(profiles).map(([name, one]) => [name, { auth: { kind: "login" }, settings: {}, ...one }]);
	await writeFile(profilesFile(), JSON.stringify({ current: Object.keys(profiles)[0], profiles: Object.fromEntries(whole) }), {
		mode: 0o600,
	});
}
const bank = { baseUrl: "https://bank.example", environment: "live" };

function refused({ code, stdout, stderr }: Ended, wanted: string): void {
	const { error } = JSON.parse(stderr.trim().split("\n").at(-1) as string);
	expect([code, error.code, error.kind, stdout]).toEqual([10, wanted, "guard", ""]);
	expect([asked, peer.arrived]).toEqual([[], []]);
	expect(stderr).not.toContain(plantedToken);
}

test("live money without a stored profile is not sent: an address has no caps", async () => {
	await stored({});
	const address = { PURSER_BASE_URL: "https://bank.example", PURSER_TOKEN_ORIGIN: "https://bank.example" };
	for (const env of [address, { ...address, PURSER_PROFILE: "adhoc" }]) {
		const ran = await run(live, env);
		expect([ran.code, JSON.parse(ran.stderr).error.code]).toEqual([2, env === address ? "NO_PROFILE" : "PROFILE_UNKNOWN"]);
	}
	expect(asked).toEqual([]);
});

// Windows has no such owners and modes.
describe.skipIf(process.platform === "win32")("a configuration that somebody else may have written", () => {
	test.each([
		["the folder", config, 0o770, 0o700],
		["the file", profilesFile, 0o666, 0o600],
	])("moves no live money (%#: %s)", async (_, place, mode, own) => {
		// What it says of the address is its word too.
		for (const [environment, argv] of [
			["live", live],
			["sandbox", pay],
		] as const) {
			await stored({ bank: { ...bank, environment } });
			await chmod(place(), mode);
			refused(await run(argv), "CONFIG_NOT_OWN");
		}
		await chmod(place(), own);
		expect(await asks(pay)).toBe("bank.example:443");
	});

	// Who is not root can give nothing away.
	test.runIf(process.geteuid?.() === 0)("moves no live money where its file or its folder belongs to another user", async () => {
		await stored({ bank });
		for (const place of [profilesFile(), config()]) {
			await chown(place, 12_345, 12_345);
			refused(await run(live), "CONFIG_NOT_OWN");
			await chown(place, 0, 0);
		}
		expect(await asks(live)).toBe("bank.example:443");
	});

	test("a sandbox on this machine is played with all the same", async () => {
		await chmod(config(), 0o777);
		expect((await run(pay)).code).toBe(0);
	});
});
