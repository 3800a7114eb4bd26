/**
 * Faults × operations × transports, hundreds of attempts on one journal on disk, against peers of bare TCP that count: what
 * arrived is what was attempted, and the ten invariants hold. `test/nodes` runs the same on newer Nodes.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { updateCorporate } from "../../src/api/operations/corporate.js";
import { createBeneficiaryTransaction, createInterLedger } from "../../src/api/operations/transaction.js";
import { PurserError } from "../../src/errors.js";
import { call } from "../../src/http/call.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Transport, WireOutcome } from "../../src/ports/wire.js";
import { newFolder, open, payment, removeFolders } from "../journal/journals.js";
import { Random } from "../payments/simulation/random.js";
import { changed, smallContext } from "../support/context.js";
import { type Exit, type Row, type State, violations } from "../support/invariants.js";
import { seedOfRun, uuidOf } from "../support/seed.js";
import { closedPort, type Peer, startPeer } from "./wire-peer.js";
import { arrivedFaults, type Fault } from "./wire-table.js";
import { transports } from "./wire-transports.js";

const lanes = 6;
/** How often each combination is tried; some four hundred of them. */
const rounds = process.env.PURSER_TORTURE === "1" ? 10 : 1;
const token = "planted-secret-4M8WQ1";
const personal = "Wilhelmina Plantagenet-Zapp";
const held = "99999999-0000-4000-8000-000000000001";
const ids = {
	from: "11111111-1111-4111-8111-111111111111",
	to: "22222222-2222-4222-8222-222222222222",
	payee: "33333333-3333-4333-8333-333333333333",
};
const random = new Random(seedOfRun("wire campaign"));
const operations = ["ledger", "beneficiary", "update"] as const;

interface Attempt {
	/** Unique: the reference, or the new name. */
	key: string;
	operation: (typeof operations)[number];
	url: string;
	transport: Transport;
	timeout: number;
	/** What may be on record, and how often it may have arrived. */
	states: readonly State[];
	arrives: readonly number[];
	state?: State;
	code?: number;
}

/** One campaign's world. */
interface World {
	journal: Journal;
	folder: string;
	peers: Peer[];
	transports: Transport[];
	/** How often each key wholly arrived, wherever it did, and the ids made for it. */
	arrived: Map<string, number>;
	created: Map<string, string[]>;
	/** Who came where redirects point to. */
	visitors: number;
}

afterAll(removeFolders);

async function newWorld(): Promise<World> {
	const folder = newFolder();
	const journal = await open(folder, { clock: { ...smallContext().context.clock, set: () => {}, advance: () => {} } });
	// Whoever was told of the id that faults give a second time.
	const transfer = { kind: "ledger", ledgerFromId: ids.from, counterpartyId: ids.to, amount: "10.10", reference: "holder" } as const;
	const holder = await journal.begin(payment(transfer));
	await journal.end(holder, { state: "accepted", id: held, status: 201 });
	return { journal, folder, peers: [], transports: [], arrived: new Map(), created: new Map([["holder", [held]]]), visitors: 0 };
}

const keyIn = (body: string): string => /"(?:reference|tradeName)":"([^"]*)"/.exec(body)?.[1] ?? "?";

async function peerOf({ arrived, created, peers }: World, fault: Fault, elsewhere: string): Promise<string> {
	const peer = await startPeer((socket, { body }) => {
		const key = keyIn(body);
		const id = uuidOf(random);
		arrived.set(key, (arrived.get(key) ?? 0) + 1);
		if (fault.made && !body.includes("tradeName")) created.set(key, [...(created.get(key) ?? []), id]);
		fault.script({ socket, random, id, held, elsewhere, personal });
	});
	peers.push(peer);
	return `http://127.0.0.1:${peer.port}`;
}

