/**
 * Bugs that are put in on purpose, each where a careless change would put it. Every one must be caught.
 */
import type { Received } from "../../../src/api/answer.js";
import type { Tools } from "../../../src/payments/matching/sides.js";
import type { recheckNotCreated } from "../../../src/payments/single/single.js";
import type { Check, IntentState } from "../../../src/ports/intent.js";
import type { Journal, Rules } from "../../../src/ports/journal.js";
import type { ListPage } from "../../../src/ports/service.js";
import type { Transport, WireOutcome } from "../../../src/ports/wire.js";
import type { Disk } from "./memory.js";

export interface Plant {
	journal?(journal: Journal): Journal;
	transport?(transport: Transport): Transport;
	rules?(rules: Rules): Rules;
	tools?(tools: Tools): Tools;
	/** In the place of the look before a payment that was not created is sent again. */
	lookedAgain?: typeof recheckNotCreated;
	/** Decides in the place of the person who settles. */
	person?(): boolean;
	/** Whether that person names a line as another payment, in the place of the truth. */
	names?(): boolean;
	synchronous?: "NORMAL";
	/** Done by each process when it starts. */
	recover?(disk: Disk): void;
}

/** The production code as it is. */
export const none: Plant = {};

const changed =
	(change: (outcome: WireOutcome, again: () => Promise<WireOutcome>) => WireOutcome | Promise<WireOutcome>) =>
	(transport: Transport): Transport => ({
		...transport,
		send: async (request, limits) => change(await transport.send(request, limits), () => transport.send(request, limits)),
	});

const evidence = { source: "service", reason: "planted" } as const;

/** The looks that settling remembers, changed. */
function withLooks(tools: Tools, change: (checks: Check[]) => Check[]): Tools {
	return { ...tools, journal: { ...tools.journal, checks: async (intent) => change(await tools.journal.checks(intent)) } };
}

/** After each check that `isSo`, what it looked for is settled as not created. */
function notCreatedWhere(tools: Tools, isSo: (look: Parameters<Journal["recordCheck"]>[1]) => boolean): Tools {
	const { journal } = tools;
	const recordCheck: Journal["recordCheck"] = async (intents, look) => {
		const number = await journal.recordCheck(intents, look);
		for (const intent of isSo(look) ? intents : [])
			await journal.settle(intent, { state: "not-created", evidence }, (await journal.show(intent))?.record.attempt ?? 1);
		return number;
	};
	return { ...tools, journal: { ...journal, recordCheck } };
}

/** The pages that settling reads, changed; `number`: from 0. */
function withPages(tools: Tools, change: (page: ListPage, number: number) => ListPage): Tools {
	const page: Tools["service"]["page"] = async (operation, query, number) =>
		change(await tools.service.page(operation, query, number), number);
	return { ...tools, service: { ...tools.service, page } };
}

/** The service, with what it listed last. */
function listening(tools: Tools): Tools & { listed: readonly Received[] } {
	const listed: Received[] = [];
	const heard = withPages(tools, (page, number) => {
		if (number === 0) listed.length = 0;
		listed.push(...page.found);
		return page;
	});
	return { ...heard, listed };
}

