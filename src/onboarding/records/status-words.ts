/** The statuses of a KYB and of a KYC in words, for pages and sentences; data and the columns of a terminal keep the service's own. Pure. */
const words: Readonly<Record<string, string>> = {
	NOT_STARTED: "not started",
	COMPLETING: "being completed",
	CREATED: "link created",
	PROCESSING: "processing",
	PENDING_VERIFICATION: "waiting for verification",
	PENDING_REVIEW: "waiting for review",
	IN_REVIEW: "in review",
	NEED_ADDITIONAL_INFORMATION: "more information needed",
	DECLINED: "declined",
	VALIDATED: "validated",
};

/** @returns as received where the status, or the text, is none that is known */
export const statusWords = (status: string): string => (Object.hasOwn(words, status) ? (words[status] as string) : status);
