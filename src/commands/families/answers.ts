/**
 * The schemas of what several commands answer. None is made before somebody asks for it: a run that writes no table needs none.
 */
import * as z from "zod/mini";
import { optionals } from "../../api/answer.js";

const text = z.string();
const texts = z.array(text);
const number = z.number();
const flag = z.boolean();
const fewRows = () => z.strictObject({ rows: number, intents: texts });
/** What few programs read of an answer is described by its name alone. */
const open = () => z.looseObject({});
const openList = () => z.array(open());

export const journalHead = () => z.strictObject({ seq: number, hash: text });

export const transfer = () =>
	z.strictObject({
		...{ kind: text, ledgerFromId: text, counterpartyId: text, amount: text },
		...optionals(["currency", "reference"]),
		...optionals(["allowFastPayment", "allowInterLedger"], flag),
	});

export const evidence = () => z.strictObject({ source: text, reason: text, checks: z.optional(openList()), before: z.optional(open()) });

export const intent = () =>
	z.strictObject({
		...{ intent: text, state: text, begun: text, changed: text, operation: text, effect: text },
		...optionals(["ledgerName", "payeeName"]),
		transfer: z.optional(transfer()),
		...optionals(["id", "why", "apiCode"]),
		...optionals(["status", "row", "skew"], number),
		...optionals(["batch", "externalId", "validUntil", "service", "sandbox", "digest", "fingerprint", "mapping", "operator"]),
		...optionals(["machine", "carried"]),
		...optionals(["reviewed", "confirmedBy"]),
		about: z.optional(z.strictObject({ kind: text, id: text })),
		...{ profile: text, origin: text, method: text, path: text, attempt: number },
		creates: z.optional(flag),
		despite: z.optional(z.strictObject({ intents: texts, gates: z.optional(texts), reason: text })),
		evidence: z.optional(evidence()),
		formerIds: z.optional(texts),
	});

export const journalEvent = () =>
	z.strictObject({ seq: number, at: text, intent: z.optional(text), kind: text, content: z.record(text, z.unknown()), hash: text });

const total = () => z.strictObject({ ledgerFromId: z.optional(text), currency: z.optional(text), rows: number, amount: text });

export const approval = () => z.strictObject({ approver: z.optional(text), key: text, at: text, signature: text });

export const batchPlan = () =>
	z.strictObject({
		...{ version: number, batch: text, installation: text, profile: text, environment: text, origin: text },
		...{ source: text, sourceDigest: text, count: number, digest: z.strictObject({ rows: text, sequence: text }) },
		sheet: z.optional(z.strictObject({ sha256: text })),
		totals: z.array(total()),
		largest: z.array(z.strictObject({ currency: z.optional(text), amount: text })),
		settings: z.record(text, text),
		duplicates: z.strictObject({ inside: number, earlier: number }),
		despite: z.optional(z.strictObject({ duplicates: number, reason: text })),
		...{ planned: text, expires: text },
		...optionals(["planner", "operator", "signature"]),
	});

/** The first rows of a plan, and by row what may be wrong. */
export const findings = () =>
	z.strictObject({ first: openList(), inside: openList(), earlier: openList(), newPayees: open(), unpayable: open() });

export const foundDuplicates = () =>
	z.strictObject({
		...{ inside: number, earlier: number, doubts: fewRows(), sending: z.optional(fewRows()) },
		batches: z.array(z.strictObject({ batch: text, rows: number, same: flag, abandoned: z.optional(flag) })),
	});

const rest = { rows: number, totals: z.array(total()) };

export const batchRest = () => z.strictObject(rest);

const states = ["planned", "sending", "accepted", "waiting", "refused", "not-sent", "in-doubt", "not-created", "abandoned"];

export const rowCounts = () => z.strictObject(Object.fromEntries(states.map((state) => [state, number])));

export const abandonedRest = () => z.strictObject({ ...rest, at: text, reason: text });

