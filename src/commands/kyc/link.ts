import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { optionals, typed } from "../../api/answer.js";
import { type FieldFault, fitting, flag, id } from "../../api/fields.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { getRelated, listRelated, viewRelated } from "../../api/operations/related.js";
import { getKycLink } from "../../api/operations/verification.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { call } from "../../http/call.js";
import { recordedChanges } from "../../onboarding/checklist/journal.js";
import {
	addressOf,
	expiryOf,
	type LinkRun,
	linksOutcome,
	missingLinkError,
	missingLinks,
	obtainLinks,
	validLink,
} from "../../onboarding/kyc/links.js";
import { linksText, type ObtainedLink, oneLinkText } from "../../onboarding/kyc/links-text.js";
import { companyNamed, knownOf, whoseText } from "../../onboarding/records/about.js";
import { ifOffered, listRelatedOf, readRelated, warnIfPartial } from "../../onboarding/records/reading.js";
import { isBystander } from "../../onboarding/records/related-steps.js";
import { linkRow } from "../families/answers.js";

const input = z.strictObject({
	...getKycLink.body.shape,
	relatedPhysicalPersonId: z.optional(getKycLink.body.shape.relatedPhysicalPersonId),
	all: flag("The links of everybody who still needs one, as `purser corporate status` names them"),
	corporateId: z.optional(id("corporate", "With --all: the company")),
	qr: flag("Show each link as a QR code too"),
});
type Input = z.output<typeof input>;

const faultsOf = ({ all, corporateId, relatedPhysicalPersonId: person }: Input): (FieldFault | false)[] => [
	!all && person === undefined && ["relatedPhysicalPersonId", "is required without --all"],
	all && corporateId === undefined && ["corporateId", "is required with --all"],
	all && person !== undefined && ["relatedPhysicalPersonId", "cannot be combined with --all"],
	!all && corporateId !== undefined && ["corporateId", "only works with --all"],
];

const oneLink = () =>
	z.looseObject({
		...{ relatedPhysicalPersonId: z.string(), ...optionals(["name", "expiresAt"]), ...optionals(["id", "url", "ttl"], z.unknown()) },
		qr: z.optional(z.boolean()),
	});
const allLinks = () => z.strictObject({ corporateId: z.string(), links: z.array(linkRow()), ...optionals(["partial", "qr"], z.boolean()) });

type AllLinks = LinkRun & { qr?: true };
type Answered = ObtainedLink | AllLinks;

const isRun = (answered: Answered): answered is AllLinks => Array.isArray(answered.links);

export default defineCommand({
	path: "kyc link",
	summary: "Get the link with which a person does the KYC, or everybody's",
	details:
		"Every UBO and every director needs a KYC. At least one director does it in full, with liveness checks; for the others documents are enough. Send the link to the person: it takes a few minutes. With --all, persons are left out whose link is still valid, as far as the service and the journal show; exit 9 where one could not be made.",
	examples: {
		"kyc link crm-5002/ada@example.com --qr": "A link to send to the person, or to show",
		"kyc link crm-5002/ada@example.com --json": "For a script that sends it",
		"kyc link --all --corporate-id crm-5002": "Every missing link",
	},
	effect: "write",
	operations: [getCorporate.id, listRelated.id, getRelated.id, getKycLink.id],
	input: fitting(input, faultsOf),
	answer: () => z.union([allLinks(), oneLink()]),
	async run(context, given): Promise<Answer<Answered>> {
		await context.ask.begin();
		return given.all ? linkAll(context, given) : linkOne(context, given);
	},
	text: (answered, style) => (isRun(answered) ? linksText(answered, answered.qr === true, style) : oneLinkText(answered, style)),
});

/** The body of the request for one person. */
const bodyOf = (given: Input, relatedPhysicalPersonId: string) => ({ ...given, relatedPhysicalPersonId });

