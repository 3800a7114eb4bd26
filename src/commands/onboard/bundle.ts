import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { sha256 } from "../../api/digest.js";
import { flag } from "../../api/fields.js";
import { jsonDocument } from "../../api/json.js";
import { getCorporate, getDiligenceReview } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { getTerms } from "../../api/operations/terms.js";
import { field } from "../../api/schema.js";
import { defineCommand } from "../../cli/command.js";
import { unlessDryRun } from "../../config/named.js";
import { packBundle } from "../../onboarding/dossier/bundle.js";
import { casePage } from "../../onboarding/dossier/page.js";
import { makeFolder, saveDocument } from "../../onboarding/evidence/documents.js";
import { pageBytes } from "../../pages/page.js";
import { drawn } from "../../pages/picture.js";
import type { WrittenPage } from "../../pages/write.js";
import { writtenPage } from "../families/answers.js";

export default defineCommand({
	path: "onboard bundle",
	summary: "Pack the evidence of an onboarding into a folder",
	details:
		"The service's answers, which terms were accepted, the digest of the due-diligence review, and every change in the journal, each with its time and digest. index.html shows all of it on one page; bundle.json is for programs. Personal data is masked unless asked for. The text of the review is kept by `purser corporate review --save`. Nothing is written outside the folder.",
	examples: {
		"onboard bundle 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --save evidence": "Personal data masked",
		"onboard bundle 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --save evidence --unmasked": "All of it; only you can read the files",
	},
	operations: [getCorporate.id, listRelated.id, getTerms.id, getDiligenceReview.id],
	input: z.strictObject({
		...getCorporate.params.shape,
		save: field(z.string().check(z.minLength(1)), {
			description: "Folder for the files; created if missing",
			placeholder: "folder",
		}),
		unmasked: flag("With all personal data"),
		force: flag("Replace files of an earlier bundle in the folder"),
	}),
	answer: () =>
		z.strictObject({
			...{ corporateId: z.string(), name: z.optional(z.string()), masked: z.boolean(), changes: z.number() },
			files: z.array(writtenPage()),
		}),
	async run(context, { corporateId, save, unmasked, force }) {
		const bundle = await packBundle(context, corporateId, unmasked);
		const content = new TextEncoder().encode(jsonDocument(bundle));
		const page = pageBytes(casePage(bundle, sha256(content), drawn));
		const write = async (): Promise<WrittenPage[]> => {
			const folder = await makeFolder(context, save);
			const written: WrittenPage[] = [];
			for (const [name, bytes] of [["bundle.json", content] as const, ["index.html", page] as const]) {
				await saveDocument(context, `${folder}/${name}`, bytes, force);
				written.push({ path: `${folder}/${name}`, bytes: bytes.length, sha256: sha256(bytes) });
			}
			return written;
		};
		const files = (await unlessDryRun(context, write, "written")) ?? [];
		const data = { corporateId, name: bundle.name, masked: bundle.masked, changes: bundle.journal.length, files };
		return { data, next: [purser`history verify`] };
	},
	text: ({ corporateId, name, masked, changes, files }, style) =>
		[
			files.length > 0 ? style.good("Evidence packed") : "Evidence",
			style.pairs({
				Company: name,
				Id: corporateId,
				"Personal data": masked ? "masked" : style.warn("not masked"),
				"Changes in the journal": String(changes),
			}),
			files.map((file) => `${file.path}  ${file.bytes} bytes`).join("\n"),
		].join("\n\n"),
});