/** What never arrives, with what may then be on record. */
async function unreachable({ peers }: World): Promise<{ name: string; url: string; states: readonly State[]; timeout: number }[]> {
	const silent = await startPeer(() => {});
	const resetting = await startPeer(() => {}, { onConnection: (socket) => void socket.resetAndDestroy() });
	const breaking = await startPeer(() => {}, { onConnection: (socket) => void socket.once("data", () => socket.resetAndDestroy()) });
	peers.push(silent, resetting, breaking);
	const unsent: readonly State[] = ["not-sent"];
	return [
		{ name: "refused", url: `http://127.0.0.1:${await closedPort()}`, states: unsent, timeout: 60_000 },
		{ name: "name not found", url: "http://purser-test.invalid", states: unsent, timeout: 60_000 },
		{ name: "TLS broken off", url: `https://127.0.0.1:${breaking.port}`, states: unsent, timeout: 60_000 },
		{ name: "TLS without end", url: `https://127.0.0.1:${silent.port}`, states: unsent, timeout: 60 },
		{ name: "reset as soon as it stands", url: `http://127.0.0.1:${resetting.port}`, states: ["not-sent", "in-doubt"], timeout: 60_000 },
	];
}

/** All combinations, each several times, in an order drawn from the seed. */
async function attempts(world: World, { faults, rounds, wrap }: Options): Promise<Attempt[]> {
	const other = await startPeer((socket) => {
		world.visitors += 1;
		socket.destroy();
	});
	world.peers.push(other);
	const made: Attempt[] = [];
	const add = (name: string, rest: (operation: Attempt["operation"]) => Omit<Attempt, "key" | "operation" | "transport">): void => {
		for (const [, create] of transports) {
			const transport = wrap(create({ env: {} }));
			world.transports.push(transport);
			for (let round = 0; round < rounds; round++)
				for (const operation of operations) made.push({ key: `case ${made.length}: ${name}`, operation, transport, ...rest(operation) });
		}
	};
	for (const fault of faults) {
		const url = await peerOf(world, fault, `http://127.0.0.1:${other.port}/elsewhere`);
		const isStale = fault.money.length > 1;
		add(fault.name, (operation) => ({
			url,
			timeout: fault.timeout ?? 60_000,
			states: operation === "update" ? (fault.write ?? fault.money) : fault.money,
			// One that meets a connection at its end may have been lost on the way.
			arrives: isStale ? [0, 1] : [1],
		}));
	}
	for (const { name, ...rest } of await unreachable(world)) add(name, () => ({ ...rest, arrives: [0] }));
	return made
		.map((one) => [random.fraction(), one] as const)
		.sort(([one], [other]) => one - other)
		.map(([, one]) => one);
}

async function attempt({ journal }: World, one: Attempt): Promise<void> {
	const profile = { baseUrl: one.url };
	const small = smallContext({ transport: one.transport, profile, timeout: one.timeout, credential: { kind: "tokens", token } });
	let intent: string | undefined;
	const begin: Journal["begin"] = async (given) => {
		intent = await journal.begin(given);
		return intent;
	};
	const context = changed(small.context, { journal: { of: async () => ({ ...journal, begin }) } });
	const pay = { ledgerFromId: ids.from, amount: "10.10", reference: one.key };
	try {
		const { waiting } =
			one.operation === "ledger"
				? await call(context, createInterLedger, { body: { ...pay, ledgerToId: ids.to } })
				: one.operation === "beneficiary"
					? await call(context, createBeneficiaryTransaction, { body: { ...pay, beneficiaryId: ids.payee } })
					: await call(context, updateCorporate, { params: { corporateId: ids.from }, body: { tradeName: one.key } });
		one.code = waiting ? 8 : 0;
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		one.code = error.exit;
	}
	one.state = (await journal.show(intent as string))?.record.state;
}

interface Options {
	faults: readonly Fault[];
	/** How often each combination is tried. */
	rounds: number;
	/** What is put around each transport. */
	wrap: (transport: Transport) => Transport;
}

