import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { serve } from "../../src/sandbox/server.js";
import { formatState, parseState } from "../../src/sandbox/state-file.js";
import { post } from "../../src/sandbox/webhooks/post.js";
import { signedHeaders } from "../../src/sandbox/webhooks/signing.js";
import { until } from "../support/time.js";
import { doKyc, hour, ids, makeService, minute, newCorporate, payLedger, start } from "./service.js";

interface Heard {
	headers: Record<string, string>;
	body: string;
}

/** A sandbox whose deliveries go to a list; `answer` is what the receiver answers. */
async function heardBy(answer: (heard: Heard) => number | undefined = () => 204, more = {}) {
	const heard: Heard[] = [];
	const service = await makeService({
		post: async (headers, body) => {
			heard.push({ headers, body });
			return answer({ headers, body });
		},
		...more,
	});
	const told = async (): Promise<[string, Record<string, string>][]> => {
		await service.sandbox.deliver();
		return heard.splice(0).map(({ body }) => [JSON.parse(body).type, JSON.parse(body).data]);
	};
	return { ...service, heard, told, secret: async () => (await service.ask("GET", "/_sandbox/webhook-secret")).data.secret as string };
}

test("a signature is the one of the open form's own example", () => {
	expect(
		signedHeaders(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}'),
	).toEqual({
		"content-type": "application/json",
		"svix-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
		"svix-timestamp": "1614265330",
		"svix-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
	});
});

test("every change of a payment's status is told, in its order", async () => {
	const service = await heardBy();
	const { data } = await payLedger(service, "10.10");
	expect(await service.told()).toEqual([["TRANSACTION_PENDING", { transactionId: data.id, status: "PENDING" }]]);
	service.pass(5000);
	// Nobody asks anything: it ends by itself.
	expect(await service.told()).toEqual([["TRANSACTION_APPROVED", { transactionId: data.id, status: "APPROVED" }]]);
	await service.control("transaction", { transactionId: data.id, outcome: "REVERSED" });
	expect(await service.told()).toEqual([["TRANSACTION_REVERSED", { transactionId: data.id, status: "REVERSED" }]]);
	expect(await service.told()).toEqual([]);
});

test("KYB, KYC and beneficiaries are told, and what a sandbox starts with is not", async () => {
	const service = await heardBy();
	expect(await service.told()).toEqual([]);
	const { id, owner } = await newCorporate(service);
	await service.ask("POST", "/api/partner/verifications/email/send", { relatedPhysicalPersonId: owner });
	await service.control("email", { relatedId: owner });
	await service.ask("POST", `/api/partner/corporates/${id}/kyb`);
	await doKyc(service, owner);
	await service.sandbox.deliver();
	service.pass(minute);
	await service.sandbox.deliver();
	await service.control("beneficiary", { beneficiaryId: ids.unreviewed });
	const told = (await service.told()).map(([type, { status, ...about }]) => [type, status, Object.keys(about).join()]);
	const kyc = "corporateRelatedId,corporateId";
	expect(told.sort()).toEqual([
		["BENEFICIARY_CREATED", "VALID", "beneficiaryId"],
		["BENEFICIARY_CREATED", "VALID", "beneficiaryId"],
		["BENEFICIARY_UPDATED", "VALID", "beneficiaryId"],
		["CORPORATE_KYB_PENDING_VERIFICATION", "PENDING_VERIFICATION", "corporateId"],
		["CORPORATE_KYB_VALIDATED", "VALIDATED", "corporateId"],
		["CORPORATE_RELATED_KYC_CREATED", "CREATED", kyc],
		["CORPORATE_RELATED_KYC_VALIDATED", "VALIDATED", kyc],
	]);
	await service.control("reset");
	expect(await service.told()).toEqual([]);
});

