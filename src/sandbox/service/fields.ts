/**
 * The fields of a request that a record stores: unknown ones too, but none that the service alone sets.
 */
type Fields = Record<string, unknown>;

/** @param nulls whether nulls are stored: they mean nothing in a creation, and remove a field in an update */
export function storedFields(body: Fields, serviceFields: readonly string[], nulls?: "nulls too"): Fields {
	return Object.fromEntries(Object.entries(body).filter(([name, value]) => !serviceFields.includes(name) && (nulls || value !== null)));
}

/** @param changes a null removes a field */
export function patchedFields(fields: Fields, changes: Fields): Fields {
	return Object.fromEntries(Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== null));
}
