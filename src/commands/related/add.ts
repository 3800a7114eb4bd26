import type * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { type Received, textAt, typed } from "../../api/answer.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { createRelated, listRelated, rolesOf, viewRelated } from "../../api/operations/related.js";
import { ownFields } from "../../api/own-fields.js";
import { call } from "../../client/call.js";
import { callEach } from "../../client/call-each.js";
import { serviceOf } from "../../client/service.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { companyNamed, sentRows } from "../../onboarding/records/about.js";
import { type Declaration, declarationOutcome, declareEach } from "../../onboarding/records/declaration.js";
import { ifReadable, listRelatedOf } from "../../onboarding/records/reading.js";
import { duplicates, entityName } from "../../onboarding/records/related-entity.js";
import { relatedInput } from "../../onboarding/records/related-input.js";
import { lookAfter, type Told, toldOutcome } from "../../onboarding/twins/look.js";
import { soughtRelated } from "../../onboarding/twins/twin.js";
import type { Style } from "../../ports/style.js";
import { defineCommand } from "../../shell/command.js";

/** Maximum number of the company's entities that are compared with the new ones. */
const maxCompared = 5000;

const onlyOfPersons = ["firstName", "lastName", "emailAddress", "phone", "isDirector", "isUbo"];

export default defineCommand({
	path: "related add",
	summary: "Declare an owner, a director or another related entity",
	details:
		"Every UBO and every director has to be declared. A file may hold one entity, or a list of several that are declared in its order; the first failure stops it and shows what was created. An entity that seems to be declared already is refused; one that another run declares at the same time is shown afterwards, with both ids (exit 7).",
	examples: [
		{
			run: "related add crm-5002 --first-name Grace --last-name Sample --email-address grace@example.com --is-director",
			note: "A director",
		},
		{
			run: 'related add crm-5002 --type COMPANY --corporate-name "Example Holding BV" --direct-shares-percentage 60',
			note: "A company that holds shares",
		},
		{ run: "related add crm-5002 -f people.yaml", note: "Everyone in a file" },
	],
	effect: "write",
	document: true,
	operations: [listRelated.id, createRelated.id, getCorporate.id],
	input: relatedInput,
	choices: {
		type: async () => [
			{ value: "PHYSICAL", label: "Person" },
			{ value: "COMPANY", label: "Company" },
		],
	},
	asks: (path, { type, entities }) => {
		if (path === "corporateId") return undefined;
		if (entities !== undefined) return "never";
		if (path === "type") return "always";
		if (type === "COMPANY") return onlyOfPersons.includes(path) ? "never" : undefined;
		return type === "PHYSICAL" && path === "corporateName" ? "never" : undefined;
	},
	about: async (context, input) => {
		const { corporateId, entities } = input;
		const company = await companyNamed(serviceOf(context), corporateId);
		if (!Array.isArray(entities))
			return {
				title: `Declare ${entityName(input)} for ${company}`,
				rows: [["Company", corporateId], ...sentRows(ownFields(createRelated.body, input))],
			};
		const bodies: Received[] = entities;
		return {
			title: `Declare ${bodies.length} related entities for ${company}`,
			rows: [["Company", corporateId], ...bodies.map((body, at) => [`${at + 1}`, namedWith(body, at)] as const)],
		};
	},
	run: declare,
	text: (declared, style) => (isList(declared) ? listText(declared, style) : oneText(declared, style)),
	next: (declared, { corporateId }) => {
		const id = typed(corporateId, "CORPORATE");
		return isList(declared) && declarationOutcome(declared)
			? [purser`related list ${id}`]
			: [purser`related list ${id}`, purser`corporate review ${id}`];
	},
	outcomes: ["partial"],
	outcome: (declared) => toldOutcome(declared) ?? (isList(declared) ? declarationOutcome(declared) : undefined),
});

type Answered = (Declaration & Told) | Received;

function namedWith(body: Received, place: number): string {
	return [entityName(body, place), rolesOf(body), viewRelated(body).email].filter(Boolean).join(" · ");
}

