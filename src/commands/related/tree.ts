import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { filePath, fitting, flag } from "../../api/fields.js";
import { getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { serviceAddress } from "../../api/service-address.js";
import { defineCommand } from "../../cli/command.js";
import { unlessDryRun } from "../../config/named.js";
import type { Context } from "../../context.js";
import type { Advice } from "../../errors.js";
import { showPage } from "../../onboarding/evidence/documents.js";
import { maskedRelated } from "../../onboarding/evidence/mask.js";
import { type Ownership, ownershipOf } from "../../onboarding/ownership/ownership.js";
import { namesNote, ownershipDiagram, ownershipPage } from "../../onboarding/ownership/page.js";
import { drawTree } from "../../onboarding/ownership/tree.js";
import { readOwnership, uboThreshold } from "../../onboarding/records/read-ownership.js";
import { ifOffered, listRelatedOf, namePersons, readCorporate, warnIfPartial } from "../../onboarding/records/reading.js";
import { paragraph } from "../../onboarding/records/record.js";
import { pageBytes } from "../../pages/page.js";
import { type WrittenPage, writePage } from "../../pages/write.js";
import type { Picture } from "../../ports/page.js";
import { writtenPage } from "../families/answers.js";

/** Maximum number of related entities in one tree. */
const maxEntities = 10_000;

/** The ownership, and what became of it beside the answer. */
interface Drawn extends Ownership {
	/** The picture's file. */
	svg?: WrittenPage;
	/** Whether a browser read the page. */
	opened?: boolean;
}

export default defineCommand({
	path: "related tree",
	summary: "Draw who owns a company, through every layer",
	details:
		"Shows direct and effective shares and warns about shares over 100 %, circles, unmarked owners at or above the threshold, shares without a declared owner, and missing directors. The threshold is the profile's setting ubo-threshold: 25, or 10 for an extended-UBO corporate. It can also be a picture: a file (--svg), or a page in the browser (--open).",
	examples: {
		"related tree crm-5002": "The tree with its warnings",
		"related tree crm-5002 --open --unmasked": "As a picture in the browser, with the names of people",
		"related tree crm-5002 --svg owners.svg": "The picture as a file, people numbered",
		"related tree crm-5002 --json": "Nodes, edges, effective shares and warnings",
	},
	operations: [getCorporate.id, listRelated.id],
	input: fitting(
		z.strictObject({
			...listRelated.params.shape,
			svg: z.optional(filePath("Save it as a picture (SVG) in this file, readable by you only", { placeholder: "file" })),
			open: flag("Open it as a page in the browser"),
			unmasked: flag("Show the names of people in the picture; otherwise they are numbered"),
			force: flag("Replace the file of --svg, whatever it is"),
		}),
		({ svg, open, unmasked, force }) => [
			svg === "-" && ["svg", "is the name of a file, like owners.svg"],
			unmasked && svg === undefined && !open && ["unmasked", "goes with --svg or --open"],
			force && svg === undefined && ["force", "goes with --svg"],
		],
	),
	answer: () =>
		z.strictObject({
			...{ corporateId: z.string(), threshold: z.string() },
			nodes: z.array(
				z.strictObject({
					...{ id: z.string(), name: z.string(), kind: z.string(), directSharesPercentage: z.string() },
					effectiveSharesPercentage: z.optional(z.string()),
					...{ isDirector: z.boolean(), isAccountOwner: z.boolean(), isUbo: z.boolean(), isOwner: z.boolean() },
				}),
			),
			edges: z.array(z.strictObject({ owner: z.string(), owned: z.string(), percentage: z.string() })),
			warnings: z.array(z.strictObject({ code: z.string(), message: z.string(), parties: z.array(z.string()) })),
			svg: z.optional(writtenPage()),
			opened: z.optional(z.boolean()),
		}),
	async run(context, { corporateId, svg, open, unmasked, force }) {
		const { plain: ownership, masked } = await readTree(context, corporateId);
		const drawn: Drawn = { ...ownership };
		const next = nextAfter(ownership, corporateId);
		if (svg === undefined && !open) return { data: drawn, next };
		// Only a picture needs the library that places its boxes.
		const { drawn: drawPicture, pictureFile } = await import("../../pages/picture.js");
		const shown = unmasked ? ownership : masked();
		if (svg !== undefined) {
			const picture = pictureFile(ownershipDiagram(shown, [namesNote(!unmasked)]));
			drawn.svg = await unlessDryRun(context, () => writePage(context.files, svg, picture, force), "written");
		}
		if (open) drawn.opened = await openPage(context, shown, drawPicture(ownershipDiagram(shown)), !unmasked);
		return { data: drawn, next };
	},
	text: (drawn, style) => {
		const { warnings, svg, opened } = drawn;
		const lines = warnings.flatMap(({ message }) => paragraph(message, 4, style, `  ${style.warn("!")} `));
		return [
			drawTree(drawn, style),
			...(lines.length === 0 ? [] : ["", style.bold("Warnings"), ...lines]),
			...(svg === undefined && !opened
				? []
				: ["", style.pairs({ Picture: svg?.path, "SHA-256": svg?.sha256, Opened: opened ? "in the browser" : undefined })]),
		].join("\n");
	},
});

/** @returns the ownership, and the same with people numbered */
async function readTree(context: Context, corporateId: string): Promise<{ plain: Ownership; masked: () => Ownership }> {
	const { profile } = await context.settings.read();
	const corporate = await ifOffered(context, "the company's name is not shown", () => readCorporate(context.service, corporateId));
	const listed = await listRelatedOf(context.service, corporateId, maxEntities);
	warnIfPartial(context, listed, "the shares may be incomplete");
	if (listed.complete) namePersons(context, corporateId, listed.records);
	const root = { id: corporateId, name: viewCorporate(corporate ?? {}).name ?? corporateId };
	const of = (records: typeof listed.records): Ownership => {
		const { parties, holdings } = readOwnership(root, records);
		return ownershipOf(root, parties, holdings, uboThreshold(profile));
	};
	return { plain: of(listed.records), masked: () => of(maskedRelated(listed.records)) };
}

/** Shows the page. @returns whether a browser read it; false with a warning */
async function openPage(context: Context, ownership: Ownership, picture: Picture, masked: boolean): Promise<boolean> {
	const { profile } = await context.settings.read();
	const of = `${profile.name} (${profile.environment}, ${serviceAddress(profile.baseUrl)})`;
	const about = { masked, madeBy: `purser ${context.system.version}`, of };
	return showPage(context, pageBytes(ownershipPage(ownership, picture, about)), "--svg FILE");
}

function nextAfter({ warnings }: Ownership, corporateId: string): Advice[] {
	const id = typed(corporateId, "CORPORATE");
	const unmarked = warnings.find(({ code }) => code === "UBO_NOT_MARKED")?.parties[0];
	const missing = warnings.some(({ code }) => code === "OWNER_NOT_DECLARED" || code === "NO_DIRECTOR");
	return [
		...(unmarked === undefined ? [] : [purser`related update ${typed(unmarked, "RELATED")} --is-ubo`]),
		...(missing ? [purser`related add ${id}`] : []),
		purser`corporate status ${id}`,
	];
}
