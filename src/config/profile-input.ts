/**
 * A profile from what was typed, created or changed field by field, with every fault named. Pure.
 */

import * as z from "zod/mini";
import { advice, purser } from "../api/advice.js";
import { plain } from "../api/fields.js";
import { field } from "../api/schema.js";
import { baseUrlFault, isLoopback } from "../api/service-address.js";
import { isUrl } from "../api/text/url.js";
import { type Fault, PurserError } from "../errors.js";
import type { Auth, Profile } from "../ports/profiles.js";
import { headerName, profileNameFault } from "./profile-file.js";

/** The flags of every command that makes or changes a profile. */
export const profileFlags = () => ({
	environment: z.optional(
		field(z.enum(["sandbox", "live"]), {
			description: "sandbox or live; without it an address on this machine is a sandbox, any other is live",
		}),
	),
	auth: z.optional(
		field(z.enum(["login", "header", "none"]), {
			description: "How to log in: a login for a token (usual), a fixed header, or none",
		}),
	),
	authHeader: z.optional(plain("Name of the fixed header, for --auth header", { placeholder: "name", example: "X-Api-Key" })),
	username: z.optional(plain("Name of the user, for --auth login")),
	partnerName: z.optional(plain("Name of the partner, for --auth login")),
	set: z._default(
		field(z.array(plain("key=value", { placeholder: "key=value" })), { description: "A setting; see `purser config explain`" }),
		[],
	),
});

/** The fields of a profile as typed; undefined leaves a field unchanged. */
type ProfileText = { baseUrl?: string } & Partial<Omit<z.output<z.ZodMiniObject<ReturnType<typeof profileFlags>>>, "set">>;

/**
 * The resulting profile with all its faults; it may be used only where there are none. Unless the environment is given, a new profile is
 * `sandbox` at an address of this machine and `live`, the stricter of the two, elsewhere.
 */
export function changedProfile(name: string, before: Profile | undefined, text: ProfileText): { profile: Profile; faults: Fault[] } {
	const faults: Fault[] = [];
	const nameFault = profileNameFault(name);
	if (nameFault) faults.push({ field: "name", message: nameFault });
	const baseUrl = (text.baseUrl ?? before?.baseUrl ?? "").trim().replace(/\/+$/, "");
	const environment = text.environment ?? before?.environment ?? (isLoopback(baseUrl) ? "sandbox" : "live");
	const addressFault = baseUrlFault(baseUrl, environment);
	if (addressFault) faults.push({ field: "baseUrl", message: addressFault });
	const auth = authOf(before?.auth, text, faults);
	return {
		// What is not asked about here, such as the mapping and lists of values, stays.
		profile: { settings: {}, ...before, name, baseUrl, environment, auth },
		faults,
	};
}

/** @throws PurserError validation, naming every fault, where there is one */
export function requireValid(faults: readonly Fault[], command: string): void {
	if (faults.length === 0) return;
	throw new PurserError("validation", {
		code: "INVALID_PROFILE",
		message: "Invalid setting; the profile is unchanged",
		fix: advice`Correct it and run the command again; see \`${purser`${command.split(" ")} --help`}\`.`,
		details: [...faults],
	});
}

/** Warnings about what is allowed but risky. @param others all profiles, whether this one is among them or not */
export function risksOf({ name, baseUrl }: Profile, others: readonly Profile[]): string[] {
	const risks: string[] = [];
	if (baseUrl.startsWith("http:") && !isLoopback(baseUrl))
		risks.push("Plain http to another machine: anybody on the network path can read the credential and change what is sent");
	const { origin } = new URL(baseUrl);
	const twins = others.filter((one) => one.name !== name && isUrl(one.baseUrl) && new URL(one.baseUrl).origin === origin);
	if (twins.length > 0)
		risks.push(
			`${twins.length === 1 ? "Profile" : "Profiles"} ${twins.map((one) => one.name).join(", ")} ${twins.length === 1 ? "uses" : "use"} ${origin} too. Each profile has its own journal: what one has sent, or has in doubt, does not block the other, so pay from one of them only`,
		);
	return risks;
}

/** Another kind starts empty; within the same kind, fields that are not given stay unchanged. */
function authOf(before: Auth | undefined, text: ProfileText, faults: Fault[]): Auth {
	const kind = text.auth ?? before?.kind ?? "login";
	const same = before?.kind === kind ? before : undefined;
	const refuse = (field: string, given: string | undefined, kinds: readonly Auth["kind"][]): void => {
		if (given !== undefined && !kinds.includes(kind))
			faults.push({ field, message: `only works with --auth ${kinds.join(" or ")}, not ${kind}` });
	};
	refuse("authHeader", text.authHeader, ["header"]);
	refuse("username", text.username, ["login"]);
	refuse("partnerName", text.partnerName, ["login"]);
	if (kind === "header") return { kind, header: headerOf(text.authHeader ?? (same?.kind === "header" ? same.header : undefined), faults) };
	if (kind === "none") return { kind };
	const known = same?.kind === "login" ? same : undefined;
	return { kind, username: text.username ?? known?.username, partnerName: text.partnerName ?? known?.partnerName };
}

function headerOf(header: string | undefined, faults: Fault[]): string {
	if (header === undefined) faults.push({ field: "authHeader", message: "is required for --auth header, like X-Api-Key" });
	else if (!headerName.test(header)) faults.push({ field: "authHeader", message: "must be a header's name, like X-Api-Key" });
	return header ?? "";
}