async function declare(context: Context, input: z.output<typeof relatedInput>): Promise<Answered> {
	const { corporateId, entities, allowDuplicate } = input;
	const one = ownFields(createRelated.body, input);
	if (entities !== undefined) refuseBeside(one, entities);
	const bodies: Received[] = entities ?? [one];
	// A dry run ends here: it shows every request and looks nothing up.
	const requests = (entities ?? [input]).map((body) => ({ params: { corporateId }, body }));
	if ((await context.settings()).dryRun) await callEach(context, createRelated, requests);
	const known = allowDuplicate ? undefined : await refuseDuplicates(context, corporateId, bodies, entities !== undefined);
	const create = (body: Received) => call(context, createRelated, { params: { corporateId }, body });
	/** @param ids of the created ones, in the order of the bodies */
	const look = async (ids: readonly (string | undefined)[]): Promise<Told> => {
		if (known === undefined) return {};
		for (const id of ids) if (id !== undefined) known.add(id);
		const sought = ids.flatMap((id, at) => {
			const { externalId, email } = viewRelated(bodies[at] as Received);
			return id === undefined ? [] : [soughtRelated(id, { externalId, name: entityName(bodies[at] as Received), email }, known)];
		});
		return lookAfter(context, serviceOf(context), sought, corporateId);
	};
	if (entities !== undefined) {
		const declared = await declareEach(corporateId, bodies, async (body) => (await create(body)).id);
		return { ...declared, ...(await look(declared.entities.map(({ id }) => id))) };
	}
	const { data, id } = await create(input);
	return { corporateId, name: entityName(one), ...data, ...(await look([id])) };
}

/**
 * Refuses fields beside a list, such as those of --set: they belong to one entity.
 * @throws PurserError validation
 */
function refuseBeside(one: Record<string, unknown>, entities: unknown): void {
	const names = Object.keys(one).filter((name) => one[name] !== undefined);
	if (names.length === 0 && Array.isArray(entities)) return;
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: "Fields were given together with a list of entities; nothing was sent",
		fix: "Give them inside the list, in the file.",
		details: (names.length > 0 ? names : ["entities"]).map((field) => ({ field, message: "cannot be set for a whole list" })),
	});
}

/**
 * @returns ids of those who are listed; undefined where nobody can be
 * @throws PurserError guard, naming every entity that seems to be declared already
 */
async function refuseDuplicates(
	context: Context,
	corporateId: string,
	bodies: readonly Received[],
	several: boolean,
): Promise<Set<string> | undefined> {
	const listed = await ifReadable(context, "entities declared already were not looked for", () =>
		listRelatedOf(serviceOf(context), corporateId, maxCompared),
	);
	if (listed && !listed.complete)
		context.reporter.warn("Entities declared already were looked for only in the part of the list that was given");
	const details = duplicates(bodies, listed?.records ?? [], several);
	if (details.length === 0) return listed && new Set(listed.records.flatMap((record) => viewRelated(record).id ?? []));
	throw new PurserError("guard", {
		code: "ALREADY_DECLARED",
		message: several
			? `${details.length} of ${bodies.length} entities seem to be declared already. Nothing was sent`
			: "This related entity seems to be declared already. Nothing was sent",
		// With a list, --allow-duplicate would declare everybody a second time who was declared before a failure.
		fix: advice`Look with \`${purser`related list ${corporateId}`}\`. ${several ? "Take those who are declared out of the file and run this again for the others; w" : "W"}hoever is another one all the same is declared with --allow-duplicate${several ? ", from a file of their own" : ""}.`,
		details,
	});
}

const isList = (declared: Answered): declared is Declaration => Array.isArray(declared.entities);

function oneText(declared: Received, style: Style): string {
	const rows = style.pairs([
		["Name", textAt(declared, "name")],
		["Id", textAt(declared, "id", "corporateRelatedId")],
	]);
	return `${style.good("Related entity declared")}\n${rows}`;
}

function listText({ entities }: Declaration, style: Style): string {
	const count = entities.filter((entity) => entity.state === "created").length;
	const failed = entities.find((entity) => entity.error);
	const paint = { created: style.good, refused: style.bad, "in doubt": style.bad, "not sent": style.warn };
	const table = style.table(
		["", "name", "state", "id"],
		entities.map(({ position, name, state, id }) => [String(position), name, paint[state](state), id ?? ""]),
	);
	if (failed?.error === undefined) return `${style.good(`${count} related entities declared`)}\n${table}`;
	const { message, why, fix, apiCode, details = [] } = failed.error;
	return [
		style.bad(`${count} of ${entities.length} related entities declared; it stopped at ${failed.name}`),
		table,
		"",
		style.pairs([
			["Failed", message],
			...details.map((fault): [string, string] => ["", `${fault.field} ${fault.message}`]),
			["Why", why],
			["Code", apiCode],
			["Next", fix],
		]),
		"",
		"Before you give the same file again, remove the entities that were created: a second one is refused.",
	].join("\n");
}
