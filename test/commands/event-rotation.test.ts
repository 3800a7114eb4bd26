/**
 * A secret is changed while events come: with both in the profile for a while none is refused, and the old one is no good once it is removed.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
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
	return { secrets, file: join(directory, "secrets", "events-test.json") };
}

const added = (name: string, secret: string) => ({ name, secret, addedAt: "2026-03-01T10:00:00.000Z" });

describe("a secret is changed", () => {
	const [before, after] = [standardSender("svix", 7), standardSender("svix", 8)];

	/** How many of 400 deliveries, one every 3 seconds, are refused; and whether the old secret is any good at the end. */
	async function rotation(addedAt: number, removedAt: number): Promise<{ refused: number; oldHolds: boolean }> {
		const clock = makeClock();
		const { secrets } = secretsIn();
		await secrets.add(profile, added("old", before.secret));
		const context = changed(smallContext().context, { clock, config: { eventSecrets: async () => secrets } });
		const verify = await openVerifying(context, whole);
		let refused = 0;
		const check = async (of: typeof before, id: string, also?: typeof before): Promise<boolean> => {
			const delivery = { id, time: String(Math.floor(clock.now().getTime() / 1_000)), body: Buffer.from(`{"n":"${id}"}`) };
			const headers = of.headers(delivery);
			if (also) headers["svix-signature"] += ` ${also.headers(delivery)["svix-signature"]}`;
			return (await verify({ headers, body: delivery.body })).isGenuine;
		};
		for (let at = 0; at < 400; at++) {
			if (at === addedAt) await secrets.add(profile, added("new", after.secret));
			if (at === removedAt) await secrets.remove(profile, "old");
			// The sender signs with both from the 200th to the 300th delivery.
			const genuine =
				at < 200 ? await check(before, `m${at}`) : at < 300 ? await check(before, `m${at}`, after) : await check(after, `m${at}`);
			if (!genuine) refused += 1;
			clock.advance(3_000);
		}
		return { refused, oldHolds: await check(before, "late") };
	}

	test("both are there while the sender changes over: none is refused, and the old one ends", async () => {
		expect(await rotation(100, 350)).toEqual({ refused: 0, oldHolds: false });
		expect(await rotation(250, 299)).toEqual({ refused: 0, oldHolds: false });
	});

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

	test("one that is added too late, or the old one removed too early, costs deliveries; one that stays is good", async () => {
		expect((await rotation(310, 350)).refused).toBe(10);
		expect((await rotation(150, 180)).refused).toBeGreaterThan(5);
		expect(await rotation(100, 1_000)).toEqual({ refused: 0, oldHolds: true });
	});
});

describe("where secrets of events are stored", () => {
	const { secret } = standardSender("webhook");

	test("without a keyring in a file that only its owner reads, and says so", async () => {
		const { secrets, file } = secretsIn();
		expect(await secrets.add(profile, added("one", secret))).toMatchObject({ where: file, warning: expect.stringContaining("0600") });
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(await secrets.list(profile)).toEqual([{ ...added("one", secret), fingerprint: "02e4e1d2" }]);
	});

	test("in the keyring where there is one, with nothing in the file; and what the keyring forgot is said", async () => {
		const keyring = new Map<string, string>();
		const { secrets, file } = secretsIn(keyring);
		expect(await secrets.add(profile, added("one", secret))).toEqual({ where: "keyring" });
		expect(readFileSync(file, "utf8")).not.toContain(secret.slice(6));
		expect((await secrets.list(profile)).map(({ name }) => name)).toEqual(["one"]);
		keyring.clear();
		await expect(secrets.list(profile)).rejects.toMatchObject({ failure: { code: "KEYRING_FORGOT" } });
	});

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
