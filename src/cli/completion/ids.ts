/**
 * Ids that Tab offers, from the completion cache. Nothing is requested here: where the lists are old, a process in the background
 * refreshes them for the next Tab.
 */
import { nameKey } from "../../api/names.js";
import { sanitizeLine } from "../../api/text/sanitize.js";
import type { Flags, Outside } from "../../context.js";
import type { Profile } from "../../ports/profiles.js";
import type { IdKind } from "../contract.js";
import { isSet } from "../input/options.js";

const flags: Flags = { dryRun: false, yes: false, live: false, debug: false, interactive: false };

/** Ids that need no quotes: bash inserts what it is offered, `$(…)` and `;` too, and a leading "-" would be a flag. */
const harmless = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Kinds whose cached names are the records' own, by which they can be named. */
const namedKinds: readonly IdKind[] = ["corporate", "ledger"];

/**
 * Ids with their names: those that begin with what is typed, or whose name contains it. Who begins to type a name is offered the name,
 * where it is one word and of one record.
 * @param given flags of the line by name, among which `--profile` and `--base-url` are looked for
 * @throws PurserError where the profile cannot be resolved
 */
export async function idsOffered(
	kind: IdKind,
	typed: string,
	given: ReadonlyMap<string, string>,
	outside: Outside,
): Promise<{ value: string; description: string }[]> {
	const wanted = typed.toLowerCase();
	const known = kind === "profile" ? await profiles(outside) : await records(kind, given, outside);
	return known
		.filter(
			([id, name]) => harmless.test(id) && (id.toLowerCase().startsWith(wanted) || (wanted !== "" && name.toLowerCase().includes(wanted))),
		)
		.map(([id, name]) => {
			const named = namedKinds.includes(kind) && wanted !== "" && name.toLowerCase().startsWith(wanted) && harmless.test(name);
			const single = named && known.filter(([, other]) => nameKey(other) === nameKey(name)).length === 1;
			return single ? { value: name, description: id } : { value: id, description: sanitizeLine(name) };
		});
}

async function profiles(outside: Outside): Promise<[string, string][]> {
	return (await (await outside.config.profiles()).list()).map(({ name, baseUrl }) => [name, baseUrl]);
}

async function records(
	kind: Exclude<IdKind, "profile">,
	given: ReadonlyMap<string, string>,
	outside: Outside,
): Promise<[string, string][]> {
	const [profile, baseUrl] = [given.get("--profile"), given.get("--base-url")];
	const { settings } = await outside.settings.resolve({ ...flags, profile, baseUrl });
	// Batches are this machine's own: the service cannot list them.
	if (kind !== "batch") await refresh(settings.profile, { profile, baseUrl }, outside);
	return (await outside.names.seen.read(settings.profile, kind)).map(({ id, name = "" }) => [id, name]);
}

/**
 * Starts `config refresh` in the background for the next Tab. Not where a credential helper might ask the user something, where it is
 * switched off, and in CI; nor with a token from a variable, which a process that nobody watches is not given.
 */
async function refresh(profile: Profile, given: { profile?: string; baseUrl?: string }, outside: Outside): Promise<void> {
	const { settings } = profile;
	const { CI, PURSER_TOKEN, PURSER_TOKEN_FILE } = outside.system.env;
	if (isSet(CI) || settings["completion-refresh"] === "off" || settings["credential-helper"] !== undefined) return;
	if (PURSER_TOKEN || PURSER_TOKEN_FILE) return;
	if (!(await outside.names.seen.due(profile))) return;
	const named = [
		...(given.profile === undefined ? [] : ["--profile", given.profile]),
		...(given.baseUrl === undefined ? [] : ["--base-url", given.baseUrl]),
	];
	await outside.system.processes.background(["config", "refresh", "--quiet", "--no-input", "--timeout", "5", ...named]);
}
