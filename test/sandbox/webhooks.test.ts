import { expect, test } from "vitest";
import { serve } from "../../src/sandbox/server.js";
import { post, signedHeaders } from "../../src/sandbox/webhooks.js";
import { receiving } from "../support/listening.js";
import { until } from "../support/time.js";
import { doKyc, ids, makeService, minute, newCorporate, payLedger } from "./service.js";

interface Delivered {
	headers: Record<string, string>;
	body: string;
}

/** A sandbox whose deliveries go to a list; `answer` is what the receiver answers. */
async function subscribed(answer: (one: Delivered) => number | undefined = () => 204, more = {}) {
	const received: Delivered[] = [];
	const service = await makeService({
		post: async (headers, body) => {
			received.push({ headers, body });
			return answer({ headers, body });
		},
		...more,
	});
	return {
		...service,
		received,
		/** Type and data of what comes now. */
		next: async (): Promise<[string, Record<string, string>][]> => {
			await service.sandbox.deliver();
			return received.splice(0).map(({ body }) => [JSON.parse(body).type, JSON.parse(body).data]);
		},
		update: () => service.control("beneficiary", { beneficiaryId: ids.unreviewed }),
	};
}

test("a signature is the one of the open form's own example", () => {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
	expect(signedHeaders(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}')).toEqual({
		"content-type": "application/json",
		"svix-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
		"svix-timestamp": "1614265330",
		"svix-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
	});
});

test("every change of a payment's status is delivered, in its order", async () => {
	const service = await subscribed();
	const { id: transactionId } = (await payLedger(service, "10.10")).data;
	const change = (status: string) => [[`TRANSACTION_${status}`, { transactionId, status }]];
	expect(await service.next()).toEqual(change("PENDING"));
	service.pass(5000);
	// Nobody asks anything: it ends by itself.
	expect(await service.next()).toEqual(change("APPROVED"));
	await service.control("transaction", { transactionId, outcome: "REVERSED" });
	expect(await service.next()).toEqual(change("REVERSED"));
	expect(await service.next()).toEqual([]);
});

test("KYB, KYC and beneficiaries are delivered, and what a sandbox starts with is not", async () => {
	const service = await subscribed();
	expect(await service.next()).toEqual([]);
	const { id, owner } = await newCorporate(service);
	await service.call("POST verifications/email/send", { relatedPhysicalPersonId: owner });
	await service.control("email", { relatedId: owner });
	await service.call(`POST corporates/${id}/kyb`);
	await doKyc(service, owner);
	await service.sandbox.deliver();
	service.pass(minute);
	await service.sandbox.deliver();
	await service.update();
	const kyc = "corporateRelatedId,corporateId";
	expect((await service.next()).map(([type, { status, ...about }]) => [type, status, Object.keys(about).join()]).sort()).toEqual([
		["BENEFICIARY_CREATED", "VALID", "beneficiaryId"],
		["BENEFICIARY_CREATED", "VALID", "beneficiaryId"],
		["BENEFICIARY_UPDATED", "VALID", "beneficiaryId"],
		["CORPORATE_KYB_PENDING_VERIFICATION", "PENDING_VERIFICATION", "corporateId"],
		["CORPORATE_KYB_VALIDATED", "VALIDATED", "corporateId"],
		["CORPORATE_RELATED_KYC_CREATED", "CREATED", kyc],
		["CORPORATE_RELATED_KYC_VALIDATED", "VALIDATED", kyc],
	]);
});

test("a delivery that is not acknowledged is tried at the provider's times, by the sandbox's clock, and then given up", async () => {
	const service = await subscribed(() => 302);
	const tries: number[] = [];
	let passed = 0;
	const round = async () => {
		await service.sandbox.deliver();
		for (const _ of service.received.splice(0)) tries.push(passed);
	};
	await service.update();
	await round();
	for (const seconds of [4, 1, 5 * 60 - 1, 1, 30 * 60 - 1, 1, 7199, 1, 17_999, 1, 35_999, 1, 35_999, 1, 100_000]) {
		passed += seconds;
		expect((await service.control("clock", { seconds })).status).toBe(200);
		await round();
	}
	expect(tries).toEqual([0, 5, 305, 2105, 9305, 27_305, 63_305, 99_305]);
	expect(service.sandbox.state.webhooks).toMatchObject({ waiting: [] });
});

test("over real sockets: delivered without being asked, and not after the end", async () => {
	const { got, url } = await receiving(() => 204);
	const stop = new AbortController();
	const service = await makeService({ post: (headers, body) => post(new URL(url), headers, body, stop.signal) });
	const served = await serve(service.sandbox);
	try {
		await service.control("beneficiary", { beneficiaryId: ids.unreviewed });
		await until(() => got.length > 0);
		expect(got.map(({ headers, body }) => [headers["svix-signature"]?.slice(0, 3), JSON.parse(String(body)).type])).toEqual([
			["v1,", "BENEFICIARY_UPDATED"],
		]);
	} finally {
		stop.abort();
		await served.close();
	}
});