export const plants: Record<string, Plant> = {
	"the record is written after sending": {
		journal: (journal) => {
			const open = new Map<string, Parameters<Journal["begin"]>[0]>();
			const numbers = new Map<string, string>();
			return {
				...journal,
				begin: async (intent) => {
					const name = `later ${open.size}`;
					open.set(name, intent);
					return name;
				},
				end: async (name, outcome) => {
					numbers.set(name, await journal.begin(open.get(name) as Parameters<Journal["begin"]>[0]));
					await journal.end(numbers.get(name) as string, outcome);
				},
			};
		},
	},
	"a reset is tried again": {
		transport: changed((outcome, again) => (outcome.kind === "sent" && outcome.status === undefined ? again() : outcome)),
	},
	"a reset is taken for not sent": {
		transport: changed((outcome) => (outcome.kind === "sent" ? { kind: "not-sent", reason: outcome.reason } : outcome)),
	},
	"a 5xx is taken for a refusal": {
		transport: changed((outcome) => (outcome.kind === "answer" && outcome.status >= 500 ? { ...outcome, status: 422 } : outcome)),
	},
	"a redirect is followed": {
		transport: changed((outcome, again) =>
			outcome.kind === "answer" && outcome.status >= 300 && outcome.status < 400 ? again() : outcome,
		),
	},
	"recovery plans again what was being sent": {
		recover: (disk) => {
			for (const kept of disk.content.intents.values())
				if (kept.state === "sending" && !disk.living.has(kept.sender ?? ""))
					disk.content.intents.set(kept.number, { ...kept, state: "not-created" });
		},
	},
	"what is committed is not synced (NORMAL)": { synchronous: "NORMAL" },
	"no settling time": { tools: (tools) => ({ ...tools, settleAfter: 1_000 }) },
	"the count is off by one: one too few": { tools: (tools) => withPages(tools, (page) => ({ ...page, found: page.found.slice(0, -1) })) },
	"the count is off by one: the rest were not created": { tools: (tools) => notCreatedWhere(tools, (look) => look.fitting > 0) },
	"what no event named was not created": {
		tools: (tools) => notCreatedWhere(tools, (look) => look.lacks?.includes("events named") === true && look.fitting === 0),
	},
	"what an event names is the payment that is looked for": {
		tools: (tools) => {
			const get: Tools["service"]["get"] = async (operation, input) => {
				const id = (input.params as { transactionId?: string }).transactionId;
				const [doubt] = await tools.journal.list({ states: ["in-doubt"] });
				if (id === undefined || doubt?.transfer === undefined) return tools.service.get(operation, input);
				const { amount, reference, ledgerFromId, counterpartyId } = doubt.transfer;
				const parties = { sender: { ledgerId: ledgerFromId }, receiver: { ledgerId: counterpartyId } };
				return { id, amount, currency: "EUR", creationDate: doubt.begun, information: { reference }, ...parties };
			};
			return { ...tools, service: { ...tools.service, get } };
		},
	},
	"what is not listed was not created": { tools: (tools) => notCreatedWhere(tools, (look) => look.complete && look.fitting === 0) },
	"an early check counts": {
		tools: (tools) =>
			withLooks(tools, (checks) => checks.map((look) => ({ ...look, at: new Date(Date.parse(look.at) + 24 * 3_600_000).toISOString() }))),
	},
	"what a check showed is forgotten": { tools: (tools) => withLooks(tools, (checks) => checks.map((look) => ({ ...look, fitting: 0 }))) },
	"a list that is not complete proves absence": { tools: (tools) => withPages(tools, (page) => ({ ...page, whole: true })) },
	"what is opened again keeps its id": { tools: (tools) => ({ ...tools, journal: { ...tools.journal, reopen: async () => {} } }) },
	"a person who is wrong": { person: () => true },
	"a person who calls every line another payment": { names: () => true },
	"what was not created is sent again without a look": { lookedAgain: async () => undefined },
	"a known payment that is not listed is overlooked": {
		tools: (tools) => {
			const { journal, service, listed } = listening(tools);
			const known: Journal["list"] = async (filter) => {
				const found = await journal.list(filter);
				return filter.since === undefined ? found : found.filter(({ id }) => listed.some((record) => record.id === id && !record.altered));
			};
			return { ...tools, service, journal: { ...journal, list: known } };
		},
	},
	"one property off is another payment": {
		tools: (tools) => withPages(tools, (page) => ({ ...page, found: page.found.filter(({ altered }) => !altered) })),
	},
	"the clocks are taken for the same": {
		tools: (tools) => {
			const { journal } = tools;
			const list: Journal["list"] = async (filter) => (await journal.list(filter)).map((one) => ({ ...one, skew: 0 }));
			const show: Journal["show"] = async (intent) => {
				const shown = await journal.show(intent);
				return shown && { ...shown, record: { ...shown.record, skew: 0 } };
			};
			return { ...withPages(tools, (page) => ({ ...page, at: tools.now().getTime() })), journal: { ...journal, list, show } };
		},
	},
	"an open doubt does not block": {
		rules: (rules) => ({
			...rules,
			check: (intent, known) => rules.check(intent, { ...known, duplicates: known.duplicates.filter(({ state }) => state !== "in-doubt") }),
		}),
	},
	"time takes over what is being sent": {
		rules: (rules) => ({
			...rules,
			check: (intent, known) => rules.check(intent, { ...known, duplicates: known.duplicates.filter(({ state }) => state !== "sending") }),
		}),
	},
	"what is in doubt is begun again": {
		rules: (rules) => ({
			...rules,
			next: (state, step) =>
				state === "sending" && step.kind === "ended" && step.outcome.state === "in-doubt"
					? ("not-created" as IntentState)
					: rules.next(state, step),
		}),
	},
};
