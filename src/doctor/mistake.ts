/**
 * What is wrong where nothing of a service could be told: the address, the login, what stands between. Pure.
 */

import { advice, purser } from "../api/advice.js";
import { isUrl } from "../api/text/url.js";
import { pageMistake, plainHttpMistake } from "../client/address-mistake.js";
import type { Look } from "../client/look/look.js";
import { unreachableFix } from "../client/unreachable.js";
import type { Advice } from "../errors.js";
import type { Profile } from "../ports/profiles.js";

export interface Mistake {
	found: string;
	mend: Advice;
}

/** The mistake that all answers have in common. */
export function mistakeOf(profile: Profile, looks: readonly Look[]): Mistake | undefined {
	const [first] = looks;
	if (first === undefined) return undefined;
	const service = shownAddress(profile.baseUrl);
	const { origin } = new URL(service);
	const unsent = looks.map(({ outcome }) => outcome).find((outcome) => outcome.kind === "not-sent");
	if (unsent !== undefined)
		return { found: `Could not connect to ${service}: ${unsent.reason}`, mend: unreachableFix(profile, codeOf(unsent.cause)) };
	if (looks.every(({ outcome }) => outcome.kind === "answer" && outcome.status === 401))
		return {
			found: "The login is not accepted: every path answers 401",
			mend: advice`Log in again: ${purser`auth login --profile ${profile.name}`}`,
		};
	if (first.outcome.kind === "sent" && looks.every(({ outcome }) => outcome.kind === "sent")) {
		const mistake = plainHttpMistake(origin, first.outcome);
		const mend = mistake?.fix ?? "Run this again later; --timeout gives each request longer, up to 10 seconds.";
		return { found: `No usable answer from ${service}: ${mistake?.reason ?? first.outcome.reason}`, mend };
	}
	const page = looks.every(({ content }) => pageMistake(origin, content) !== undefined) ? pageMistake(origin, first.content) : undefined;
	return page && { found: page.why, mend: page.fix };
}

const codeOf = (cause: unknown): string => String((cause as { code?: unknown } | undefined)?.code ?? "");

/** Without a user name and a password, which a profile refuses but a variable may have. */
export function shownAddress(address: string): string {
	if (!isUrl(address)) return address;
	const url = new URL(address);
	return url.username === "" && url.password === "" ? address : Object.assign(url, { username: "", password: "" }).href;
}
