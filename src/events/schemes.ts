/**
 * The schemes that purser knows by itself, and what is wrong with one that a profile brings.
 */
import type { EventScheme } from "../ports/event-schemes.js";
import type { Profile } from "../ports/profiles.js";

/** Seconds; the tolerance of the Standard Webhooks libraries. */
const fiveMinutes = 300;

/**
 * Standard Webhooks (the specification at standardwebhooks.com, version 1) with both families of headers: the standard's own, and those of
 * Svix, through which the service delivers (operations, section 7). `v1` is HMAC-SHA256, `v1a` is Ed25519.
 */
const standard: EventScheme = {
	methods: [
		{ algorithm: "hmac-sha256", key: { prefix: "whsec_", encoding: "base64" }, label: "v1" },
		{ algorithm: "ed25519", key: { prefix: "whpk_", encoding: "base64" }, label: "v1a" },
	],
	headers: [
		{ signature: "webhook-signature", id: "webhook-id", timestamp: "webhook-timestamp" },
		{ signature: "svix-signature", id: "svix-id", timestamp: "svix-timestamp" },
	],
	shape: { kind: "list" },
	encoding: "base64",
	signed: ["id", "timestamp", "body"],
	tolerance: fiveMinutes,
};

const builtIn: Readonly<Record<string, EventScheme>> = { standard, svix: standard };

/** The schemes that a profile can check events with, by their names. */
export function schemesOf({ eventSchemes = {} }: Pick<Profile, "eventSchemes">): Readonly<Record<string, EventScheme>> {
	return { ...eventSchemes, ...builtIn };
}

const headerName = /^[a-z0-9-]{1,100}$/;

/** What is wrong with a scheme, each as a sentence about it; none where it can be used. */
export function schemeFaults(scheme: EventScheme): string[] {
	const { methods, headers, shape, signed } = scheme;
	const faults: string[] = [];
	if (methods.length === 0) faults.push("names no method");
	if (headers.length === 0) faults.push("names no header");
	for (const family of headers)
		for (const name of Object.values(family))
			if (name !== undefined && !headerName.test(name)) faults.push(`${name} is no header's name in lower case`);
	const named = headers.flatMap((family) => Object.values(family).filter((name) => name !== undefined));
	if (new Set(named).size !== named.length) faults.push("names one header twice");
	const labels = methods.map(({ label }) => label);
	if (new Set(labels).size !== labels.length) faults.push("has two methods with one label");
	if (shape.kind !== "one" && labels.some((label) => label === "" || /[\s,=]/.test(label)))
		faults.push("needs a label without space, comma or = for each method");
	if (!signed.includes("body")) faults.push("does not sign the body");
	if (new Set(signed).size !== signed.length) faults.push("signs one part twice");
	if (signed.includes("id") && headers.some(({ id }) => id === undefined)) faults.push("signs an id that no header carries");
	if (!signed.includes("id") && headers.some(({ id }) => id !== undefined)) faults.push("takes an id that is not signed");
	return [...faults, ...timeFaults(scheme)];
}

function timeFaults({ headers, shape, signed, tolerance }: EventScheme): string[] {
	if (!signed.includes("timestamp"))
		return [
			...(tolerance === undefined ? [] : ["has a tolerance, and signs no time"]),
			...(shape.kind === "pairs" || headers.some(({ timestamp }) => timestamp !== undefined) ? ["takes a time that is not signed"] : []),
		];
	const faults: string[] = [];
	const isInHeader = shape.kind !== "pairs";
	if (headers.some(({ timestamp }) => isInHeader !== (timestamp !== undefined)))
		faults.push("must say in one place where the signed time stands");
	const isLimited = tolerance !== undefined && Number.isInteger(tolerance) && tolerance >= 1 && tolerance <= 86_400;
	if (!isLimited) faults.push("needs a tolerance from 1 second to one day");
	return faults;
}
