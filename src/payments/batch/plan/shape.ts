/**
 * The schema of a plan's file. Strict, because an unknown field could change the meaning of the plan.
 */

/** Returns the dotted path of the first fault, or undefined. */
type Check = (value: unknown, place: string) => string | undefined;

const when =
	(fits: (value: unknown) => boolean): Check =>
	(value, place) =>
		fits(value) ? undefined : place;
const matching = (pattern: RegExp): Check => when((value) => typeof value === "string" && pattern.test(value));
const text = matching(/^/);
const count = when((value) => typeof value === "number" && value >= 0 && value <= 1e15 && value % 1 === 0);
const amount = matching(/^\d{1,30}(\.\d{1,30})?$/);
const digest = matching(/^[0-9a-f]{64}$/);
const time = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const largestList = 1_000_000;

const optional =
	(look: Check): Check =>
	(value, place) =>
		value === undefined ? undefined : look(value, place);

const list =
	(look: Check, most = largestList): Check =>
	(value, place) => {
		if (!Array.isArray(value) || value.length > most) return place;
		return firstFault(value.map((part, at) => () => look(part, `${place}.${at}`)));
	};

const fields =
	(looks: Readonly<Record<string, Check>>): Check =>
	(value, place) => {
		if (!isObject(value)) return place;
		const unknown = Object.keys(value).find((key) => !Object.hasOwn(looks, key));
		if (unknown !== undefined) return `${place}.${unknown}`;
		return firstFault(
			Object.entries(looks).map(
				([key, look]) =>
					() =>
						look(value[key], `${place}.${key}`),
			),
		);
	};

const texts: Check = (value, place) =>
	isObject(value)
		? firstFault(
				Object.entries(value).map(
					([key, part]) =>
						() =>
							text(part, `${place}.${key}`),
				),
			)
		: place;

function firstFault(looks: readonly (() => string | undefined)[]): string | undefined {
	for (const look of looks) {
		const fault = look();
		if (fault !== undefined) return fault;
	}
	return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

const plan = fields({
	version: when((value) => value === 1),
	batch: matching(/^[1-9]\d{0,14}$/),
	installation: text,
	profile: text,
	environment: matching(/^(sandbox|live)$/),
	origin: text,
	source: text,
	sourceDigest: digest,
	count,
	digest: fields({ rows: digest, sequence: digest }),
	totals: list(fields({ ledgerFromId: text, currency: optional(text), rows: count, amount })),
	currencies: optional(list(fields({ currency: text, ids: list(text) }))),
	largest: list(fields({ currency: optional(text), amount })),
	settings: texts,
	duplicates: fields({ inside: count, earlier: count }),
	despite: optional(fields({ duplicates: optional(count), batches: optional(list(text)), reason: text })),
	planned: time,
	expires: time,
	planner: optional(text),
	operator: optional(text),
	signature: optional(text),
	sheet: optional(fields({ sha256: digest })),
});

/** The dotted path of the first fault in a plan's file; undefined if it is valid. */
export const planFault: Check = fields({
	plan,
	approvals: list(fields({ approver: optional(text), key: text, at: time, signature: text }), 100),
});
