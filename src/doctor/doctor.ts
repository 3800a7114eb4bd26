/**
 * One visit: the configuration, the login, the journal, and the service.
 */

import { advice, purser } from "../api/advice.js";
import { textAt } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { catalog } from "../api/operations/catalog.js";
import { getTerms } from "../api/operations/terms.js";
import { withoutUser } from "../config/settings.js";
import { keepingText } from "../config/team.js";
import type { Context } from "../context.js";
import { type Advice, isNotOffered, PurserError } from "../errors.js";
import { expiryOf } from "../http/auth.js";
import { call } from "../http/call.js";
import { onePage } from "../http/pages.js";
import type { Profile } from "../ports/profiles.js";

/** One thing that was checked on this machine, or at the service. */
export interface Check {
	check: string;
	state: "ok" | "warning" | "fault";
	/** What was found, in a sentence. */
	found: string;
	/** How to mend it, with the command to type. */
	mend?: Advice;
}

export const ok = (check: string, found: string): Check => ({ check, state: "ok", found });
export const warning = (check: string, found: string, mend: Advice): Check => ({ check, state: "warning", found, mend: onOneLine(mend) });
export const fault = (check: string, found: string, mend: Advice): Check => ({ check, state: "fault", found, mend: onOneLine(mend) });

/** Within an answer's data, a line break would be shown as a control character. */
function onOneLine(advice: Advice): Advice {
	if (typeof advice === "string") return advice.replaceAll("\n", ". ");
	return "words" in advice ? advice : advice.map(onOneLine);
}

/** The check's result; what it throws is a fault of what it looked at. @throws PurserError interrupted; what is a bug */
export async function checked(check: string, run: () => Promise<Check>): Promise<Check> {
	try {
		return await run();
	} catch (error) {
		if (error instanceof PurserError && error.kind !== "interrupted") return faultOf(check, error);
		const code = (error as { code?: unknown }).code;
		if (error instanceof PurserError || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) throw error;
		return fault(check, `It could not be checked: ${(error as Error).message}`, "Give yourself access to it, then run this again.");
	}
}

/** What an error says, as a check. */
export const faultOf = (check: string, { failure }: PurserError): Check =>
	fault(
		check,
		failure.why === undefined || typeof failure.why !== "string" ? failure.message : `${failure.message}: ${failure.why}`,
		failure.fix,
	);

/** @param profile the profile in use, or the error by which there is none */
export async function checkConfiguration(context: Context, profile: Profile | PurserError): Promise<Check> {
	const check = "configuration";
	const profiles = await context.config.profiles();
	const count = (await profiles.list()).length;
	const distrust = await profiles.distrust();
	if (distrust !== undefined)
		return fault(
			check,
			`${distrust.why}: whoever can write it decides who is paid and how much`,
			`Check what is in it, then: ${distrust.fix}`,
		);
	if (profile instanceof PurserError)
		return profile.failure.code === "NO_PROFILE" ? warning(check, profile.failure.message, profile.failure.fix) : faultOf(check, profile);
	return ok(check, `${profiles.file}: ${count} ${count === 1 ? "profile" : "profiles"}; only you can change it`);
}

/** Whether there is a login that can still work. The service is not asked. */
export async function checkLogin(context: Context, profile: Profile): Promise<Check> {
	const check = "login";
	if (profile.auth.kind === "none") return ok(check, "None needed: the profile is used without one");
	const login = advice`Log in: ${purser`auth login --profile ${profile.name}`}`;
	const found = await (await context.config.credentials()).get(profile);
	if (found === undefined) return fault(check, `Nobody is logged in to the profile ${profile.name}`, login);
	const { credential, from } = found;
	const expiry = credential.kind === "tokens" ? expiryOf(credential.token) : undefined;
	const isExpired = expiry !== undefined && expiry <= context.clock.now().getTime();
	const renewable = credential.kind === "tokens" && credential.refreshToken !== undefined;
	if (isExpired && !renewable) return fault(check, `The login (${from}) has expired and cannot be renewed`, login);
	return ok(check, isExpired ? `Logged in (${from}); the token has expired and is renewed with the next request` : `Logged in (${from})`);
}

/** A journal that is not there yet is not made. */
export async function checkJournal(context: Context, profile: Profile): Promise<Check> {
	const check = "journal";
	if (!(await context.journal.exists(profile))) return ok(check, "None yet: it is made with the first change");
	const journal = await context.journal.of(profile);
	const verified = await context.report.during("Checking the journal", () => journal.verify());
	const { anchor, faults, restored, events, intents } = verified;
	const wrong =
		restored !== undefined
			? "is a restored backup"
			: anchor?.holds === false
				? "is not known to be the journal that paid last"
				: faults[0] && `is not as purser left it: ${faults[0]}`;
	if (wrong !== undefined)
		return fault(check, `${journal.file} ${wrong}`, advice`Send no payment before this is clear: ${purser`history verify`}`);
	const counts = `${events} ${events === 1 ? "event" : "events"}, ${intents} ${intents === 1 ? "change" : "changes"}`;
	const last = anchor === undefined ? "" : `; the one that paid last (event ${anchor.seq} of ${anchor.at})`;
	return ok(check, `${journal.file}: ${counts}, not altered${last}`);
}

