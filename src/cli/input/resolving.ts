import { advice, purser } from "../../api/advice.js";
import { shortened } from "../../api/suggest.js";
import { isIdOf, plainId } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import type { Candidate, Findings, Named, RecordKind } from "../../ports/resolver.js";
import type { AnyCommand } from "../command.js";
import { setValue } from "./flags.js";
import { listCommandOf, type NamedRecord } from "./id-kinds.js";

interface Resolving {
	command: AnyCommand;
	context: Context;
	interactive: boolean;
	/** How a person types a field: by its flag, or by the argument's name. */
	nameOf(path: string): string;
}

const nouns: Readonly<Record<RecordKind, readonly [one: string, several: string]>> = {
	corporate: ["company", "companies"],
	related: ["related entity", "related entities"],
	ledger: ["ledger", "ledgers"],
	beneficiary: ["beneficiary", "beneficiaries"],
	transaction: ["transaction", "transactions"],
	batch: ["batch", "batches"],
};

const maxListed = 20;

/**
 * Writes the ids into `known`.
 * @returns which records they are, in the order of the input
 * @throws PurserError usage, where several records fit and nobody can be asked; validation, where none does, or none that is certain enough
 */
export async function resolveNames(named: readonly NamedRecord[], known: Record<string, unknown>, resolving: Resolving): Promise<Named[]> {
	const { context, interactive, nameOf } = resolving;
	const [resolver, ids] = [await context.names.resolver(), await context.settings.ids()];
	const resolved: Named[] = [];
	for (const one of named) {
		const { path, kind, text } = one;
		const { corporateId: company, ledgerFromId: ledger } = known;
		const within = {
			corporateId: kind === "related" && isIdOf("corporate", company, ids) ? company : undefined,
			ledgerId: isIdOf("ledger", ledger, ids) ? ledger : undefined,
		};
		const find = () => resolver.find(kind, text, within);
		// A script reads the result alone.
		const findings = interactive ? await context.report.during(`Looking for ${JSON.stringify(shortened(text))}`, find) : await find();
		const { id, name, by, ...found } = await decide(one, findings, resolving);
		write(known, path, id);
		// Alone, so that it names nothing else; a person within a company that was named apart is not named without it.
		const isCertain = findings.whole && findings.candidates.length === 1 && by.some((way) => way !== "prefix");
		const typed = isCertain && (kind !== "related" || text.includes("/")) ? text : undefined;
		context.names.known.set(plainId(id), { typed, name, company: found.company });
		const flag = path.filter((part) => !/^\d+$/.test(part)).join(".");
		resolved.push({ argument: nameOf(flag), given: text, kind, id, name });
	}
	return resolved;
}

function write(into: Record<string, unknown>, path: readonly string[], id: string): void {
	const at = path.findIndex((part) => /^\d+$/.test(part));
	if (at < 0) {
		setValue(into, path, id);
		return;
	}
	// A list that was given stays as it was: the input may be read again.
	const list = path.slice(0, at).reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], into) as unknown[];
	const rest = path.slice(at + 1);
	const index = Number(path[at]);
	const part = rest.length === 0 ? id : { ...(list[index] as Record<string, unknown>) };
	if (rest.length > 0) write(part as Record<string, unknown>, rest, id);
	setValue(into, path.slice(0, at), list.with(index, part));
}

async function decide(one: NamedRecord, findings: Findings, resolving: Resolving): Promise<Candidate> {
	const { candidates, whole } = findings;
	const { command, context, interactive } = resolving;
	const [only, ...more] = candidates;
	if (only === undefined) throw notFound(one, findings);
	if (more.length > 0) return chooseAmong(candidates, one, resolving);
	// At a terminal the preview shows whom, and asks.
	if ((command.effect === "money" || one.exact) && (!interactive || context.settings.flags.yes)) return exactly(only, one, whole);
	return whole ? only : confirmUncertain(only, one, resolving);
}

async function chooseAmong(candidates: readonly Candidate[], one: NamedRecord, { context, interactive }: Resolving): Promise<Candidate> {
	if (!interactive) throw ambiguous(one, candidates);
	const choices = candidates.map(({ id, label }) => ({ value: id, label, hint: id }));
	const prompts = await context.ask.prompts();
	const chosen = await prompts.choose({
		message: `Which ${nouns[one.kind][0]} is ${quotedText(one)}?`,
		choices,
		records: true,
	});
	return candidates.find(({ id }) => id === chosen) as Candidate;
}