test("a delivery that is not acknowledged is tried at the provider's times, by the sandbox's clock, and then given up", async () => {
	const service = await heardBy(() => 302);
	const tries: number[] = [];
	let passed = 0;
	const look = async () => {
		await service.sandbox.deliver();
		for (const _ of service.heard.splice(0)) tries.push(passed);
	};
	await service.control("beneficiary", { beneficiaryId: ids.unreviewed });
	await look();
	const steps = [4, 1, 5 * 60 - 1, 1, 30 * 60 - 1, 1, 7199, 1, 17_999, 1, 35_999, 1, 35_999, 1, 100_000];
	for (const seconds of steps) {
		passed += seconds;
		expect((await service.control("clock", { seconds })).status).toBe(200);
		await look();
	}
	expect(tries).toEqual([0, 5, 305, 2105, 9305, 27_305, 63_305, 99_305]);
	expect((await service.control("webhook")).data).toEqual({ faults: [], waiting: 0, failed: 1 });
});

test("each try is signed with this machine's time, however far the sandbox's clock was advanced", async () => {
	const service = await heardBy();
	await service.control("clock", { seconds: 172_800 });
	await service.control("beneficiary", { beneficiaryId: ids.unreviewed });
	await service.sandbox.deliver();
	expect(service.heard[0]?.headers["svix-timestamp"]).toBe(String(start / 1000));
	expect(JSON.parse(service.heard[0]?.body ?? "").timestamp).toBe("2026-03-03T10:00:00.000Z");
});

test("a receiver that does not answer is tried again; the one that answers later acknowledges the same delivery", async () => {
	let tries = 0;
	const service = await heardBy(() => {
		tries += 1;
		if (tries === 1) throw new Error("ECONNREFUSED");
		return tries === 2 ? 500 : 200;
	});
	await service.control("beneficiary", { beneficiaryId: ids.unreviewed });
	for (const seconds of [0, 5, 300, 1800]) {
		service.pass(seconds * 1000);
		await service.sandbox.deliver();
	}
	expect(service.heard).toHaveLength(3);
	expect(new Set(service.heard.map(({ headers }) => headers["svix-id"])).size).toBe(1);
});

