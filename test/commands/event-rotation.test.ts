/**
 * The secrets of events: one is changed while events come, and the list of them is one address's, bounded, and whole whoever writes it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createEventSecrets } from "../../src/config/secrets/event-secrets.js";
import { openVerifying } from "../../src/events/verdict.js";
import { standardSender } from "../events/senders.js";
import { changed, smallContext } from "../support/context.js";
import { makeClock } from "../support/world-time.js";

const folders: string[] = [];
afterEach(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const profile = { name: "test", baseUrl: "https://api.example.com" };
const whole = { ...profile, environment: "sandbox" as const, auth: { kind: "none" as const }, settings: {} };

function secretsIn(keyring?: Map<string, string>) {
	const directory = mkdtempSync(join(tmpdir(), "purser-rotation-"));
	folders.push(directory);
	const ring = keyring && {
		get: async (account: string) => keyring.get(account),
		set: async (account: string, secret: string) => void keyring.set(account, secret),
		remove: async (account: string) => void keyring.delete(account),
	};
	const secrets = createEventSecrets({ directory, env: {}, platform: "linux", keyring: async () => ring });
	return { secrets };
}

const added = (name: string, secret: string) => ({ name, secret, addedAt: "2026-03-01T10:00:00.000Z" });

describe("a secret is changed", () => {
	const [before, after] = [standardSender("svix", 7), standardSender("svix", 8)];

	test.each([
		["a file", undefined],
		["the keyring", new Map<string, string>()],
	])(
		"one that is removed from %s is no good for the next delivery, and one that is added is; without any, none is taken",
		async (_, keyring) => {
			const { secrets } = secretsIn(keyring);
			await secrets.add(profile, added("old", before.secret));
			const verify = await openVerifying(
				changed(smallContext().context, { clock: makeClock(), config: { eventSecrets: async () => secrets } }),
				whole,
			);
			const check = async (of: typeof before) => {
				const delivery = { id: "m1", time: "1772359200", body: Buffer.from("{}") };
				const found = await verify({ headers: of.headers(delivery), body: delivery.body });
				return found.isGenuine || found.why;
			};
			expect([await check(before), await check(after)]).toEqual([true, "wrong-signature"]);
			await secrets.add(profile, added("new", after.secret));
			expect([await check(before), await check(after)]).toEqual([true, true]);
			await secrets.remove(profile, "old");
			expect([await check(before), await check(after)]).toEqual(["wrong-signature", true]);
			await secrets.remove(profile, "new");
			expect(await check(after)).toBe("no-secret");
		},
	);
});

describe("the list of secrets", () => {
	const { secret } = standardSender("webhook");

	test("for one address: another one of the same profile gets none, until the profile is cleared", async () => {
		const { secrets } = secretsIn();
		await secrets.add(profile, added("one", secret));
		const elsewhere = { ...profile, baseUrl: "https://other.example.com" };
		await expect(secrets.list(elsewhere)).rejects.toMatchObject({ failure: { code: "SECRET_OTHER_ADDRESS" } });
		await expect(secrets.add(elsewhere, added("two", secret))).rejects.toMatchObject({ failure: { code: "SECRET_OTHER_ADDRESS" } });
		await secrets.clear(elsewhere);
		expect(await secrets.list(elsewhere)).toEqual([]);
	});

	test("twenty of a profile, and none twice", async () => {
		const { secrets } = secretsIn();
		for (let at = 0; at < 20; at++) await secrets.add(profile, added(`n${at}`, standardSender("webhook", at).secret));
		const more = standardSender("webhook", 20).secret;
		await expect(secrets.add(profile, added("more", more))).rejects.toMatchObject({ failure: { code: "EVENT_SECRETS_TOO_MANY" } });
		await secrets.remove(profile, "n0");
		const known = standardSender("webhook", 5).secret;
		await expect(secrets.add(profile, added("again", known))).rejects.toMatchObject({ failure: { code: "EVENT_SECRET_KNOWN" } });
		await secrets.add(profile, added("more", more));
	});

	test("several processes that add at once lose none", async () => {
		const { secrets } = secretsIn();
		await Promise.all(Array.from({ length: 5 }, (_, at) => secrets.add(profile, added(`n${at}`, standardSender("webhook", at).secret))));
		expect((await secrets.list(profile)).map(({ name }) => name).sort()).toEqual(["n0", "n1", "n2", "n3", "n4"]);
	});
});
