/**
 * Signatures that other programs made hold here: the reference library of Standard Webhooks, and openssl.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { schemesOf } from "../../src/events/schemes.js";
import { verdictOn } from "../../src/events/verdict.js";
import type { EventScheme } from "../../src/ports/event-schemes.js";
import { Random } from "../payments/simulation/random.js";
import { seedOfRun } from "../support/seed.js";
import { github, standardSender, stripe } from "./senders.js";

/** The library, as far as it is used. It refuses `svix-…` headers and bodies that are not JSON, and takes its time from the clock. */
interface Webhook {
	sign(id: string, time: Date, body: string): string;
	/** @throws where it does not hold */
	verify(body: string, headers: Record<string, string>): unknown;
}

const require = createRequire(import.meta.url);
const { Webhook } = require("standardwebhooks") as { Webhook: new (secret: string) => Webhook };
const standard = schemesOf({}).standard as EventScheme;
const seed = seedOfRun("oracles");

describe("the library of Standard Webhooks", () => {
	const now = Math.floor(Date.now() / 1_000) * 1_000;

	test("what it signs holds here", () => {
		const random = new Random(seed);
		for (let done = 0; done < 200; done++) {
			const secret = `whsec_${Buffer.alloc(24 + random.below(40), random.below(256)).toString("base64")}`;
			const body = JSON.stringify({ n: random.below(1e9), text: "Zoë \u{1f600}" });
			const id = `msg_${random.below(1e9)}`;
			const headers = {
				"webhook-id": id,
				"webhook-timestamp": String(now / 1_000),
				"webhook-signature": new Webhook(secret).sign(id, new Date(now), body),
			};
			expect(verdictOn({ headers, body: Buffer.from(body) }, standard, [secret], now)).toEqual({ isGenuine: true, id, at: now });
		}
	});

	test("both say the same of what is genuine, changed, or signed by another", () => {
		const random = new Random(seed + 1);
		const sender = standardSender("webhook");
		const library = new Webhook(sender.secret);
		let genuine = 0;
		for (let done = 0; done < 500; done++) {
			const body = JSON.stringify({ n: random.below(1e9) });
			const id = `msg_${random.below(1e9)}`;
			const from = random.often(0.3) ? sender.other() : sender;
			const headers = from.headers({ id, time: String(now / 1_000 + random.below(1_000) - 500), body: Buffer.from(body) });
			const sent = random.often(0.3) ? `${body} ` : body;
			const own = verdictOn({ headers, body: Buffer.from(sent) }, standard, [sender.secret], Date.now()).isGenuine;
			let theirs = true;
			try {
				library.verify(sent, headers);
			} catch {
				theirs = false;
			}
			// Between the two a second may pass, and one of them be a second late.
			const age = Math.abs(Date.now() / 1_000 - Number(headers["webhook-timestamp"]));
			if (Math.abs(age - 300) > 60) expect(own, JSON.stringify({ headers, sent })).toBe(theirs);
			if (own) genuine += 1;
		}
		expect(genuine).toBeGreaterThan(100);
	});
});

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) process.stdout.write("openssl is not run: it is not installed here\n");

describe.runIf(hasOpenssl)("openssl", () => {
	const now = 1_700_000_000_000;
	const body = Buffer.from('{"type":"transaction.approved","data":{"id":"t-1","name":"Zoë"}}');

	function openssl(words: readonly string[], input: Buffer): Buffer {
		const ran = spawnSync("openssl", words, { input });
		if (ran.status !== 0) throw new Error(String(ran.stderr));
		return ran.stdout;
	}

	const digest = (algorithm: string, key: Buffer, input: Buffer): Buffer =>
		openssl(["dgst", `-${algorithm}`, "-mac", "HMAC", "-macopt", `hexkey:${key.toString("hex")}`, "-binary"], input);

	test("its HMAC is the signature of Standard Webhooks, of stripe's form and of github's", () => {
		const key = Buffer.alloc(24, 7);
		const secret = `whsec_${key.toString("base64")}`;
		const signed = digest("sha256", key, Buffer.concat([Buffer.from("msg_1.1700000000."), body])).toString("base64");
		const headers = { "webhook-id": "msg_1", "webhook-timestamp": "1700000000", "webhook-signature": `v1,${signed}` };
		expect(verdictOn({ headers, body }, standard, [secret], now).isGenuine).toBe(true);
		const text = "a secret that is text";
		const paired = digest("sha256", Buffer.from(text), Buffer.concat([Buffer.from("1700000000."), body])).toString("hex");
		const pairs = { "stripe-signature": `t=1700000000,v1=${paired}` };
		expect(verdictOn({ headers: pairs, body }, stripe, [text], now).isGenuine).toBe(true);
		const one = { "x-hub-signature-256": `sha256=${digest("sha256", Buffer.from(text), body).toString("hex")}` };
		expect(verdictOn({ headers: one, body }, github, [text], now).isGenuine).toBe(true);
		expect(verdictOn({ headers: one, body: body.subarray(1) }, github, [text], now).isGenuine).toBe(false);
	});

	test("its Ed25519 signature is that of v1a", () => {
		const folder = mkdtempSync(join(tmpdir(), "purser-openssl-"));
		try {
			const [key, input] = [join(folder, "key.pem"), join(folder, "signed")];
			openssl(["genpkey", "-algorithm", "ed25519", "-out", key], Buffer.alloc(0));
			const open = openssl(["pkey", "-in", key, "-pubout", "-outform", "DER"], Buffer.alloc(0)).subarray(-32);
			writeFileSync(input, Buffer.concat([Buffer.from("msg_1.1700000000."), body]));
			const signature = openssl(["pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", input], Buffer.alloc(0)).toString("base64");
			const headers = { "svix-id": "msg_1", "svix-timestamp": "1700000000", "svix-signature": `v1a,${signature}` };
			const secrets = [`whpk_${open.toString("base64")}`];
			expect(verdictOn({ headers, body }, standard, secrets, now).isGenuine).toBe(true);
			expect(verdictOn({ headers, body: Buffer.concat([body, body]) }, standard, secrets, now).isGenuine).toBe(false);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
