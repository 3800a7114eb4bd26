/**
 * What to do when the service could not be connected to, and mistakes in an address, in the words of what was typed instead of a library's.
 */
import { advice, purser } from "../api/advice.js";
import { isLoopback } from "../api/service-address.js";
import type { Advice } from "../errors.js";
import type { Profile } from "../ports/profiles.js";
import type { WireOutcome } from "../ports/wire.js";
import type { Content } from "./content.js";
import { isNoTlsCode, isNoTrustCode } from "./transport/connect.js";

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

const address = purser`config explain base-url`;

/** What to do about a connection that was never made; undefined where its address does not look wrong. */
export function connectionFix(origin: string, code: string): Advice | undefined {
	if (isNoTlsCode(code)) {
		const plain = advice`A sandbox with plain http is at ${origin.replace(/^https:/, "http:")}`;
		return advice`Check the port in the address (${address}). ${plain}; a live service always speaks https.`;
	}
	if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return advice`Check the host in the address (${address}) for a typo, then run this again`;
	if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
		return "Check the date of this machine; if it is right, the service's operator has to replace the certificate";
	return isNoTrustCode(code)
		? "If the certificate comes from your own authority, name its file in NODE_EXTRA_CA_CERTS and run this again"
		: undefined;
}

/** Why an exchange on plain http broke off, where the peer speaks https: it answers with a TLS record, which is no HTTP. */
export function plainHttpMistake(origin: string, { cause }: WireOutcome & { kind: "sent" }): { reason: string; fix: Advice } | undefined {
	const code = String((cause as { code?: unknown } | undefined)?.code ?? "");
	if (!origin.startsWith("http:") || !/^HPE_/.test(code)) return undefined;
	return { reason: "what answers there does not speak http; it may speak https", fix: httpsFix(origin) };
}

const httpsFix = (origin: string): Advice =>
	advice`Check the address (${address}): should it be ${origin.replace(/^http:/, "https:")}, or is the port wrong?`;

/** What is wrong with the address where a page for browsers answered; undefined where the answer is none. */
export function pageMistake(origin: string, content: Content | undefined): { why: string; fix: Advice } | undefined {
	if (content?.type !== "text/html" && content?.type !== "application/xhtml+xml") return undefined;
	if (origin.startsWith("http:") && /plain HTTP request/i.test(content.problem?.message ?? ""))
		return { why: "This address speaks https, not http", fix: httpsFix(origin) };
	return {
		why: "The answer is a web page (HTML), not the service's",
		fix: advice`Check the host, the port and the path of the address (${address}); a proxy or a login page may answer in its place. --debug shows the exchange`,
	};
}
