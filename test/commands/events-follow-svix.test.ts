/**
 * `events follow` by a polling endpoint, against a real HTTP server: pages, the place over restarts, refusals, and events that a poll sees too.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createTransport } from "../../src/client/transport/http.js";
import { bodyOf, transactionChange } from "../../src/sandbox/webhooks/changes.js";
import { makeWorld, type World } from "../support/purser.js";
import { delivered } from "../support/world-wire.js";
import { becomes, following, followOnce, paid, steps, toldBy } from "./follow-world.js";

const key = "sk_poll_example_0001.eu";
const path = "/api/v1/app/app_1/poller/poll_1";
const servers: Server[] = [];
const transport = createTransport({ env: {} });

afterEach(async () => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
});

interface Endpoint {
	address: string;
	/** Messages in the order in which they were sent. */
	messages: { id: string; eventType: string; timestamp: string; payload: unknown }[];
	/** Queries of the requests. */
	asked: URLSearchParams[];
	headers: IncomingMessage["headers"][];
	/** Answers instead, where it is set. */
	instead?: { status: number; headers?: Record<string, string>; body?: string };
	/** Where it does not know iterators that it gave before. */
	forgets: boolean;
}

/** The endpoint as the provider describes it; two messages a page. */
async function endpoint(): Promise<Endpoint> {
	const made: Endpoint = { address: "", messages: [], asked: [], headers: [], forgets: false };
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? "", "http://localhost");
		made.asked.push(url.searchParams);
		made.headers.push(request.headers);
		const answer = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
			response
				.writeHead(status, { "content-type": "application/json", ...headers })
				.end(typeof body === "string" ? body : JSON.stringify(body));
		};
		if (made.instead) return answer(made.instead.status, made.instead.body ?? "{}", made.instead.headers);
		if (request.headers.authorization !== `Bearer ${key}` || url.pathname !== path) return answer(401, {});
		const iterator = url.searchParams.get("iterator");
		const after = url.searchParams.get("after");
		if (iterator !== null && made.forgets) return answer(422, {});
		if (iterator === null) {
			const first = made.messages.findIndex(({ timestamp }) => after === null || timestamp >= after);
			return answer(200, { data: [], iterator: `it-${first < 0 ? made.messages.length : first}`, done: false });
		}
		const from = Number(iterator.slice("it-".length));
		const data = made.messages.slice(from, from + 2);
		answer(200, { data, iterator: `it-${from + data.length}`, done: from + data.length >= made.messages.length });
	});
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	made.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
	return made;
}

/** A world that reaches the endpoint over a real connection, and whose key was added. */
async function worldOf({ address }: Endpoint): Promise<World> {
	const world = await makeWorld();
	const { origin } = new URL(address);
	world.wire = async (request) => {
		if (request.url.startsWith(origin)) return transport.send(request, { connect: 10_000, total: 60_000, bytes: 16_000_000 });
		const { pathname, search } = new URL(request.url);
		const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
		const body = request.body ?? new Uint8Array();
		return delivered(await world.sandbox.handle({ method: request.method, target: pathname + search, headers, body }));
	};
	const added = await world.purser(["events", "secret", "add", "polling", "--endpoint", address, "--json"], { input: `${key}\n` });
	expect(added.exit, added.stderr).toBe(0);
	expect(added.stdout + added.stderr).not.toContain(key);
	return world;
}

let sent = 0;

/** The message that a webhook brings too, as the sandbox writes it. */
function send(world: World, to: Endpoint, id: string, status: string): void {
	const at = world.clock.now();
	sent += 1;
	const payload = JSON.parse(bodyOf(transactionChange({ id, status } as Parameters<typeof transactionChange>[0]), at));
	to.messages.push({ id: `msg_${sent}`, eventType: payload.type, timestamp: at.toISOString(), payload });
}

