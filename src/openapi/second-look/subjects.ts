/**
 * What a path is about: the records whose address it goes on from. Known once the collections of companies and of people were found.
 */
import type { Fit } from "../score.js";
import { isParameter, partsOfPath } from "../voice.js";

export type Subject = "company" | "person";

/** Paths of one record, parameters as `{}`; a company's is known from where its people are listed, too. */
export type Subjects = ReadonlyMap<string, Subject>;

/** A path whose parameters have no names. */
export const nameless = (path: string): string[] => partsOfPath(path).map((part) => (isParameter(part) ? "{}" : part));

const upToLastId = (path: string): string => {
	const parts = nameless(path);
	return parts.slice(0, parts.lastIndexOf("{}") + 1).join("/");
};

export function subjectsOf(assigned: ReadonlyMap<string, Fit>): Subjects {
	const found = new Map<string, Subject>();
	const told: readonly [Subject, readonly string[]][] = [
		["company", ["related.list", "related.create", "corporate.update", "corporate.get"]],
		["person", ["related.delete", "related.update", "related.get"]],
	];
	for (const [subject, ids] of told)
		for (const id of ids) {
			const path = assigned.get(id)?.theirs.path;
			const record = path === undefined ? "" : upToLastId(path);
			if (record !== "") found.set(record, subject);
		}
	return found;
}

/** What a path is about, and what follows its record's id; no other id may follow. */
export function subjectOf(path: string, subjects: Subjects): { subject: Subject; after: readonly string[] } | undefined {
	const record = upToLastId(path);
	const subject = subjects.get(record);
	return subject === undefined ? undefined : { subject, after: nameless(path).slice(record.split("/").length) };
}
