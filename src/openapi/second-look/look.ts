/**
 * A second look for what the names did not tell: by what an operation is about, what it takes, and its sentences. Nothing is sure by it.
 */
import type { AnyOperation } from "../../api/operation.js";
import type { Act, Thing } from "../../api/operations/vocabulary.js";
import { idKindOf } from "../../api/text/ids.js";
import type { ForeignOperation } from "../foreign.js";
import { carriesCode, sharesByKind } from "../kinds.js";
import { type Presented, sentencesOf } from "../naming.js";
import { type Fit, fitOf } from "../score.js";
import type { Voice } from "../voice.js";
import { nameless, type Subject, type Subjects, subjectOf, subjectsOf } from "./subjects.js";

/** What each operation that may be looked for again is about; `record`: the record itself, not what is done with it. */
const about: Readonly<Record<string, { subject?: Subject; is: "record" | "list" | "act" | "none" }>> = {
	"corporate.create": { is: "none" },
	"corporate.list": { subject: "company", is: "list" },
	"corporate.get": { subject: "company", is: "record" },
	"corporate.update": { subject: "company", is: "record" },
	"related.get": { subject: "person", is: "record" },
	"related.update": { subject: "person", is: "record" },
	"corporate.diligenceReview": { subject: "company", is: "act" },
	"kyb.request": { subject: "company", is: "act" },
	"kyc.link": { subject: "person", is: "act" },
	"email.sendLink": { subject: "person", is: "act" },
	"phone.sendCode": { subject: "person", is: "act" },
	"phone.verifyCode": { subject: "person", is: "act" },
	"transaction.interLedger": { is: "none" },
	"transaction.beneficiary": { is: "none" },
};

/** A score that comes from sentences is no higher. */
const mostScore = 0.62;
/** How much of what names say against an operation still counts. */
const namesShare = 0.25;

/** The fits of operations that the first look did not find, best first. */
export function secondLook(
	catalog: readonly AnyOperation[],
	operations: readonly ForeignOperation[],
	shown: readonly Presented[],
	voice: Voice,
	assigned: ReadonlyMap<string, Fit>,
): Fit[] {
	const subjects = subjectsOf(assigned);
	const isLeft = (id: string, theirs: ForeignOperation): boolean =>
		[...assigned.values()].every((one) => one.theirs !== theirs || sharesByKind(one.operation.id, id, theirs));
	return catalog
		.filter(({ id }) => !assigned.has(id) && Object.hasOwn(about, id))
		.flatMap((operation) =>
			operations.flatMap((theirs, at) =>
				isLeft(operation.id, theirs) ? (looked(operation, theirs, shown[at] as Presented, { voice, subjects, assigned }) ?? []) : [],
			),
		)
		.sort((one, other) => other.score - one.score);
}

function looked(
	operation: AnyOperation,
	theirs: ForeignOperation,
	named: Presented,
	around: { voice: Voice; subjects: Subjects; assigned: ReadonlyMap<string, Fit> },
): Fit | undefined {
	const after = subjectOf(theirs.path, around.subjects)?.after ?? [];
	const told = toldAbout(operation, theirs, around.subjects);
	if (told === undefined || !isOfKind(operation, theirs, named)) return undefined;
	const said = sentencesOf(theirs, around.voice, after);
	const things = new Map(named.things);
	const add = (more: Iterable<readonly [Thing, number]>): void => {
		for (const [thing, weight] of more) if (weight > (things.get(thing) ?? 0)) things.set(thing, weight);
	};
	add(said.things);
	if (operation.effect === "money" && !moneyThings.some((thing) => things.has(thing))) return undefined;
	add([...told, ...continued(operation, theirs, around.assigned), ...overPhone(operation, things)]);
	// A page about the check of a company is the report on it.
	if (operation.document) things.set("review", Math.max(things.get("review") ?? 0, things.get("kyb") ?? 0));
	const words = new Map([...said.words, ...named.words]);
	const fit = fitOf(operation, theirs, {
		...named,
		things,
		words,
		named: [],
		heads: [],
		unknown: [],
		...actsFor(operation, theirs, named),
	});
	if (fit === undefined || !hasEnough(operation, fit)) return undefined;
	const against = namesShare * Math.min(0.5, named.unknown.length * 0.12 + named.heads.length * 0.08);
	return {
		...fit,
		score: Math.min(mostScore, fit.score - against),
		doubts: [...fit.doubts, "its names do not say it, its description does"],
	};
}