it("reads page after page, keeps its place over restarts, and tells what a poll sees too only once", async () => {
	const provider = await endpoint();
	const world = await worldOf(provider);
	send(world, provider, await paid(world, "9.00"), "PENDING");
	world.clock.advance(600_000);
	const run = await following(world, "--no-confirm");
	const ids = [await paid(world, "10.00"), await paid(world, "11.00"), await paid(world, "12.00")];
	for (const id of ids) send(world, provider, id, "PENDING");
	await run.next();
	// The poll is first this time, and the provider late.
	becomes(world, ids[0] as string, "APPROVED");
	await run.next();
	send(world, provider, ids[0] as string, "APPROVED");
	await run.next();
	const first = await run.stop();
	expect(first.stderr).toContain("Following sandbox by svix and poll");
	expect(toldBy(first).map(({ source, to }) => `${source} ${to}`)).toEqual([
		"svix PENDING",
		"svix PENDING",
		"svix PENDING",
		"poll APPROVED",
	]);
	expect(provider.asked[0]?.get("after")).toBe(new Date(Date.parse(toldBy(first)[0]?.at ?? "")).toISOString());
	world.clock.advance(7_200_000);
	send(world, provider, ids[1] as string, "APPROVED");
	becomes(world, ids[1] as string, "APPROVED");
	const asked = provider.asked.length;
	const second = await followOnce(world, "--no-confirm");
	expect(toldBy(second).map(({ source, subject, to }) => [source, subject?.id, to])).toEqual([["svix", ids[1], "APPROVED"]]);
	expect(provider.asked[asked]?.get("iterator")).toBe("it-5");
	expect(second.stderr).toContain("Caught up: nothing heard for 2 h, 1 event since");
	for (const headers of provider.headers) expect(headers.authorization).toBe(`Bearer ${key}`);
	for (const { headers, url } of world.requests)
		if (!url.startsWith(new URL(provider.address).origin)) expect(JSON.stringify(headers)).not.toContain(key);
});

it("an iterator that is no longer known costs nothing: it is read again, and nothing is told twice", async () => {
	const provider = await endpoint();
	const world = await worldOf(provider);
	const run = await following(world, "--source", "svix", "--no-confirm");
	const id = await paid(world, "10.00");
	send(world, provider, id, "PENDING");
	await run.next();
	provider.forgets = true;
	send(world, provider, id, "APPROVED");
	await run.next();
	provider.forgets = false;
	await run.next();
	const ran = await run.stop();
	expect(steps(toldBy(ran))).toEqual(["transaction null PENDING", "transaction null APPROVED"]);
	expect(ran.stderr).toContain("no longer knew the place");
});

it("obeys Retry-After, goes on after errors, and ends where the key is refused", async () => {
	const provider = await endpoint();
	const world = await worldOf(provider);
	const run = await following(world, "--source", "svix", "--no-confirm");
	const began = world.clock.now().getTime();
	provider.instead = { status: 429, headers: { "retry-after": "900" } };
	await run.next();
	provider.instead = { status: 200, body: "<html>" };
	await run.next();
	expect(world.clock.now().getTime() - began).toBeGreaterThanOrEqual(900_000);
	provider.instead = undefined;
	await run.next();
	provider.instead = { status: 401 };
	await run.next();
	const ran = await run.end;
	expect(ran.exit).toBe(4);
	expect(ran.stderr).toContain("answered 429; it is tried again");
	expect(ran.stderr).toMatch(/Caught up: nothing heard for \d+ min, 0 events since/);
	expect(ran.stderr).toContain("purser events secret add polling --endpoint");
	expect(ran.stderr).not.toContain(key);
});

it("asks for what is missing: no endpoint, an address without encryption, a key that is none", async () => {
	const world = await makeWorld();
	const none = await world.purser(["events", "follow", "--source", "svix"]);
	expect([none.exit, none.stderr.includes("purser events secret add polling --endpoint")]).toEqual([2, true]);
	const add = (address: string, input: string) => world.purser(["events", "secret", "add", "polling", "--endpoint", address], { input });
	expect((await add("http://polling.example.com/poller", key)).exit).toBe(3);
	expect((await add("https://user:password@polling.example.com/poller", key)).exit).toBe(3);
	expect((await add("https://polling.example.com/poller", "two words")).exit).toBe(3);
	expect((await add("https://polling.example.com/poller", key)).exit).toBe(0);
	const listed = (await world.purser(["events", "secret", "list", "--json"])).json();
	expect(listed).toMatchObject([{ name: "polling", scheme: "polling endpoint", endpoint: "https://polling.example.com/poller" }]);
	expect(JSON.stringify(listed)).not.toContain(key);
	// No delivery is checked with it.
	expect((await world.purser(["events", "listen", "--port", "0"])).exit).toBe(2);
});
