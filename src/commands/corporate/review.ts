import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { textAt, typed } from "../../api/answer.js";
import { sha256 } from "../../api/digest.js";
import { filePath, flag } from "../../api/fields.js";
import { getCorporate, getDiligenceReview, viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import { unlessDryRun } from "../../config/named.js";
import type { Context } from "../../context.js";
import { type Advice, type Failure, PurserError, reworded } from "../../errors.js";
import { call } from "../../http/call.js";
import { serviceOf } from "../../http/service.js";
import { saveDocument } from "../../onboarding/evidence/documents.js";
import { isPage, readPage } from "../../onboarding/evidence/page-text.js";
import { checkDeclared, listDeclared, requestable } from "../../onboarding/kyb/check.js";
import { quietly, readCorporate } from "../../onboarding/records/reading.js";
import type { Style } from "../../ports/style.js";

/** The specification says an HTML page; a deployment may send a PDF. `lines` are the readable ones of a page, `cut` where it goes on. */
const review = () =>
	z.strictObject({
		...{ corporateId: z.string(), contentType: z.string(), bytes: z.number(), sha256: z.string(), savedTo: z.optional(z.string()) },
		...{ cut: z.optional(z.boolean()), lines: z.optional(z.array(z.string())) },
	});
type Review = z.output<ReturnType<typeof review>>;

export default defineCommand({
	path: "corporate review",
	summary: "Get the due-diligence review of a company",
	details:
		"A summary of the company and its related entities as the service has them. A page is shown here as plain text. Where a deployment answers with an address, the document behind it is fetched from the service's own host alone.",
	examples: {
		"corporate review crm-5002": "Read it here",
		"corporate review crm-5002 --save review.html": "Keep it; only you can read the file",
	},
	operations: [getDiligenceReview.id, getCorporate.id, listRelated.id],
	input: z.strictObject({
		...getDiligenceReview.params.shape,
		save: z.optional(filePath("Save the document as received in this file, readable by you only", { placeholder: "file" })),
		force: flag("Replace the file if it exists"),
	}),
	answer: () => review(),
	async run(context, { corporateId, save, force }) {
		const reply = await call(context, getDiligenceReview, { params: { corporateId } });
		const address = isPage(reply.contentType ?? "") ? undefined : textAt(reply.data, "url");
		// Refused where it is on another host.
		const words = ({ code, fix }: Failure) => ({
			fix: code === "OTHER_HOST" ? `Open it yourself if you trust the address: ${address}` : fix,
		});
		const fetched = address === undefined ? reply : context.service.document(address).catch(reworded("guard", words));
		const { bytes, contentType = "unknown" } = await fetched;
		const review: Review = { corporateId, contentType, bytes: bytes.length, sha256: sha256(bytes) };
		if (isPage(contentType)) Object.assign(review, readPage(bytes));
		if (save !== undefined) {
			const write = async (): Promise<string> => {
				await saveDocument(context, save, bytes, force);
				return save;
			};
			review.savedTo = await unlessDryRun(context, write, "written");
		}
		return { data: review, next: [await nextAfter(context, corporateId, review.sha256)] };
	},
	text: (review, style) =>
		[
			...(review.savedTo === undefined ? [summary(review, style)] : []),
			style.pairs({ Document: `${review.contentType}, ${review.bytes} bytes`, Digest: review.sha256, "Saved to": review.savedTo }),
		].join("\n\n"),
});

/** The request of the KYB, or how the company stands where something is against it. What cannot be read is left out. */
async function nextAfter(context: Context, corporateId: string, digest: string): Promise<Advice> {
	const id = typed(corporateId, "CORPORATE");
	const quiet = quietly(context);
	try {
		const corporate = await readCorporate(serviceOf(quiet), corporateId);
		if (!requestable.includes(viewCorporate(corporate).kybStatus)) return purser`kyb status ${id}`;
		const { closed } = await checkDeclared(quiet, corporateId, corporate, await listDeclared(quiet, corporateId));
		if (closed.length > 0) return purser`corporate status ${id}`;
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
	}
	// A person is shown the review by the next command, and asked.
	return context.settings.flags.interactive ? purser`kyb request ${id}` : purser`kyb request ${id} --reviewed ${digest}`;
}

function summary({ lines, cut }: Review, style: Style): string {
	if (lines === undefined) return "This document cannot be shown in the terminal. Keep it with --save FILE.";
	if (lines.length === 0) return "The page has no text. Keep it with --save FILE.";
	return [...lines, ...(cut ? [style.dim("… the page goes on; keep all of it with --save FILE")] : [])].join("\n");
}
