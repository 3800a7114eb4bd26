/**
 * The sandbox's deliveries through the tool's own check, which shares nothing with what signs them, and through openssl.
 */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { verdictOn } from "../../src/events/verdict.js";
import { hour, ids, makeService, start } from "./service.js";

/** A sandbox whose receiver checks what comes, as `events listen` does, and says so to its sender. */
async function checked() {
	const told: string[] = [];
	const known = { secrets: [] as string[], now: start };
	const genuine: { headers: Record<string, string>; body: string }[] = [];
	const service = await makeService({
		post: async (headers, body) => {
			const delivery = { headers, body: Buffer.from(body) };
			const verdict = verdictOn(delivery, known.secrets, known.now);
			told.push(verdict.isGenuine ? JSON.parse(body).type : verdict.why);
			if (verdict.isGenuine) genuine.push({ headers, body });
			return verdict.isGenuine ? 204 : 401;
		},
	});
	const secret = async (): Promise<string> => (await service.ask("GET", "/_sandbox/webhook-secret")).data.secret;
	return {
		...service,
		secret,
		genuine,
		known,
		/** Real time: the sandbox's clock goes with it. */
		pass: (milliseconds: number) => {
			known.now += milliseconds;
			service.pass(milliseconds);
		},
		told: async () => {
			await service.sandbox.deliver();
			return told.splice(0);
		},
		update: () => service.control("beneficiary", { beneficiaryId: ids.unreviewed }),
	};
}

test("each is genuine by its secret alone, also days ahead by the sandbox's clock", async () => {
	const service = await checked();
	await service.update();
	expect(await service.told()).toEqual(["no-secret"]);
	service.known.secrets = [await service.secret()];
	service.pass(5000);
	expect(await service.told()).toEqual(["BENEFICIARY_UPDATED"]);
	await service.control("clock", { seconds: 172_800 });
	await service.update();
	expect(await service.told()).toEqual(["BENEFICIARY_UPDATED"]);
});

test("what is signed with another secret, or late, is refused, and its next try is not", async () => {
	for (const [fault, why] of [
		["bad-signature", "wrong-signature"],
		["late", "too-old"],
	]) {
		const service = await checked();
		service.known.secrets = [await service.secret()];
		await service.control("webhook", { fault });
		await service.update();
		expect([fault, await service.told()]).toEqual([fault, [why]]);
		service.pass(5000);
		expect([fault, await service.told()]).toEqual([fault, ["BENEFICIARY_UPDATED"]]);
	}
});

test("a rotation loses no event: who has either secret takes each for a day, who has both always does", async () => {
	const service = await checked();
	const old = await service.secret();
	service.known.secrets = [old];
	await service.control("webhook", { fault: "rotate" });
	const heard: string[][] = [];
	for (const secrets of [[old], [await service.secret()], [old, await service.secret()]]) {
		service.known.secrets = secrets;
		await service.update();
		heard.push(await service.told());
	}
	service.pass(24 * hour);
	await service.update();
	heard.push(await service.told());
	service.known.secrets = [old];
	await service.update();
	heard.push(await service.told());
	const taken = ["BENEFICIARY_UPDATED"];
	expect(heard).toEqual([taken, taken, taken, taken, ["wrong-signature"]]);
});

test("openssl makes the same signature", async () => {
	const service = await checked();
	const secret = await service.secret();
	service.known.secrets = [secret];
	await service.update();
	await service.told();
	const [heard] = service.genuine;
	if (heard === undefined) throw new Error("nothing was delivered");
	const { "svix-id": id, "svix-timestamp": time, "svix-signature": signature } = heard.headers;
	const key = Buffer.from(secret.replace("whsec_", ""), "base64").toString("hex");
	const input = `${id}.${time}.${heard.body}`;
	const made = execFileSync("openssl", ["dgst", "-sha256", "-mac", "HMAC", "-macopt", `hexkey:${key}`, "-binary"], { input });
	expect(signature).toBe(`v1,${made.toString("base64")}`);
});
