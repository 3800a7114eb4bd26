import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { optionals, typed } from "../../api/answer.js";
import { flag, id } from "../../api/fields.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { getRelated, listRelated, viewRelated } from "../../api/operations/related.js";
import { getKycLink } from "../../api/operations/verification.js";
import { withRecords } from "../../api/schema.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { call } from "../../http/call.js";
import { DryRun, type PlannedRequest } from "../../http/dry-run.js";
import { digestOf } from "../../http/record.js";
import { recordedChanges } from "../../onboarding/checklist/journal.js";
import {
	addressOf,
	expiryOf,
	givenWithAnswer,
	type LinkRow,
	type LinkRun,
	linksOutcome,
	missingLinkError,
	missingLinks,
	noLink,
	obtainLinks,
	validLink,
} from "../../onboarding/kyc/links.js";
import { linksText, type ObtainedLink, oneLinkText } from "../../onboarding/kyc/links-text.js";
import { companyNamed, knownOf, whoseText } from "../../onboarding/records/about.js";
import { ifOffered, listRelatedOf, readRelated, warnIfPartial } from "../../onboarding/records/reading.js";
import { hasPhoneToVerify, isBystander } from "../../onboarding/records/related-steps.js";
import type { About } from "../../ports/changes.js";
import { linkRow } from "../families/answers.js";

const input = z
	.strictObject({
		...getKycLink.body.shape,
		relatedPhysicalPersonId: z.optional(getKycLink.body.shape.relatedPhysicalPersonId),
		all: flag("The links of everybody who still needs one, as `purser corporate status` names them"),
		corporateId: z.optional(id("corporate", "With --all: the company")),
		again: flag("With --all: also for those whose link is still valid"),
		qr: flag("Show each link as a QR code too"),
	})
	.check(
		z.superRefine((value, context) => {
			const wrong = (path: string, message: string): void => context.addIssue({ code: "custom", path: [path], message });
			if (!value.all && value.relatedPhysicalPersonId === undefined) wrong("relatedPhysicalPersonId", "is required without --all");
			if (value.all && value.corporateId === undefined) wrong("corporateId", "is required with --all");
			if (value.all && value.relatedPhysicalPersonId !== undefined) wrong("relatedPhysicalPersonId", "cannot be combined with --all");
			if (!value.all)
				for (const name of ["corporateId", "again"] as const)
					if (value[name] !== undefined && value[name] !== false) wrong(name, "only works with --all");
		}),
	);
type Input = z.output<typeof input>;

const oneLink = () =>
	z.looseObject({
		...{ relatedPhysicalPersonId: z.string(), ...optionals(["name", "expiresAt"]), ...optionals(["id", "url", "ttl"], z.unknown()) },
		...optionals(["phoneVerified", "qr"], z.boolean()),
	});

export default defineCommand({
	path: "kyc link",
	summary: "Get the link with which a person does the KYC, or everybody's",
	details:
		"Every UBO and every director needs a KYC. At least one director does it in full, with liveness checks; for the others documents are enough. Send the link to the person: it takes a few minutes. With --all, persons are left out whose link is still valid, as far as the service and the journal show; exit 9 where one could not be made.",
	examples: [
		{ run: "kyc link crm-5002/ada@example.com --qr", note: "A link to send to the person, or to show" },
		{ run: "kyc link crm-5002/ada@example.com --json", note: "For a script that sends it" },
		{
			run: "kyc link --all --corporate-id crm-5002 -o csv > links.csv",
			note: "Every missing link, for a mail merge",
		},
	],
	effect: "write",
	operations: [getCorporate.id, listRelated.id, getRelated.id, getKycLink.id],
	input,
	answer: () =>
		withRecords(
			z.union([
				z.strictObject({
					...{ corporateId: z.string(), links: z.array(linkRow()) },
					...optionals(["partial", "qr"], z.boolean()),
				}),
				oneLink(),
			]),
			z.extend(oneLink(), linkRow().shape),
		),
	async run(context, given): Promise<Answer<Answered>> {
		await context.ask.begin();
		return given.all ? linkAll(context, given) : linkOne(context, given);
	},
	text: (answered, style) => (isRun(answered) ? linksText(answered, answered.qr === true, style) : oneLinkText(answered, style)),
});

interface OneLink extends ObtainedLink {
	/** False for an account owner with a phone on record that is not verified; absent for everybody else. */
	phoneVerified?: false;
}
/** What is read of whom the link is for. */
type Person = Pick<OneLink, "name" | "phoneVerified"> & { email?: string };
type AllLinks = LinkRun & { qr?: true };
type Answered = OneLink | AllLinks;

const isRun = (answered: Answered): answered is AllLinks => Array.isArray(answered.links);

/** The body of the request for one person. */
const bodyOf = (given: Input, relatedPhysicalPersonId: string) => ({ ...given, relatedPhysicalPersonId });

