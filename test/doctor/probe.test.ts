/**
 * What `doctor --probe` concludes from the answers of real servers, each with the manners of a router that people meet.
 */
import { afterEach, describe, expect, test } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import type { Profile } from "../../src/ports/profiles.js";
import { type Answering, changing, closeAll, json, limit, ownAnswer, type Peer, peerOf, readable } from "./services.js";

afterEach(closeAll);

interface Told {
	operation: string;
	answer: string;
	evidence: string[];
}

/** Runs the probe and reads its answer for programs. */
async function probed(peer: Peer) {
	const ran = await peer.world.purser(["doctor", "--probe", "--json"]);
	const told = ran.json();
	const operations: Told[] = told.probe?.operations ?? [];
	const of = (answer: string): string[] => operations.filter((one) => one.answer === answer).map(({ operation }) => operation);
	const one = (id: string): Told | undefined => operations.find(({ operation }) => operation === id);
	return { ran, told, of, one, service: told.checks.find(({ check }: { check: string }) => check === "service") };
}

/** A router that knows methods: 404 in its own words, and 405 with Allow. */
const careful: Answering = (_request, response, path) => {
	if (readable.includes(path)) return ownAnswer(response, path);
	const method = changing[path];
	if (method !== undefined) return json(response, 405, { error: "Method Not Allowed" }, { allow: method });
	return json(response, 404, { timestamp: Date.now(), status: 404, error: "Not Found", path });
};

const lists = ["terms.get", "corporate.list", "ledger.list", "beneficiary.list", "transaction.list"];
const logins = ["auth.login", "auth.refresh"];

