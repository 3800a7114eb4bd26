/**
 * What to do when the service could not be connected to.
 */
import { advice, purser } from "../api/advice.js";
import { isLoopback } from "../api/service-address.js";
import type { Advice } from "../errors.js";
import type { Profile } from "../ports/profiles.js";
import { connectionFix } from "./address-mistake.js";

/** The sandbox's port, where no other is given. */
const sandboxPort = "4010";

/** @param code of the system or of TLS; empty where there is none */
export function unreachableFix(profile: Pick<Profile, "name" | "baseUrl" | "environment">, code: string): Advice {
	const mistake = connectionFix(new URL(profile.baseUrl).origin, code);
	if (mistake !== undefined) return mistake;
	if (/ENOTFOUND|EAI_AGAIN/.test(code))
		return advice`Check the base address (${purser`config explain`}) and HTTPS_PROXY, then run this again`;
	// A sandbox on this machine is never reached through a proxy; it is simply not running.
	if (profile.environment === "sandbox" && isLoopback(profile.baseUrl)) return startSandbox(profile);
	if (code === "ECONNREFUSED")
		return advice`Check the host and the port in the address (${purser`config explain base-url`}), and that the service runs, then run this again`;
	return "Check that the service runs and can be reached from here (HTTPS_PROXY, firewall), then run this again";
}

function startSandbox({ name, baseUrl }: Pick<Profile, "name" | "baseUrl">): Advice {
	const { port } = new URL(baseUrl);
	const named = /^[a-z][a-z0-9-]*$/i.test(name) && ["--save-profile", name];
	return advice`Start the sandbox in another terminal, then run this again: ${purser`sandbox serve ${port !== sandboxPort && ["--port", port || "80"]} ${named}`}`;
}
