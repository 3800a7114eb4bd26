import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openAnchorPlace } from "../../src/config/secrets/anchors.js";
import type { Keyring } from "../../src/config/secrets/keyring.js";
import type { Anchor } from "../../src/ports/anchor.js";
import { ringOf } from "./ring.js";

let directory: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "purser-anchors-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const profile = { name: "bank", environment: "live", baseUrl: "https://api.example.com/v1/" } as const;

const anchor = (rest: Partial<Anchor> = {}): Anchor => ({
	profile: "bank",
	environment: "live",
	services: ["https://api.example.com/v1"],
	installation: "00000000-0000-4000-8000-000000000001",
	seq: 7,
	hash: "a".repeat(64),
	at: "2026-03-01T10:00:00.000Z",
	adopted: 1,
	beside: [],
	...rest,
});

const opened = (ring?: Keyring, of: Parameters<typeof openAnchorPlace>[0]["profile"] = profile) =>
	openAnchorPlace({ directory, profile: of, keyring: async () => ring });
const file = (): string => join(directory, "anchors", "bank.live.json");

test("what is written is read by the next, from a private file in a private folder, and nothing else lies there", async () => {
	const place = await opened();
	expect([place.read(), place.service, place.file]).toEqual([undefined, "https://api.example.com/v1", file()]);
	place.write(anchor());
	place.write(anchor({ seq: 8 }));
	expect((await opened()).read()).toEqual(anchor({ seq: 8 }));
	expect([statSync(file()).mode & 0o777, statSync(join(directory, "anchors")).mode & 0o777]).toEqual([0o600, 0o700]);
	expect(readdirSync(join(directory, "anchors"))).toEqual(["bank.live.json"]);
	expect(statSync(join(directory, "secrets", "anchor-key.json")).mode & 0o777).toBe(0o600);
});

test.each<[string, () => void]>([
	["a number in it was edited", () => writeFileSync(file(), readFileSync(file(), "utf8").replace('seq\\":7', 'seq\\":6'))],
	["it was cut off", () => writeFileSync(file(), readFileSync(file(), "utf8").slice(0, 100))],
	["the key of its signature is another one", () => rmSync(join(directory, "secrets"), { recursive: true })],
])("it counts as broken where %s", async (_, spoil) => {
	(await opened()).write(anchor());
	spoil();
	expect((await opened()).read()).toBe("broken");
});

test("two programs that make the key at once have one key", async () => {
	const places = await Promise.all(Array.from({ length: 8 }, () => opened()));
	for (const [at, place] of places.entries()) {
		place.write(anchor({ seq: at + 1 }));
		expect(places.map((one) => one.read())).toEqual(Array(8).fill(anchor({ seq: at + 1 })));
	}
	expect(readdirSync(join(directory, "secrets"))).toEqual(["anchor-key.json"]);
});

test("the other journals of the configuration are told, each with its service", async () => {
	const other = { ...profile, name: "other" };
	(await opened(undefined, other)).write(anchor({ profile: "other", seq: 3 }));
	const place = await opened();
	place.write(anchor());
	writeFileSync(join(directory, "anchors", "odd.live.json"), "{}");
	expect(place.others()).toEqual([anchor({ profile: "other", seq: 3 })]);
	expect((await opened(undefined, other)).others()).toEqual([anchor()]);
});

describe("with a keyring", () => {
	test("it is read once and written once a run, at its end", async () => {
		const { ring, asked } = ringOf();
		const place = await opened(ring);
		for (let seq = 1; seq <= 5; seq++) {
			place.read();
			place.write(anchor({ seq }));
		}
		expect(asked).toEqual(["get"]);
		await place.keep();
		expect(asked).toEqual(["get", "set"]);
		const again = await opened(ring);
		expect(again.read()).toEqual(anchor({ seq: 5 }));
		await again.keep();
		expect(asked).toEqual(["get", "set", "get"]);
	});

	const adopted = { seq: 2, installation: "b", adopted: 2 };
	test.each<[string, Partial<Anchor> | undefined, Partial<Anchor>, Partial<Anchor>]>([
		["the file is gone", undefined, { seq: 9 }, { seq: 9 }],
		["the file is an older one", { seq: 5 }, { seq: 9 }, { seq: 9 }],
		["a run was killed before the keyring was told", { seq: 9 }, { seq: 5 }, { seq: 9 }],
		["a person has adopted another journal since", adopted, { seq: 9 }, adopted],
	])("the newer counts: %s", async (_, inFile, inRing, counts) => {
		const { ring } = ringOf();
		const before = await opened(ring);
		before.write(anchor(inRing));
		await before.keep();
		rmSync(file());
		if (inFile) (await opened()).write(anchor(inFile));
		expect((await opened(ring)).read()).toEqual(anchor(counts));
	});

	test("a file edited by hand is broken, whatever the keyring says; a broken copy in the keyring is none", async () => {
		const { ring, held } = ringOf();
		const place = await opened(ring);
		place.write(anchor());
		await place.keep();
		for (const account of held.keys()) held.set(account, "{}");
		expect((await opened(ring)).read()).toEqual(anchor());
		rmSync(file());
		expect((await opened(ring)).read()).toBe("broken");
	});

	test.each<[string, Partial<Keyring>]>([
		["is locked", { get: () => Promise.reject(new Error("locked")), set: () => Promise.reject(new Error("locked")) }],
		["never answers", { get: () => new Promise(() => {}), set: () => new Promise(() => {}) }],
	])("one that %s holds nothing up", async (_, part) => {
		const place = await opened({ ...ringOf().ring, ...part });
		place.write(anchor());
		await place.keep();
		expect(place.read()).toEqual(anchor());
	});
});