test("what waits survives a restart, with its secret", async () => {
	const first = await heardBy(() => 500);
	await first.control("beneficiary", { beneficiaryId: ids.unreviewed });
	await first.sandbox.deliver();
	const state = parseState(formatState(first.sandbox.state));
	const second = await heardBy(() => 204, { state });
	expect(await second.told()).toEqual([]);
	second.pass(5000);
	expect(await second.told()).toEqual([["BENEFICIARY_UPDATED", { beneficiaryId: ids.unreviewed, status: "VALID" }]]);
	expect(await second.secret()).toBe(await first.secret());
	expect(await second.secret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
	await second.control("reset");
	expect(await second.secret()).toBe(await first.secret());
});

/** The deliveries about three payments after a fault was asked for: at once, and after six seconds. One that is not genuine has a `!`. */
async function under(fault: string) {
	const service = await heardBy(({ headers, body }) => (genuine(headers, body) ? 204 : 401));
	const secret = await service.secret();
	function genuine(headers: Record<string, string>, body: string): boolean {
		const seconds = Number(headers["svix-timestamp"]);
		const right = signedHeaders([secret], headers["svix-id"] ?? "", seconds, body)["svix-signature"] as string;
		return seconds === Math.floor(start / 1000 + passed) && (headers["svix-signature"] ?? "").split(" ").includes(right);
	}
	let passed = 0;
	expect((await service.control("webhook", { fault })).status).toBe(200);
	const names = new Map<string, string>();
	for (const amount of ["1", "2", "3"]) names.set((await payLedger(service, amount)).data.id, amount);
	const round = async () => {
		await service.sandbox.deliver();
		return service.heard.splice(0).map(({ headers, body }) => {
			const word = genuine(headers, body) ? "" : "!";
			return `${word}${names.get(JSON.parse(body).data.transactionId)}`;
		});
	};
	const now = await round();
	passed = 6;
	service.pass(6000);
	return { now, later: await round() };
}

test.each([
	["duplicate", ["1", "2", "3", "1"], []],
	["duplicate:x2", ["1", "2", "3", "1", "2"], []],
	["reorder", ["2", "1", "3"], []],
	["reorder:x3", ["3", "2", "1"], []],
	["lost", ["2", "3"], []],
	["bad-signature", ["!1", "2", "3"], ["1"]],
	["late:x2", ["!1", "!2", "3"], ["1", "2"]],
])("%s does to the next deliveries what it says", async (fault, now, later) => {
	const heard = await under(fault);
	expect(heard.now).toEqual(now);
	// After six seconds the payments themselves end, too.
	expect(heard.later.slice(0, later.length)).toEqual(later);
});

test("one that waits to change places with another does not wait for ever", async () => {
	const service = await heardBy();
	await service.control("webhook", { fault: "reorder" });
	await service.control("beneficiary", { beneficiaryId: ids.unreviewed });
	expect(await service.told()).toEqual([]);
	service.pass(minute);
	expect(await service.told()).toHaveLength(1);
	expect(await service.told()).toEqual([]);
});

test("a rotation makes a new secret, and both sign for a day", async () => {
	const service = await heardBy();
	const old = await service.secret();
	const { data } = await service.control("webhook", { fault: "rotate" });
	expect(data.bothSignUntil).toBe("2026-03-02T10:00:00.000Z");
	const now = await service.secret();
	expect(now).not.toBe(old);
	const signers = async () => {
		await service.control("beneficiary", { beneficiaryId: ids.unreviewed });
		await service.sandbox.deliver();
		const [one] = service.heard.splice(0);
		const { "svix-id": id = "", "svix-timestamp": seconds = "", "svix-signature": given } = one?.headers ?? {};
		return given
			?.split(" ")
			.map((signature) =>
				[now, old].findIndex((secret) => signedHeaders([secret], id, Number(seconds), one?.body ?? "")["svix-signature"] === signature),
			);
	};
	expect(await signers()).toEqual([0, 1]);
	service.pass(24 * hour);
	expect(await signers()).toEqual([0]);
});

test("a fault that makes no sense is refused with what there is", async () => {
	const service = await heardBy();
	for (const fault of ["lose", "lost:x0", "lost:3", "reorder:x1", ""]) {
		const refused = await service.control("webhook", { fault });
		expect([fault, refused.status]).toEqual([fault, 400]);
	}
	await service.control("webhook", { fault: "lost:x3" });
	expect((await service.control("webhook")).data.faults).toEqual(["lost:x3"]);
	expect((await service.control("webhook", { clear: true })).data.faults).toEqual([]);
});

test("without an address nothing waits", async () => {
	const service = await makeService();
	await service.control("beneficiary", { beneficiaryId: ids.unreviewed });
	expect((await service.control("webhook")).data).toEqual({ faults: [], waiting: 0, failed: 0 });
});

test("over real sockets: delivered without being asked, and not after the end", async () => {
	const bodies: string[] = [];
	const receiver = createServer((incoming, outgoing) => {
		let body = "";
		incoming.on("data", (part) => {
			body += part;
		});
		incoming.on("end", () => {
			bodies.push(`${incoming.method} ${incoming.url} ${incoming.headers["svix-signature"]?.slice(0, 3)} ${JSON.parse(body).type}`);
			outgoing.writeHead(204).end();
		});
	});
	await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
	const stop = new AbortController();
	const to = new URL(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
	const service = await makeService({ post: (headers, body) => post(to, headers, body, stop.signal) });
	const served = await serve(service.sandbox);
	try {
		await service.control("beneficiary", { beneficiaryId: ids.unreviewed });
		await until(() => bodies.length > 0);
		expect(bodies).toEqual(["POST /hook v1, BENEFICIARY_UPDATED"]);
	} finally {
		stop.abort();
		await served.close();
		receiver.close();
	}
});

test("an operation that a deployment lacks answers 404 as often as it is asked", async () => {
	const service = await makeService();
	await service.control("fault", { fault: "transaction.list=404" });
	const listed = () => service.ask("GET", `/api/partner/transactions?ledgerId=${ids.main}`);
	expect((await listed()).status).toBe(404);
	expect((await listed()).status).toBe(404);
	expect((await payLedger(service, "1")).status).toBe(201);
});
