/**
 * Events that are delivered several times, in any order, by several senders at once: each hook acknowledges each once, and what is told of a
 * record last is what the service says of it.
 */
import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { answered } from "../support/context.js";
import { deliver, listening, type Place, place, transaction } from "../support/listening.js";
import { seedOfRun, uuidOf } from "../support/seed.js";

const isLong = process.env.PURSER_TORTURE !== undefined;
const count = Number(process.env.PURSER_TEST_EVENTS ?? (isLong ? 5_000 : 80));
const random = new Random(seedOfRun("events-shuffled"));
const address = "http://127.0.0.1:1/webhooks";

/** Every event once to five times, shuffled; two of each record. */
function deliveries(): { sent: { id: string; body: string }[]; statuses: Map<string, string> } {
	const statuses = new Map<string, string>();
	const sent: { id: string; body: string }[] = [];
	for (let number = 0; number < count; number += 2) {
		const id = uuidOf(random);
		const final = random.pick(["APPROVED", "DECLINED", "ABORTED"]);
		statuses.set(id, final);
		for (const status of ["PENDING", final])
			for (let times = 1 + random.below(5); times > 0; times -= 1) sent.push({ id: `msg_${id}_${status}`, body: transaction(id, status) });
	}
	for (let at = sent.length - 1; at > 0; at -= 1) {
		const other = random.below(at + 1);
		[sent[at], sent[other]] = [sent[other] as (typeof sent)[0], sent[at] as (typeof sent)[0]];
	}
	return { sent, statuses };
}

async function campaign(at: Place) {
	const { sent, statuses } = deliveries();
	const forwarded = new Map<string, number>();
	const executed = new Map<string, number>();
	const add = (to: Map<string, number>, key: string): void => void to.set(key, (to.get(key) ?? 0) + 1);
	const run = await listening(
		at,
		{ forwardTo: [address], exec: "./on-event" },
		{
			answers: [
				(request) => {
					if (request.url === address) {
						const id = request.headers["svix-id"] ?? "";
						add(forwarded, id);
						return answered(200);
					}
					const id = request.url.split("/").at(-1) ?? "";
					return answered(200, { id, status: statuses.get(id) });
				},
			],
			program: async (_, { input }) => {
				const { subject, to } = JSON.parse(input);
				const id = `msg_${subject.id}_${to}`;
				add(executed, id);
				return undefined;
			},
		},
	);
	const left = [...sent];
	const sender = async (): Promise<void> => {
		for (let one = left.shift(); one !== undefined; one = left.shift()) while ((await deliver(run.url, one)) !== 200);
	};
	await Promise.all(Array.from({ length: 8 }, sender));
	const all = new Set(sent.map(({ id }) => id));
	await run.toldMany(all.size);
	while (forwarded.size < all.size || executed.size < all.size) await new Promise((resolve) => setTimeout(resolve, 20));
	run.interrupt();
	const ended = await run.ended;
	const last = new Map(run.told.map((event) => [event.subject?.id ?? "", event]));
	return { sent, statuses, all, forwarded, executed, ended, last, told: run.told };
}

const moreThanOnce = (of: Map<string, number>): string[] => [...of].filter(([, times]) => times !== 1).map(([id]) => id);

test(`${count} events, each delivered one to five times in any order`, async () => {
	const { sent, statuses, all, forwarded, executed, ended, last, told } = await campaign(await place());
	process.stdout.write(`events-shuffled: ${all.size} events, ${sent.length} deliveries, ${told.length} told\n`);
	expect(all.size).toBe(count);
	expect(told).toHaveLength(count);
	expect(ended).toMatchObject({ received: count, refused: {} });
	expect(new Set(forwarded.keys())).toEqual(all);
	expect(new Set(executed.keys())).toEqual(all);
	expect(moreThanOnce(forwarded)).toEqual([]);
	expect(moreThanOnce(executed)).toEqual([]);
	expect([...statuses].filter(([id, status]) => last.get(id)?.confirmed?.status !== status)).toEqual([]);
});

test("control: an inbox that forgets what it has heard is caught, and so is whoever believes the last event", async () => {
	const at = await place();
	const { receive } = at.inbox;
	let number = 0;
	const forgetful: Place = {
		...at,
		inbox: {
			...at.inbox,
			receive: (heard, hooks) => receive({ ...heard, delivery: heard.delivery && { ...heard.delivery, id: `another-${++number}` } }, hooks),
		},
	};
	const { forwarded, executed, last, statuses } = await campaign(forgetful);
	expect(moreThanOnce(forwarded)).not.toEqual([]);
	expect(moreThanOnce(executed)).not.toEqual([]);
	expect([...statuses].filter(([id, status]) => last.get(id)?.to !== status)).not.toEqual([]);
});
