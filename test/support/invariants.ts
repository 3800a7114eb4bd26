/**
 * The ten invariants of money, in one place: every fault test passes what it observed and expects no violation.
 */

export type State = "planned" | "sending" | "accepted" | "waiting" | "refused" | "not-sent" | "in-doubt" | "not-created" | "abandoned";

/** One transfer as the tool knows it. */
export interface Row {
	/** What it is known by at the service: rows with one key cannot be told apart there. */
	key: string;
	/** Decimal text with at most two places. */
	amount: string;
	state: State;
	/** As recorded. */
	id?: string;
}

/** How one process ended. */
export interface Exit {
	/** `killed`: the process could not report anything. */
	code: number | "killed";
	/** What became of the rows it was asked to send, as recorded afterwards. */
	states: readonly State[];
}

export interface Observation {
	rows: readonly Row[];
	/** The keys of the file (or of what was asked), each as often as it stands there. */
	asked: readonly string[];
	/** Control total of what was asked, decimal text with two places. */
	total: string;
	/** At the service: the ids created, by key, as the service itself counts them. */
	created: ReadonlyMap<string, readonly string[]>;
	/** How many processes died, and how many rows each had in flight at most. */
	deaths: number;
	inFlight: number;
	/** Doubts that have another reason than a death. */
	otherDoubts?: number;
	/** What the database's and the record's own check found. */
	faults: readonly string[];
	exits?: readonly Exit[];
	/** Everything on the disk, and what may not stand there. */
	disk?: { bytes: readonly Uint8Array[]; secrets: readonly string[] };
}

/** Every violation, with the invariant's number. Empty: all hold. */
export function violations(observation: Observation): string[] {
	return [
		...counts(observation),
		...file(observation),
		...doubts(observation),
		...observation.faults.map((fault) => `8: ${fault}`),
		...exits(observation),
		...disk(observation),
	];
}

const went: readonly State[] = ["accepted", "waiting"];
const open: readonly State[] = ["in-doubt", "sending"];

/** 1 to 4, by groups that cannot be told apart; for a group of one they are the invariants word for word. */
function counts({ rows, created }: Observation): string[] {
	const found: string[] = [];
	for (const [key, group] of grouped(rows, (row) => row.key)) {
		const ids = created.get(key) ?? [];
		const of = (states: readonly State[]): Row[] => group.filter(({ state }) => states.includes(state));
		if (ids.length > group.length) found.push(`1: ${key} was made ${ids.length} times for ${group.length} transfers`);
		const accepted = of(went);
		if (ids.length < accepted.length) found.push(`2: ${key} is accepted ${accepted.length} times and was made ${ids.length} times`);
		found.push(...misnamed(key, accepted, ids));
		const may = accepted.length + of(open).length;
		const told = group.map(({ state }) => state).join(", ");
		if (ids.length > may) found.push(`${may === 0 ? 4 : 3}: ${key} was made ${ids.length} times, but is ${told}`);
	}
	for (const [key, ids] of created)
		if (ids.length > 0 && !rows.some((row) => row.key === key)) found.push(`1: ${key} was made and is on no record`);
	return found;
}

/** 2, of the ids under which transfers stand as accepted. */
function misnamed(key: string, accepted: readonly Row[], ids: readonly string[]): string[] {
	const named = accepted.flatMap(({ id }) => (id === undefined ? [] : [id.toLowerCase()]));
	const found = named.filter((id) => !ids.includes(id)).map((id) => `2: ${key} is accepted as ${id}, which the service does not know`);
	return new Set(named).size < named.length ? [...found, `2: ${key} has one id twice`] : found;
}

/** 5 and 6. */
function file({ rows, asked, total }: Observation): string[] {
	const found: string[] = [];
	const [known, wanted] = [grouped(rows, ({ key }) => key), grouped(asked, (key) => key)];
	for (const key of new Set([...known.keys(), ...wanted.keys()])) {
		const [there, times] = [known.get(key)?.length ?? 0, wanted.get(key)?.length ?? 0];
		if (there !== times) found.push(`5: ${key} was asked ${times} times and exists ${there} times`);
	}
	const sum = rows.reduce((cents, { amount }) => cents + centsOf(amount), 0n);
	if (sum !== centsOf(total)) found.push(`6: the parts are ${sum} cents, the control total is ${centsOf(total)}`);
	return found;
}

/** 7. */
function doubts({ rows, deaths, inFlight, otherDoubts = 0 }: Observation): string[] {
	const count = rows.filter(({ state }) => open.includes(state)).length;
	const most = deaths * inFlight + otherDoubts;
	return count > most
		? [`7: ${count} are in doubt; ${deaths} deaths with ${inFlight} in flight and ${otherDoubts} others explain ${most}`]
		: [];
}

/** From worst to best, with what a run may end with when that is its worst row. */
const truths: readonly (readonly [State, readonly number[]])[] = [
	["sending", [7]],
	["in-doubt", [7]],
	["refused", [4, 5, 9]],
	["waiting", [8]],
	// Not sent: unavailable, interrupted, or the journal could not be written (usage).
	["not-sent", [6, 130, 143, 129]],
	["planned", [2, 10, 130, 143, 129, 6]],
	["abandoned", [9, 10]],
	["not-created", [10]],
	["accepted", [0]],
];

/** 9. A doubt may be told where all is well in the end (7 for an accepted row that could not be written down), never the reverse. */
function exits({ exits = [] }: Observation): string[] {
	return exits.flatMap(({ code, states }) => {
		const worst = truths.find(([state]) => states.includes(state));
		if (code === "killed" || worst === undefined || worst[1].includes(code)) return [];
		return [`9: exit ${code} although the worst row is ${worst[0]}`];
	});
}

/** 10. */
function disk({ disk }: Observation): string[] {
	if (disk === undefined) return [];
	return disk.secrets
		.filter((secret) => disk.bytes.some((bytes) => Buffer.from(bytes).includes(secret)))
		.map((secret) => `10: ${secret} stands on the disk`);
}

/** @returns those of each key, in their order */
function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
	const found = new Map<string, T[]>();
	for (const one of all) {
		const group = found.get(keyOf(one)) ?? [];
		group.push(one);
		found.set(keyOf(one), group);
	}
	return found;
}

/** Cents of a decimal text. */
export function centsOf(amount: string): bigint {
	const [whole = "0", fraction = ""] = amount.split(".");
	return BigInt(whole + fraction.padEnd(2, "0"));
}