/** Why rows were refused, the most frequent reason first. */
export const refusals = () =>
	z.array(z.strictObject({ status: z.optional(number), apiCode: z.optional(text), rows: number, first: z.array(number) }));

export const batch = () =>
	z.strictObject({
		...{ batch: text, state: text, sending: flag, counts: rowCounts(), plan: batchPlan() },
		...optionals(["service", "sandbox", "begun", "plannerName"]),
		approvals: z.optional(z.array(approval())),
		abandoned: z.optional(abandonedRest()),
		refusals: z.optional(refusals()),
	});

const stopped = () => z.optional(z.strictObject({ code: text, why: text, until: z.optional(text) }));

/** A batch after its rows were sent, or after its rest was cancelled. */
export const batchRun = () => z.extend(batch(), { run: z.record(text, number), stopped: stopped() });
export const abandoning = () => z.extend(batch(), { rest: batchRest(), stopped: stopped() });

export const item = () =>
	z.strictObject({
		step: text,
		state: text,
		label: text,
		...optionals(["relatedId", "who", "since", "why", "command", "reason"]),
	});

const failure = () => z.looseObject({ kind: text, code: text, message: text, fix: text });

export const linkRow = () =>
	z.strictObject({
		...{ relatedPhysicalPersonId: text, name: text, need: text, state: text },
		...optionals(["email", "url", "expiresAt"]),
		error: z.optional(failure()),
	});

/** A case: what is planned for it, or became of it. */
export const caseResult = () =>
	z.strictObject({
		file: text,
		...optionals(["externalId", "name", "corporateId", "accountOwnerId", "state"]),
		summary: z.optional(z.record(text, number)),
		steps: z.optional(z.array(z.looseObject({ what: text, key: text, name: text }))),
		notNamed: z.optional(openList()),
		error: z.optional(failure()),
	});

export const wizardResult = () =>
	z.strictObject({ file: text, command: text, sent: flag, draft: z.optional(text), run: z.optional(caseResult()) });

export const draft = () =>
	z.strictObject({
		name: text,
		...optionals(["company", "startedAt", "savedAt"]),
		answers: number,
		nextQuestion: z.optional(text),
		path: text,
		trouble: z.optional(text),
	});

export const waitingCompany = () =>
	z.strictObject({
		...optionals(["corporateId", "externalId", "name", "kybStatus"]),
		blocker: z.optional(z.strictObject({ step: text, state: text, label: text, ...optionals(["who", "why", "command"]) })),
		since: z.optional(text),
		open: number,
		trouble: z.optional(text),
	});

export const subject = () => z.nullable(z.strictObject({ kind: text, id: text }));

const said = { type: text, subject: subject(), from: z.nullable(text), to: z.nullable(text) };

export const event = () =>
	z.strictObject({
		...{ id: text, at: text, ...said, source: text, verified: flag },
		confirmed: z.nullable(z.strictObject({ status: text, at: text })),
		raw: z.optional(z.unknown()),
	});

export const eventSays = () => z.strictObject({ ...said, at: z.optional(text) });

export const streamed = () => ({
	...{ end: text, received: number, events: z.array(event()) },
	hooks: z.strictObject({ done: number, failed: number, waiting: number }),
});

const confirmation = () => z.strictObject({ digest: text, service: text, at: text, by: z.optional(text) });

/** Who confirmed what a mapping sends; null where nobody has. */
export const confirmed = () => z.nullable(confirmation());

export const profile = () => ({
	...{ name: text, baseUrl: text, environment: text },
	auth: z.strictObject({ kind: text, ...optionals(["header", "username", "partnerName"]) }),
	settings: z.record(text, text),
	mapping: z.optional(open()),
	confirmations: z.optional(z.record(text, confirmation())),
	team: z.optional(z.strictObject({ url: text, machine: text })),
});

export const writtenPage = () => z.strictObject({ path: text, bytes: number, sha256: text });
