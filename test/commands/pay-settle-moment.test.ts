/**
 * Two settle the same doubt at once, and one of them pays again: what proved something of the first attempt proves nothing of the second.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
/** How many of the payments reached the service. */
let made: number;

beforeEach(async () => {
	world = await batchWorld();
	made = 0;
});
afterEach(() => world.end());

/** The next payment's answer is lost; it was made or not. */
function lose(how: "before" | "after"): void {
	world.onTransfer(async (_, pass) => {
		if (how === "after") {
			made += 1;
			await pass();
		}
		return { kind: "sent", reason: "the connection was closed before an answer came" };
	});
}

const pay = () =>
	world.purser(["pay", "ledger", "--ledger-from-id", world.from, "--ledger-to-id", world.to, "--amount", "10.10", "--yes", "--json"]);
const settle = (...words: string[]) => ["pay", "settle", "1", ...words];
const notCreated = settle("--not-created", "--reason", "asked the bank");
const stateOf = async () => (await world.purser(["history", "show", "1", "--json"])).json();

/**
 * What another terminal does: the same word, and the payment once more, which is made, and whose answer is lost.
 * @param notThis words that name what is listed as another payment
 */
async function settledAndPaidAgain(...notThis: string[]): Promise<void> {
	expect((await world.purser([...notCreated, ...notThis, "--yes"])).exit).toBe(0);
	lose("after");
	expect((await pay()).exit).toBe(7);
}

test("a Yes to what another terminal settled and paid again meanwhile settles nothing of the new attempt", async () => {
	lose("before");
	expect((await pay()).exit).toBe(7);
	const late = await world.purser(notCreated, {
		answers: [
			async () => {
				await settledAndPaidAgain();
				return true;
			},
		],
	});
	expect(late.exit).toBe(10);
	expect(late.stderr).toContain("settled and sent again since it was checked");
	expect(await stateOf()).toMatchObject({ state: "in-doubt", attempt: 2 });
	expect([(await pay()).exit, made]).toEqual([10, 1]);
});

test("nor does a look at the service that began before", async () => {
	lose("after");
	expect((await pay()).exit).toBe(7);
	const ids = (await world.purser(["pay", "list", "--ledger-id", world.from, "--json"])).json() as { id: string }[];
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	let once = true;
	world.wire = async (...given) => {
		const { method, url } = given[0];
		if (once && method === "GET" && url.includes("/transactions/")) {
			once = false;
			// Wrongly: it is the payment.
			await settledAndPaidAgain("--not-this", ids[0]?.id as string);
			return pass(...given);
		}
		return pass(...given);
	};
	const late = await world.purser(settle("--transaction", ids[0]?.id as string));
	expect(late.exit, late.stdout).toBe(10);
	expect(await stateOf()).toMatchObject({ state: "in-doubt", attempt: 2 });
});

test("nobody is asked about what is in doubt no more", async () => {
	lose("before");
	expect((await pay()).exit).toBe(7);
	expect((await world.purser([...notCreated, "--yes"])).exit).toBe(0);
	const asked = await world.purser(notCreated, { answers: [] });
	expect([asked.exit, world.asked]).toEqual([10, []]);
});
