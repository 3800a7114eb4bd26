/**
 * One visit: the configuration, the login, the journal, and the service.
 */
import { isUrl } from "../api/text/url.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Profile } from "../ports/profiles.js";
import { type Check, checked, warning } from "./check.js";
import { checkConfiguration, checkLogin, checkMapping } from "./configuration.js";
import { checkJournal } from "./journal.js";
import { checkService } from "./service.js";

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
	const profile = await profileInUse(context);
	const known = profile instanceof PurserError ? undefined : profile;
	const checks =
		known === undefined ? [await checked("configuration", () => checkConfiguration(context, profile))] : await checksOf(context, known);
	return {
		state: (["fault", "warning"] as const).find((state) => checks.some((one) => one.state === state)) ?? "ok",
		purser: context.system.version,
		node: context.system.node,
		platform: context.system.platform,
		profile: known === undefined ? null : { name: known.name, environment: known.environment, baseUrl: shownAddress(known.baseUrl) },
		checks,
	};
}

async function checksOf(context: Context, profile: Profile): Promise<Check[]> {
	const first = [
		await checked("configuration", () => checkConfiguration(context, profile)),
		await checked("mapping", () => checkMapping(profile)),
		await checked("login", () => checkLogin(context, profile)),
	];
	const isUsable = first.every(({ state }) => state !== "fault");
	const journal = await checked("journal", () => checkJournal(context, profile));
	return [...first, journal, ...(isUsable ? await checkService(context, profile) : [notAsked])];
}

/** No credential leaves for an address that somebody else may have written, and nothing by a mapping that cannot be applied. */
const notAsked = warning("service", "Not asked, because of the fault above", "Mend it first, then run this again.");

async function profileInUse(context: Context): Promise<Profile | PurserError> {
	try {
		return (await context.settings.read()).profile;
	} catch (error) {
		if (error instanceof PurserError && error.kind !== "interrupted") return error;
		throw error;
	}
}

/** Without a user name and a password, which a profile refuses but a variable may have. */
function shownAddress(address: string): string {
	if (!isUrl(address)) return address;
	const url = new URL(address);
	return url.username === "" && url.password === "" ? address : Object.assign(url, { username: "", password: "" }).href;
}
