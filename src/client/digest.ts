import type { AnyOperation, Input } from "../api/operation.js";
import type { Profile } from "../ports/profiles.js";
import { intentOf } from "./record.js";
import { draftRequest } from "./request.js";

/** The digest under which the journal keeps a request with this input: the way to find it there without personal data. */
export function digestOf<O extends AnyOperation>(profile: Profile, operation: O, input: Input<O>, version: string): string {
	return intentOf(profile, operation, input as Input, draftRequest(profile, operation, input as Input, version)).digest as string;
}