/** How the database of the profile's team keeps what it has confirmed. */
async function checkTeam(context: Context, profile: Profile): Promise<Check> {
	const { keeping } = await (await context.journal.team()).status(profile);
	const found = keepingText(keeping);
	if (keeping.standbys.length > 0 && keeping.fsync === "on") return ok("team", found);
	return warning(
		"team",
		found,
		"Ask the administrator of the database for a standby that confirms each commit, and for backups of its log.",
	);
}

const isList = ({ query }: AnyOperation): boolean => "pageSize" in query.shape;

/** Every operation that reads, each list before what is asked for by an id from it; `of`: the list whose first record is asked for. */
export const reads = catalog
	.filter(({ method }) => method === "GET")
	.map((operation: AnyOperation) => {
		const [name] = Object.keys(operation.params.shape);
		const of = name && catalog.find((one: AnyOperation) => isList(one) && one.record?.ids.includes(name));
		return { operation, of: of || undefined, place: name === undefined ? 0 : isList(operation) ? 1 : 2 };
	})
	.sort((one, other) => one.place - other.place);

/** Failures that every further request would meet too. */
const common: readonly string[] = ["NOT_SENT", "NO_ANSWER", "NOT_AUTHENTICATED", "TOO_MANY_REQUESTS"];

/** One check for each read in use; after a failure that all have in common the rest is not asked. @throws PurserError interrupted */
export async function checkService(context: Context, profile: Profile): Promise<Check[]> {
	const checks: Check[] = [];
	/** The id of each list's first record. */
	const ids = new Map<AnyOperation, string>();
	for (const { operation, of } of reads) {
		const { id, title } = operation;
		const entry = profile.mapping?.operations[id];
		if (entry === "none") continue;
		const named = of && ids.get(of);
		const { method = "GET" } = entry ?? {};
		const isNameless = of !== undefined && named === undefined;
		if (isNameless || method !== "GET") {
			checks.push(ok(id, `Not asked: ${isNameless ? `${of.id} names no record` : `this service reads it by ${method}`}`));
			continue;
		}
		try {
			const found = await context.report.during(title, () => asked(context, operation, named));
			if (found.id !== undefined) ids.set(operation, found.id);
			checks.push(ok(id, found.text));
		} catch (error) {
			if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
			const isCommon = common.includes(error.failure.code);
			const failed = faultOf(id, error);
			if (isCommon) checks.push({ ...failed, found: `${failed.found}. The other reads were not asked` });
			else checks.push(isNotOffered(error) ? { ...failed, state: "warning" } : failed);
			if (isCommon) break;
		}
	}
	return checks;
}

/** @param id of the record to ask for, where the path names one */
async function asked(context: Context, operation: AnyOperation, id: string | undefined): Promise<{ text: string; id?: string }> {
	const params = Object.fromEntries(Object.keys(operation.params.shape).map((name) => [name, id]));
	if (isList(operation)) {
		const { found } = await onePage(context, operation, { params, query: {} }, { page: 0, pageSize: 1 });
		const [first] = found;
		return { text: first === undefined ? "Answers; the list is empty" : "Answers", id: textAt(first, "id", "corporateRelatedId") };
	}
	const query = operation === getTerms ? { type: "CORPORATE", language: "EN" } : {};
	await call(context, operation, { params, query } as Input);
	return { text: "Answers" };
}

export interface Visit {
	/** The worst of the checks. */
	state: Check["state"];
	purser: string;
	node: string;
	platform: string;
	/** Null where none is in use. */
	profile: { name: string; environment: Profile["environment"]; baseUrl: string } | null;
	checks: Check[];
}

/** Makes every check. @throws PurserError interrupted */
export async function visit(context: Context): Promise<Visit> {
	const profile = await context.settings.read().then(
		(settings) => settings.profile,
		(error: unknown) => {
			if (error instanceof PurserError && error.kind !== "interrupted") return error;
			throw error;
		},
	);
	const known = profile instanceof PurserError ? undefined : profile;
	const checks =
		known === undefined ? [await checked("configuration", () => checkConfiguration(context, profile))] : await checksOf(context, known);
	return {
		state: (["fault", "warning"] as const).find((state) => checks.some((one) => one.state === state)) ?? "ok",
		purser: context.system.version,
		node: context.system.node,
		platform: context.system.platform,
		profile: known === undefined ? null : { name: known.name, environment: known.environment, baseUrl: withoutUser(known.baseUrl) },
		checks,
	};
}

async function checksOf(context: Context, profile: Profile): Promise<Check[]> {
	const first = [
		await checked("configuration", () => checkConfiguration(context, profile)),
		await checked("login", () => checkLogin(context, profile)),
	];
	const isUsable = first.every(({ state }) => state !== "fault");
	const journal = await checked("journal", () => checkJournal(context, profile));
	const team = profile.team === undefined ? [] : [await checked("team", () => checkTeam(context, profile))];
	return [...first, journal, ...team, ...(isUsable ? await checkService(context, profile) : [notAsked])];
}

/** No credential leaves for an address that somebody else may have written. */
const notAsked = warning("service", "Not asked, because of the fault above", "Mend it first, then run this again.");
