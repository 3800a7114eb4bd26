import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { schemeFaults, schemesOf } from "../../src/events/schemes.js";
import { verdictOn } from "../../src/events/verdict.js";
import type { EventScheme } from "../../src/ports/event-schemes.js";

const standard = schemesOf({}).standard as EventScheme;
const now = 1_700_000_000_000;
const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const body = Buffer.from('{"type":"transaction.executed","id":"one"}');

/** What a sender with this secret sends. */
function signed(change: { id?: string; time?: string; key?: string; body?: Buffer } = {}) {
	const { id = "msg_1", time = "1700000000", key = secret, body: of = body } = change;
	const bytes = Buffer.from(key.slice(6), "base64");
	const signature = createHmac("sha256", bytes).update(`${id}.${time}.`).update(of).digest("base64");
	return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
}

describe("standard webhooks", () => {
	test("the specification's own example holds", () => {
		// The vector that the Standard Webhooks libraries carry.
		const headers = {
			"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
			"webhook-timestamp": "1614265330",
			"webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		};
		const delivery = { headers, body: Buffer.from('{"test": 2432232314}') };
		expect(verdictOn(delivery, standard, ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], 1_614_265_330_000)).toEqual({
			isGenuine: true,
			id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
			at: 1_614_265_330_000,
		});
	});

	test("svix headers and a second secret hold", () => {
		const own = signed();
		const svix = { "svix-id": own["webhook-id"], "svix-timestamp": own["webhook-timestamp"], "svix-signature": own["webhook-signature"] };
		const other = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
		expect(verdictOn({ headers: svix, body }, standard, [other, secret], now)).toEqual({ isGenuine: true, id: "msg_1", at: now });
		expect(verdictOn({ headers: svix, body }, standard, [other], now)).toEqual({ isGenuine: false, why: "wrong-signature" });
	});

	test("one of several signatures is enough", () => {
		const own = signed();
		const headers = { ...own, "webhook-signature": `v1,AAAA v2,xyz ${own["webhook-signature"]}` };
		expect(verdictOn({ headers, body }, standard, [secret], now).isGenuine).toBe(true);
	});

	test("v1a is Ed25519, and a key for one method proves nothing for the other", () => {
		const { publicKey, privateKey } = generateKeyPairSync("ed25519");
		const open = `whpk_${Buffer.from((publicKey.export({ format: "jwk" }) as { x: string }).x, "base64url").toString("base64")}`;
		const signature = sign(null, Buffer.concat([Buffer.from("msg_1.1700000000."), body]), privateKey).toString("base64");
		const headers = { ...signed(), "webhook-signature": `v1a,${signature}` };
		expect(verdictOn({ headers, body }, standard, [open], now).isGenuine).toBe(true);
		expect(verdictOn({ headers: { ...headers, "webhook-signature": `v1,${signature}` }, body }, standard, [open], now).isGenuine).toBe(
			false,
		);
		expect(verdictOn({ headers: signed(), body }, standard, [open], now)).toEqual({ isGenuine: false, why: "wrong-signature" });
	});

	test.each([
		["301 seconds late", { time: "1699999699" }, "too-old"],
		["301 seconds early", { time: "1700000301" }, "too-new"],
		["an id with a full stop", { id: "msg_1.1" }, "bad-headers"],
		["an empty id", { id: "" }, "bad-headers"],
		["a time with a sign", { time: "+1700000000" }, "bad-headers"],
		["a time with a fraction", { time: "1700000000.5" }, "bad-headers"],
	])("refuses %s", (_what, change, why) => {
		expect(verdictOn({ headers: signed(change), body }, standard, [secret], now)).toEqual({ isGenuine: false, why });
	});

	test("300 seconds late or early is in time", () => {
		for (const time of ["1699999700", "1700000300"])
			expect(verdictOn({ headers: signed({ time }), body }, standard, [secret], now).isGenuine).toBe(true);
	});

	test("the bytes count: the same JSON written otherwise is another body", () => {
		const other = Buffer.from('{"type": "transaction.executed","id":"one"}');
		expect(verdictOn({ headers: signed(), body: other }, standard, [secret], now)).toEqual({ isGenuine: false, why: "wrong-signature" });
	});

	test("another writing of the same signature is none", () => {
		const own = signed()["webhook-signature"];
		for (const other of [
			own.replace(/=$/, ""),
			`${own}=`,
			own.replace(",", ", "),
			own.replace("v1,", "v1,\u00a0"),
			own.replaceAll("+", "-"),
		])
			if (other !== own)
				expect(verdictOn({ headers: { ...signed(), "webhook-signature": other }, body }, standard, [secret], now).isGenuine, other).toBe(
					false,
				);
	});

	test("no signature, two of one header, no secret", () => {
		const { "webhook-signature": signature, ...rest } = signed();
		expect(verdictOn({ headers: rest, body }, standard, [secret], now)).toEqual({ isGenuine: false, why: "no-signature" });
		const twice = { ...rest, "webhook-signature": [signature, signature] };
		expect(verdictOn({ headers: twice, body }, standard, [secret], now)).toEqual({ isGenuine: false, why: "bad-headers" });
		expect(verdictOn({ headers: signed(), body }, standard, [], now)).toEqual({ isGenuine: false, why: "no-secret" });
		expect(verdictOn({ headers: signed(), body }, standard, ["whsec_", "whsec_AAAA"], now)).toEqual({ isGenuine: false, why: "no-secret" });
	});
});

