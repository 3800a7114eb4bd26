/**
 * The fields that a record keeps of what was sent: those the description does not know too, but none that the service alone says.
 */
type Fields = Record<string, unknown>;

/** What is kept of a body; nulls say nothing in a creation and remove in an update. */
export function kept(body: Fields, own: readonly string[], nulls?: "nulls too"): Fields {
	return Object.fromEntries(Object.entries(body).filter(([name, value]) => !own.includes(name) && (nulls || value !== null)));
}

/** Fields with changes applied; a null removes. */
export function patched(fields: Fields, changes: Fields): Fields {
	return Object.fromEntries(Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== null));
}
