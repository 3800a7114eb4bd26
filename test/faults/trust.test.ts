import { chmod, chown, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { type CountingPeer, startCountingPeer } from "../support/counting-peer.js";
import { type Desk, type Ended, newDesk, plantedToken } from "../support/driver.js";
import { programsOfFile } from "../support/programs.js";

const programs = programsOfFile();
const [from, to] = ["aaaaaaaa-0001-4000-8000-000000000001", "aaaaaaaa-0002-4000-8000-000000000002"] as const;
/** An amount with decimals is preceded by a look at the ledger: what is allowed is seen by that look. */
const pay = ["pay", "ledger", "--ledger-from-id", from, "--ledger-to-id", to, "--amount", "10.50", "--yes", "--json"];
const live = [...pay, "--live", "--new-journal"];

/** The way to every host beyond this machine: it notes which one is asked for, and lets nobody through. */
interface Gate {
	asked: string[];
	server: Server;
	url: string;
}

async function startGate(): Promise<Gate> {
	const asked: string[] = [];
	const server = createServer((socket) => {
		socket.on("error", () => {});
		socket.once("data", (part) => {
			asked.push(/^CONNECT (\S+)/.exec(part.toString("latin1"))?.[1] ?? "something else");
			server.emit("asked", asked.at(-1));
			socket.end("HTTP/1.1 502 No\r\ncontent-length: 0\r\n\r\n");
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { asked, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let gate: Gate;
let peer: CountingPeer;
let desk: Desk;
beforeEach(async () => {
	gate = await startGate();
	peer = await startCountingPeer({ random: new Random(1) });
	desk = await newDesk(programs.built, peer.urls[0] as string);
});
afterEach(async () => {
	await desk.remove();
	await peer.stop();
	await new Promise((resolve) => gate.server.close(resolve));
});

const config = (): string => desk.env.PURSER_CONFIG_DIR as string;
const profilesFile = (): string => join(config(), "profiles.json");

/** One run, with what it would send beyond this machine led to the gate. */
const run = (argv: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
	desk.start(argv, { env: { HTTPS_PROXY: gate.url, ...env } }).ended;

/** Where a run asks first; what it told, where it asked nobody. */
async function asks(argv: readonly string[], env: Record<string, string> = {}): Promise<string> {
	const running = desk.start(argv, { env: { HTTPS_PROXY: gate.url, ...env } });
	const first = new Promise<string>((resolve) => void gate.server.once("asked", resolve));
	const host = await Promise.race([first, running.ended.then(({ stderr }) => stderr)]);
	running.kill();
	await running.ended;
	return host;
}

/** The profiles as they are stored; the first is the one in use. */
async function stored(profiles: Record<string, Record<string, unknown>>): Promise<void> {
	const whole = Object.entries(profiles).map(([name, one]) => [name, { auth: { kind: "login" }, settings: {}, ...one }]);
	await writeFile(profilesFile(), JSON.stringify({ current: Object.keys(profiles)[0], profiles: Object.fromEntries(whole) }), {
		mode: 0o600,
	});
}
const bank = { baseUrl: "https://bank.example", environment: "live" };

async function refused({ code, stdout, stderr }: Ended, wanted: string): Promise<void> {
	const { error } = JSON.parse(stderr.trim().split("\n").at(-1) as string);
	expect([code, error.code, error.kind, stdout]).toEqual([10, wanted, "guard", ""]);
	expect(gate.asked).toEqual([]);
	expect(peer.arrived).toEqual([]);
	expect(stderr).not.toContain(plantedToken);
}

test("live money without a stored profile is not sent: an address has no caps", async () => {
	await stored({});
	const address = { PURSER_BASE_URL: "https://bank.example", PURSER_TOKEN_ORIGIN: "https://bank.example" };
	for (const env of [address, { ...address, PURSER_PROFILE: "adhoc" }]) {
		const ran = await run(live, env);
		expect([ran.code, JSON.parse(ran.stderr).error.code]).toEqual([2, env === address ? "NO_PROFILE" : "PROFILE_UNKNOWN"]);
	}
	expect(gate.asked).toEqual([]);
});

// Windows has no such owners and modes.
describe.skipIf(process.platform === "win32")("a configuration that somebody else may have written", () => {
	test.each([
		["the folder", () => config(), 0o770],
		["the file", () => profilesFile(), 0o666],
	])("moves no live money (%#: %s)", async (_, place, mode) => {
		await stored({ bank });
		await chmod(place(), mode);
		await refused(await run(live), "CONFIG_NOT_OWN");
		// What it says of the address is its word too.
		await stored({ bank: { ...bank, environment: "sandbox" } });
		await chmod(place(), mode);
		await refused(await run(pay), "CONFIG_NOT_OWN");
		await chmod(place(), place() === config() ? 0o700 : 0o600);
		expect(await asks(pay)).toBe("bank.example:443");
	});

	// Who is not root can give nothing away.
	test.runIf(process.geteuid?.() === 0)("moves no live money where its file or its folder belongs to another user", async () => {
		await stored({ bank });
		for (const place of [profilesFile(), config()]) {
			await chown(place, 12_345, 12_345);
			await refused(await run(live), "CONFIG_NOT_OWN");
			await chown(place, 0, 0);
		}
		expect(await asks(live)).toBe("bank.example:443");
	});

	test("a sandbox on this machine is played with all the same", async () => {
		await chmod(config(), 0o777);
		expect((await run(pay)).code).toBe(0);
	});
});
