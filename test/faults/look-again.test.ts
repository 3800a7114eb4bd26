/**
 * A payment that was made, whose answer was lost, and which somebody settled as not created because a list did not show it yet: real
 * processes, a service that counts, and the same payment once more.
 */
import { afterEach, expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { type CountingPeer, startCountingPeer } from "../support/counting-peer.js";
import { type Desk, type Ended, faultyProgram, newDesk, type Program, recordOf } from "../support/driver.js";
import { payment } from "../support/driver-campaign.js";
import { programsOfFile } from "../support/programs.js";
import { seedOfRun } from "../support/seed.js";

const random = new Random(seedOfRun("look again"));
const programs = programsOfFile();
const { argv, key } = payment("Invoice 2041", "10.10");
const [ledgerFromId, ledgerToId] = key.split("|");

let peer: CountingPeer;
let desk: Desk;
/** Whether the list shows what was made; undefined: there is none. */
let shows: boolean | undefined;

afterEach(async () => {
	await peer.stop();
	await desk.remove();
});

/** The payment, made; its answer lost; the word that it was not created, while there is no list. From then on one shows nothing. */
async function wronglyNotCreated(by: Program): Promise<void> {
	shows = undefined;
	let lost = true;
	peer = await startCountingPeer({
		random,
		reply: () => ({ kind: lost ? "reset" : "created" }),
		listed: () =>
			shows === undefined
				? undefined
				: peer.arrived.slice(0, shows ? 1 : 0).map(({ id }) => ({
						id,
						creationDate: new Date().toISOString(),
						amount: 10.1,
						currency: "EUR",
						information: { reference: "Invoice 2041" },
						sender: { ledgerId: ledgerFromId },
						receiver: { ledgerId: ledgerToId },
					})),
	});
	desk = await newDesk(by, peer.urls[0] as string);
	const first = await desk.start(argv).ended;
	expect([first.code, peer.arrived.length], first.stderr).toEqual([7, 1]);
	const word = ["pay", "settle", "1", "--not-created", "--reason", "the bank did not see it", "--yes", "--json"];
	const settled = await desk.start(word).ended;
	expect(settled.code, settled.stderr).toBe(0);
	[lost, shows] = [false, false];
}

const codeOf = ({ stderr }: Ended): string =>
	(JSON.parse(stderr.trim().split("\n").at(-1) as string) as { error: { code: string } }).error.code;

test("that the list shows by now is not paid again: exit 10, nothing sent", async () => {
	await wronglyNotCreated(programs.built);
	shows = true;
	const again = await desk.start(argv).ended;
	expect([again.code, codeOf(again), peer.arrived.length]).toEqual([10, "LISTED_NOW", 1]);
	expect(again.stderr).toContain(peer.arrived[0]?.id);
	const { intents, faults } = await recordOf(desk);
	expect([intents.map(({ state, attempt }) => [state, attempt]), faults]).toEqual([[["not-created", 1]], []]);
});

test("control: that the list does not show is paid", async () => {
	await wronglyNotCreated(programs.built);
	const again = await desk.start(argv).ended;
	expect([again.code, peer.arrived.length], again.stderr).toEqual([0, 2]);
});

test("control: where nobody looks, it is paid twice", async () => {
	const faulty = await faultyProgram("src/payments/single/single.ts", "if (repeated.length > 0) {", "if (repeated.length < 0) {");
	programs.keep(faulty);
	await wronglyNotCreated(faulty);
	shows = true;
	expect([(await desk.start(argv).ended).code, peer.created.get(key)?.length]).toEqual([0, 2]);
});