async function linkOne(context: Context, given: Input): Promise<Answer<ObtainedLink>> {
	const id = given.relatedPhysicalPersonId as string;
	const { email, ...person } = context.settings.flags.dryRun ? {} : await personOf(context, given, id);
	const whose = { ...knownOf(context, id), ...person };
	const rows = Object.entries({ Id: id, Email: email });
	await context.ask.change({ title: `Create a KYC link for ${whoseText(whose) ?? id}`, rows });
	const { data } = await call(context, getKycLink, { body: bodyOf(given, id) });
	const address = addressOf(data);
	if (address === undefined) {
		// The answer is still shown: the link may be in it under another name.
		const { message, why, fix } = missingLinkError(id).failure;
		context.report.warn(advice`${message}. ${why}. ${fix}`);
	}
	const expiresAt = address === undefined ? undefined : expiryOf(data, context.clock.now());
	return {
		data: { relatedPhysicalPersonId: id, ...whose, ...data, expiresAt, ...(given.qr && { qr: true }) },
		exit: address === undefined ? "unknown" : undefined,
		next: [purser`kyc status ${typed(id, "RELATED")} --wait`],
	};
}

/** Requests every missing link. In a dry run the first request is shown. */
async function linkAll(context: Context, given: Input): Promise<Answer<AllLinks>> {
	const corporateId = given.corporateId as string;
	const found = await listRelatedOf(context.service, corporateId);
	warnIfPartial(context, found, "some links may be missing");
	const rows = await missingLinks(context, corporateId, found.records, await recordedChanges(context));
	const missing = rows.filter(({ state }) => state !== "valid");
	const links = `${missing.length} KYC ${missing.length === 1 ? "link" : "links"}`;
	await context.ask.change(async () => ({
		title: `Create ${links} for ${await companyNamed(context.service, corporateId)}`,
		rows: missing.map(({ name, email, relatedPhysicalPersonId }, at) => [`${at + 1}`, `${name} · ${email ?? relatedPhysicalPersonId}`]),
	}));
	const ask = (id: string) => call(context, getKycLink, { body: bodyOf(given, id) });
	if (missing.length > 0) await context.report.during(`Requesting ${links}`, () => obtainLinks(context, rows, ask));
	const data: AllLinks = { corporateId, links: rows, ...(!found.complete && { partial: true }), ...(given.qr && { qr: true }) };
	return { data, exit: linksOutcome(data), next: [purser`corporate status ${typed(corporateId, "CORPORATE")}`] };
}

/**
 * The person whom the link is for. Warns where they need no KYC (specification 3, rule 1), and where they have a link that is still valid.
 * @throws PurserError guard, where it is a company: a KYC is for physical persons (specification 1, step 7)
 */
async function personOf(context: Context, given: Input, id: string): Promise<{ name?: string; email?: string }> {
	const record = await ifOffered(context, "whether it is a person was not checked", () => readRelated(context.service, id));
	if (record === undefined) return {};
	const { name, email, kycStatus, isCompany } = viewRelated(record);
	if (isCompany)
		throw new PurserError("guard", {
			code: "KYC_OF_A_COMPANY",
			message: `${name ?? id} is a company, and a KYC is for physical persons. Nothing was sent`,
			fix: advice`Declare the persons behind it (related add) and get their links. Which company it belongs to: ${purser`overview`}`,
		});
	if (isBystander(record))
		context.report.warn(`${name ?? id} is neither a director nor a UBO, so no KYC is needed. Once requested, the KYB waits for it`);
	const state = kycStatus === "CREATED" ? "link given" : kycStatus === "DECLINED" ? "declined" : "to do";
	const [earlier] = (await recordedChanges(context))(getKycLink.id, id);
	const valid = validLink({ state }, earlier, context.clock.now());
	const until = valid?.until === undefined ? "" : `, valid until ${valid.until.slice(0, 10)}`;
	if (valid !== undefined && kycStatus !== "VALIDATED")
		context.report.warn(`${name ?? id} already has a KYC link${until}; this creates a new one`);
	return { name, email };
}