describe("schemes of a profile", () => {
	const stripe: EventScheme = {
		methods: [{ algorithm: "hmac-sha256", key: { encoding: "text" }, label: "v1" }],
		headers: [{ signature: "stripe-signature" }],
		shape: { kind: "pairs", time: "t" },
		encoding: "hex",
		signed: ["timestamp", "body"],
		tolerance: 300,
	};
	const github: EventScheme = {
		methods: [{ algorithm: "hmac-sha256", key: { encoding: "text" }, label: "sha256" }],
		headers: [{ signature: "x-hub-signature-256" }],
		shape: { kind: "one" },
		encoding: "hex",
		signed: ["body"],
	};

	test("stripe's form", () => {
		const key = "whsec_test_secret_of_a_form";
		const signature = createHmac("sha256", key).update("1700000000.").update(body).digest("hex");
		const of = (header: string) => verdictOn({ headers: { "stripe-signature": header }, body }, stripe, [key], now);
		expect(of(`t=1700000000,v1=${signature},v0=00`)).toEqual({ isGenuine: true, id: undefined, at: now });
		expect(of(`t=1700000000,v0=${signature}`)).toEqual({ isGenuine: false, why: "wrong-signature" });
		expect(of(`t=1700000000,t=1700000001,v1=${signature}`)).toEqual({ isGenuine: false, why: "bad-headers" });
		expect(of(`v1=${signature}`)).toEqual({ isGenuine: false, why: "bad-headers" });
		expect(of(`t=1699990000,v1=${signature}`)).toEqual({ isGenuine: false, why: "wrong-signature" });
	});

	test("github's form, with the example of its documentation", () => {
		const headers = { "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" };
		const delivery = { headers, body: Buffer.from("Hello, World!") };
		expect(verdictOn(delivery, github, ["It's a Secret to Everybody"], now)).toEqual({ isGenuine: true, id: undefined });
		expect(verdictOn({ ...delivery, body: Buffer.from("Hello, World") }, github, ["It's a Secret to Everybody"], now).isGenuine).toBe(
			false,
		);
	});

	test("what is wrong with a scheme is said", () => {
		expect([schemeFaults(standard), schemeFaults(stripe), schemeFaults(github)]).toEqual([[], [], []]);
		expect(schemeFaults({ ...standard, tolerance: 0 })).toEqual(["needs a tolerance from 1 second to one day"]);
		expect(schemeFaults({ ...standard, signed: ["timestamp", "body"] })).toEqual(["takes an id that is not signed"]);
		expect(schemeFaults({ ...github, signed: [] })).toEqual(["does not sign the body"]);
	});
});