/** @throws PurserError validation, unless the text is the whole name or externalId and no other record can have it */
function exactly(only: Candidate, one: NamedRecord, whole: boolean): Candidate {
	const [noun, plural] = nouns[one.kind];
	if (whole && only.by.some((way) => way === "name" || way === "externalId")) return only;
	const because = whole
		? `${quotedText(one)} is only part of what it is known by`
		: `the service did not list all ${plural}, so another one may fit too`;
	throw refused(
		`Say which ${noun}: ${because}; nothing was sent`,
		one,
		[only],
		[
			"In a script a payment takes an id, or an exact name or externalId where the service lists everything. ",
			`If this ${noun} is meant, give its id: ${only.id}`,
		],
	);
}

/** One record fits in a list that the service did not give whole. */
async function confirmUncertain(only: Candidate, one: NamedRecord, { command, context, interactive }: Resolving): Promise<Candidate> {
	const [noun, plural] = nouns[one.kind];
	const uncertain = `The service did not list all ${plural}; ${quotedText(one)} may fit another one too`;
	if (command.effect === "read") {
		context.report.warn(uncertain);
		return only;
	}
	const fix = `If this ${noun} is meant, give its id: ${only.id}`;
	if (!interactive) throw refused(`${uncertain}. Nothing was sent`, one, [only], [fix]);
	const prompts = await context.ask.prompts();
	if (await prompts.confirm({ message: `Not all ${plural} were listed. Is it ${only.label} (${only.id})?`, fallback: false })) return only;
	throw new PurserError("guard", { code: "DECLINED_BY_OPERATOR", message: "Cancelled", fix });
}

const quotedText = ({ text }: NamedRecord): string => JSON.stringify(shortened(text));

function ambiguous(one: NamedRecord, candidates: readonly Candidate[]): PurserError {
	const more = candidates.length > maxListed ? ` The first ${maxListed} are shown.` : "";
	const count = ["two", "three", "four", "five", "six", "seven", "eight", "nine"][candidates.length - 2] ?? candidates.length;
	// A ledger is also known by its name with its company.
	const [called] = candidates[0]?.label.split(" · ") ?? [];
	const whose = one.kind === "ledger" && called !== candidates[0]?.name ? `Say whose, like ${JSON.stringify(called)}, or g` : "G";
	const areNames = candidates.every(({ by }) => by.every((way) => way === "name"));
	return new PurserError("usage", {
		code: "AMBIGUOUS",
		message: `Say which ${nouns[one.kind][0]}: ${count} ${areNames ? "are called" : "fit"} ${quotedText(one)}; nothing was sent`,
		fix: `${whose}ive the id of the right one.${more}`,
		details: detailsOf(one.path.join("."), candidates.slice(0, maxListed)),
	});
}

function notFound(one: NamedRecord, { unlisted, needsCompany, similar, whole }: Findings): PurserError {
	const [noun, plural] = nouns[one.kind];
	const list = listCommandOf(one.kind);
	if (needsCompany)
		return refused(`${quotedText(one)} names no company; nothing was sent`, one, "is not an id; a person is named as COMPANY/PERSON", [
			'Name the company too, like "Example Florist/Ada Example"; each part may be an id, a name or an externalId.',
		]);
	if (unlisted !== undefined)
		return refused(
			`This service does not list ${nouns[unlisted.kind][1]} (${unlisted.by}), so only ids can be given; nothing was sent`,
			one,
			one.should(),
			[advice`Give the id. If the list is at another address here, say so in the mapping: ${purser`help mapping`}`],
		);
	return refused(
		`No ${noun} fits ${quotedText(one)}${whole ? "" : ", as far as the service listed them"}; nothing was sent`,
		one,
		one.kind === "transaction" ? "is not the id of any transaction" : `is not the id, externalId or name of any ${noun}`,
		[
			...(similar.length > 0 ? [`Similar: ${similar.join(", ")}. `] : []),
			advice`The ${plural} are shown by: ${list}`,
			...(one.kind === "transaction" ? [advice`; those of an amount by: ${purser`pay list --amount AMOUNT`}`] : []),
		],
	);
}

function refused(message: string, { path }: NamedRecord, detail: string | readonly Candidate[], fix: readonly Advice[]): PurserError {
	const field = path.join(".");
	const details = typeof detail === "string" ? [{ field, message: detail }] : detailsOf(field, detail);
	return new PurserError("validation", { code: "INVALID_INPUT", message, fix, details });
}

const detailsOf = (field: string, candidates: readonly Candidate[]) =>
	candidates.map(({ id, label }) => ({ field, message: `may be ${id} · ${label}` }));
