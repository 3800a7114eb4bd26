import { expect, test } from "vitest";
import { isSecret, verdictOn } from "../../src/events/verdict.js";
import { standardSender, type Unsigned } from "./senders.js";

const now = 1_700_000_000_000;
const sender = standardSender("webhook");
const { secret } = sender;
const body = Buffer.from('{"type":"transaction.executed","id":"one"}');

/** What a sender with this secret sends. */
const signed = (change: Partial<Unsigned> = {}) => sender.headers({ id: "msg_1", time: "1700000000", body, ...change });
const verdict = (headers: Parameters<typeof verdictOn>[0]["headers"], secrets = [secret]) => verdictOn({ headers, body }, secrets, now);

test("the specification's own example holds", () => {
	// The vector that the Standard Webhooks libraries carry.
	const headers = {
		"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
		"webhook-timestamp": "1614265330",
		"webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
	};
	const delivery = { headers, body: Buffer.from('{"test": 2432232314}') };
	expect(verdictOn(delivery, ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], 1_614_265_330_000)).toEqual({
		isGenuine: true,
		id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
		at: 1_614_265_330_000,
	});
});

test("both families of headers hold, with any one of the secrets and of the signatures", () => {
	const own = standardSender("svix").headers({ id: "msg_1", time: "1700000000", body });
	const other = sender.other().secret;
	expect(verdict(own, [other, secret])).toEqual({ isGenuine: true, id: "msg_1", at: now });
	expect(verdict(own, [other])).toEqual({ isGenuine: false, why: "wrong-signature" });
	expect(verdict({ ...signed(), "webhook-signature": `v1,AAAA v2,xyz ${signed()["webhook-signature"]}` }).isGenuine).toBe(true);
	// A family that does not hold hides no other one.
	expect(verdict({ ...own, "webhook-signature": "v1,AAAA" })).toEqual({ isGenuine: true, id: "msg_1", at: now });
});

test.each([
	["301 seconds late", { time: "1699999699" }, "too-old"],
	["301 seconds early", { time: "1700000301" }, "too-new"],
	["an id with a full stop", { id: "msg_1.1" }, "bad-headers"],
	["another body", { body: Buffer.from('{"type": "transaction.executed","id":"one"}') }, "wrong-signature"],
])("refuses %s", (_what, change, why) => {
	expect(verdict(signed(change))).toEqual({ isGenuine: false, why });
});

test("no signature, two of one header, no secret", () => {
	const { "webhook-signature": signature = "", ...rest } = signed();
	expect(verdict(rest)).toEqual({ isGenuine: false, why: "no-signature" });
	expect(verdict({ ...rest, "webhook-signature": [signature, signature] })).toEqual({ isGenuine: false, why: "bad-headers" });
	expect(verdict(signed(), [])).toEqual({ isGenuine: false, why: "no-secret" });
	expect(verdict(signed(), ["whsec_", "whsec_AAAA"])).toEqual({ isGenuine: false, why: "no-secret" });
});

test.each([
	[secret, true],
	[secret.slice("whsec_".length), true],
	["whsec_AAAA", false],
	[`whsec_${Buffer.alloc(15, 7).toString("base64")}`, false],
	[secret.replace("whsec_", "whpk_"), false],
	[`${secret}!`, false],
])("%s is a secret: %s", (text, isOne) => {
	expect(isSecret(text)).toBe(isOne);
});