interface Outcome {
	attempts: number;
	arrived: number;
	/** Attempts with a state or a number of arrivals that their fault does not allow. */
	odd: unknown[];
	/** Violations of the invariants. */
	found: string[];
	visitors: number;
}

async function campaign(options: Options): Promise<Outcome> {
	const world = await newWorld();
	const all = await attempts(world, options);
	const left = [...all];
	const lane = async (): Promise<void> => {
		for (let one = left.pop(); one !== undefined; one = left.pop()) await attempt(world, one);
	};
	await Promise.all(Array.from({ length: lanes }, lane));
	const { arrived } = world;
	const odd = all.filter(({ key, state, states, arrives }) => !states.includes(state as State) || !arrives.includes(arrived.get(key) ?? 0));
	const found = await check(world, all);
	await world.journal.close();
	for (const one of [...world.transports, ...world.peers]) await one.close();
	return {
		attempts: all.length,
		arrived: [...arrived.values()].reduce((sum, count) => sum + count, 0),
		odd: odd.map(({ key, operation, state, code }) => [key, operation, state, code, arrived.get(key) ?? 0]),
		found,
		visitors: world.visitors,
	};
}

async function check({ journal, folder, arrived, created }: World, all: readonly Attempt[]): Promise<string[]> {
	const payments = all.filter(({ operation }) => operation !== "update");
	const told = await journal.list({ effect: "money" });
	const rows = told.map(({ transfer, state, id }): Row => ({ key: transfer?.reference ?? "", amount: transfer?.amount ?? "", state, id }));
	const cents = BigInt(payments.length + 1) * 1010n;
	const files = readdirSync(join(folder, "journal"), { withFileTypes: true }).filter((entry) => entry.isFile());
	const known = new Set(all.map(({ key }) => key));
	return [
		...violations({
			rows,
			asked: ["holder", ...payments.map(({ key }) => key)],
			total: `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`,
			created,
			deaths: 0,
			inFlight: 0,
			otherDoubts: payments.filter(({ states }) => states.includes("in-doubt")).length,
			faults: (await journal.verify()).faults,
			exits: payments.map(({ code, state }): Exit => ({ code: code as number, states: [state as State] })),
			disk: { bytes: files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))), secrets: [token, personal] },
		}),
		...[...arrived.keys()].filter((key) => !known.has(key)).map((key) => `1: ${key} arrived, and nobody attempted it`),
	];
}

test("hundreds of attempts: what arrived is what was attempted, and the ten invariants hold", async () => {
	const { attempts: count, arrived, odd, found, visitors } = await campaign({ faults: arrivedFaults, rounds, wrap: (as) => as });
	process.stdout.write(`wire campaign: Node ${process.versions.node}: ${count} attempts, ${arrived} arrived\n`);
	expect(count).toBeGreaterThan(400);
	expect(odd.slice(0, 10)).toEqual([]);
	expect(found.slice(0, 10)).toEqual([]);
	expect(visitors).toBe(0);
});

test.each<[string, (outcome: WireOutcome) => boolean]>([
	["a transport that sends again after a reset", ({ kind }) => kind === "sent"],
	["a transport that sends again after a 5xx", (outcome) => outcome.kind === "answer" && outcome.status >= 500],
])("control: %s is caught", async (_, isTriedAgain) => {
	const wrap = (transport: Transport): Transport => ({
		...transport,
		send: async (request, limits) => {
			const outcome = await transport.send(request, limits);
			return isTriedAgain(outcome) ? transport.send(request, limits) : outcome;
		},
	});
	const faults = arrivedFaults.filter(({ name }) => ["reset once it was read", "500, made all the same"].includes(name));
	const { odd, found } = await campaign({ faults, rounds: 1, wrap });
	expect(odd.length).toBeGreaterThan(0);
	expect(found.some((one) => one.startsWith("1:"))).toBe(true);
});
