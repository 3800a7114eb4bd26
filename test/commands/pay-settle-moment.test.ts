/**
 * Two settle the same doubt at once, and one of them pays again: what proved something of the first attempt proves nothing of the second.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { notCreated } from "./not-created.js";
import { hideList, payIn } from "./payment-world.js";

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
		return lostAnswer;
	});
}

const pay = () => payIn(world);
const stateOf = async () => (await world.purser(["history", "show", "1", "--json"])).json();

/** What another terminal does: the same word, and the payment once more, which is made, and whose answer is lost. */
async function settledAndPaidAgain(): Promise<void> {
	expect((await notCreated(world, "1")).exit).toBe(0);
	lose("after");
	hideList(world);
	expect((await pay()).exit).toBe(7);
}

test("a word about what another terminal settled and paid again meanwhile settles nothing of the new attempt", async () => {
	lose("before");
	expect((await pay()).exit).toBe(7);
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	let [checks, isOther] = [0, false];
	world.wire = async (request) => {
		const answer = await pass(request);
		const isList = !isOther && request.url.includes("/transactions?");
		// The second reading is the one before the word.
		if (isList && /[?&]page=0/.test(request.url)) checks += 1;
		if (isList && checks === 2) {
			isOther = true;
			await settledAndPaidAgain();
		}
		return answer;
	};
	const late = await notCreated(world, "1");
	expect(late.exit).toBe(10);
	expect(await stateOf()).toMatchObject({ state: "in-doubt", attempt: 2 });
	expect([(await pay()).exit, made]).toEqual([10, 1]);
});