async function linkOne(context: Context, given: Input): Promise<Answer<OneLink>> {
	const { dryRun } = await context.settings.read();
	const id = given.relatedPhysicalPersonId as string;
	const { email, ...person }: Person = dryRun ? {} : await personOf(context, given, id);
	const whose = { ...knownOf(context, id), ...person };
	const rows: About["rows"] = [
		["Id", id],
		["Email", email],
	];
	await context.ask.change({ title: `Create a KYC link for ${whoseText(whose) ?? id}`, rows });
	const answer = await call(context, getKycLink, { body: bodyOf(given, id) }, { held: true });
	const { data } = answer;
	const address = addressOf(data);
	if (address !== undefined) givenWithAnswer(context.report, answer);
	else {
		await answer.given?.(noLink);
		// The answer is still shown: the link may be in it under another name.
		const { message, why, fix } = missingLinkError(id).failure;
		context.report.warn(advice`${message}. ${why}. ${fix}`);
	}
	const expiresAt = address === undefined ? undefined : expiryOf(data, context.clock.now());
	const related = typed(id, "RELATED");
	const status = purser`kyc status ${related} --wait`;
	return {
		data: { relatedPhysicalPersonId: id, ...whose, ...data, expiresAt, ...(given.qr ? { qr: true } : {}) },
		exit: address === undefined ? "unknown" : undefined,
		next: person.phoneVerified === false ? [status, purser`phone send-code ${related}`] : [status],
	};
}

/** Requests every missing link. The service gives each only once: one that the answer did not show is asked for anew by the next run. */
async function linkAll(context: Context, given: Input): Promise<Answer<AllLinks>> {
	const corporateId = given.corporateId as string;
	const { dryRun } = await context.settings.read();
	const { rows, partial } = await linksOf(context, given, corporateId);
	const missing = rows.filter(({ state }) => state !== "valid");
	const requests = missing.map((row) => ({ body: bodyOf(given, row.relatedPhysicalPersonId) }));
	const links = `${missing.length} KYC ${missing.length === 1 ? "link" : "links"}`;
	await context.ask.change(async () => ({
		title: `Create ${links} for ${await companyNamed(context.service, corporateId)}`,
		rows: missing.map(({ name, email, relatedPhysicalPersonId }, at) => [`${at + 1}`, `${name} · ${email ?? relatedPhysicalPersonId}`]),
	}));
	if (dryRun) await showRequests(context, requests);
	const ask = (id: string) => call(context, getKycLink, { body: bodyOf(given, id) }, { held: true });
	const obtain = () => obtainLinks(context, rows, ask);
	if (requests.length > 0) await context.report.during(`Requesting ${links}`, obtain);
	const data: AllLinks = { corporateId, links: rows, ...(partial ? { partial } : {}), ...(given.qr ? { qr: true } : {}) };
	const company = typed(corporateId, "CORPORATE");
	return {
		data,
		lines: rows,
		exit: linksOutcome(data),
		next: [purser`corporate status ${company}`],
	};
}

/** @throws DryRun with all of them */
async function showRequests(context: Context, requests: readonly { body: ReturnType<typeof bodyOf> }[]): Promise<void> {
	let planned: readonly PlannedRequest[] = [];
	for (const request of requests)
		await call(context, getKycLink, request).catch((error: unknown) => {
			if (!(error instanceof DryRun)) throw error;
			planned = planned.concat(error.requests);
		});
	if (planned.length > 0) throw new DryRun(planned);
}

async function linksOf(context: Context, given: Input, corporateId: string): Promise<{ rows: LinkRow[]; partial?: true }> {
	const { profile } = await context.settings.read();
	const found = await listRelatedOf(context.service, corporateId);
	warnIfPartial(context, found, "some links may be missing");
	const earlier = await recordedChanges(context);
	const before = (id: string) =>
		earlier.byDigest(getKycLink.id, digestOf(profile, getKycLink, { body: bodyOf(given, id) }, context.system.version));
	const rows = await missingLinks(context, corporateId, found.records, { again: given.again, before });
	return { rows, ...(found.complete ? {} : { partial: true }) };
}

/**
 * The person whom the link is for. Warns where they need no KYC (specification 3, rule 1), and where they have a link that is still valid.
 * @throws PurserError guard, where it is a company: a KYC is for physical persons (specification 1, step 7)
 */
async function personOf(context: Context, given: Input, id: string): Promise<Person> {
	const record = await ifOffered(context, "whether it is a person was not checked", () => readRelated(context.service, id));
	if (record === undefined) return {};
	const view = viewRelated(record);
	const { name, email, kycStatus } = view;
	if (view.isCompany)
		throw new PurserError("guard", {
			code: "KYC_OF_A_COMPANY",
			message: `${name ?? id} is a company, and a KYC is for physical persons. Nothing was sent`,
			fix: advice`Declare the persons behind it (related add) and get their links. Which company it belongs to: ${purser`overview`}`,
		});
	if (isBystander(record))
		context.report.warn(`${name ?? id} is neither a director nor a UBO, so no KYC is needed. Once requested, the KYB waits for it`);
	const { profile } = await context.settings.read();
	const digest = digestOf(profile, getKycLink, { body: bodyOf(given, id) }, context.system.version);
	const earlier = (await recordedChanges(context)).byDigest(getKycLink.id, digest);
	const state = kycStatus === "CREATED" ? "link given" : kycStatus === "DECLINED" ? "declined" : "to do";
	const valid = validLink({ state }, earlier, context.clock.now());
	if (valid !== undefined && kycStatus !== "VALIDATED")
		context.report.warn(
			`${name ?? id} already has a KYC link${valid.until === undefined ? "" : `, valid until ${valid.until.slice(0, 10)}`}; this creates a new one`,
		);
	return { name, email, ...(hasPhoneToVerify(view) ? { phoneVerified: false } : {}) };
}
