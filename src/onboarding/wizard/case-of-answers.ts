/**
 * The case of the wizard's answers. Answers to questions that are no longer asked are left out. Pure.
 */
import { parseJson } from "../../api/json.js";
import { slugOf } from "../../api/names.js";
import { legalFormKeys } from "../../api/values.js";
import { corporateKey, ownerKey } from "../case/case.js";
import { type Question, questions } from "./questions.js";
import type { Answers } from "./state.js";

type Part = Record<string, unknown>;

/** The case as a document, as in a case file. */
export function caseOf(answers: Answers): Part {
	const asked = questions(answers).filter(({ id }) => answers[id] !== undefined && answers[id] !== null);
	const document: Part = { version: "1" };
	for (const question of asked)
		if (question.kind !== "choice" && belongs(question.id)) place(document, question.id.split("."), answerAs(question, answers));
	const custom = customDataOf(asked, answers);
	if (custom.length > 0) place(document, [corporateKey, "metadata"], Object.fromEntries(custom));
	// The address is required, its fields are not.
	place(document, [corporateKey, "registeredAddress"], {});
	const lists = { companies: listOf(document, "companies"), persons: listOf(document, "persons") };
	const keys = keysOf(lists, answers);
	const ownership = holdings(answers, asked, keys);
	const { companies: _, persons: __, ...rest } = document;
	return {
		...rest,
		...(lists.companies.length > 0 ? { companies: named(lists.companies, "companies", keys) } : {}),
		...(lists.persons.length > 0 ? { persons: named(lists.persons, "persons", keys) } : {}),
		...(ownership.length > 0 ? { ownership } : {}),
		...(answers["terms.accepted"] === true ? { terms: acceptance(answers) } : {}),
	};
}

/** Whether the answer is a field of the case, not the wizard's own. */
function belongs(id: string): boolean {
	return !/^(terms|ask)\.|^file$|\.(more|details|shares|percentage|owned)$|\.metadata\.\d+\./.test(id);
}

/** Names with values, from questions of which each name comes before its value. */
function customDataOf(asked: readonly Question[], answers: Answers): [string, unknown][] {
	return asked
		.filter(({ id }) => /\.metadata\.\d+\.name$/.test(id))
		.map(({ id }) => [String(answers[id]), answers[id.replace(/name$/, "value")]]);
}

function answerAs({ field, kind, id }: Question, answers: Answers): unknown {
	const answer = answers[id];
	// An optional object begins with a Yes; its fields follow.
	if (kind === "yes" && field === undefined && answer === true && Object.keys(answers).some((other) => other.startsWith(`${id}.`)))
		return {};
	if (id === `${corporateKey}.legalType` && typeof answer === "string") return legalTypeOf(answer, answers);
	return field?.kind === "json" && typeof answer === "string" ? parseJson(answer) : answer;
}

/** The service's object of a legal form; earlier versions kept the object itself as text. */
function legalTypeOf(form: string, answers: Answers): unknown {
	if (form.startsWith("{")) return parseJson(form);
	return { [String(legalFormKeys[String(answers[`${corporateKey}.incorporationCountry`])])]: form };
}

function place(into: Part, path: readonly string[], value: unknown): void {
	let part = into;
	for (const name of path.slice(0, -1)) {
		part[name] ??= {};
		part = part[name] as Part;
	}
	const last = path.at(-1) as string;
	// A No to "Add phone?" leaves the object out.
	if (value === false && ["phone", "address", "businessAddress", "registeredAddress"].includes(last)) return;
	if (!(typeof part[last] === "object" && typeof value === "object")) part[last] = value;
}

const listOf = (document: Part, name: string): Part[] => Object.values((document[name] ?? {}) as Record<string, Part>);

/**
 * The keys of a case as answers. A declared record is found by its key, so a corrected name must not lead to another key and record.
 */
export function entityKeys(answers: Answers): Answers {
	const document = caseOf(answers) as Record<string, readonly Part[] | undefined>;
	const lists = ["companies", "persons"].flatMap((list) => (document[list] ?? []).map(({ key }, at) => [`${list}.${at}.key`, String(key)]));
	return Object.fromEntries(lists);
}

/** The keys among the answers, else slugs of the names, in the order of the answers; the same answers give the same keys. */
function keysOf(lists: Record<string, readonly Part[]>, answers: Answers): ReadonlyMap<string, string> {
	const earlier = Object.entries(answers).flatMap(([id, answer]) => (id.endsWith(".key") ? [String(answer)] : []));
	const taken = new Set([corporateKey.toLowerCase(), ownerKey.toLowerCase(), ...earlier]);
	const keys = new Map<string, string>();
	for (const [list, entities] of Object.entries(lists))
		for (const [at, entity] of entities.entries()) {
			const before = answers[`${list}.${at}.key`];
			if (typeof before === "string") {
				keys.set(`${list}.${at}`, before);
				continue;
			}
			const base = slugOf(String(entity.corporateName ?? `${entity.firstName} ${entity.lastName}`)) || "entity";
			let key = base;
			for (let count = 2; taken.has(key); count += 1) key = `${base}-${count}`;
			taken.add(key);
			keys.set(`${list}.${at}`, key);
		}
	return keys;
}

const named = (entities: readonly Part[], list: string, keys: ReadonlyMap<string, string>): Part[] =>
	entities.map((entity, at) => ({ key: keys.get(`${list}.${at}`), ...entity }));

function holdings(answers: Answers, asked: readonly Question[], keys: ReadonlyMap<string, string>): Part[] {
	const direct = answers["accountOwner.shares"];
	const own = typeof direct === "string" ? [{ owner: ownerKey, owned: corporateKey, percentage: direct }] : [];
	return [
		...own,
		...asked
			.filter(({ id }) => id.endsWith(".percentage"))
			.map(({ id }) => {
				const entity = id.replace(/\.percentage$/, "");
				const owned = String(answers[`${entity}.owned`]);
				return { owner: keys.get(entity), owned: keys.get(owned) ?? owned, percentage: answers[id] };
			}),
	];
}

const acceptance = (answers: Answers): Part => ({
	version: answers["terms.version"],
	acceptedBy: answers["terms.acceptedBy"],
	acceptedAt: answers["terms.acceptedAt"],
});
