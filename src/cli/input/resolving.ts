import { advice, purser } from "../../api/advice.js";
import { shortened } from "../../api/suggest.js";
import { isIdOf, plainId } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import type { Candidate, Findings, Named, RecordKind } from "../../ports/resolver.js";
import type { AnyCommand } from "../command.js";
import { nameOf } from "./flags.js";
import { listCommandOf, type NamedRecord } from "./id-kinds.js";

interface Resolving {
	command: AnyCommand;
	context: Context;
	interactive: boolean;
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
	const { command, context, interactive } = resolving;
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
		Object.assign(known, written(known, path, id));
		// Alone, so that it names nothing else; a person within a company that was named apart is not named without it.
		const isCertain = findings.whole && findings.candidates.length === 1 && by.some((way) => way !== "prefix");
		const typed = isCertain && (kind !== "related" || text.includes("/")) ? text : undefined;
		context.names.known.set(plainId(id), { typed, name, company: found.company });
		const flag = path.filter((part) => !/^\d+$/.test(part)).join(".");
		resolved.push({ argument: nameOf(command, flag) ?? flag, given: text, kind, id, name });
	}
	return resolved;
}

/** A copy of what has the id in it: the input may be read again. */
function written(into: unknown, [key, ...rest]: readonly string[], id: string): unknown {
	if (key === undefined) return id;
	if (Array.isArray(into)) return into.with(Number(key), written(into[Number(key)], rest, id));
	return { ...(into as object), [key]: written((into as Record<string, unknown>)[key], rest, id) };
}

/** In a script, money takes a whole name or externalId; at a terminal the preview shows whom, and asks. */
async function decide(one: NamedRecord, findings: Findings, resolving: Resolving): Promise<Candidate> {
	const { candidates, whole } = findings;
	const { command, context, interactive } = resolving;
	const [only, ...more] = candidates;
	if (only === undefined) throw notFound(one, findings);
	if (more.length > 0) return chooseAmong(candidates, one, resolving);
	const isExact = only.by.some((way) => way === "name" || way === "externalId");
	const isShown = interactive && !context.settings.flags.yes;
	if (whole && (isExact || isShown || (command.effect !== "money" && !one.exact))) return only;
	const [noun, plural] = nouns[one.kind];
	const uncertain = `the service did not list all ${plural}, so another one may fit ${quotedText(one)} too`;
	if (!whole && command.effect === "read") {
		context.report.warn(uncertain);
		return only;
	}
	const why = whole ? `${quotedText(one)} is only part of what it is known by` : uncertain;
	throw refused(`Say which ${noun}: ${why}; nothing was sent`, one, [only], [`If this ${noun} is meant, give its id: ${only.id}`]);
}

async function chooseAmong(candidates: readonly Candidate[], one: NamedRecord, { context, interactive }: Resolving): Promise<Candidate> {
	if (!interactive) throw ambiguous(one, candidates);
	const choices = candidates.map(({ id, label }) => ({ value: id, label, hint: id }));
	const message = `Which ${nouns[one.kind][0]} is ${quotedText(one)}?`;
	const chosen = await (await context.ask.prompts()).choose({ message, choices, records: true });
	return candidates.find(({ id }) => id === chosen) as Candidate;
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
