/**
 * Many programs whose token has expired at once, at a service that takes the second use of a refresh token for theft.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { getCorporate } from "../../src/api/operations/corporate.js";
import { createProfiles } from "../../src/config/profiles.js";
import { createCredentials } from "../../src/config/secrets/credentials.js";
import { call } from "../../src/http/call.js";
import type { Credentials, Profile } from "../../src/ports/profiles.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { createFiles } from "../../src/system/files.js";
import { answered, changed, smallContext } from "../support/context.js";

const corporateId = "11111111-1111-4111-8111-111111111111";
let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "purser-renewal-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A service that knows one token and one refresh token at a time, and none at all after one was used twice. */
function service() {
	let issued = 0;
	let revoked = false;
	const renewals: string[] = [];
	const answer = async (request: WireRequest): Promise<WireOutcome> => {
		if (!request.url.endsWith("/refresh")) {
			const known = !revoked && request.headers.authorization === `Bearer token-${issued}` && issued > 0;
			return known ? answered(200, { id: corporateId }) : answered(401);
		}
		const { refreshToken } = JSON.parse(new TextDecoder().decode(request.body)) as { refreshToken: string };
		renewals.push(refreshToken);
		if (refreshToken !== `refresh-${issued}`) revoked = true;
		else issued += 1;
		const told = issued;
		await new Promise((resolve) => setTimeout(resolve, 30));
		return revoked ? answered(401) : answered(200, { token: `token-${told}`, refreshToken: `refresh-${told}` });
	};
	return { answer, renewals };
}

/** The credentials in the folder. */
const ownCredentials = (): Credentials =>
	createCredentials({
		directory: folder,
		env: {},
		platform: process.platform,
		keyring: async () => undefined,
		profiles: createProfiles({ directory: folder }),
		read: createFiles(new AbortController().signal).read,
	});

/** A program of its own: it shares with the others what is on the disk. */
async function program(
	answer: (request: WireRequest) => Promise<WireOutcome>,
	change: (kept: Credentials) => Credentials = (kept) => kept,
) {
	const { context } = smallContext({ answers: [answer], realSleep: true });
	const credentials = change(ownCredentials());
	const own = changed(context, { config: { credentials: async () => credentials } });
	const { profile } = await own.settings.read();
	return { profile: profile as Profile, credentials, ask: () => call(own, getCorporate, { params: { corporateId } }) };
}

it("renew it once, one after the other", async () => {
	const { answer, renewals } = service();
	const programs = await Promise.all(Array.from({ length: 6 }, () => program(answer)));
	const [{ profile, credentials }] = programs as [(typeof programs)[0]];
	await credentials.set(profile, { kind: "tokens", token: "token-0", refreshToken: "refresh-0" });
	const answers = await Promise.all(programs.map(({ ask }) => ask()));
	expect(answers.map(({ data }) => (data as { id: string }).id)).toEqual(Array(6).fill(corporateId));
	expect(renewals).toEqual(["refresh-0"]);
	expect(readdirSync(join(folder, "secrets"))).toEqual(["credentials-test.json"]);
});

it("without turns that service ends the login of all (the control)", async () => {
	const { answer, renewals } = service();
	const untaken = (kept: Credentials): Credentials => ({ ...kept, withLock: (_, act) => act(true) });
	const programs = await Promise.all(Array.from({ length: 6 }, () => program(answer, untaken)));
	const [{ profile, credentials }] = programs as [(typeof programs)[0]];
	await credentials.set(profile, { kind: "tokens", token: "token-0", refreshToken: "refresh-0" });
	const answers = await Promise.allSettled(programs.map(({ ask }) => ask()));
	expect(answers.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
	expect(renewals.length).toBeGreaterThan(1);
});
