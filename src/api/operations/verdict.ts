/**
 * Why a verification was declined, document by document. Nobody showed how a service says that: the names read here are assumed, and other
 * members of an answer stay as they are.
 */
import { listAt, type Received, textAt } from "../answer.js";

/** One document that was not accepted. */
interface Refused {
	document: string;
	/** A code or a sentence of the service. */
	reason?: string;
}

/** What a person can do about a reason, by words of its code; the first that fits. */
const remedies: readonly (readonly [RegExp, string])[] = [
	[/FALSIF|FORGED|FRAUD|TAMPER/, "ask the service's customer care before anything is sent again"],
	[/EXPIRED|OUT_OF_DATE|OUTDATED/, "send one that is still valid"],
	[/UNREADABLE|BLUR|QUALITY|ILLEGIBLE|GLARE/, "send a sharp photo of the whole document, in good light"],
	[/INCOMPLETE|PAGE|SIDE/, "send all pages and both sides"],
	[/MISSING|REQUIRED/, "send it"],
	[/LIVENESS|SELFIE|FACE/, "repeat the liveness check, alone and in good light"],
	[/MATCH|MISMATCH|DIFFER/, "compare names and dates with the record, and correct the one that is wrong"],
	[/NOT_ACCEPTED|UNSUPPORTED|TYPE/, "send another kind of document"],
];

const acceptedStatuses: readonly (string | undefined)[] = ["VALIDATED", "APPROVED", "ACCEPTED", "PENDING", "PROCESSING"];

/** The documents of an answer that were not accepted. @param paths where an answer may list them */
function refusedDocuments(record: Received, paths: readonly string[]): Refused[] {
	const listed = paths.map((path) => listAt(record, path)).find((list) => list.length > 0) ?? [];
	return listed.flatMap((one): Refused[] => {
		const reason = textAt(one, "reason", "statusReason", "declineReason", "rejectionReason", "message");
		const status = textAt(one, "status", "result");
		if (acceptedStatuses.includes(status) || (reason === undefined && status === undefined)) return [];
		return [{ document: textAt(one, "type", "documentType", "name") ?? "a document", reason: reason ?? status }];
	});
}

/** Why a KYB stands as it does, with each document that was not accepted; undefined where the service does not say. */
export function kybReasonAt(record: Received): string | undefined {
	const reason = textAt(record, "kybStatusReason", "status.kyb.reason");
	return joined(reason, refusedDocuments(record, ["kybDocuments", "status.kyb.documents"]));
}

/** The same of a person's KYC. */
export function kycReasonAt(record: Received): string | undefined {
	return joined(textAt(record, "kycInfo.statusReason"), refusedDocuments(record, ["kycInfo.documents"]));
}

function joined(reason: string | undefined, documents: readonly Refused[]): string | undefined {
	const parts = documents.map(({ document, reason: why = "" }) => {
		const remedy = remedies.find(([words]) => words.test(why.toUpperCase()))?.[1];
		return `${document}: ${why}${remedy === undefined ? "" : ` (${remedy})`}`;
	});
	return reason === undefined && parts.length === 0 ? undefined : [reason, ...parts].filter(Boolean).join("; ");
}
