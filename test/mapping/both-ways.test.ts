/**
 * What is written by a mapping is read back as the same by a mapping of the same places, and written again as the same.
 */
import { expect, test } from "vitest";
import { Decimal } from "../../src/api/json.js";
import type { AnyOperation } from "../../src/api/operation.js";
import { createCorporate } from "../../src/api/operations/corporate.js";
import { createRelated } from "../../src/api/operations/related.js";
import { createBeneficiaryTransaction, createInterLedger } from "../../src/api/operations/transaction.js";
import { describe as described, type Field, isRecord } from "../../src/api/schema.js";
import { countries } from "../../src/api/values.js";
import { mappingFaults } from "../../src/mapping/faults.js";
import { appliedMapping } from "../../src/mapping/request/applied.js";
import type { AnswerField, Form, MappedValue, Mapping, RequestField } from "../../src/ports/mapping.js";
import { Random } from "../payments/simulation/random.js";
import { seedOfRun, uuidOf } from "../support/seed.js";

const rounds = process.env.PURSER_TORTURE === "1" ? 100_000 : 500;
const operations: readonly AnyOperation[] = [createCorporate, createRelated, createInterLedger, createBeneficiaryTransaction];

interface Leaf {
	name: string;
	field: Field;
}

function leaves(fields: readonly Field[], before = ""): Leaf[] {
	return fields.flatMap((field): Leaf[] =>
		field.fields && !(field.name === "phone") ? leaves(field.fields, `${before}${field.name}.`) : [{ name: before + field.name, field }],
	);
}

const words = "alpha bravo cargo delta ember flint grove haven inlet jetty".split(" ");

/** A value that a field may have, and how the deployment writes it. */
function made(random: Random, { name, field }: Leaf): { value: unknown; how: MappedValue } {
	const among = <T>(...all: readonly T[]): T => random.pick(all);
	if (field.name === "phone") return { value: { countryCode: "33", number: `6${random.below(1e8)}` }, how: among({}, { form: "e164" }) };
	if (field.kind === "boolean") {
		const how: MappedValue = among({}, { values: { true: "true", false: "false" } }, { values: { true: "yes", false: "no" } });
		return { value: random.often(0.5), how };
	}
	if (name === "amount") {
		const amount = `${random.below(10_000) + 1}.${random.below(90) + 10}`;
		return {
			value: new Decimal(amount),
			how: among<MappedValue>({}, { form: "number" }, { form: "text" }, { form: "minor-units", currency: "EUR" }),
		};
	}
	if (field.kind === "number") return { value: new Decimal(`${random.below(100)}.5`), how: among<MappedValue>({}, { form: "text" }) };
	if (/Id$/.test(name) && name !== "externalId") return { value: uuidOf(random), how: {} };
	if (field.meta.choose === "country") return { value: random.pick(countries), how: among<MappedValue>({}, { form: "alpha-2" }) };
	if (/Date$/.test(name)) {
		const day = `${1950 + random.below(70)}-0${1 + random.below(9)}-${10 + random.below(18)}`;
		const form = among<Form | undefined>(undefined, "YYYY-MM-DD", "YYYYMMDD", "DD/MM/YYYY", "DD.MM.YYYY", "MM/DD/YYYY");
		return { value: day, how: form === undefined ? {} : { form } };
	}
	if (field.kind === "json") return { value: { some: random.pick(words) }, how: {} };
	const known = field.choices ?? field.meta.known ?? [];
	if (known.length > 1 && random.often(0.7)) {
		const theirs = (at: number): string | string[] =>
			random.often(0.5) ? `${words[at % 10]}-${at}` : [`${words[at % 10]}-${at}`, `other-${at}`];
		const values = Object.fromEntries(known.map((one, at) => [one, theirs(at)]));
		return { value: random.pick(known), how: { values } };
	}
	return { value: known.length > 0 ? random.pick(known) : random.pick(words), how: {} };
}

/** A place that is neither another's nor inside one. */
function pointer(random: Random, at: number): string {
	const own = `${random.pick(words)}${at}`;
	return random.pick([`/${own}`, `/data/${own}`, `/data/${random.pick(words)}/${own}`, `/${random.pick(words)}/a~1b/${own}`]);
}

function world(random: Random) {
	const operation = random.pick(operations);
	const always = ["ledgerFromId", "ledgerToId", "beneficiaryId", "amount"];
	const own = leaves(described(operation.body).fields ?? []).filter(({ name }) => always.includes(name) || random.often(0.6));
	const [fields, answers]: [Record<string, RequestField>, Record<string, AnswerField>] = [{}, {}];
	const body: Record<string, unknown> = {};
	for (const [at, leaf] of own.entries()) {
		const { value, how } = made(random, leaf);
		const place = pointer(random, at);
		fields[leaf.name] = { place: "body", at: place, ...how };
		answers[leaf.name] = { at: place, ...how };
		const parts = leaf.name.split(".");
		let holder = body;
		for (const part of parts.slice(0, -1)) {
			if (!isRecord(holder[part])) holder[part] = {};
			holder = holder[part] as Record<string, unknown>;
		}
		holder[parts.at(-1) as string] = value;
	}
	const path = operation.path.replace("{corporateId}", "x");
	const mapping: Mapping = { operations: { [operation.id]: { method: "POST", path, fields, answer: { fields: answers } } } };
	return { operation, body, mapping };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_, one) => (one instanceof Decimal ? `#${one.text}` : one)));

test(`${rounds} random mappings: what is written is read back as the same, and written again as the same`, () => {
	const seed = seedOfRun("both-ways");
	let fields = 0;
	for (let round = 0; round < rounds; round += 1) {
		const random = new Random(seed + round);
		const { operation, body, mapping } = world(random);
		const applied = appliedMapping(operation, mapping);
		const wire = applied.toRequest({ params: {}, query: {}, body }, { currency: "EUR" }).body;
		const back = applied.fromAnswer(wire);
		expect(plain(back), `seed ${seed + round}`).toEqual(plain(body));
		expect(plain(applied.toRequest({ params: {}, query: {}, body: back }, { currency: "EUR" }).body)).toEqual(plain(wire));
		fields += Object.keys(
			mapping.operations[operation.id] === "none" ? {} : (mapping.operations[operation.id] as { fields: object }).fields,
		).length;
		// A creation answers with an id alone, so only its request is held against the description.
		const wrong = mappingFaults(mapping).filter(({ path, message }) => path[2] !== "answer" && !message.includes("corporateId"));
		expect(wrong, `seed ${seed + round}`).toEqual([]);
	}
	expect(fields).toBeGreaterThan(5 * rounds);
});
