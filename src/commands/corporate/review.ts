import * as z from "zod/mini";
import { adviceText, purser } from "../../api/advice.js";
import { textAt, typed } from "../../api/answer.js";
import { sha256 } from "../../api/digest.js";
import { filePath, flag } from "../../api/fields.js";
import { getCorporate, getDiligenceReview, viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { durationWords, endOf } from "../../api/text/duration.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import { call, type Reply } from "../../http/call.js";
import { fetchDocument } from "../../http/document.js";
import { serviceOf } from "../../http/service.js";
import { allowOtherHost, openAddress, openedWords, otherHosts, saveDocument, showDocument } from "../../onboarding/evidence/documents.js";
import { isPage, readPage } from "../../onboarding/evidence/page-text.js";
import { checkDeclared, requestable } from "../../onboarding/kyb/check.js";
import { type ClosedGate, remedyCommand } from "../../onboarding/kyb/gates.js";
import { quietly, readCorporate } from "../../onboarding/records/reading.js";
import type { Style } from "../../ports/style.js";

interface Review {
	corporateId: string;
	/** Media type of the document. The specification says an HTML page; a deployment may send a PDF, or JSON with an address. */
	contentType: string;
	/** Size of the document, in bytes. */
	bytes: number;
	sha256: string;
	savedTo?: string;
	/** Whether a browser opened it; null where the system was asked and does not say. */
	opened?: boolean | null;
	/** Where the document is, for a deployment that answers with an address. */
	url?: string;
	ttl?: string;
	expiresAt?: string;
	/** The readable lines of an HTML page. */
	lines?: string[];
	/** True when the page is longer than its lines here. */
	cut?: boolean;
	/** The company's; absent where it could not be read. */
	kybStatus?: string;
	/** What stands against requesting the KYB; absent where it is not to be requested. */
	closed?: readonly ClosedGate[];
}

export default defineCommand({
	path: "corporate review",
	summary: "Get the due-diligence review of a company",
	details:
		"A summary of the company and its related entities as the service has them. A page is shown here as plain text. Where a deployment answers with an address, the document behind it is fetched: from the service's own host at once, from another only after asking and without a credential.",
	examples: [
		{ run: "corporate review crm-5002", note: "Read it here" },
		{ run: "corporate review crm-5002 --open", note: "See it in the browser" },
		{ run: "corporate review crm-5002 --save review.html", note: "Keep it; only you can read the file" },
	],
	effect: "read",
	operations: [getDiligenceReview.id, getCorporate.id, listRelated.id],
	input: z.strictObject({
		...getDiligenceReview.params.shape,
		save: z.optional(filePath("Save the document as received in this file, readable by you only", { placeholder: "file" })),
		force: flag("Replace the file if it exists"),
		open: flag("Open it in the browser"),
		allowOtherHost: allowOtherHost(),
	}),
	async run(context, { corporateId, save, force, open, allowOtherHost: allowed }) {
		const reply = await call(context, getDiligenceReview, { params: { corporateId } });
		const mayFollow = otherHosts(context, allowed);
		const answered = describeReview(corporateId, reply, context.clock.now());
		// With --open alone, the browser fetches the document.
		const linked = answered.url === undefined || (open && save === undefined) ? undefined : await follow(context, answered.url, mayFollow);
		const review = linked === undefined ? answered : { ...answered, ...documentOf(linked) };
		const { bytes } = linked ?? reply;
		if (save !== undefined) {
			await saveDocument(context, save, bytes, force);
			review.savedTo = save;
			if (answered.url !== undefined && linked === undefined)
				context.report.warn(`${save} holds the service's answer, which is an address, not the document`);
		}
		if (open) await openReview(context, review, bytes, mayFollow);
		const data = { ...review, ...(await nextStepOf(context, corporateId)) };
		return { data, next: nextAfter(data, corporateId) };
	},
	text: (review, style) =>
		[
			...(review.savedTo === undefined && !review.opened ? [summary(review, style)] : []),
			style.pairs([
				["Document", `${review.contentType}, ${size(review.bytes)}`],
				["Digest", review.sha256],
				["Address", review.url],
				["Valid until", style.time(review.expiresAt) ?? durationWords(review.ttl)],
				["Saved to", review.savedTo],
				["Opened", openedWords(review.opened)],
			]),
		]
			.filter(Boolean)
			.join("\n\n"),
});

/** For the next step alone: what cannot be read is left out. */
async function nextStepOf(context: Context, corporateId: string): Promise<Pick<Review, "kybStatus" | "closed">> {
	const quiet = quietly(context);
	const service = serviceOf(quiet);
	let kybStatus: string | undefined;
	try {
		const corporate = await readCorporate(service, corporateId);
		kybStatus = viewCorporate(corporate).kybStatus;
		return requestable.includes(kybStatus)
			? { kybStatus, closed: (await checkDeclared(quiet, service, corporateId, corporate)).closed }
			: { kybStatus };
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		return { kybStatus };
	}
}

function describeReview(corporateId: string, { contentType = "unknown", bytes, data }: Reply, now: Date): Review {
	const review: Review = { corporateId, ...documentOf({ contentType, bytes }) };
	if (isPage(contentType)) return review;
	const ttl = textAt(data, "ttl");
	return { ...review, url: textAt(data, "url"), ttl, expiresAt: endOf(ttl, now) };
}

function documentOf({ contentType = "unknown", bytes }: { contentType?: string; bytes: Uint8Array }) {
	const review = { contentType, bytes: bytes.length, sha256: sha256(bytes) };
	return isPage(contentType) ? { ...review, ...readPage(bytes) } : review;
}

/** Fetches the document at an address. Where that fails, warns and returns undefined: the address is still shown. */
async function follow(context: Context, url: string, mayFollow: (host: string) => Promise<boolean>) {
	try {
		return await fetchDocument(context, url, mayFollow);
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		context.report.warn(error.message);
		return undefined;
	}
}

async function openReview(
	context: Context,
	review: Review,
	bytes: Uint8Array,
	mayFollow: (host: string) => Promise<boolean>,
): Promise<void> {
	if (review.url !== undefined) {
		review.opened = await openAddress(context, review.url, mayFollow);
		return;
	}
	const kind = isPage(review.contentType) ? "page" : review.contentType === "application/pdf" ? "pdf" : undefined;
	if (kind === undefined) {
		context.report.warn(`The service answered with ${review.contentType}, which was not opened; keep it with --save FILE`);
		return;
	}
	review.opened = await showDocument(context, bytes, kind);
}

function summary({ lines, cut, url }: Review, style: Style): string {
	if (lines === undefined && url !== undefined) return "";
	if (lines === undefined) return "This document cannot be shown in the terminal. Keep it with --save FILE, or see it with --open.";
	if (lines.length === 0) return "The page has no text. See it with --open.";
	return [...lines, ...(cut ? [style.dim("… the page goes on; see all of it with --open or --save FILE")] : [])].join("\n");
}

function size(bytes: number): string {
	if (bytes < 1024) return `${bytes} bytes`;
	return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function nextAfter({ kybStatus, closed = [], sha256: digest }: Review, corporateId: string): Advice[] {
	const id = typed(corporateId, "CORPORATE");
	if (!requestable.includes(kybStatus)) return [purser`kyb status ${id}`];
	const commands = new Map(closed.map(({ gate }) => remedyCommand(gate, corporateId)).map((one) => [adviceText(one), one]));
	return commands.size > 0 ? [...commands.values()] : [purser`kyb request ${id} --reviewed ${digest}`];
}
