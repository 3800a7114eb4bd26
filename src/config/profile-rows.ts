import { catalog } from "../api/operations/catalog.js";
import { confirmable } from "../mapping/confirmation.js";
import type { MappingConfirmation, Profile } from "../ports/profiles.js";

/** A profile as rows for people, from what `shownProfile` gives. */
export function profileRows(profile: Profile): (readonly [string, string | undefined])[] {
	const { name, environment, baseUrl, auth, settings, mapping } = profile;
	return [
		["Profile", name],
		["Environment", environment],
		["Service", baseUrl],
		["Auth", auth.kind === "header" ? `header: ${auth.header}` : auth.kind],
		["User", "username" in auth ? auth.username : undefined],
		["Partner", auth.kind === "login" ? auth.partnerName : undefined],
		...Object.entries(settings).map(([key, value]) => [`Setting ${key}`, value] as const),
		["Mapping", mapping && `${Object.keys(mapping.operations).length} operations`],
		...confirmationRows(profile),
	];
}

/** By whom each request was confirmed that must be, as it is now. */
function confirmationRows(profile: Profile): (readonly [string, string])[] {
	return catalog.flatMap((operation) => {
		const asked = confirmable(operation, profile);
		return asked === undefined ? [] : [[`Confirmed ${operation.id}`, confirmationWords(asked.confirmed)] as const];
	});
}

const confirmationWords = (confirmed: MappingConfirmation | undefined): string =>
	confirmed === undefined ? "by nobody: nothing is sent by it" : `by ${confirmed.by ?? "somebody"} · ${confirmed.at}`;
