/**
 * `purser complete KIND …`: what Tab offers for an id, from what earlier answers showed. The network is not asked here:
 * where the lists are old, a process that nobody waits for reads them for the next time.
 */
import type { Flags, Outside } from "../../context.js";
import type { Profile } from "../../ports/profiles.js";
import { isSet } from "../input/options.js";
import { neutralLine } from "../output/sanitize.js";

const kinds = ["corporate", "related", "ledger", "beneficiary", "batch"] as const;

const flags: Flags = { dryRun: false, yes: false, live: false, debug: false, interactive: false };

/** What may stand in a command line as it is: bash puts there what it is offered, `$(…)` and `;` too, and a "-" would begin a flag. */
const harmless = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * A line for each record: its id, a tab, its name.
 * @param words the kind, what is typed of the value so far, and the words of the line, among which `--profile` is looked for
 * @returns an empty text where nothing is known or anything is wrong: a shell that completes cannot show an error
 */
export async function completedIds([kind, typed = "", ...line]: readonly string[], outside: Outside): Promise<string> {
	try {
		const rows = kind === "profile" ? await profiles(outside) : await records(kind, line, outside);
		const wanted = typed.toLowerCase();
		const found = rows.filter(
			([id, name]) => harmless.test(id) && (id.toLowerCase().startsWith(wanted) || (wanted !== "" && name.toLowerCase().includes(wanted))),
		);
		return found.map(([id, name]) => `${id}\t${neutralLine(name)}\n`).join("");
	} catch {
		return "";
	}
}

async function profiles(outside: Outside): Promise<[string, string][]> {
	return (await (await outside.profiles()).list()).map(({ name, baseUrl }) => [name, baseUrl]);
}

async function records(given: string | undefined, line: readonly string[], outside: Outside): Promise<[string, string][]> {
	const kind = kinds.find((one) => one === given);
	if (kind === undefined) return [];
	const [profile, baseUrl] = [wordAfter("--profile", line), wordAfter("--base-url", line)];
	const { settings } = await outside.resolve({ ...flags, profile, baseUrl });
	// Batches are this machine's own: the service cannot tell them.
	if (kind !== "batch") await refresh(settings.profile, { profile, baseUrl }, outside);
	return (await outside.completionCache.read(settings.profile, kind)).map(({ id, name = "" }) => [id, name]);
}

/**
 * Has the lists read again for the next Tab, by a process that nobody waits for. Not where it could disturb somebody (a
 * credential helper may ask), where it is switched off, and in CI.
 */
async function refresh(profile: Profile, given: { profile?: string; baseUrl?: string }, outside: Outside): Promise<void> {
	const { settings } = profile;
	if (isSet(outside.env.CI) || settings["completion-refresh"] === "off" || settings["credential-helper"] !== undefined) return;
	if (!(await outside.completionCache.due(profile))) return;
	const named = [
		...(given.profile === undefined ? [] : ["--profile", given.profile]),
		...(given.baseUrl === undefined ? [] : ["--base-url", given.baseUrl]),
	];
	await outside.processes.background(["config", "refresh", "--quiet", "--no-input", "--timeout", "5", ...named]);
}

function wordAfter(flag: string, line: readonly string[]): string | undefined {
	const joined = line.find((word) => word.startsWith(`${flag}=`));
	if (joined !== undefined) return joined.slice(flag.length + 1);
	const at = line.indexOf(flag);
	return at >= 0 ? line[at + 1] : undefined;
}
