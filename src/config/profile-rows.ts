import { catalog } from "../api/operations/catalog.js";
import { confirmable } from "../binding/confirmation.js";
import type { BindingConfirmation, Profile } from "../ports/profiles.js";

/** A profile as rows for people, from what `shownProfile` gives. */
export function profileRows(profile: Profile): (readonly [string, string | undefined])[] {
	const { name, environment, baseUrl, auth, settings, overrides } = profile;
	return [
		["Profile", name],
		["Environment", environment],
		["Service", baseUrl],
		["Auth", auth.kind === "header" ? `header: ${auth.header}` : auth.kind],
		["User", "username" in auth ? auth.username : undefined],
		["Partner", auth.kind === "login" ? auth.partnerName : undefined],
		...Object.entries(settings).map(([key, value]) => [`Setting ${key}`, value] as const),
		...Object.entries(profile.values ?? {}).map(
			([name, { values, complete }]) =>
				[
					`Values ${name}`,
					`${values.length.toLocaleString("en-US")}${complete ? ", complete" : ", beside those that purser knows"}`,
				] as const,
		),
		["Overrides", Object.keys(overrides).length > 0 ? Object.keys(overrides).join(", ") : undefined],
		...documentRows(overrides),
		...confirmationRows(profile),
	];
}

/** The documents that bindings come from, each with its operations. */
function documentRows(overrides: Profile["overrides"]): (readonly [string, string])[] {
	const found = new Map<string, string[]>();
	for (const [id, { source }] of Object.entries(overrides))
		if (source !== undefined) found.set(source.document, [...(found.get(source.document) ?? []), `${id} (${source.pointer})`]);
	return [...found].map(([document, places]) => [`From ${document}`, places.join(", ")]);
}

/** By whom each binding was confirmed that must be, as it is now. */
function confirmationRows(profile: Profile): (readonly [string, string])[] {
	return catalog.flatMap((operation) => {
		const asked = confirmable(operation, profile);
		return asked === undefined ? [] : [[`Confirmed ${operation.id}`, confirmationWords(asked.confirmed)] as const];
	});
}

function confirmationWords(confirmed: BindingConfirmation | undefined): string {
	if (confirmed === undefined) return "by nobody: nothing is sent by it";
	const { at, by, paid, uncapped } = confirmed;
	const who = paid === undefined ? (by ?? "somebody") : `payment ${paid}, which was accepted through it before`;
	return [`by ${who}`, at, ...(uncapped === undefined ? [] : [`first payment not limited: ${uncapped}`])].join(" · ");
}