/** The things that the address alone says; undefined where it is about something else. */
function toldAbout({ id, effect }: AnyOperation, { path }: ForeignOperation, subjects: Subjects): ReadonlyMap<Thing, number> | undefined {
	const { subject, is } = about[id] as (typeof about)[string];
	// What takes an amount, and says who pays and who is paid, is a payment.
	if (subject === undefined) return new Map<Thing, number>(effect === "money" ? [["payment", 0.65]] : []);
	if (is === "list") return new Map<Thing, number>(subjects.get([...nameless(path), "{}"].join("/")) === subject ? [[subject, 0.7]] : []);
	const found = subjectOf(path, subjects);
	if (found === undefined && is === "act" && !path.includes("{")) return new Map();
	if (found?.subject !== subject || (is === "record") !== (found.after.length === 0)) return undefined;
	return new Map<Thing, number>(is === "record" ? [[subject, 0.7]] : []);
}

/** The code is checked below the address that sent it. */
function continued({ id }: AnyOperation, { path }: ForeignOperation, assigned: ReadonlyMap<string, Fit>): [Thing, number][] {
	const sent = assigned.get("phone.sendCode")?.theirs.path;
	return id === "phone.verifyCode" && sent !== undefined && path.startsWith(sent) ? [["phone", 0.7]] : [];
}

/** A code that a person is sent, and gives back, goes over the phone. */
const overPhone = ({ id }: AnyOperation, things: ReadonlyMap<Thing, number>): [Thing, number][] =>
	id.startsWith("phone.") && (things.get("code") ?? 0) >= 0.7 && !things.has("email") ? [["phone", 0.65]] : [];

/** What method and form say, whatever the words are. */
function isOfKind({ id, document }: AnyOperation, theirs: ForeignOperation, named: Presented): boolean {
	if (document) return theirs.method === "GET" && named.isHtml;
	if (id === "kyb.request") return theirs.method === "POST" && !named.isHtml;
	if (/^(email|phone)\./.test(id)) return theirs.method !== "GET" && theirs.method !== "DELETE";
	return true;
}

const moneyThings: readonly Thing[] = ["payment", "internal", "external"];

const posted: ReadonlySet<Act> = new Set<Act>(["create", "send", "request"]);

/** A POST that is no check of a code starts something, whatever its verb is; what stops something is none. */
function actsFor({ id }: AnyOperation, theirs: ForeignOperation, { acts, actIsNamed }: Presented): Pick<Presented, "acts" | "actIsNamed"> {
	if (theirs.method !== "POST") return { acts, actIsNamed };
	return { acts: carriesCode(theirs) && id === "phone.verifyCode" ? new Set<Act>(["verify"]) : posted, actIsNamed: false };
}

/** A record is known by its fields; a payment by who pays whom. */
function hasEnough({ id, effect }: AnyOperation, { theirs, kinds, parties, request }: Fit): boolean {
	// Without its record's address, what is done with a record takes the record's id.
	if (about[id]?.is === "act" && !theirs.path.includes("{") && !request.some(({ ours, score }) => ours.name in idKindOf && score >= 0.8))
		return false;
	if (effect === "money") return parties.debit !== undefined && parties.credit !== undefined;
	return !/^(corporate\.(create|list|get|update)|related\.)/.test(id) || kinds.has("fields");
}