describe("a service whose router knows methods", () => {
	test("lists answer as described, records and changes exist, and a login is not tried", async () => {
		const peer = await peerOf(careful);
		const { ran, of, one, service } = await probed(peer);
		expect(ran.exit).toBe(0);
		expect(of("as-described")).toEqual(lists);
		expect(of("exists")).toHaveLength(19);
		expect(of("cannot-be-told")).toEqual(logins);
		expect(one("kyb.request")?.evidence).toEqual(["405, Allow: POST"]);
		expect(one("ledger.get")?.evidence).toEqual(["404 in the service's own words: no such record"]);
		expect(one("related.delete")?.evidence.at(-1)).toBe("DELETE was not tried");
		expect(service).toEqual({ check: "service", state: "ok", found: "5 answer as described, 19 exist, 2 cannot be told" });
	});

	test("nothing but GET leaves, with the login, at most two a second and forty in all", async () => {
		const peer = await peerOf(careful);
		await probed(peer);
		expect(peer.arrived.filter((line) => !line.startsWith("GET /api/partner/"))).toEqual([]);
		expect(peer.arrived.length).toBeLessThanOrEqual(40);
		expect(new Set(peer.seen.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer token-1"]));
		const pauses = peer.seen.slice(1).map(({ at }, index) => at - (peer.seen[index]?.at ?? 0));
		expect(Math.min(...pauses)).toBeGreaterThanOrEqual(500);
	});

	test("what is missing is not there: a record by the service's own 404 elsewhere, a change by its 405", async () => {
		const gone = ["/api/partner/transactions/{}", "/api/partner/corporates/{}/kyb", "/api/partner/beneficiaries"];
		const peer = await peerOf((request, response, path) => careful(request, response, gone.includes(path) ? "/nowhere" : path));
		const { of, one, service } = await probed(peer);
		expect(of("not-there")).toEqual(["kyb.request", "transaction.get", "beneficiary.list"]);
		expect(one("transaction.get")?.evidence[0]).toBe("404, as for a path that cannot exist");
		expect(service).toMatchObject({ state: "warning", mend: expect.stringContaining("Say in the mapping where kyb.request is") });
	});

	test("a path that takes other methods only is not there", async () => {
		const peer = await peerOf((request, response, path) =>
			path === "/api/partner/kyc" ? json(response, 405, {}, { allow: "PUT, OPTIONS" }) : careful(request, response, path),
		);
		expect((await probed(peer)).one("kyc.link")).toMatchObject({
			answer: "not-there",
			evidence: ["405, Allow: PUT, OPTIONS: the path is there and does not take POST"],
		});
	});

	test("an answer in another form exists, and is no answer as described", async () => {
		const peer = await peerOf((request, response, path) =>
			path === "/api/partner/ledgers" ? json(response, 200, { data: [{ accountId: "4711" }] }) : careful(request, response, path),
		);
		const { one, service } = await probed(peer);
		expect(one("ledger.list")).toMatchObject({ answer: "exists", evidence: ["200, but the answer is not as described"] });
		expect(service).toMatchObject({
			state: "warning",
			mend: expect.stringContaining("Say in the mapping where the answer of ledger.list has its fields"),
		});
	});
});

describe("a service that tells less", () => {
	test("a router that answers 404 to every GET of a path for POST: whether it is there cannot be told", async () => {
		const peer = await peerOf((_request, response, path) => {
			if (readable.includes(path)) return ownAnswer(response, path);
			response.writeHead(404, { "content-type": "text/html" }).end(`<html><body><pre>Cannot GET ${path}</pre></body></html>`);
		});
		const { of, one } = await probed(peer);
		expect(of("not-there")).toEqual([]);
		expect(of("cannot-be-told")).toEqual([
			"email.sendLink",
			"kyb.request",
			"kyc.link",
			"phone.sendCode",
			"phone.verifyCode",
			"transaction.interLedger",
			"transaction.beneficiary",
			...logins,
		]);
		expect(one("kyc.link")?.evidence).toEqual([
			"404, as for a path that cannot exist",
			"a path that takes POST alone may be answered so too",
		]);
	});

	test("a service that answers everything alike, also what cannot exist, is no service in order", async () => {
		const peer = await peerOf((_request, response) => json(response, 500, { message: "down" }));
		expect((await probed(peer)).service).toEqual({
			check: "service",
			state: "warning",
			found: "26 cannot be told: no answer says what is there",
			mend: "Check the address (purser config explain base-url) and the login (purser auth status)",
		});
	});

	test("a path for a payment that the route of one transaction takes for an id cannot be told", async () => {
		const peer = await peerOf((request, response, path) =>
			/^\/api\/partner\/transactions\/(?!\{\})/.test(path)
				? json(response, 400, { message: "transactionId must be a UUID" })
				: careful(request, response, path),
		);
		const { one } = await probed(peer);
		expect(one("transaction.interLedger")).toMatchObject({ answer: "cannot-be-told", evidence: ["400, as for a path that cannot exist"] });
	});

	test("the same empty 404 for a record and for no path: a record cannot be told, a list is not there", async () => {
		const peer = await peerOf((_request, response, path) => {
			if (path === "/api/partner/ledgers") return ownAnswer(response, path);
			response.writeHead(404).end();
		});
		const { one, of } = await probed(peer);
		expect(of("as-described")).toEqual(["ledger.list"]);
		expect([one("ledger.get")?.answer, one("beneficiary.list")?.answer]).toEqual(["cannot-be-told", "not-there"]);
	});

	test("401 to everything: nothing can be told, the login is the fault, and it is not renewed", async () => {
		const peer = await peerOf((_request, response) => json(response, 401, { message: "Unauthorized" }));
		const { ran, of, service } = await probed(peer);
		expect(ran.exit).toBe(9);
		expect(of("cannot-be-told")).toHaveLength(26);
		expect(service).toMatchObject({ state: "fault", found: "The login is not accepted: every path answers 401" });
		expect(peer.arrived.filter((line) => !line.startsWith("GET "))).toEqual([]);
	});

	test("401 and 403 where a path that cannot exist gets 404 are evidence that the path is there", async () => {
		const peer = await peerOf((_request, response, path) => {
			const isKnown = readable.includes(path) || path in changing;
			json(response, isKnown ? (path.includes("ledgers") ? 403 : 401) : 404, {});
		});
		const { one, of } = await probed(peer);
		expect(of("exists")).toHaveLength(24);
		expect(one("ledger.list")?.evidence[0]).toContain("403, where a path that cannot exist gets 404");
		expect(one("kyc.link")?.evidence[0]).toContain("401, where a path that cannot exist gets 404");
	});

	test("403 to everything, as gateways answer for unknown paths too", async () => {
		const peer = await peerOf((_request, response) => json(response, 403, { message: "Missing Authentication Token" }));
		expect((await probed(peer)).of("cannot-be-told")).toHaveLength(26);
	});

	test("a page for everything is nothing", async () => {
		const peer = await peerOf((_request, response) => {
			response.writeHead(200, { "content-type": "text/html" }).end(`<html><script nonce="${Math.random()}"></script><p>Welcome</p></html>`);
		});
		const { ran, of, service } = await probed(peer);
		expect([ran.exit, service.found]).toEqual([9, "The answer is a web page (HTML), not the service's"]);
		expect(of("not-there")).toEqual(lists);
		expect([of("as-described"), of("exists")]).toEqual([[], []]);
	});

	test("a record for an id that nothing has: a list and the terms answer as described, but not every path does", async () => {
		const peer = await peerOf((_request, response) =>
			json(response, 200, { id: "11111111-1111-4111-8111-111111111111", status: "ACTIVE" }),
		);
		const { of } = await probed(peer);
		expect([of("as-described"), of("exists")]).toEqual([[], []]);
	});

	test("a redirect to a login page is not followed, and tells nothing", async () => {
		const peer = await peerOf((_request, response) => response.writeHead(302, { location: "/login" }).end());
		const { of } = await probed(peer);
		expect(of("cannot-be-told")).toHaveLength(26);
		expect(peer.arrived.some((line) => line.includes("/login"))).toBe(false);
	});

	test("a 404 in new words each time is compared by its outline", async () => {
		const words = ["alder", "birch", "cedar", "date palm", "elm", "fig"];
		const peer = await peerOf((_request, response, path) => {
			if (readable.includes(path)) return ownAnswer(response, path);
			const at = peer.arrived.length;
			json(response, 404, { error: "Not Found", saying: words[at % words.length] });
		});
		const { one } = await probed(peer);
		expect(one("kyc.link")?.answer).toBe("cannot-be-told");
		expect(one("ledger.get")?.answer).toBe("exists");
	});
});

describe("a service that fails", () => {
	test("no answer in time: after three requests the rest is not asked", async () => {
		const peer = await peerOf(() => {});
		limit.total = 800;
		const { ran, told, of, service } = await probed(peer);
		expect([ran.exit, peer.arrived.length]).toEqual([9, 3]);
		expect(of("cannot-be-told")).toHaveLength(26);
		expect(service).toMatchObject({ state: "fault", found: "No usable answer from http://127.0.0.1:4010: no whole answer within 800 ms" });
		expect(told.probe.stopped).toBe("after 3 requests in a row without a usable answer");
	});

	test("an answer that is cut off tells nothing, and the next one is asked for", async () => {
		const peer = await peerOf((request, response, path) => {
			if (path !== "/api/partner/ledgers") return careful(request, response, path);
			response.writeHead(200, { "content-type": "application/json", "content-length": "4000" });
			response.write('{"content":[');
			setTimeout(() => response.destroy(), 30);
		});
		const { one, of } = await probed(peer);
		expect(one("ledger.list")).toMatchObject({ answer: "cannot-be-told", evidence: ["the answer was cut short (ECONNRESET)"] });
		expect(of("exists")).toHaveLength(19);
	});

	test("no connection is a fault, after one try", async () => {
		const peer = await peerOf(careful);
		await peer.close();
		const { ran, told, service } = await probed(peer);
		expect([ran.exit, told.probe.requests.length]).toEqual([9, 1]);
		expect(service).toMatchObject({ state: "fault", found: "Could not connect to http://127.0.0.1:4010: the connection was refused" });
	});

	test("what was not tried is one line for people, and all of it for programs", async () => {
		const peer = await peerOf(careful);
		await peer.close();
		const ran = await peer.world.purser(["doctor", "--probe"]);
		expect(ran.stdout).toContain("23 more were not tried: the probe stopped because there is no connection\n");
		expect(ran.stdout.split("not tried")).toHaveLength(4);
	});

	test("429 is obeyed: the next request waits as long as is asked, and a long wait ends the probe", async () => {
		let asked = 0;
		const waiting = (seconds: string) =>
			peerOf((request, response, path) => {
				if (asked++ === 1) return json(response, 429, {}, { "retry-after": seconds });
				return careful(request, response, path);
			});
		const short = await waiting("7");
		expect((await probed(short)).one("corporate.list")?.evidence).toEqual(["429: the service asks for fewer requests; run it again later"]);
		expect((short.seen[2]?.at ?? 0) - (short.seen[1]?.at ?? 0)).toBe(7_000);
		asked = 0;
		const long = await waiting("600");
		expect((await probed(long)).service.found).toContain("it stopped because the service asks to wait longer than 20 seconds");
		expect(long.arrived).toHaveLength(2);
	});

	test("a path that fails is there; a gateway without its service tells nothing", async () => {
		const peer = await peerOf((request, response, path) => {
			if (path === "/api/partner/ledgers/{}") return json(response, 500, { message: "Internal Server Error" });
			if (path === "/api/partner/beneficiaries/{}") return json(response, 503, {});
			return careful(request, response, path);
		});
		const { one } = await probed(peer);
		expect([one("ledger.get")?.answer, one("beneficiary.get")?.answer]).toEqual(["exists", "cannot-be-told"]);
	});
});

describe("a profile with a mapping", () => {
	test("ids have the service's form, and paths its words", async () => {
		const [from, to] = [
			{ place: "path", at: "from" },
			{ place: "body", at: "/to" },
		] as const;
		const fields = { ledgerFromId: from, ledgerToId: to, amount: { place: "body", at: "/sum" } } as const;
		const peer = await peerOf(careful, {
			mapping: {
				operations: {
					"ledger.get": { method: "GET", path: "/v2/accounts/{ledgerId}" },
					"transaction.interLedger": { method: "PUT", path: "/v2/accounts/{from}/moves", fields },
				},
				ids: { ledger: "acc_[0-9]{10}" },
			},
		});
		await probed(peer);
		expect(peer.arrived.filter((line) => /^GET \/v2\/accounts\/acc_\d{10}$/.test(line))).toHaveLength(1);
		expect(peer.arrived.filter((line) => /^GET \/v2\/accounts\/acc_\d{10}\/moves$/.test(line))).toHaveLength(1);
	});

	test("a change that is sent as a GET is not tried, nor what the service does not have, nor a GET with a body", async () => {
		const constants = [{ place: "body", at: "/kind", value: "payee" }] as const;
		const peer = await peerOf(careful, {
			mapping: {
				operations: {
					"email.sendLink": { method: "GET", path: "/v2/sendEmailLink" },
					"ledger.list": "none",
					"beneficiary.list": { method: "GET", path: "/v2/payees", constants },
				},
			},
		});
		const { one } = await probed(peer);
		expect(one("email.sendLink")).toMatchObject({
			answer: "cannot-be-told",
			evidence: ["not tried: it is a change that is sent as a GET here"],
		});
		expect(one("ledger.list")).toMatchObject({ answer: "cannot-be-told", evidence: ["not tried: the mapping says that it is none"] });
		expect(one("beneficiary.list")).toMatchObject({
			answer: "cannot-be-told",
			evidence: [expect.stringContaining("List beneficiaries would be no GET at the profile's own address")],
		});
		expect(peer.arrived.filter((line) => /v2|ledgers$/.test(line))).toEqual([]);
	});

	test("never more than forty requests, however many paths there are", async () => {
		const operations = Object.fromEntries(
			catalog.map(({ id, method, path }) => [id, { method, path: `/area-${id}/${(path.match(/\{\w+\}/g) ?? []).join("/")}/here` }]),
		);
		const peer = await peerOf((_request, response) => json(response, 404, {}), { mapping: { operations } });
		const { service } = await probed(peer);
		expect(peer.arrived).toHaveLength(40);
		expect(service.found).toContain("it stopped after 40 requests");
	});
});

describe("what is kept", () => {
	test("api list shows what was found, until the operation is somewhere else", async () => {
		const peer = await peerOf(careful);
		await probed(peer);
		const listed = async () =>
			(await peer.world.purser(["api", "list", "--json"])).json().find(({ id }: { id: string }) => id === "kyc.link").probed;
		expect(await listed()).toEqual({ at: "2026-03-01T10:00:00.000Z", answer: "exists", evidence: ["405, Allow: POST"] });
		expect((await peer.world.purser(["api", "list"])).stdout).toContain("exists (405, Allow: POST)");
		const { profiles } = peer.world;
		const operations = { "kyc.link": { method: "POST", path: "/v2/kyc" } } as const;
		profiles.set("sandbox", { ...(profiles.get("sandbox") as Profile), mapping: { operations } });
		expect(await listed()).toBeUndefined();
	});

	test("what is not answered another time stays as it was", async () => {
		const peer = await peerOf(careful);
		await probed(peer);
		await peer.close();
		await probed(peer);
		expect(peer.world.profiles.get("sandbox")?.probed?.["kyc.link"]?.answer).toBe("exists");
	});

	test("nothing in a dry run, and nothing for another address than the profile's", async () => {
		const peer = await peerOf(careful);
		await peer.world.purser(["doctor", "--probe", "--dry-run"]);
		await peer.world.purser(["doctor", "--probe", "--base-url", "http://127.0.0.1:4010/other"]);
		expect(peer.world.profiles.get("sandbox")?.probed).toBeUndefined();
	});

	test("no secret and nothing of an answer's content is in a ticket", async () => {
		const secret = "Mme Example, FR76 3000 6000 0112 3456 7890 189";
		const peer = await peerOf((request, response, path) => {
			if (path === "/api/partner/ledgers")
				return json(response, 200, { content: [{ id: "11111111-1111-4111-8111-111111111111", friendlyName: secret }], totalElements: 1 });
			if (path === "/api/partner/kyc") return json(response, 400, { message: secret });
			return careful(request, response, path);
		});
		const { ran } = await probed(peer);
		expect(ran.stdout + ran.stderr + JSON.stringify(peer.world.profiles.get("sandbox")?.probed)).not.toMatch(/Mme Example|token-1/);
	});
});
